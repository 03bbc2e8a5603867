"""A data file's columns: which one a spec means, and what is wrong with the shape of the file."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from schemas.table import Cell, Table


def text(cell: Cell) -> str:
    """A cell or a number as text: 3, not 3.0; every other number so that it reads back as itself; nothing is
    the empty text."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def as_number(written: str) -> float | None:
    """The number that a text is; None where it is none, or not finite."""
    try:
        value = float(written)
    except ValueError:
        return None
    return value if isfinite(value) and "_" not in written else None


def header(table: Table) -> list[str]:
    """The columns' names, from the file's first row, up to the last that has one."""
    names = [text(cell) for cell in table.rows[0]] if table.rows else []
    return names[: _width(names)]


def column_index(table: Table, column: ast.Str | ast.Num) -> int | None:
    """The one column (from 0) that is meant by its name or its number (from 1); None where none is, or where
    several could be."""
    meant = _meant(table, column)
    return meant[0] if len(meant) == 1 else None


def column_problems(table: Table, path: ast.Str, column: ast.Str | ast.Num) -> Iterator[Diagnostic]:
    """A column that the file does not have, that several could be, or that is no whole number."""
    meant, names = _meant(table, column), [name for name in header(table) if name]
    if isinstance(column, ast.Num) and not column.is_whole:
        wanted = "a whole number of at least 1"
        yield diagnostic(Code.OUT_OF_RANGE, column.span, what="column", found=text(column.value), wanted=wanted)
    elif not meant:
        named = f'"{column.text}"' if isinstance(column, ast.Str) else text(column.value)
        help = nearest(column.text, names) if isinstance(column, ast.Str) else None
        help = help or columns_told(table)
        yield diagnostic(Code.NO_COLUMN, column.span, path=path.text, column=named, help=help)
    elif len(meant) > 1:
        first, second = (f"column {index + 1} of {path.text}" for index in meant[:2])
        help = f"rename one of them in the file, or write the number: `column {meant[0] + 1}`"
        name = header(table)[meant[0]]
        yield diagnostic(Code.AMBIGUOUS, column.span, name=name, first=first, second=second, help=help)


def columns_told(table: Table) -> str:
    """The names of the file's first columns, as a help line tells them."""
    names = [name for name in header(table) if name]
    return f"its columns are {', '.join(names[:8])}" if names else "its first row must name the columns"


def long_rows(table: Table, path: ast.Str) -> Iterator[Diagnostic]:
    """Rows with more cells than the header has columns: most often a text was cut where a comma stands."""
    columns = len(header(table))
    for number, row in enumerate(table.rows[1:], start=2):
        if len(row) > columns and (cells := _width([text(cell) for cell in row])) > columns:
            help = 'a text that holds the sign between cells stands in quotes, as in `"first, second"`'
            yield diagnostic(
                Code.LONG_ROW, path.span, path=path.text, row=number, cells=cells, columns=columns, help=help
            )


def _meant(table: Table, column: ast.Str | ast.Num) -> list[int]:
    names = header(table)
    match column:
        case ast.Num():
            return [column.whole - 1] if column.is_whole and 1 <= column.value <= len(names) else []
        case ast.Str():
            wanted = column.text.strip()
            return [index for index, name in enumerate(names) if name and name == wanted]


def _width(cells: list[str]) -> int:
    """How many cells there are, up to the last that holds something."""
    return max((number for number, cell in enumerate(cells, start=1) if cell), default=0)
