"""What is wrong with recorded data: collected, then raised as one error."""

from __future__ import annotations

from typing import NoReturn

AT_MOST = 20


class RecordedError(Exception):
    """A mapping does not fit its data: each line says which file, where, why and what to do."""


class Fault(Exception):
    """One thing that is wrong; reading goes on behind it. `field`: which of an observation's fields, or
    none."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class Faults:
    """Gathers faults, and gives up at the twentieth."""

    def __init__(self, responses: str) -> None:
        self._responses = responses
        self._found: list[str] = []

    def add(self, message: str) -> None:
        """Takes in one message, once. Raises RecordedError when there are too many."""
        if message in self._found:
            return
        self._found.append(message)
        if len(self._found) >= AT_MOST:
            self._found.append(f"Reading stopped after {AT_MOST} mistakes; there may be more.")
            self.fail()

    def settle(self) -> None:
        """Raises RecordedError if anything was found."""
        if self._found:
            self.fail()

    def fail(self) -> NoReturn:
        """Raises RecordedError."""
        head = f"The data of responses `{self._responses}` were not taken in."
        raise RecordedError("\n".join([head, *self._found]))
