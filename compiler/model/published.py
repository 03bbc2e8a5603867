"""What an `expect` comes to: the published cells, each found by its row of the report.

Reading a published table can go wrong in its every cell, so it yields cells and diagnostics together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

import msgspec

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.grids import as_number, column_index, column_problems, columns_told, long_rows, text
from compiler.model.recodes import Recoding, spelled
from compiler.model.reportrows import ROW_COLUMNS, NoRow, Row, Rows, fits
from compiler.model.study import predicates
from compiler.resolve import Program
from schemas.plan import Expected, ExpectedCell
from schemas.report import ReportRow
from schemas.table import Cell, Table, pointed

NUMBERS = tuple(
    field.name
    for field in msgspec.structs.fields(ReportRow)
    if field.type in (int, float, int | None, float | None) and field.name not in ROW_COLUMNS
)
"""The columns of a report that hold a number which can be published."""

DIRECTION = "direction"

Direction = Literal["up", "down", "none"]


class PublishedTable:
    """Reads one `expect ... from` into cells."""

    def __init__(self, program: Program, study: ast.StudyDecl, expect: ast.ExpectTable, rows: Rows) -> None:
        self._study = study.name.text
        self._expect = expect
        self._rows = rows
        self._table = program.table(expect.path, expect.sheet)
        self._recodes = {r.field.text: Recoding(r) for r in expect.body if isinstance(r, ast.RecodeDecl)}
        self._columns = [part for part in expect.body if isinstance(part, ast.ExpectColumn)]
        self._filters = [part for part in expect.body if isinstance(part, ast.RowsWhere)]

    def read(self) -> Iterator[ExpectedCell | Diagnostic]:
        """The cells, and what is wrong with the table or the mapping."""
        if isinstance(self._table, str):
            yield diagnostic(Code.DATA_FILE, self._expect.path.span, message=self._table)
            return
        problems = [*self._places(self._table), *long_rows(self._table, self._expect.path)]
        yield from problems
        if problems:
            return
        belonging = [
            (number, row)
            for number, row in enumerate(self._table.rows[1:], start=2)
            if self._belongs(self._table, row)
        ]
        for number, row in belonging:
            yield from self._cell(self._table, number, row)
        if not belonging:
            help = "look at the `where` line: no row of the table fits it"
            what = f"no row of {self._expect.path.text} is mapped"
            yield diagnostic(Code.MAPS_NOTHING, self._expect.span, what=what, help=help)
        yield from self._unused()

    def _places(self, table: Table) -> Iterator[Diagnostic]:
        places = [c.source for c in self._columns if isinstance(c.source, ast.PlaceNode)]
        for place in [*places, *(part.place for part in self._filters)]:
            if place.axis == "row":
                named = f'"{place.at.text}"' if isinstance(place.at, ast.Str) else text(place.at.value)
                help = f"a published value stands in a column: {columns_told(table)}"
                path = self._expect.path.text
                yield diagnostic(Code.NO_COLUMN, place.span, path=path, column=f"row {named}", help=help)
            else:
                yield from column_problems(table, self._expect.path, place.at)

    def _belongs(self, table: Table, row: tuple[Cell, ...]) -> bool:
        return any(text(cell) for cell in row) and all(
            _at(table, row, part.place)[1] in {value.text for value in part.values} for part in self._filters
        )

    def _cell(self, table: Table, number: int, row: tuple[Cell, ...]) -> Iterator[ExpectedCell | Diagnostic]:
        """One row of the table. It is left out where all of its values are recoded to missing."""
        key: Row = {}
        numbers: list[Expected] = []
        direction: Direction | None = None
        wrong: list[Diagnostic] = []
        for column in self._columns:
            place, spelling = self._spelling(table, column, row)
            meaning = self._meaning(column, spelling, table.decimal_comma)
            if column.column.text not in (*NUMBERS, DIRECTION):
                key[column.column.text] = meaning or None
            elif meaning is None:
                continue
            elif (value := _value(column, meaning)) is None:
                wrong.append(self._wrong(column, number, place, meaning))
            elif isinstance(value, Expected):
                numbers.append(value)
            else:
                direction = value
        yield from wrong
        found = self._rows.find(key)
        if isinstance(found, NoRow):
            yield _no_row(self._study, found, self._expect)
        elif numbers or direction is not None:
            yield _with_erratum(ExpectedCell(found, tuple(numbers), direction), self._expect)

    def _spelling(
        self, table: Table, column: ast.ExpectColumn, row: tuple[Cell, ...]
    ) -> tuple[int | None, str]:
        """The number of the table's column and what stands there; None for what the spec itself says."""
        match column.source:
            case ast.PlaceNode():
                return _at(table, row, column.source)
            case ast.ConstantNode():
                return None, column.source.value.text
            case ast.Str():
                return None, column.source.text

    def _meaning(self, column: ast.ExpectColumn, spelling: str, decimal_comma: bool) -> str | None:
        """What a spelling means; None where it is recoded to missing. A number has a decimal point."""
        recoding, is_number = self._recodes.get(column.column.text), column.column.text in NUMBERS
        meaning = spelling if recoding is None else recoding.meaning(spelling, decimal_comma=decimal_comma)
        return pointed(meaning) if meaning is not None and decimal_comma and is_number else meaning

    def _wrong(self, column: ast.ExpectColumn, row: int, place: int | None, found: str) -> Diagnostic:
        name = column.column.text
        wanted = "up, down or none" if name == DIRECTION else "a number"
        if place is None:
            span = column.source.span
            return diagnostic(Code.WRONG_TYPE, span, what=name, wanted=wanted, found=f'"{found}"')
        help = None
        if not found:
            help = f'nothing stands there: fill it in, or say `recode {name} {{ "" -> missing }}`'
        return diagnostic(
            Code.NOT_A_NUMBER,
            self._expect.path.span,
            path=self._expect.path.text,
            row=row,
            column=place,
            text=found,
            wanted=wanted,
            help=help,
        )

    def _unused(self) -> Iterator[Diagnostic]:
        for field, recoding in self._recodes.items():
            for pair in recoding.unused():
                path, spelling = self._expect.path.text, spelled(pair.spelling)
                yield diagnostic(Code.RECODE_NOTHING, pair.span, field=field, path=path, spelling=spelling)


