"""One panel's answers as they are taken in, and then as rows."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import msgspec

from runtime.recorded.faults import Fault
from runtime.recorded.records import Details, LeftOut, RecordedPanel, recorded_run
from runtime.recorded.values import Value
from runtime.runs import response_id, trial_id
from schemas.plan import Responses, Stimulus
from schemas.rows import Answered, AnswerRow, RespondentRow, ResponseRow, Source, Status, TrialRow

STEP = "measure"


class Taken(msgspec.Struct, frozen=True):
    """One response: `items` and `values` in the order in which they stood. `item_order` and `repeat` from 0."""

    respondent: str
    condition: str
    stimulus: Stimulus | None
    scale: str
    item_order: int
    repeat: int
    items: tuple[int, ...]
    values: tuple[Value, ...]

    def key(self) -> tuple[str, str, str, str, int, int, str]:
        """What tells it from every other response of its panel."""
        stimulus = "" if self.stimulus is None else self.stimulus.id
        return (self.condition, stimulus, self.respondent, self.scale, self.item_order, self.repeat, STEP)


class Gathering:
    """What one panel's files have said so far."""

    def __init__(self, panel: str) -> None:
        self.panel = panel
        self.counted = 0
        self._taken: list[Taken] = []
        self._places: dict[tuple[object, ...], str] = {}
        self._people: dict[str, dict[str, str]] = {}
        self._met: dict[str, str] = {}
        self._files: dict[str, None] = {}
        self._observations = 0
        self._left_out: list[LeftOut] = []

    def meet(self, respondent: str, covariates: dict[str, str], file: str, place: str) -> None:
        """Takes in an observation's respondent. Raises Fault where two observations say different things of
        one person."""
        self._files[file] = None
        self._observations += 1
        known = self._people.setdefault(respondent, covariates)
        met = self._met.setdefault(respondent, place)
        for name in sorted(known.keys() | covariates.keys()):
            if known.get(name) != covariates.get(name):
                raise Fault(
                    f'{place}: {name} of "{respondent}" is {_told(covariates.get(name))}, '
                    f"but {_told(known.get(name))} in {met}."
                )

    def take(self, taken: Taken, place: str) -> None:
        """Takes in a response. Raises Fault where the same one came before."""
        key = taken.key()
        if key in self._places:
            where = "" if taken.stimulus is None else f", situation {taken.stimulus.id}"
            raise Fault(
                f'{place}: "{taken.respondent}" answered {taken.scale} in condition {taken.condition}{where}, '
                f"order {taken.item_order}, repeat {taken.repeat} before, in "
                f"{self._places[key]}. Tell them apart by a hole "
                "({repeat}, {order}, {respondent}), or take one out."
            )
        self._places[key] = place
        self._taken.append(taken)

    def leave_out(self, left_out: tuple[LeftOut, ...]) -> None:
        """Notes what was not taken in."""
        self._left_out += left_out

    def rows(self, study: str, mapping: Responses) -> RecordedPanel:
        """Everything as rows."""
        digest = self._digest(mapping)
        run = recorded_run(study, self.panel, digest)
        source: Source = "human" if mapping.kind == "human" else "recorded"
        trials = tuple(self._trial(study, run, taken) for taken in self._taken)
        answered = tuple(
            _answered(trial.trial, run, source, taken) for trial, taken in zip(trials, self._taken, strict=True)
        )
        return RecordedPanel(
            panel=self.panel,
            kind=mapping.kind,
            source=source,
            run=run,
            digest=digest,
            respondents=tuple(self._respondents(study, run, mapping)),
            trials=trials,
            answered=answered,
            details=self._details(answered),
        )

    def _digest(self, mapping: Responses) -> str:
        """Of everything that the rows say but ids."""
        hashed = blake2b(digest_size=16)
        encode = msgspec.json.Encoder(order="sorted").encode
        hashed.update(encode((mapping.kind, self._people)))
        for taken in self._taken:
            stimulus = taken.stimulus
            place = stimulus and (
                stimulus.emotion,
                stimulus.factor,
                stimulus.factor_index,
                stimulus.situation,
            )
            hashed.update(encode((taken.key(), place, taken.items, taken.values)))
        return hashed.hexdigest()

    def _trial(self, study: str, run: str, taken: Taken) -> TrialRow:
        trial = trial_id(run, msgspec.json.encode(taken.key()).decode())
        stimulus = taken.stimulus
        return TrialRow(
            trial=trial,
            run=run,
            study=study,
            respondent=taken.respondent,
            panel=self.panel,
            subject=taken.respondent,
            conversation=trial,
            stage=0,
            step=STEP,
            turn=0,
            parent=None,
            condition=taken.condition,
            emotion=stimulus.emotion if stimulus else None,
            factor=stimulus.factor if stimulus else None,
            factor_index=stimulus.factor_index if stimulus else None,
            situation=stimulus.situation if stimulus else None,
            stimulus=stimulus.id if stimulus else None,
            scale=taken.scale,
            item_order=taken.item_order,
            variant=None,
            repeat=taken.repeat,
            request_key=None,
        )

    def _respondents(self, study: str, run: str, mapping: Responses) -> list[RespondentRow]:
        model = self.panel if mapping.kind == "model" else None
        return [
            RespondentRow(
                respondent=respondent,
                run=run,
                study=study,
                panel=self.panel,
                kind=mapping.kind,
                model=model,
                persona=None,
                covariates=covariates,
            )
            for respondent, covariates in self._people.items()
        ]

    def _details(self, answered: tuple[Answered, ...]) -> Details:
        return Details(
            files=tuple(self._files),
            observations=self._observations,
            responses=len(answered),
            values=sum(value.value is not None for taken in self._taken for value in taken.values),
            statuses=dict(Counter(one.response.status for one in answered)),
            left_out=tuple(self._left_out),
        )


def _told(value: str | None) -> str:
    return "blank" if value is None else f'"{value}"'


def _answered(trial: str, run: str, source: Source, taken: Taken) -> Answered:
    response = response_id(trial, 0)
    answers = tuple(
        AnswerRow(response, run, item, position, 0, value.value, value.choice, value.reason)
        for position, (item, value) in enumerate(zip(taken.items, taken.values, strict=True), start=1)
    )
    row = ResponseRow(
        response=response,
        trial=trial,
        run=run,
        attempt=0,
        source=source,
        text=None,
        reasoning=None,
        status=_status(taken.values),
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
    return Answered(row, answers)


def _status(values: tuple[Value, ...]) -> Status:
    missing = sum(value.value is None for value in values)
    if missing == len(values):
        return "unparseable"
    return "partial" if missing else "complete"
