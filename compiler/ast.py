"""The syntax tree: what a file says, node by node, each with its span. Two nodes are equal if they say the
same, wherever they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from compiler.source import Span


@dataclass(frozen=True, kw_only=True)
class Node:
    span: Span = field(compare=False, repr=False)


# --- words ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Name(Node):
    """A name; `quoted` where the spec writes it as a string (a spelling that is not a plain word)."""

    text: str
    quoted: bool = field(default=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Str(Node):
    """A text; `written` is its literal, quotes and all."""

    text: str
    written: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Num(Node):
    value: float

    @property
    def is_whole(self) -> bool:
        return self.value.is_integer()

    @property
    def whole(self) -> int:
        return int(self.value)


@dataclass(frozen=True, kw_only=True)
class Dotted(Node):
    """`a` or `a.b`."""

    head: Name
    tail: Name | None = None

    @property
    def text(self) -> str:
        return self.head.text if self.tail is None else f"{self.head.text}.{self.tail.text}"


@dataclass(frozen=True, kw_only=True)
class Everything(Node):
    """`*`: all there is in scope."""


@dataclass(frozen=True, kw_only=True)
class Setting(Node):
    """`key value`, or `key { key value ... }`."""

    key: Dotted
    value: Name | Str | Num | tuple[Setting, ...]


# --- scales -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Use(Node):
    path: Str


@dataclass(frozen=True, kw_only=True)
class Anchor(Node):
    code: Num
    label: Str


@dataclass(frozen=True, kw_only=True)
class Options(Node):
    """A range with a step, or (without `first`) the codes that the anchors name."""

    first: Num | None
    last: Num | None
    step: Num | None
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, kw_only=True)
class Cite(Node):
    text: Str
    doi: Str | None


@dataclass(frozen=True, kw_only=True)
class ItemDecl(Node):
    label: Num | Name | None
    text: Str
    options: Options | None


@dataclass(frozen=True, kw_only=True)
class DataFile(Node):
    """`from "file" sheet "S" column "c"`."""

    path: Str
    sheet: Str | None
    column: Str | Num | None


@dataclass(frozen=True, kw_only=True)
class ItemGroup(Node):
    """Items in place, with options of their own where they differ from the scale's."""

    options: Options | None
    items: tuple[ItemDecl, ...]


@dataclass(frozen=True, kw_only=True)
class ItemsFrom(Node):
    data: DataFile


@dataclass(frozen=True, kw_only=True)
class NumberRange(Node):
    """`3` or `3..7`."""

    first: Num
    last: Num


@dataclass(frozen=True, kw_only=True)
class ItemRef(Node):
    """Items of a scale: a number, a range, or a name."""

    item: NumberRange | Name
    raw: bool


@dataclass(frozen=True, kw_only=True)
class CallExpr(Node):
    function: Name
    arguments: tuple[ItemRef, ...]


@dataclass(frozen=True, kw_only=True)
class BinaryExpr(Node):
    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


Expr = Num | ItemRef | CallExpr | BinaryExpr


@dataclass(frozen=True, kw_only=True)
class SubscaleDecl(Node):
    name: Name
    title: Str | None
    score: Expr


@dataclass(frozen=True, kw_only=True)
class Keyed(Node):
    """`reverse 2, 4..6` or `filler 3`."""

    what: Literal["reverse", "filler"]
    items: tuple[NumberRange | Name, ...]


@dataclass(frozen=True, kw_only=True)
class Missing(Node):
    up_to: Num


@dataclass(frozen=True, kw_only=True)
class NormDecl(Node):
    subscale: Name
    group: Str
    mean: Num
    sd: Num
    n: Num


@dataclass(frozen=True, kw_only=True)
class Language(Node):
    code: Str


ScaleStatement = Cite | Options | ItemGroup | ItemsFrom | SubscaleDecl | Keyed | Missing | NormDecl | Language


@dataclass(frozen=True, kw_only=True)
class ScaleDecl(Node):
    name: Name
    title: Str | None
    body: tuple[ScaleStatement, ...]


# --- stimuli, prompts, protocols ---------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FieldDecl(Node):
    name: Name
    text: Str


@dataclass(frozen=True, kw_only=True)
class Situation(Node):
    text: Str
    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, kw_only=True)
