"""The plan: a study's meaning, without its text, comments, paths or order of declaration.

Every record is frozen. Ids are the names that the spec gives. `plan.json` is one `Plan`;
`trials.parquet` holds one `PlannedTrial` a row.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FORMAT = 1

MOST_CHOICES = 32
"""How many repeats become one request at most, where a provider gives several replies to one."""

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
    """One question. `options` is None where the scale's own options hold. `key`: its right or gold answer, a
    code, or the name of the stimulus's field that holds it."""

    number: int
    name: str
    text: str
    options: tuple[Option, ...] | None = None
    reverse: bool = False
    filler: bool = False
    key: float | str | None = None


class Number(Record, frozen=True, tag="number"):
    value: float


class ItemValue(Record, frozen=True, tag="item"):
    """An item's value; reverse-keyed where the item is, unless `raw`."""

    item: int
    raw: bool = False


class KeyValue(Record, frozen=True, tag="key"):
    """An item's gold answer, for the stimulus that was answered."""

    item: int


Function = Literal["sum", "mean", "min", "max", "abs", "exp", "log", "sqrt", "round", "floor", "ceil"]


class Call(Record, frozen=True, tag="call"):
    """A function of its arguments: `sum`, `mean`, `min` and `max` of one or more, the others of one."""

    function: Function
    arguments: tuple[Expression, ...]


class Arithmetic(Record, frozen=True, tag="arithmetic"):
    operator: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression


