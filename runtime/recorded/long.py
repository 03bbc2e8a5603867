"""Observations of one answer each: the rows of a response come together, in whatever order they stand."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.recorded.answers import no_answer
from runtime.recorded.faults import Fault, Faults
from runtime.recorded.gathering import Open
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.identity import Identity
from runtime.recorded.layout import BlockLayout, CellsLayout
from runtime.recorded.pattern import Found
from runtime.recorded.values import BLANK
from schemas.table import Cell


@dataclass(slots=True)
class Entry:
    """A response, and where observations hold an answer to it. `item`: what stands in the hole of that name,
    where no cell says which item is answered."""

    cells: CellsLayout
    response: Open
    item: Found | None


class LongAnswers:
    """Reads one block of one file. Observations that say the same but for item and answer are one response."""

    def __init__(self, grid: Grid, identity: Identity, faults: Faults) -> None:
        self._grid = grid
        self._identity = identity
        self._faults = faults
        self._entries: dict[tuple[Cell, ...], list[Entry]] = {}
        self._items: dict[tuple[str, Cell], int] = {}

    def keep(self, said: tuple[Cell, ...], entries: list[Entry]) -> None:
        """Takes in whose answers to what observations are that say `said` of themselves."""
        self._entries[said] = entries

    def kept(self, said: tuple[Cell, ...]) -> list[Entry] | None:
        """Whose answers such observations are, if one like them came before."""
        return self._entries.get(said)

    def take(self, line: Line, line_number: int, block: BlockLayout, entries: list[Entry], origin: int) -> None:
        """Takes in the answers of an observation. Raises Fault, LeaveOut."""
        problem = self._grid.ragged(line_number, ()) if self._grid.axis == "row" else None
        if problem is not None:
            raise problem
        at = block.item
        for entry in entries:
            cells, written = entry.cells, None if at is None else line[at]
            item = self._items.get((cells.scale.id, written)) if at is not None else None
            if item is None:
                item = self._item(line_number, block, entry, written)
            cell, reader = line[cells.indices[0]], cells.readers[item]
            value = reader[cell]
            if value is None:
                place = self._grid.at(line_number, cells.indices[0])
                fault = no_answer(place, cell, item, cells.scale, reader)
                self._faults.add(fault, self._grid.spot(line_number))
            entry.response.put(item, value or BLANK, origin)

    def _item(self, line_number: int, block: BlockLayout, entry: Entry, written: Cell) -> int:
        """The number of the item that an observation answers. Raises Fault, LeaveOut."""
        scale = entry.cells.scale
        found = entry.item if block.item is None else Found(text(written))
        if found is None:
            raise Fault(
                f"{self._grid.name}: nothing says which item an observation answers: say `item = column ...`."
            )
        try:
            item = self._identity.item(scale, found)
        except Fault as fault:
            place = self._grid.at(line_number, block.item or 0)
            raise Fault(f"{place}: {fault}", alike=str(fault)) from fault
        if block.item is not None:
            self._items[scale.id, written] = item
        return item
