"""What is wrong with recorded data: collected, then raised as one error."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn

AT_MOST = 20
SHOWN = 3


class RecordedError(Exception):
    """A mapping does not fit its data: each line says which file, where, why and what to do."""


class Fault(Exception):
    """One thing that is wrong; reading goes on behind it. `field`: which of an observation's fields, or
    none. `alike`: what the same mistake says elsewhere in the file; empty where there is none like it."""

    def __init__(self, message: str, field: str = "", alike: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.alike = alike


class Spot(NamedTuple):
    """The row or column (its index from 0) of a file that a fault is in."""

    file: str
    axis: Literal["row", "column"]
    line: int


@dataclass
class _Mistake:
    """One mistake, and which lines of the file it is in again: the first of them, and how many."""

    message: str
    spot: Spot | None
    again: list[int] = field(default_factory=list)
    count: int = 0

    def meet(self, message: str, line: int) -> None:
        if message != self.message and (not self.again or self.again[-1] != line):
            self.count += 1
            self.again[min(self.count - 1, SHOWN) :] = [line]

    def told(self) -> str:
        if self.spot is None or not self.count:
            return self.message
        lines = ", ".join(str(line + 1) for line in self.again[:SHOWN])
        if self.count > SHOWN:
            lines += f" and {self.count - SHOWN:,} more"
        cells = "other cells of " if self.again[0] == self.spot.line else ""
        return f"{self.message} The same in {cells}{self.spot.axis}{'s' if self.count > 1 else ''} {lines}."


class Faults:
    """Gathers faults, one mistake in many lines as one, and gives up at the twentieth."""

    def __init__(self, responses: str) -> None:
        self._responses = responses
        self._found: dict[tuple[str, str], _Mistake] = {}

    def add(self, fault: Fault, spot: Spot | None = None) -> None:
        """Takes in one fault. Raises RecordedError when there are too many."""
        message = str(fault)
        key = (spot.file, fault.alike) if spot is not None and fault.alike else ("", message)
        if key in self._found:
            self._found[key].meet(message, 0 if spot is None else spot.line)
            return
        self._found[key] = _Mistake(message, spot)
        if len(self._found) >= AT_MOST:
            self.fail(f"Reading stopped after {AT_MOST} mistakes; there may be more.")

    def settle(self) -> None:
        """Raises RecordedError if anything was found."""
        if self._found:
            self.fail()

    def fail(self, *more: str) -> NoReturn:
        """Raises RecordedError, with further lines at its end."""
        head = f"The data of responses `{self._responses}` were not taken in."
        raise RecordedError("\n".join([head, *(one.told() for one in self._found.values()), *more]))
