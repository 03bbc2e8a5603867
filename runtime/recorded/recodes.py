"""What a mapping says that spellings and numbers in the data mean."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runtime.recorded.faults import Fault
from schemas.plan import Range, Recode
from schemas.render import number

NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,20})?|\.[0-9]{1,20})")
_WHOLE = re.compile("[0-9]{1,9}")


def whole(written: str) -> int | None:
    """The number of something that is counted, or None."""
    return int(written) if _WHOLE.fullmatch(written) else None


class LeaveOut(Exception):
    """An observation that the mapping sets aside; the text says why."""


class Recoding:
    """The recodes of one field, or of several together; the first that knows a spelling counts."""

    def __init__(self, field: str, recodes: Iterable[Recode]) -> None:
        self._field = field
        self._spelled: dict[str, str | None] = {}
        self._ranges: list[Range] = []
        for recode in recodes:
            for spelling, meaning in recode.to.items():
                self._spelled.setdefault(spelling, meaning)
            self._ranges += recode.ranges
        self._groups = any(one.to is not None for one in self._ranges)

    @property
    def reads_numbers(self) -> bool:
        """Whether ranges of numbers are recoded."""
        return bool(self._ranges)

    def knows(self, written: str) -> bool:
        """Whether a spelling is recoded by itself."""
        return written in self._spelled

    def meaning(self, written: str) -> str | None:
        """What a spelling means: itself if nothing is said of it, None where it is a missing value. Raises
        Fault for a number outside of all ranges that group."""
        if written in self._spelled:
            return self._spelled[written]
        if not self._ranges or not NUMBER.fullmatch(written):
            return written
        value = float(written)
        for one in self._ranges:
            if one.first <= value <= one.last:
                return one.to
        if self._groups:
            told = ", ".join(f"{number(one.first)}..{number(one.last)}" for one in self._ranges)
            raise Fault(
                f"{self._field} {written} is in none of the ranges {told}. Correct it, add a range to "
                f"`recode {self._field}`, or say `{written} -> missing` there."
            )
        return written


class Recodes:
    """All recodes of a mapping, by field."""

    def __init__(self, recodes: Iterable[Recode]) -> None:
        self._recodes = tuple(recodes)
        self._known: dict[tuple[str, ...], Recoding] = {}

    def of(self, *fields: str) -> Recoding:
        """What is said of some fields, together."""
        if fields not in self._known:
            meant = [recode for field in fields for recode in self._recodes if recode.field == field]
            self._known[fields] = Recoding(fields[0], meant)
        return self._known[fields]

    def required(self, field: str, written: str) -> str:
        """What a spelling means. Raises LeaveOut where it is a missing value, Fault as `meaning` does."""
        meaning = self.of(field).meaning(written)
        if meaning is None:
            raise LeaveOut(f'its {field} "{written}" is recoded as missing')
        return meaning