class Comparison(Record, frozen=True, tag="comparison"):
    """1 where it holds, else 0."""

    operator: Literal["is", "is not", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


Expression = Number | ItemValue | KeyValue | Call | Arithmetic | Comparison


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
    """What a condition is asked about. A situation is known by its place: emotion, factor, and `situation`, its
    index there (from 0). One of a `stimuli` declaration is known by `name`, as the data call it; `situation` is
    its index in its set. `fields` holds every text of it that a prompt or an analysis may use."""

    id: str
    situation: int
    fields: dict[str, str]
    name: str | None = None
    emotion: str | None = None
    emotion_title: str | None = None
    factor: str | None = None
    factor_title: str | None = None
    factor_index: int | None = None


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


class Counted(Record, frozen=True, tag="counted"):
    """The number of the observation in its file, from 1."""


class Difference(Record, frozen=True, tag="difference"):
    """`minuend` minus the number at `place`: an age, say, of a year of birth."""

    minuend: float
    place: Place


class Match(Record, frozen=True):
    """The text at `place` must fit `pattern`; each hole is a field, and takes what stands there."""

    place: Place
    pattern: Template
    counting_from: int = 1


class Range(Record, frozen=True):
    """Numbers from `first` to `last`, both included, and what they mean; None: a missing value."""

    first: float
    last: float
    to: str | None


class Recode(Record, frozen=True):
    """Spellings in the data (or ranges of numbers), and what they mean here; a meaning of None is a missing
    value. `field`: a field, a covariate, a scale (its values), or `value` (those of every scale)."""

    field: str
    to: dict[str, str | None]
    ranges: tuple[Range, ...] = ()


FieldName = Literal[
    "panel", "respondent", "subject", "stimulus", "emotion", "factor", "situation", "item", "order", "repeat"
]


class Field(Record, frozen=True):
    """Where something that tells observations apart stands; the same as a hole of that name in a match."""

    name: FieldName
    source: Place | Constant | Counted


class ScaleCells(Record, frozen=True):
    """Where a scale's answers stand. `cells`: from `first` to `last` along an observation, in the order of the
    scale's items, or (`order`) of the item numbers that stand beside them in that row or column. `list`: all in
    the cell `first`. `long`: an observation is one answer, in the cell `first`, to the item that its field
    `item` names. `labels`: the anchors are written, not the codes."""

    scale: str
    first: Place
    last: Place
    form: Literal["cells", "list", "long"] = "cells"
    labels: bool = False
    order: Place | None = None


class ConditionCells(Record, frozen=True):
    """What an observation says of one condition; only observations that fit all of `matches`."""

    condition: str
    cells: tuple[ScaleCells, ...]
    matches: tuple[Match, ...] = ()
    fields: tuple[Field, ...] = ()


class Covariate(Record, frozen=True):
    name: str
    source: Place | Constant | Difference


class Block(Record, frozen=True):
    """What each observation of the files says, at one combination of `levels` (a variable and its level).
    `profile`: scales that a respondent answered once, outside of every condition."""

    levels: dict[str, str] = {}
    fields: tuple[Field, ...] = ()
    matches: tuple[Match, ...] = ()
    conditions: tuple[ConditionCells, ...] = ()
    covariates: tuple[Covariate, ...] = ()
    profile: tuple[ScaleCells, ...] = ()


class Responses(Record, frozen=True):
    """A mapping from data files to responses. An observation is a row, or where `transposed` a column; every
    block is read from each. `path` may have holes ({panel}): every file that fits is read. `headers`: how many
    rows (or columns) hold labels; None: those that labels are found in. Without a field `panel`, the panel is
    named `id`."""

    id: str
    title: str
    kind: Literal["human", "model"]
    path: Template
    blocks: tuple[Block, ...]
    sheet: str | None = None
    transposed: bool = False
    headers: int | None = None
    recodes: tuple[Recode, ...] = ()


# --- analyses ---------------------------------------------------------------------------------


class Predicate(Record, frozen=True):
    """`field` is (or, negated, is not) one of `values`."""

    field: str
    values: tuple[str, ...]
    negated: bool = False


class Outcome(Record, frozen=True):
    scale: str
    subscale: str


Unit = Literal["response", "respondent", "stimulus", "factor"]
Test = Literal["welch", "student", "f_then_t", "paired_t", "chi_squared", "kruskal"]
Effect = Literal["none", "cohens_d", "hedges_g", "paired_d", "lift", "cramers_v"]
Adjust = Literal["none", "bonferroni", "holm", "bh"]


class Cells(Record, frozen=True):
    """Which answers one side of an analysis takes: those at `level` of the analysis's variable (None: all), of
    the panel `panel` (None: of each in turn). Or a `norm` of the outcome, by its group; or the number in a
    `field` of the stimulus; or the estimates of a `contrast`."""

    level: str | None = None
    panel: str | None = None
    norm: str | None = None
    field: str | None = None
    contrast: str | None = None


class Contrast(Record, frozen=True):
    """The first of `sides` minus the second, or where `omnibus` all of them against one another, for each
    group of `by` (a group kind is the fields it crosses; () is overall). `variable`: whose levels the sides
    are. `outcomes` empty: every subscale of the study's scales. `unit`: what is one observation; scores are
    averaged within it. `paired_by`: what pairs observations, or None. `direction_by`: which p the direction
    follows. `yates`: the continuity correction of chi-squared in tables of two by two."""

    name: str
    sides: tuple[Cells, ...]
    by: tuple[tuple[str, ...], ...]
    test: Test
    alpha: float
    effect: Effect
    adjust: Adjust
    variable: str = "condition"
    omnibus: bool = False
    outcomes: tuple[Outcome, ...] = ()
    where: tuple[Predicate, ...] = ()
    unit: Unit = "response"
    paired_by: Literal["respondent", "stimulus"] | None = None
    direction_by: Literal["p", "p_adjusted"] = "p"
    yates: bool = True
    title: str | None = None


Coefficient = Literal[
    "pearson",
    "spearman",
    "pairwise_pearson",
    "pairwise_spearman",
    "krippendorff_interval",
    "cohens_kappa",
    "ceiling",
    "accuracy",
    "macro_f1",
    "cronbach_alpha",
]


class Association(Record, frozen=True):
    """`correlation`: of two sides, unit by unit (means within a unit). `agreement`: of the respondents of one
    side with one another, or of two sides with one another. `reliability`: of a subscale's items over
    respondents. One row of the report for each coefficient, panel, outcome and group of `by`. `cut`: above it
    a value is of the upper class, for coefficients of classes."""

    name: str
    kind: Literal["correlation", "agreement", "reliability"]
    sides: tuple[Cells, ...]
    by: tuple[tuple[str, ...], ...]
    coefficients: tuple[Coefficient, ...]
    alpha: float
    unit: Unit
    variable: str = "condition"
    outcomes: tuple[Outcome, ...] = ()
    where: tuple[Predicate, ...] = ()
    cut: float | None = None
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
    """`contrast`: the name of the contrast or association whose rows are expected."""

    contrast: str
    source: str
    cells: tuple[ExpectedCell, ...]


# --- the study and the plan -------------------------------------------------------------------


class Part(Record, frozen=True):
    """A part of a panel: its name, and how many respondents are in it."""

    name: str
    count: int


class Split(Record, frozen=True):
    """Parts of a panel's respondents, filled in their order, drawn with the study's seed."""

    panel: str
    parts: tuple[Part, ...]


class Study(Record, frozen=True):
    """`panels`: the models and responses that the study names, in order. `scales_for`: the emotions whose
    stimuli a scale is measured after, where not all. `between`: variables of which a respondent has one level.
    A respondent's part of a split is the covariate `split`."""

    id: str
    title: str
    scales: tuple[str, ...]
    panels: tuple[str, ...]
    sampling: Sampling
    seed: int
    orders: tuple[int, ...]
    repeats: int
    scales_for: dict[str, tuple[str, ...]] = {}
    between: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()


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
    associations: tuple[Association, ...] = ()
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
