"""What an import gives: a panel's rows, and what became of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal

import msgspec

from runtime.recorded.batches import answer_batches
from runtime.recorded.gathering import STEP, FileRead, Gathering, Taken
from runtime.recorded.leavings import LeftOut
from runtime.runs import response_id, trial_id
from schemas.rows import RespondentRow, ResponseRow, Source, Status, TrialRow

if TYPE_CHECKING:
    import pyarrow as pa


class CellCount(msgspec.Struct, frozen=True):
    """How much there is of one scale in one condition at one combination of levels. `values`: answers that have
    one."""

    condition: str | None
    levels: dict[str, str]
    scale: str
    responses: int
    values: int


class Details(msgspec.Struct, frozen=True):
    """What was read, taken in and left out. `values`: answers that have one. `statuses`: responses of each."""

    files: tuple[FileRead, ...]
    respondents: int
    responses: int
    values: int
    statuses: dict[str, int]
    cells: tuple[CellCount, ...]
    left_out: tuple[LeftOut, ...]


class RecordedPanel:
    """One panel's answers as rows of the run `run`, which follows from the content: the same content is the
    same run, so that a second import adds nothing."""

    def __init__(self, study: str, kind: Literal["human", "model"], gathering: Gathering) -> None:
        self.panel = gathering.panel
        self.kind = kind
        self.source: Source = "human" if kind == "human" else "recorded"
        self.planned = len(gathering.taken)
        self._study = study
        self._gathering = gathering
        self._people = gathering.people()
        self.digest = self._digest()
        self.run = recorded_run(study, self.panel, self.digest)

    def respondents(self) -> list[RespondentRow]:
        """Who answered."""
        model = self.panel if self.kind == "model" else None
        return [
            RespondentRow(respondent, self.run, self._study, self.panel, self.kind, model, None, covariates)
            for respondent, covariates in self._people.items()
        ]

    def trials(self) -> Iterator[TrialRow]:
        """A row a response."""
        for trial, taken in zip(self._trials, self._gathering.taken.values(), strict=True):
            yield self._trial(trial, taken)

    def responses(self) -> Iterator[ResponseRow]:
        """A row a response."""
        for trial, taken in zip(self._trials, self._gathering.taken.values(), strict=True):
            yield _response(trial, self.run, self.source, taken)

    def answers(self) -> Iterator[pa.RecordBatch]:
        """The rows of the table `answers`, response by response."""
        ids = [response_id(trial, 0) for trial in self._trials]
        return answer_batches(self.run, ids, list(self._gathering.taken.values()))

    @cached_property
    def details(self) -> Details:
        """What was read, taken in and left out."""
        taken = self._gathering.taken.values()
        counts: dict[tuple[str | None, str, str], tuple[Taken, list[int]]] = {}
        for one in taken:
            key = (one.who.condition, one.levels.key, one.scale)
            numbers = counts.setdefault(key, (one, [0, 0]))[1]
            numbers[0] += 1
            numbers[1] += sum(value.value is not None for value in one.values)
        cells = tuple(
            CellCount(one.who.condition, one.levels.of, one.scale, *numbers) for one, numbers in counts.values()
        )
        return Details(
            files=tuple(self._gathering.files),
            respondents=len(self._people),
            responses=len(taken),
            values=sum(cell.values for cell in cells),
            statuses=dict(Counter(_status(one) for one in taken)),
            cells=cells,
            left_out=tuple(self._gathering.left_out),
        )

    @cached_property
    def _trials(self) -> list[str]:
        """The ids of the trials."""
        return [trial_id(self.run, msgspec.json.encode(key).decode()) for key in self._gathering.taken]

    def _digest(self) -> str:
        """Of everything that the rows say but ids, whatever the order of the data."""
        encode = msgspec.json.Encoder(order="sorted").encode
        said = [encode((self.kind, *person)) for person in self._people.items()]
        for key, taken in self._gathering.taken.items():
            stimulus = taken.who.stimulus
            place = stimulus and (stimulus.emotion, stimulus.factor, stimulus.factor_index, stimulus.situation)
            said.append(encode((key, taken.who.subject, place, taken.items, taken.values)))
        hashed = blake2b(digest_size=16)
        for one in sorted(blake2b(one, digest_size=16).digest() for one in said):
            hashed.update(one)
        return hashed.hexdigest()

    def _trial(self, trial: str, taken: Taken) -> TrialRow:
        who, stimulus = taken.who, taken.who.stimulus
        return TrialRow(
            trial=trial,
            run=self.run,
            study=self._study,
            respondent=who.respondent,
            panel=self.panel,
            subject=who.subject,
            conversation=trial,
            stage=0,
            step=STEP,
            turn=0,
            parent=None,
            condition=who.condition,
            levels=taken.levels.of,
            emotion=stimulus.emotion if stimulus else None,
            factor=stimulus.factor if stimulus else None,
            factor_index=stimulus.factor_index if stimulus else None,
            situation=stimulus.situation if stimulus else None,
            stimulus=stimulus.id if stimulus else None,
            scale=taken.scale,
            item_order=who.order,
            variant=None,
            repeat=who.repeat,
            request_key=None,
        )


def recorded_run(study: str, panel: str, digest: str) -> str:
    """The id of an import's run."""
    return blake2b(msgspec.json.encode((study, panel, "recorded", digest)), digest_size=16).hexdigest()


def _response(trial: str, run: str, source: Source, taken: Taken) -> ResponseRow:
    return ResponseRow(
        response=response_id(trial, 0),
        trial=trial,
        run=run,
        attempt=0,
        source=source,
        text=None,
        reasoning=None,
        status=_status(taken),
        finish_reason=None,
        tokens_in=None,
        tokens_out=None,
        tokens_cached=None,
        cost=None,
        latency=None,
        model_version=None,
        request_sent=None,
        error=None,
        asked=None,
        answered=None,
    )


def _status(taken: Taken) -> Status:
    missing = sum(value.value is None for value in taken.values)
    if missing == len(taken.values):
        return "unparseable"
    return "partial" if missing else "complete"
