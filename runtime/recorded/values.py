"""From a cell to an item's value, or to those of a whole scale."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from runtime.recorded.faults import Fault
from runtime.recorded.grid import text
from runtime.recorded.numerals import Numerals
from runtime.recorded.recodes import NUMBER, Recoding
from schemas.plan import Option
from schemas.render import number
from schemas.table import Cell, pointed

MANY = 12


class Value(NamedTuple):
    """An answered code and its anchor; or None, with the reason."""

    value: float | None
    choice: str | None = None
    reason: str | None = None


BLANK = Value(None, reason="blank")
RECODED = Value(None, reason="recoded as missing")
ABSENT = Value(None, reason="not in the data")


class ItemReader(dict[Cell, Value | None]):
    """Reads the cells of items that share their options. `reader[cell]` is a Value, or None where the cell is
    no answer; each spelling is worked out once. `labels`: anchors are written, not codes."""

    def __init__(
        self, options: tuple[Option, ...], recoding: Recoding, labels: bool, numerals: Numerals
    ) -> None:
        super().__init__()
        self._codes = {round(option.code, 9): Value(option.code, option.anchor) for option in options}
        self._labelled = {
            option.anchor.strip().casefold(): Value(option.code, option.anchor)
            for option in options
            if option.anchor is not None
        }
        self._anchors = self._labelled if labels else {}
        self._recoding = recoding
        self._labels = labels
        self._numerals = numerals

    def __missing__(self, cell: Cell) -> Value | None:
        read = self[cell] = self._work_out(text(cell))
        return read

    def told(self) -> str:
        """What can be answered, as messages tell it."""
        if self._labels:
            anchors = [f'"{value.choice}"' for value in self._anchors.values()]
            return (
                f"the labels of its options are {', '.join(anchors)}"
                if anchors
                else "its options have no labels"
            )
        codes = [number(value.value or 0.0) for value in self._codes.values()]
        shown = [*codes[:3], "...", codes[-1]] if len(codes) > MANY else codes
        return f"its codes are {', '.join(shown)}"

    def outside(self, written: str) -> str | None:
        """Why a number is no answer of those that its recode groups; None where that is not why."""
        try:
            self._recoding.meaning(self._plain(written))
        except Fault as fault:
            return str(fault)
        return None

    def doubt(self, written: str) -> str:
        """What may be behind a text that is no answer: an anchor where codes are read, the other way round, a
        decimal comma."""
        if not self._labels and written.casefold() in self._labelled:
            return " It is the label of an option: say `as labels` behind the place."
        if self._labels and self._code(written) is not None:
            return " It is the code of an option: take `as labels` out if codes stand here."
        if not re.fullmatch(r"-?\d+,\d+", written):
            return ""
        if not self._numerals.decimal_comma:
            return " A decimal comma is read as text: write 1.5 for 1,5."
        whole, point = written.replace(",", ""), written.replace(",", ".")
        return f" It could be {whole} or {point}." if pointed(written) == written else ""

    def _plain(self, written: str) -> str:
        return written if self._labels or self._recoding.knows(written) else self._numerals.plain(written)

    def _code(self, written: str) -> Value | None:
        return self._codes.get(round(float(written), 9)) if NUMBER.fullmatch(written) else None

    def _work_out(self, written: str) -> Value | None:
        try:
            meaning = self._recoding.meaning(self._plain(written))
        except Fault:
            return None
        if meaning is None:
            return RECODED
        if not meaning:
            return BLANK
        if self._labels:
            labelled = self._anchors.get(meaning.casefold())
            if labelled is not None or not self._recoding.knows(written):
                return labelled
        return self._code(meaning)


def listed(written: str) -> list[Cell] | None:
    """The cells that a list in one cell holds, or None where it is no list: `[1, 2, 3]` (as JSON or Python
    write it), `1;2;3` or `1,2,3`."""
    if not written:
        return []
    if not written.startswith("["):
        return [part.strip() or None for part in written.split(";" if ";" in written else ",")]
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(written)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    if not isinstance(found, list) or any(not isinstance(one, str | int | float | None) for one in found):
        return None
    return [str(one).upper() if isinstance(one, bool) else one for one in found]


def unreadable(cells: Sequence[Cell], readers: Sequence[ItemReader]) -> int:
    """Which of the cells (from 0) is no answer; one of them is none."""
    return next(n for n, (cell, reader) in enumerate(zip(cells, readers, strict=True)) if reader[cell] is None)
