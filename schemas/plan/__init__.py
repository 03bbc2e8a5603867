"""The plan: a study's meaning, without its text, comments, paths or order of declaration.

Every record is frozen. Ids are the names that the spec gives. `plan.json` is one `Plan`;
`trials.parquet` holds one `PlannedTrial` a row.
"""

from __future__ import annotations

import msgspec

from schemas.plan.analyses import (
    Adjust,
    Association,
    Cells,
    Coefficient,
    Contrast,
    Effect,
    Expectation,
    Expected,
    ExpectedCell,
    Outcome,
    PostHoc,
    Predicate,
    Test,
    Unit,
)
from schemas.plan.mappings import (
    Block,
    CellSpan,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Difference,
    Field,
    FieldName,
    Match,
    Place,
    Range,
    Recode,
    Responses,
    ScaleCells,
)
from schemas.plan.questions import (
    AGAIN,
    Again,
    AgainStatus,
    Condition,
    Hole,
    Measure,
    Message,
    Model,
    Present,
    Price,
    Prompt,
    Protocol,
    Readout,
    Sampling,
    Step,
    Stimulus,
    Template,
    Text,
)
from schemas.plan.record import Record, Scalar, Setting
from schemas.plan.scales import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    Function,
    Item,
    ItemValue,
    KeyValue,
    Norm,
    Number,
    Option,
    Scale,
    Subscale,
)

__all__ = [
    "AGAIN",
    "Adjust",
    "Again",
    "AgainStatus",
    "Arithmetic",
    "Association",
    "Block",
    "Call",
    "Cells",
    "Coefficient",
    "Comparison",
    "Condition",
    "ConditionCells",
    "Constant",
    "Contrast",
    "Counted",
    "Covariate",
    "Difference",
    "Effect",
    "Expectation",
    "Expected",
    "ExpectedCell",
    "Expression",
    "FORMAT",
    "Field",
    "FieldName",
    "Function",
    "Hole",
    "Item",
    "ItemValue",
    "KeyValue",
    "MOST_CHOICES",
    "Match",
    "Measure",
    "Message",
    "Model",
    "Norm",
    "Number",
    "Option",
    "Outcome",
    "Part",
    "Place",
    "Plan",
    "PostHoc",
    "PlannedTrial",
    "Predicate",
    "Present",
    "Price",
    "Readout",
    "Prompt",
    "Protocol",
    "Range",
    "Recode",
    "Record",
    "Responses",
    "Sampling",
    "Scalar",
    "Scale",
    "CellSpan",
    "ScaleCells",
    "Setting",
    "Split",
    "Step",
    "Stimulus",
    "Study",
    "Subscale",
    "Template",
    "Test",
    "Text",
    "Unit",
]

FORMAT = 1

MOST_CHOICES = 32
"""How many repeats become one request at most, where a provider gives several replies to one."""


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
    scales_for: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
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
