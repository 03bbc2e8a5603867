"""From a cell to an item's value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from runtime.recorded.grid import text
from schemas.plan import Option
from schemas.render import number
from schemas.table import Cell

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class Value(NamedTuple):
    """An answered code and its anchor; or None, with the reason."""

    value: float | None
    choice: str | None = None
    reason: str | None = None


BLANK = Value(None, reason="blank")
RECODED = Value(None, reason="recoded as missing")


class ItemReader:
    """Reads the cells of items that share their options. `read[cell]` is a Value, or None where the cell is
    neither a code nor blank."""

    def __init__(self, options: tuple[Option, ...], recode: Mapping[str, str | None]) -> None:
        self.codes = ", ".join(number(option.code) for option in options)
        self.read = _Readings(options, recode)


class _Readings(dict[Cell, Value | None]):
    """Each spelling of a cell is worked out once."""

    def __init__(self, options: tuple[Option, ...], recode: Mapping[str, str | None]) -> None:
        super().__init__()
        self._values = {option.code: Value(option.code, option.anchor) for option in options}
        self._recode = recode

    def __missing__(self, cell: Cell) -> Value | None:
        read = self[cell] = self._work_out(text(cell))
        return read

    def _work_out(self, written: str) -> Value | None:
        meaning = self._recode.get(written, written)
        if meaning is None:
            return RECODED
        if not meaning:
            return BLANK
        if not _NUMBER.fullmatch(meaning):
            return None
        return self._values.get(float(meaning))
