"""The answers of an observation to a whole scale: from cells, or from a list in one."""

from __future__ import annotations

import re

from runtime.recorded.faults import Fault, Faults
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.layout import CellsLayout
from runtime.recorded.pattern import Fields, filled
from runtime.recorded.recodes import whole
from runtime.recorded.values import BLANK, ItemReader, Value, listed
from schemas.plan import Scale
from schemas.table import Cell

Answers = tuple[tuple[int, ...], tuple[Value, ...]]
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+)?")
FORMS = 'a list is written [1, 2, 3] or 1;2;3 or 1,2,3, one of texts ["a", "b"] or a;b or a,b'


class AnswerCells:
    """Reads the answers of one file. A cell that is no answer goes to `faults`, and the answer is then
    missing."""

    def __init__(self, grid: Grid, faults: Faults) -> None:
        self._grid = grid
        self._faults = faults
        self._numbers: dict[tuple[int, str], tuple[int, ...]] = {}

    def read(self, line_number: int, line: Line, cells: CellsLayout, fields: Fields) -> Answers:
        """The items, in the order in which they stand, and their values. Raises Fault."""
        if cells.form == "list":
            return self._list(line_number, line, cells)
        items = self._item_numbers(cells, fields)
        where = cells.indices
        found = [cells.readers[item][line[index]] for item, index in zip(items, where, strict=True)]
        if None in found:
            for item, index, value in zip(items, where, found, strict=True):
                if value is None:
                    self._no_answer(line_number, index, line[index], item, cells)
        return items, tuple(value or BLANK for value in found)

    def _list(self, line_number: int, line: Line, cells: CellsLayout) -> Answers:
        index = cells.indices[0]
        items = tuple(cells.readers)
        if cells.order_index is not None:
            items = self._listed_items(line_number, line, cells, cells.order_index)
        written = text(line[index])
        answers = listed(written) if written else [None] * len(items)
        place = self._grid.at(line_number, index)
        if answers is None:
            why = f'"{written[:60]}" is no list; {FORMS}.'
            raise Fault(f"{place}: {why}", alike=why)
        if len(answers) != len(items):
            why = (
                f'"{written[:60]}" holds {len(answers)} values; {cells.scale.id} has {len(items)} items. '
                f"{FORMS.capitalize()}."
            )
            raise Fault(f"{place}: {why}", alike=why)
        values = [cells.readers[item][answer] for item, answer in zip(items, answers, strict=True)]
        for item, answer, value in zip(items, answers, values, strict=True):
            if value is None:
                self._no_answer(line_number, index, answer, item, cells)
        return items, tuple(value or BLANK for value in values)

    def _no_answer(self, line_number: int, index: int, cell: Cell, item: int, cells: CellsLayout) -> None:
        place, hint = self._grid.at(line_number, index), self._grid.headers_hint(line_number, cell)
        fault = no_answer(place, cell, item, cells.scale, cells.readers[item], hint)
        self._faults.add(fault, self._grid.spot(line_number))

    def _listed_items(self, line_number: int, line: Line, cells: CellsLayout, index: int) -> tuple[int, ...]:
        """The item numbers of an order that is a list in a cell of the observation. Raises Fault."""
        written = text(line[index])
        numbers = listed(written) or []
        items = tuple(number for number in map(whole, map(text, numbers)) if number is not None)
        if sorted(items) != sorted(cells.readers) or len(items) != len(numbers):
            raise Fault(
                f'{self._grid.at(line_number, index)}: "{written[:60]}" is no order of the '
                f"{len(cells.readers)} items of {cells.scale.id}; {FORMS}."
            )
        return items

    def _item_numbers(self, cells: CellsLayout, fields: Fields) -> tuple[int, ...]:
        """The numbers of the items whose answers stand at the cells, in the cells' order. Raises Fault."""
        place = cells.order
        if place is None:
            return tuple(cells.readers)
        key = (id(cells), "" if isinstance(place.at, int) else filled(place.at, fields))
        if key not in self._numbers:
            self._numbers[key] = self._numbers_beside(cells, self._grid.line(place, fields))
        return self._numbers[key]

    def _numbers_beside(self, cells: CellsLayout, beside: int) -> tuple[int, ...]:
        grid, line = self._grid, self._grid.lines[beside]
        seen: dict[int, int] = {}
        for index in cells.indices:
            written = text(line[index])
            number = whole(written)
            if number is None or number not in cells.readers:
                place = grid.at(beside, index)
                raise Fault(f'{place}: "{written[:60]}" is no item number of {cells.scale.id}.')
            if number in seen:
                raise Fault(
                    f"{grid.at(beside, index)}: item {number} of {cells.scale.id} a second time; "
                    f"it stands in {grid.along} {seen[number] + 1} too."
                )
            seen[number] = index
        return tuple(seen)


def no_answer(place: str, cell: Cell, item: int, scale: Scale, reader: ItemReader, hint: str = "") -> Fault:
    """What is wrong with a cell that is no answer; `hint` is said at the end."""
    written = text(cell)
    outside = reader.outside(written)
    if outside is not None:
        return Fault(f"{place}: {outside}{hint}", alike=outside)
    doubt = reader.doubt(written)
    if DATE.fullmatch(written):
        doubt = " It is a date: a spreadsheet program reads 3-4 or 1.5 as one."
    why = f"of {scale.id}; {reader.told()}.{doubt} Correct it, or say `recode {scale.id} {{ ... }}`."
    return Fault(
        f'{place}: "{written[:60]}" is no answer to item {item} {why}{hint}', alike=f'"{written}" {why}'
    )
