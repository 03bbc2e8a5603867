"""One model of one plan: its rows in the warehouse, its requests, and its answers as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from runtime.followups import FollowUps
from runtime.reading import Reading, cut_off, read, without_values
from runtime.reading.weighing import weights
from runtime.runs import response_id, trial_id
from runtime.transport import Chance, Reply, Request, TransportError, Weights
from schemas.columns import record_batch
from schemas.derive import arrow_schema
from schemas.plan import Model, Plan, PlannedTrial, Price
from schemas.planfile import PlannedTrials, planned_in
from schemas.render import Renderer, Shown
from schemas.rows import Answered, AnswerRow, RespondentRow, ResponseRow, RunRow, Source, State, TrialRow

if TYPE_CHECKING:
    import pyarrow as pa

SIMULATED = ("simulated", "fake")
DECLINED = ("content_filter", "refusal")


class Timing(msgspec.Struct, frozen=True):
    """When a try began and ended; `latency` in seconds, from a clock that cannot be set; None where it would
    say nothing of the model."""

    asked: datetime
    answered: datetime
    latency: float | None


class Panel:
    """`plan` as one model answers it, in one run; `batch`: by way of batches, at their price."""

    def __init__(self, plan: Plan, model: Model, run: str, batch: bool = False) -> None:
        self.run = run
        self.model = model
        self.price = batch_price(model.price) if batch else model.price
        self._batch = batch
        self._plan = plan
        self.follow_ups = FollowUps(plan)
        self._renderer = Renderer(plan)
        self._scales = {scale.id: scale for scale in plan.scales}
        self._stimuli = {stimulus.id: stimulus for stimulus in plan.stimuli}

    @property
    def source(self) -> Source:
        """Where its answers come from."""
        if self._batch:
            return "batch"
        return "simulated" if self.model.provider in SIMULATED else "live"

    def run_row(
        self, state: State, planned: int, started: datetime, finished: datetime | None, note: str | None
    ) -> RunRow:
        """The run's row."""
        plan = self._plan
        return RunRow(
            run=self.run,
            study=plan.study.id,
            panel=self.model.id,
            plan_id=plan.plan_id,
            source=self.source,
            state=state,
            planned=planned,
            started=started,
            finished=finished,
            note=note,
        )

    def respondent_row(self) -> RespondentRow:
        """The one respondent: the model with its settings."""
        return RespondentRow(
            respondent=self.model.id,
            run=self.run,
            study=self._plan.study.id,
            panel=self.model.id,
            kind="simulated" if self.source == "simulated" else "model",
            model=self.model.name,
            persona=None,
            covariates={},
        )

    def trials(self, planned: PlannedTrials) -> Iterator[pa.RecordBatch]:
        """Columns of the table `trials`: planned trials, and the follow-ups that they may have."""
        for batch in planned.batches():
            yield self._rows_of(batch)
            later = list(self.follow_ups.beyond(planned_in(batch)))
            if later:
                yield self._rows_of(record_batch(later, batch.schema))

    def _rows_of(self, planned: pa.RecordBatch) -> pa.RecordBatch:
        import pyarrow as pa

        schema = arrow_schema(TrialRow)
        ids: list[Any] = planned.column("stimulus").to_pylist()
        stimuli = [None if one is None else self._stimuli[one] for one in ids]
        keys: list[Any] = planned.column("trial_key").to_pylist()
        parents: list[Any] = planned.column("parent").to_pylist()
        columns: dict[str, pa.Array[Any]] = {
            "trial": pa.array([trial_id(self.run, key) for key in keys], pa.string()),
            "parent": pa.array([key and trial_id(self.run, key) for key in parents], pa.string()),
            "levels": pa.array([[]] * len(planned), schema.field("levels").type),
        }
        for name in ("emotion", "factor", "factor_index", "situation"):
            said = [stimulus and getattr(stimulus, name) for stimulus in stimuli]
            columns[name] = pa.array(said, schema.field(name).type)
        same = {"run": self.run, "study": self._plan.study.id}
        same |= dict.fromkeys(("respondent", "panel", "subject"), self.model.id)
        for name, value in same.items():
            columns[name] = pa.repeat(pa.scalar(value), len(planned))
        ordered = [columns[name] if name in columns else planned.column(name) for name in schema.names]
        return pa.RecordBatch.from_arrays(ordered, schema=schema)

    def request(self, trial: PlannedTrial) -> Request:
        """What is asked for a trial."""
        return Request(
            trial_key=trial.trial_key,
            request_key=trial.request_key,
            messages=self._renderer.messages(trial),
            model=self.model,
            sampling=self._plan.study.sampling,
            shown=self._renderer.shown(trial),
            stimulus=None if trial.stimulus is None else self._stimuli[trial.stimulus],
            condition=trial.condition,
            item_order=trial.item_order,
            repeat=trial.repeat,
            scale=self._scales[trial.scale],
        )

    def answered(self, request: Request, attempt: int, reply: Reply, timing: Timing) -> Answered:
        """A reply as rows."""
        reading = reading_of(reply, request.shown)
        response = msgspec.structs.replace(
            self._blank(request, attempt, timing),
            text=reply.text,
            reasoning=reply.reasoning,
            status=reading.status,
            finish_reason=reply.finish_reason,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            tokens_cached=reply.tokens_cached,
            cost=cost(self.price, reply),
            model_version=reply.model_version,
            request_sent=reply.request_sent,
            error=reply.error,
        )
        rows = answer_rows(response, reading, request.shown, reply.chances or (), reply.weights)
        return Answered(response, tuple(rows))

    def failed(self, request: Request, attempt: int, failure: TransportError, timing: Timing) -> Answered:
        """A failure as a row: it has a status and no values."""
        blank = self._blank(request, attempt, timing)
        return Answered(msgspec.structs.replace(blank, error=failure.message), ())

    def _blank(self, request: Request, attempt: int, timing: Timing) -> ResponseRow:
        trial = trial_id(self.run, request.trial_key)
        return ResponseRow(
            response=response_id(trial, attempt),
            trial=trial,
            run=self.run,
            attempt=attempt,
            source=self.source,
            text=None,
            reasoning=None,
            status="error",
            finish_reason=None,
            tokens_in=None,
            tokens_out=None,
            tokens_cached=None,
            cost=None,
            latency=timing.latency,
            model_version=None,
            request_sent=None,
            error=None,
            asked=timing.asked,
            answered=timing.answered,
        )