class FactorDecl(Node):
    """`situations` in place, or `data`: the file that they stand in."""

    name: Name
    title: Str | None
    situations: tuple[Situation, ...]
    data: DataFile | None


@dataclass(frozen=True, kw_only=True)
class EmotionDecl(Node):
    name: Name
    title: Str | None
    factors: tuple[FactorDecl, ...]


Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, kw_only=True)
class MessageDecl(Node):
    role: Role
    text: Str


@dataclass(frozen=True, kw_only=True)
class Append(Node):
    """In a variant: text that is put behind the prompt's own message of that role."""

    message: MessageDecl


@dataclass(frozen=True, kw_only=True)
class VariantDecl(Node):
    name: Name
    changes: tuple[MessageDecl | Append, ...]


@dataclass(frozen=True, kw_only=True)
class PromptDecl(Node):
    """`short`: the whole prompt is one user message, written behind the name."""

    name: Name
    messages: tuple[MessageDecl, ...]
    variants: tuple[VariantDecl, ...]
    short: bool


@dataclass(frozen=True, kw_only=True)
class Argument(Node):
    """`hole = field` or `hole = "text"`."""

    name: Name
    value: Name | Str


@dataclass(frozen=True, kw_only=True)
class PromptRef(Node):
    prompt: Dotted
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, kw_only=True)
class PresentStep(Node):
    prompt: PromptRef


@dataclass(frozen=True, kw_only=True)
class MeasureStep(Node):
    scale: Name | None
    prompt: PromptRef


StepNode = PresentStep | MeasureStep


@dataclass(frozen=True, kw_only=True)
class ConditionDecl(Node):
    name: Name
    each: bool
    steps: tuple[StepNode, ...]


@dataclass(frozen=True, kw_only=True)
class Then(Node):
    """Steps that every condition ends with."""

    steps: tuple[StepNode, ...]


@dataclass(frozen=True, kw_only=True)
class ProtocolDecl(Node):
    name: Name
    title: Str | None
    body: tuple[ConditionDecl | Then, ...]


@dataclass(frozen=True, kw_only=True)
class ModelDecl(Node):
    name: Name
    title: Str | None
    settings: tuple[Setting, ...]


# --- recorded and human answers ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlaceNode(Node):
    axis: Literal["row", "column"]
    at: Num | Str


@dataclass(frozen=True, kw_only=True)
class ConstantNode(Node):
    value: Str


@dataclass(frozen=True, kw_only=True)
class MatchDecl(Node):
    place: PlaceNode
    pattern: Str
    counting_from: Num | None


@dataclass(frozen=True, kw_only=True)
class RecodePair(Node):
    """A spelling in the data, and what it means; `missing` is a name like any other here."""

    spelling: Str
    meaning: Name


@dataclass(frozen=True, kw_only=True)
class RecodeDecl(Node):
    field: Name
    pairs: tuple[RecodePair, ...]


@dataclass(frozen=True, kw_only=True)
class CovariateDecl(Node):
    name: Name
    source: PlaceNode | ConstantNode | Str


@dataclass(frozen=True, kw_only=True)
class KindDecl(Node):
    kind: Name


@dataclass(frozen=True, kw_only=True)
class RespondentDecl(Node):
    """`counted` (None), or where the respondent's id stands."""

    source: PlaceNode | None


@dataclass(frozen=True, kw_only=True)
class CellsDecl(Node):
    """`SCALE = rows 3..22 in order column "o"`."""

    scale: Name
    axis: Literal["row", "column"]
    first: Num | Str
    last: Num | Str
    order: PlaceNode | None


@dataclass(frozen=True, kw_only=True)
class ConditionCellsDecl(Node):
    condition: Name
    body: tuple[MatchDecl | CellsDecl, ...]


ResponsesStatement = KindDecl | RespondentDecl | MatchDecl | RecodeDecl | CovariateDecl | ConditionCellsDecl


@dataclass(frozen=True, kw_only=True)
class ResponsesDecl(Node):
    name: Name
    title: Str | None
    path: Str
    sheet: Str | None
    transposed: bool
    body: tuple[ResponsesStatement, ...]