def inline_cell(study: ast.StudyDecl, expect: ast.ExpectValue, rows: Rows) -> ExpectedCell | Diagnostic:
    """An `expect` of one number as a cell, or why its analysis has no row for it."""
    key: Row = {predicate.field: predicate.values[0] for predicate in predicates(expect.where)}
    outcome = {"scale": expect.outcome.head, "subscale": expect.outcome.tail}
    for name, said in outcome.items():
        if said is not None and key.setdefault(name, said.text) != said.text:
            return _no_row(study.name.text, NoRow(f"{name} {said.text} and {key[name]} at once"), expect)
    found = rows.find(key)
    if isinstance(found, NoRow):
        return _no_row(study.name.text, found, expect)
    column = expect.target.tail.text if expect.target.tail is not None else "estimate"
    return ExpectedCell(found, (Expected(column, expect.value.value, expect.within.value),))


def _at(table: Table, row: tuple[Cell, ...], place: ast.PlaceNode) -> tuple[int, str]:
    index = column_index(table, place.at)
    assert index is not None, "a place that is no column of the table was reported"
    return index + 1, text(row[index]) if index < len(row) else ""


def _value(column: ast.ExpectColumn, meaning: str) -> Expected | Direction | None:
    """A published number or direction; None where it is neither."""
    if column.column.text == DIRECTION:
        return cast(Direction, meaning) if meaning in ("up", "down", "none") else None
    value = as_number(meaning.replace("−", "-"))
    if value is None:
        return None
    within = column.within.value if column.within is not None else 0.0
    return Expected(
        column.column.text, value, within, column.rounded.whole if column.rounded is not None else None
    )


def _no_row(study: str, problem: NoRow, node: ast.Node) -> Diagnostic:
    return diagnostic(Code.NO_ROW, node.span, study=study, row=problem.what, help=problem.help)


def _with_erratum(cell: ExpectedCell, expect: ast.ExpectTable) -> ExpectedCell:
    """The cell with the first erratum that is about it."""
    for part in expect.body:
        if isinstance(part, ast.Erratum) and all(fits(cell.row, one) for one in predicates(part.where)):
            return ExpectedCell(cell.row, cell.numbers, cell.direction, part.text.text)
    return cell
