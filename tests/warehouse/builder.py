"""Warehouses made by hand: plans and observations in few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from schemas.plan import (
    Call,
    Cells,
    Condition,
    Contrast,
    Expectation,
    Item,
    ItemValue,
    Option,
    Plan,
    Protocol,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Subscale,
)
from schemas.rows import (
    Answered,
    AnswerRow,
    Kind,
    RespondentRow,
    ResponseRow,
    RunRow,
    Source,
    State,
    Status,
    TrialRow,
)
from warehouse.parquet import ParquetSink, record_batches

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
PROTOCOL = Protocol("appraisal", (Condition("default", False, ()), Condition("evoked", True, ())))


class Seen(NamedTuple):
    """One trial and its answer: `values` by item, from 1; None: no answer came (`status` None: not even a
    failure). `place`: emotion, factor index, situation. `stimulus`: the id of one without a place. `condition`
    None: answered outside of every condition."""

    condition: str | None
    values: Sequence[float | None] | None
    place: tuple[str, int, int] | None = None
    subject: str = "m"
    repeat: int = 0
    status: Status | None = "complete"
    attempt: int = 0
    stimulus: str | None = None
    levels: Mapping[str, str] = {}
    scale: str | None = None


SOURCES: dict[Kind, Source] = {"human": "human", "model": "recorded", "simulated": "simulated"}


def store(
    results: Path,
    study: Study,
    panel: str,
    seen: Sequence[Seen],
    *,
    kind: Kind = "model",
    run: str | None = None,
    scale: str | None = None,
    covariates: dict[str, dict[str, str]] | None = None,
    started: datetime = MOMENT,
    state: State = "finished",
) -> RunRow:
    """Puts a run of one panel into a warehouse the way that a runtime does."""
    row = RunRow(
        run or f"run-{panel}", study.id, panel, "plan", SOURCES[kind], state, len(seen), started, started
    )
    sink = ParquetSink(results)
    respondents = [
        RespondentRow(subject, row.run, study.id, panel, kind, None, None, (covariates or {}).get(subject, {}))
        for subject in dict.fromkeys(one.subject for one in seen)
    ]
    trials = (_trial(row, number, one, scale or study.scales[0]) for number, one in enumerate(seen))
    sink.open(row, respondents, record_batches(TrialRow, trials))
    sink.write(0, answered(row, seen))
    sink.flush()
    sink.close(row)
    return row


def _trial(run: RunRow, number: int, seen: Seen, scale: str) -> TrialRow:
    emotion, index, situation = seen.place or (None, None, None)
    return TrialRow(
        trial=f"{run.run}.{number}",
        run=run.run,
        study=run.study,
        respondent=seen.subject,
        panel=run.panel,
        subject=seen.subject,
        conversation=str(number),
        stage=0,
        step="measure",
        turn=0,
        parent=None,
        condition=seen.condition,
        levels=dict(seen.levels),
        emotion=emotion,
        factor=None if emotion is None else f"{emotion}_{index}",
        factor_index=index,
        situation=situation,
        stimulus=seen.stimulus if emotion is None else f"{emotion}.{index}.{situation}",
        scale=seen.scale or scale,
        item_order=0,
        variant=None,
        repeat=seen.repeat,
        request_key=None,
    )


def answered(run: RunRow, seen: Iterable[Seen]) -> Iterator[Answered]:
    """The responses of those trials that have one."""
    for number, one in enumerate(seen):
        if one.status is not None:
            trial = f"{run.run}.{number}"
            row = response(trial, run.run, one.attempt, one.status, run.source)
            values = tuple(
                AnswerRow(row.response, run.run, item, item, 0, value, None, None)
                for item, value in enumerate(one.values or (), start=1)
            )
            yield Answered(row, values)


def response(
    trial: str, run: str, attempt: int = 0, status: Status = "complete", source: Source = "live"
) -> ResponseRow:
    """An attempt at a trial, of which nothing more is known."""
    return ResponseRow(
        response=f"{trial}.{attempt}",
        trial=trial,
        run=run,
        attempt=attempt,
        source=source,
        text=None,
        reasoning=None,
        status=status,
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


def pair_scale(missing_allowed: int | None = None) -> Scale:
    """Two items from 1 to 5, the second reverse-keyed; their sum and the raw first."""
    return Scale(
        "PAIR",
        "A pair",
        tuple(Option(code) for code in range(1, 6)),
        (Item(1, "one", "First"), Item(2, "two", "Second", reverse=True)),
        (
            Subscale("total", "Total score", Call("sum", (ItemValue(1), ItemValue(2)))),
            Subscale("first", "First item", ItemValue(1)),
        ),
        missing_allowed=missing_allowed,
    )


def stimuli() -> tuple[Stimulus, ...]:
    """Two emotions, declared against the alphabet: joy with two factors, anger with one."""
    return tuple(
        Stimulus(
            id=f"{emotion}.{index}.0",
            situation=0,
            fields={"situation": "Something happens."},
            emotion=emotion,
            emotion_title=emotion.title(),
            factor=f"{emotion}_{index}",
            factor_title=f"{emotion.title()} factor {index}",
            factor_index=index,
        )
        for emotion, index in (("joy", 0), ("joy", 1), ("anger", 0))
    )


def plan(
    *contrasts: Contrast,
    scale: Scale | None = None,
    panels: tuple[str, ...] = ("m",),
    expectations: tuple[Expectation, ...] = (),
    protocol: Protocol = PROTOCOL,
    shown: tuple[Stimulus, ...] | None = None,
) -> Plan:
    """A study of one scale; `shown`: its stimuli, where not those of `stimuli`."""
    scale = scale or pair_scale()
    return Plan(
        1,
        "test",
        "plan",
        Study("small", "A small study", (scale.id,), panels, Sampling(), 1, (0,), 1),
        (scale,),
        (),
        stimuli() if shown is None else shown,
        protocol,
        (),
        contrasts=contrasts,
        expectations=expectations,
    )


def contrast(**changes: object) -> Contrast:
    """Evoked minus default, overall, by Welch's test."""
    settings: dict[str, object] = {
        "name": "shift",
        "sides": (Cells(level="evoked"), Cells(level="default")),
        "by": ((),),
        "test": "welch",
        "alpha": 0.05,
        "effect": "none",
        "adjust": "none",
        **changes,
    }
    return Contrast(**settings)  # type: ignore[arg-type]