# --- studies ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ProtocolOf(Node):
    name: Name


@dataclass(frozen=True, kw_only=True)
class ScaleUse(Node):
    """`AGQ for anger, guilt`: `stimuli` empty means after all."""

    scale: Name
    stimuli: tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class ScalesOf(Node):
    scales: tuple[ScaleUse, ...]


@dataclass(frozen=True, kw_only=True)
class StimuliOf(Node):
    stimuli: tuple[Dotted | Everything, ...]


@dataclass(frozen=True, kw_only=True)
class PanelsOf(Node):
    panels: tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class SamplingOf(Node):
    settings: tuple[Setting, ...]


@dataclass(frozen=True, kw_only=True)
class Counted(Node):
    """`repeats 1`, `seed 42`, `orders 10` (or `orders 10 shuffled`)."""

    what: Literal["repeats", "seed", "orders"]
    value: Num
    shuffled: bool = False


@dataclass(frozen=True, kw_only=True)
class PredicateNode(Node):
    """`field is a or b`, `field is not a`."""

    field: Name
    values: tuple[Name | Num, ...]
    negated: bool


@dataclass(frozen=True, kw_only=True)
class Group(Node):
    """`overall`, `factor`, `emotion * gender`."""

    fields: tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class OfClause(Node):
    outcomes: tuple[Dotted, ...]


@dataclass(frozen=True, kw_only=True)
class WhereClause(Node):
    predicates: tuple[PredicateNode, ...]


@dataclass(frozen=True, kw_only=True)
class ByClause(Node):
    groups: tuple[Group, ...]


@dataclass(frozen=True, kw_only=True)
class PairedClause(Node):
    field: Name


@dataclass(frozen=True, kw_only=True)
class SettingsClause(Node):
    settings: tuple[Setting, ...]


ContrastClause = OfClause | WhereClause | ByClause | PairedClause | SettingsClause


@dataclass(frozen=True, kw_only=True)
class ContrastDecl(Node):
    name: Name
    title: Str | None
    a: Name
    b: Name
    clauses: tuple[ContrastClause, ...]


@dataclass(frozen=True, kw_only=True)
class ExpectValue(Node):
    """One published number written in the spec."""

    target: Dotted
    outcome: Dotted
    value: Num
    within: Num
    where: WhereClause | None
    source: Str


@dataclass(frozen=True, kw_only=True)
class ExpectColumn(Node):
    """`column = place`: what a column of the report is in the published table."""

    column: Name
    source: PlaceNode | ConstantNode | Str
    rounded: Num | None
    within: Num | None


@dataclass(frozen=True, kw_only=True)
class RowsWhere(Node):
    """Which rows of the published table belong here."""

    place: PlaceNode
    values: tuple[Str, ...]


@dataclass(frozen=True, kw_only=True)
class Erratum(Node):
    text: Str
    where: WhereClause


ExpectStatement = ExpectColumn | RowsWhere | RecodeDecl | Erratum


@dataclass(frozen=True, kw_only=True)
class ExpectTable(Node):
    """A published table, mapped onto the rows of a contrast's report."""

    contrast: Name
    path: Str
    sheet: Str | None
    source: Str
    body: tuple[ExpectStatement, ...]


StudyStatement = (
    ProtocolOf
    | ScalesOf
    | StimuliOf
    | PanelsOf
    | SamplingOf
    | Counted
    | ContrastDecl
    | ExpectValue
    | ExpectTable
)


@dataclass(frozen=True, kw_only=True)
class StudyDecl(Node):
    name: Name
    title: Str | None
    body: tuple[StudyStatement, ...]


Declaration = ScaleDecl | EmotionDecl | PromptDecl | ProtocolDecl | ModelDecl | ResponsesDecl | StudyDecl


@dataclass(frozen=True, kw_only=True)
class Comment(Node):
    """`# ...`, kept for the formatter; `trailing` where code stands before it on its line."""

    text: str
    trailing: bool


@dataclass(frozen=True, kw_only=True)
class File(Node):
    """`text` is what was read, for the formatter: where lines end is not in the tree."""

    uses: tuple[Use, ...]
    declarations: tuple[Declaration, ...]
    statements: tuple[Use | Declaration, ...] = field(repr=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)
