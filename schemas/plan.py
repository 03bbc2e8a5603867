"""The plan: a study's meaning, without its text, comments, paths or order of declaration.

Every record is frozen. Ids are the names that the spec gives. `plan.json` is one `Plan`;
`trials.parquet` holds one `PlannedTrial` a row.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FORMAT = 1

Scalar = str | int | float | bool
Setting = Scalar | dict[str, Scalar]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the plan's records: unknown fields are an error, defaults are not written."""


# --- scales -----------------------------------------------------------------------------------


class Option(Record, frozen=True):
    """One thing that can be answered: its code is stored, its anchor is shown."""

    code: float
    anchor: str | None = None


class Item(Record, frozen=True):
    """One question. `options` is None where the scale's own options hold."""

    number: int
    name: str
    text: str
    options: tuple[Option, ...] | None = None
    reverse: bool = False
    filler: bool = False


class Number(Record, frozen=True, tag="number"):
    value: float


class ItemValue(Record, frozen=True, tag="item"):
    """An item's value; reverse-keyed where the item is, unless `raw`."""

    item: int
    raw: bool = False


class Call(Record, frozen=True, tag="call"):
    """`sum` or `mean` over its arguments."""

    function: Literal["sum", "mean"]
    arguments: tuple[Expression, ...]


class Arithmetic(Record, frozen=True, tag="arithmetic"):
    operator: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression


Expression = Number | ItemValue | Call | Arithmetic


class Subscale(Record, frozen=True):
    id: str
    title: str
    score: Expression


class Norm(Record, frozen=True):
    """Published norm of a subscale in a group of people."""

    subscale: str
    group: str
    mean: float
    sd: float
    n: int


class Scale(Record, frozen=True):
    """An instrument. `missing_allowed`: up to so many missing items a subscale is prorated;
    None: an incomplete subscale has no score. `orders[k]` is the item numbers in order k; order 0 is
    the scale's own."""

    id: str
    title: str
    options: tuple[Option, ...]
    items: tuple[Item, ...]
    subscales: tuple[Subscale, ...]
    missing_allowed: int | None = None
    norms: tuple[Norm, ...] = ()
    citation: str | None = None
    doi: str | None = None
    language: str | None = None
    orders: tuple[tuple[int, ...], ...] = ()

    def options_of(self, item: Item) -> tuple[Option, ...]:
        """The options that `item` is answered with."""
        return self.options if item.options is None else item.options


# --- stimuli and prompts ----------------------------------------------------------------------


class Stimulus(Record, frozen=True):
    """A situation, known by its place: emotion, factor, and `situation`, its index there (from 0).
    `fields` holds every text of it that a prompt may use, `situation` among them."""

    id: str
    emotion: str
    emotion_title: str
    factor: str
    factor_title: str
    factor_index: int
    situation: int
    fields: dict[str, str]


class Hole(Record, frozen=True, tag="hole"):
    """A place in a template that is filled when the message is rendered."""

    name: str


class Text(Record, frozen=True, tag="text"):
    text: str


Template = tuple[Text | Hole, ...]


class Message(Record, frozen=True):
    role: Literal["system", "user", "assistant"]
    template: Template


class Prompt(Record, frozen=True):
    """A prompt, or a variant of one (`id` is then `prompt.variant`)."""

    id: str
    messages: tuple[Message, ...]


# --- who answers ------------------------------------------------------------------------------


class Price(Record, frozen=True):
    """US dollars a million tokens."""

    input: float
    output: float
    cached: float | None = None


class Model(Record, frozen=True):
    """A model as declared. `settings` are the provider's own (base_url, effect, ...), never a key."""

    id: str
    provider: str
    name: str
    settings: dict[str, Setting] = {}
    price: Price | None = None
    readout: Literal["text", "json", "options"] = "text"
    title: str | None = None


class Sampling(Record, frozen=True):
    """None: the provider's default, and the parameter is not sent."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None


# --- protocol ---------------------------------------------------------------------------------


class Present(Record, frozen=True, tag="present"):
    """Text that goes into the next question's message, at its hole `presented`, or else on top."""

    prompt: str


class Measure(Record, frozen=True, tag="measure"):
    """A scale, asked with a prompt, in a conversation of its own. `scale` None: each of the study's."""

    prompt: str
    scale: str | None = None


Step = Present | Measure


class Condition(Record, frozen=True):
    """`each_stimulus`: one conversation a stimulus; otherwise one for all (a baseline)."""

    name: str
    each_stimulus: bool
    steps: tuple[Step, ...]


class Protocol(Record, frozen=True):
    id: str
    conditions: tuple[Condition, ...]


# --- recorded and human answers ---------------------------------------------------------------


class Place(Record, frozen=True, tag="place"):
    """A row or column of a data file: by number (from 1) or by the text that labels it."""

    axis: Literal["row", "column"]
    at: int | Template


