"""What an import gives: a panel's rows, and what became of its files."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from schemas.rows import Answered, RespondentRow, Source, TrialRow


class LeftOut(msgspec.Struct, frozen=True):
    """Observations that were not taken in. `places` are the numbers of rows or columns (`axis`), from 1;
    `example` is what the first of them says."""

    file: str
    axis: str
    places: str
    count: int
    why: str
    example: str

    def line(self) -> str:
        """As people read it."""
        example = f' ("{self.example}")' if self.example else ""
        return f"{self.file}: {self.axis} {self.places} left out: {self.why}{example}"


class Details(msgspec.Struct, frozen=True):
    """`values`: answers that have one. `statuses`: responses of each status."""

    files: tuple[str, ...]
    observations: int
    responses: int
    values: int
    statuses: dict[str, int]
    left_out: tuple[LeftOut, ...]


class RecordedPanel(msgspec.Struct, frozen=True):
    """One panel's answers as rows of the run `run`, which follows from `digest`, the content."""

    panel: str
    kind: str
    source: Source
    run: str
    digest: str
    respondents: tuple[RespondentRow, ...]
    trials: tuple[TrialRow, ...]
    answered: tuple[Answered, ...]
    details: Details

    @property
    def summary(self) -> tuple[str, ...]:
        """What was not taken in, a line a reason."""
        return tuple(left_out.line() for left_out in self.details.left_out)


def recorded_run(study: str, panel: str, digest: str) -> str:
    """The id of an import's run: the same content is the same run, so that a second import adds nothing."""
    return blake2b(msgspec.json.encode((study, panel, "recorded", digest)), digest_size=16).hexdigest()


class Leavings:
    """Gathers what is left out of one file."""

    def __init__(self, file: str, axis: str) -> None:
        self._file = file
        self._axis = axis
        self._groups: dict[str, tuple[list[int], str]] = {}

    def add(self, line: int, why: str, example: str) -> None:
        """Takes in one observation, by its line's index."""
        self._groups.setdefault(why, ([], example))[0].append(line + 1)

    def groups(self) -> tuple[LeftOut, ...]:
        """One entry a reason."""
        return tuple(
            LeftOut(self._file, f"{self._axis}s", _ranges(numbers), len(numbers), why, example[:80])
            for why, (numbers, example) in self._groups.items()
        )


def _ranges(numbers: list[int]) -> str:
    """1-3, 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)
