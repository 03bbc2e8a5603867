"""What is left out of a file, and why."""

from __future__ import annotations

import msgspec

AT_MOST = 12


class LeftOut(msgspec.Struct, frozen=True):
    """Observations that were not taken in. `places` are the numbers of rows or columns (`axis`), from 1;
    `example` is what the first of them says."""

    file: str
    axis: str
    places: str
    count: int
    why: str
    example: str

    def quoted(self) -> str:
        """The example behind a reason, or nothing."""
        return f' ("{self.example}")' if self.example else ""

    def where(self) -> str:
        """The rows or columns."""
        return f"{self._axis()} {self.places}"

    def line(self) -> str:
        """As people read it."""
        return f"{self.file}: {self.count:,} {self._axis()} left out ({self.places}): {self.why}{self.quoted()}"

    def _axis(self) -> str:
        return self.axis if self.count > 1 else self.axis.removesuffix("s")


class Leavings:
    """Gathers what is left out of one file. `count`: how often something was."""

    def __init__(self, file: str, axis: str) -> None:
        self._file = file
        self._axis = axis
        self._groups: dict[str, tuple[list[int], str]] = {}
        self.count = 0

    def add(self, line: int, why: str, example: str = "") -> None:
        """Takes in one observation, by its line's index; for each reason once."""
        self.count += 1
        numbers = self._groups.setdefault(why, ([], example))[0]
        if not numbers or numbers[-1] != line + 1:
            numbers.append(line + 1)

    def groups(self) -> tuple[LeftOut, ...]:
        """One entry a reason."""
        return tuple(
            LeftOut(self._file, f"{self._axis}s", _ranges(numbers), len(numbers), why, example[:80])
            for why, (numbers, example) in self._groups.items()
        )


def _ranges(numbers: list[int]) -> str:
    """1-3, 7; the first of many."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    told = ["-".join(map(str, run)) for run in runs[:AT_MOST]]
    return ", ".join(told) + (", ..." if len(runs) > AT_MOST else "")
