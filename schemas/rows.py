"""The warehouse's tables: one record type a table, one record a row. Column names are a public contract."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

Source = Literal["live", "batch", "recorded", "human", "simulated"]
Kind = Literal["model", "human", "simulated"]
State = Literal["running", "finished", "incomplete", "interrupted", "failed"]
Status = Literal["complete", "partial", "refused", "unparseable", "out_of_range", "truncated", "error"]


class Row(msgspec.Struct, frozen=True):
    """Base of the tables' records."""


class StudyRow(Row, frozen=True):
    """A study, as its newest plan has it."""

    study: str
    title: str
    plan_id: str


class RunRow(Row, frozen=True):
    """One panel's run of a study, live or imported. `planned`: trials in its plan."""

    run: str
    study: str
    panel: str
    plan_id: str
    source: Source
    state: State
    planned: int
    started: datetime
    finished: datetime | None
    note: str | None = None


class ScaleRow(Row, frozen=True):
    study: str
    scale: str
    title: str
    n_items: int
    min: float
    max: float
    citation: str | None
    doi: str | None


class ItemRow(Row, frozen=True):
    """`item` is the item's number in the scale (from 1); `min` and `max` are its own options' range."""

    study: str
    scale: str
    item: int
    name: str
    text: str
    reverse: bool
    filler: bool
    min: float
    max: float


class SubscaleRow(Row, frozen=True):
    """`score` is the scoring expression, as the spec writes it; `items` are those that it uses. A weighted sum
    is stored as linear terms over answered values: `constant` + the sum over `items` of `weights` * value +
    `offsets`, reverse keying included. `calls`: which sum or mean of the score an item stands in (from 0);
    missing items are made up for within it. Any other score is a `formula`, the plan's expression as JSON;
    then `constant` is null, and weights, offsets and calls are empty."""

    study: str
    scale: str
    subscale: str
    title: str
    score: str
    n_items: int
    missing_allowed: int
    constant: float | None
    items: tuple[int, ...]
    weights: tuple[float, ...]
    offsets: tuple[float, ...]
    calls: tuple[int, ...]
    formula: str | None = None


class StimulusRow(Row, frozen=True):
    """`situation` and `factor_index` count from 0, in order of declaration. `name`: what data files call it;
    `text`: its situation, or else its first field."""

    study: str
    stimulus: str
    name: str | None
    emotion: str | None
    emotion_title: str | None
    emotion_index: int | None
    factor: str | None
    factor_title: str | None
    factor_index: int | None
    situation: int
    text: str
    fields: dict[str, str]


class RespondentRow(Row, frozen=True):
    """Who answered: a person, or a model as it was set up."""

    respondent: str
    run: str
    study: str
    panel: str
    kind: Kind
    model: str | None
    persona: str | None
    covariates: dict[str, str]


class TrialRow(Row, frozen=True):
    """A planned or recorded trial. `subject` pairs observations; `item_order` and `repeat` count from 0.
    `condition` is null for a scale that a respondent answered once, outside of every condition. `levels`: the
    other variables of the study, each with its level here."""

    trial: str
    run: str
    study: str
    respondent: str
    panel: str
    subject: str
    conversation: str
    stage: int
    step: str
    turn: int
    parent: str | None
    condition: str | None
    levels: dict[str, str]
    emotion: str | None
    factor: str | None
    factor_index: int | None
    situation: int | None
    stimulus: str | None
    scale: str | None
    item_order: int
    variant: str | None
    repeat: int
    request_key: str | None


class ResponseRow(Row, frozen=True):
    """One answer to a trial. `attempt` counts from 0; latency is in seconds, cost in US dollars. `text` is the
    reply, whatever the status; `reasoning` is the model's thinking, kept apart."""

    response: str
    trial: str
    run: str
    attempt: int
    source: Source
    text: str | None
    reasoning: str | None
    status: Status
    finish_reason: str | None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost: float | None
    latency: float | None
    model_version: str | None
    request_sent: str | None
    error: str | None
    asked: datetime | None
    answered: datetime | None


class AnswerRow(Row, frozen=True):
    """One value of a response. `item` is the item's number in the scale, `position` where it was
    shown (from 1). `value` is the option's code as answered, before reverse keying; null if missing, with
    `reason`."""

    response: str
    run: str
    item: int
    position: int
    part: int
    value: float | None
    choice: str | None
    reason: str | None
    probabilities: tuple[float, ...] | None = None
    expected: float | None = None
    off_scale_mass: float | None = None


class Answered(msgspec.Struct, frozen=True):
    """A response with its answers: what the runtime hands to a sink, and one line of the journal."""

    response: ResponseRow
    answers: tuple[AnswerRow, ...]


TABLES: dict[str, type[Row]] = {
    "studies": StudyRow,
    "runs": RunRow,
    "scales": ScaleRow,
    "items": ItemRow,
    "subscales": SubscaleRow,
    "stimuli": StimulusRow,
    "respondents": RespondentRow,
    "trials": TrialRow,
    "responses": ResponseRow,
    "answers": AnswerRow,
}