def reading_of(
    reply: Reply, shown: Shown, *, marks: Sequence[str] = (), letters: Mapping[str, float] | None = None
) -> Reading:
    """A reply as it is read: why it ended may outweigh what it says. `marks` and `letters` are as `read` takes
    them.

    A reply that was cut off keeps what stood before the cut, but not a number that may go on behind it.
    """
    text = reply.text or ""
    reading = read(text, shown, marks=marks, letters=letters)
    if reply.finish_reason in DECLINED:
        return without_values(reading, "refused", "the provider withheld the reply")
    if reply.finish_reason == "length":
        return cut_off(reading, len(text.rstrip()))
    return reading


def answer_rows(
    response: ResponseRow,
    reading: Reading,
    shown: Shown,
    chances: Sequence[Chance] = (),
    weighed_items: Sequence[Weights] | None = None,
) -> Iterator[AnswerRow]:
    """One row an item that was shown, with its value or with why it has none. Where `chances` tell how probable
    the options were, or `weighed_items` say it of each item, the value is the most probable one."""
    for at, (item, found) in enumerate(zip(shown.items, reading.values, strict=True)):
        if weighed_items is not None:
            weighed: Weights | None = weighed_items[at]
        else:
            weighed = weights(item, found.span, chances) if chances and found.span else None
        value = weighed.value if weighed else found.value
        anchor = next((option.anchor for option in item.options if option.code == value), None)
        yield AnswerRow(
            response=response.response,
            run=response.run,
            item=found.number,
            position=found.position,
            part=0,
            value=value,
            choice=anchor,
            reason=found.reason,
            probabilities=weighed.probabilities if weighed else None,
            expected=weighed.expected if weighed else None,
            off_scale_mass=weighed.off_scale_mass if weighed else None,
        )


def batch_price(price: Price | None) -> Price | None:
    """What a batch costs: the share that the price states, or all of it."""
    if price is None or price.batch is None:
        return price
    cached = None if price.cached is None else price.cached * price.batch
    return Price(price.input * price.batch, price.output * price.batch, cached)


def cost(price: Price | None, reply: Reply) -> float | None:
    """US dollars; None where the price or the tokens are not known. Cached tokens cost the input's price
    unless they have one of their own."""
    if price is None or reply.tokens_in is None or reply.tokens_out is None:
        return None
    cached = reply.tokens_cached or 0
    of_cached = price.input if price.cached is None else price.cached
    dollars = (reply.tokens_in - cached) * price.input + cached * of_cached + reply.tokens_out * price.output
    return dollars / 1_000_000
