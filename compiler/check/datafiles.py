"""Data files that a declaration takes its texts from: that no text of them is cut, skipped or misread."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.grids import column_index, column_problems, columns_told, long_rows, text
from compiler.resolve import Program
from schemas.table import Table


def check_data_file(program: Program, data: ast.DataFile) -> Iterator[Diagnostic]:
    """A data file that a declaration takes a column of."""
    table = program.table(data.path, data.sheet)
    if isinstance(table, str):
        yield diagnostic(Code.DATA_FILE, data.path.span, message=table)
        return
    if data.column is None:
        help = f'write `column "..."` behind it: {columns_told(table)}'
        yield diagnostic(Code.LACKS, data.span, where=f'from "{data.path.text}"', what="column", help=help)
        return
    yield from column_problems(table, data.path, data.column)
    index = column_index(table, data.column)
    if index is not None:
        yield from long_rows(table, data.path)
        yield from _blank_cells(table, data, index)


def _blank_cells(table: Table, data: ast.DataFile, index: int) -> Iterator[Diagnostic]:
    """A cell of blanks is blank; a row is left out only where nothing at all stands in it."""
    for number, row in enumerate(table.rows[1:], start=2):
        lacking = not (index < len(row) and text(row[index]))
        if lacking and any(cell not in (None, "") for cell in row):
            yield diagnostic(
                Code.EMPTY_CELL,
                data.span,
                path=data.path.text,
                row=number,
                column=index + 1,
                help="fill it in, or take the row out",
            )
