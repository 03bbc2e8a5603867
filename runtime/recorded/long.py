"""Observations of one answer each: the rows of a response come together, in whatever order they stand."""

from __future__ import annotations

from runtime.recorded.answers import no_answer
from runtime.recorded.faults import Fault, Faults
from runtime.recorded.gathering import Open
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.identity import Identity
from runtime.recorded.layout import BlockLayout, CellsLayout
from runtime.recorded.pattern import Fields, Found
from runtime.recorded.values import BLANK
from schemas.table import Cell

Entry = tuple[CellsLayout, Open, Fields]


class LongAnswers:
    """Reads one block of one file. Observations that say the same but for item and answer are one response."""

    def __init__(self, grid: Grid, identity: Identity, faults: Faults) -> None:
        self._grid = grid
        self._identity = identity
        self._faults = faults
        self._entries: dict[tuple[Cell, ...], list[Entry]] = {}
        self._items: dict[tuple[str, str, int], int] = {}

    def meet(self, line: Line, block: BlockLayout, entries: list[Entry]) -> None:
        """Takes in whose answers to what the observations like `line` are."""
        if block.identity is not None:
            self._entries[block.identity(line)] = entries

    def known(self, line: Line, line_number: int, block: BlockLayout, origin: int) -> bool:
        """Takes in the line's answer, if one like it was met; else False. Raises Fault."""
        entries = None if block.identity is None else self._entries.get(block.identity(line))
        if entries is None:
            return False
        for cells, response, fields in entries:
            found = fields.get("item") if block.item is None else Found(text(line[block.item]))
            item = self._item(line_number, block, cells, found)
            index = cells.indices.start
            reader = cells.readers[item]
            value = reader[line[index]]
            if value is None:
                place = self._grid.at(line_number, index)
                self._faults.add(no_answer(place, line[index], item, cells.scale, reader))
            response.put(item, value or BLANK, origin)
        return True

    def _item(self, line_number: int, block: BlockLayout, cells: CellsLayout, found: Found | None) -> int:
        """The number of the item that an observation answers. Raises Fault."""
        if found is None:
            raise Fault(
                f"{self._grid.name}: nothing says which item an observation answers: say `item = column ...`."
            )
        key = (cells.scale.id, found.text, found.counting_from)
        if key not in self._items:
            try:
                self._items[key] = self._identity.item(cells.scale, found)
            except Fault as fault:
                place = self._grid.at(line_number, block.item or 0)
                raise Fault(f"{place}: {fault}") from fault
        return self._items[key]