class Constant(Record, frozen=True, tag="constant"):
    value: str


class Match(Record, frozen=True):
    """The text at `place` must fit `pattern`; each hole takes what stands there."""

    place: Place
    pattern: Template
    counting_from: int = 1


class Recode(Record, frozen=True):
    """Spellings in the data, and what they mean here; a meaning of None is a missing value."""

    field: str
    to: dict[str, str | None]


class ScaleCells(Record, frozen=True):
    """Where a scale's answers stand: cells `first` to `last` along an observation, in the order of the
    scale's items, or (`order`) of the item numbers that stand beside them in that row or column."""

    scale: str
    first: Place
    last: Place
    order: Place | None = None


class ConditionCells(Record, frozen=True):
    """What an observation says of one condition; with `match`, only observations that fit."""

    condition: str
    cells: tuple[ScaleCells, ...]
    match: Match | None = None


class Covariate(Record, frozen=True):
    name: str
    source: Place | Constant


class Responses(Record, frozen=True):
    """A mapping from data files to responses. An observation is a row, or where `transposed` a column.
    `path` may have holes ({panel}): every file that fits is read. `respondent`: "counted", or where its
    id stands. Without {panel} and `panel`, the panel is named `id`."""

    id: str
    title: str
    kind: Literal["human", "model"]
    path: Template
    conditions: tuple[ConditionCells, ...]
    sheet: str | None = None
    transposed: bool = False
    respondent: Literal["counted"] | Place | None = None
    match: Match | None = None
    recodes: tuple[Recode, ...] = ()
    covariates: tuple[Covariate, ...] = ()


# --- analyses ---------------------------------------------------------------------------------


class Predicate(Record, frozen=True):
    """`field` is (or, negated, is not) one of `values`."""

    field: str
    values: tuple[str, ...]
    negated: bool = False


class Outcome(Record, frozen=True):
    scale: str
    subscale: str


Test = Literal["welch", "student", "f_then_t", "paired_t"]
Effect = Literal["none", "cohens_d", "hedges_g", "paired_d"]
Adjust = Literal["none", "bonferroni", "holm", "bh"]


class Contrast(Record, frozen=True):
    """a minus b, for each group of `by` (a group kind is the fields it crosses; () is overall).
    `outcomes` empty: every subscale of the study's scales. `paired_by`: the field that pairs
    observations, or None. `direction_by`: which p the direction follows."""

    name: str
    a: str
    b: str
    by: tuple[tuple[str, ...], ...]
    test: Test
    alpha: float
    effect: Effect
    adjust: Adjust
    outcomes: tuple[Outcome, ...] = ()
    where: tuple[Predicate, ...] = ()
    paired_by: Literal["respondent"] | None = None
    direction_by: Literal["p", "p_adjusted"] = "p"
    title: str | None = None


class Expected(Record, frozen=True):
    """A published number: the difference, rounded to `decimals` where given, is at most `within`."""

    column: str
    value: float
    within: float
    decimals: int | None = None


class ExpectedCell(Record, frozen=True):
    """Published values of one row of a report, found by `row` (a report column and its value; None: the
    column is empty there)."""

    row: dict[str, str | int | None]
    numbers: tuple[Expected, ...] = ()
    direction: Literal["up", "down", "none"] | None = None
    erratum: str | None = None


class Expectation(Record, frozen=True):
    contrast: str
    source: str
    cells: tuple[ExpectedCell, ...]


# --- the study and the plan -------------------------------------------------------------------


class Study(Record, frozen=True):
    """`panels`: the models and responses that the study names, in order. `scales_for`: the emotions whose
    stimuli a scale is measured after, where not all."""

    id: str
    title: str
    scales: tuple[str, ...]
    panels: tuple[str, ...]
    sampling: Sampling
    seed: int
    orders: tuple[int, ...]
    repeats: int
    scales_for: dict[str, tuple[str, ...]] = {}


class Plan(Record, frozen=True):
    format: int
    compiler: str
    plan_id: str
    study: Study
    scales: tuple[Scale, ...]
    prompts: tuple[Prompt, ...]
    stimuli: tuple[Stimulus, ...]
    protocol: Protocol
    models: tuple[Model, ...]
    responses: tuple[Responses, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    expectations: tuple[Expectation, ...] = ()


class PlannedTrial(Record, frozen=True):
    """One question of one conversation. `request_key` hashes what is sent and by whom it is answered;
    `trial_key` adds the repeat number and, where several trials ask the same, which of them it is.
    `presented`: the ids of the prompts presented before the question, in order."""

    trial_key: str
    request_key: str
    model: str
    conversation: str
    condition: str
    scale: str
    prompt: str
    presented: tuple[str, ...]
    item_order: int
    repeat: int
    stage: int = 0
    step: str = "measure"
    turn: int = 0
    variant: str | None = None
    parent: str | None = None
    stimulus: str | None = None
