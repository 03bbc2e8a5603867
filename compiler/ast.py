"""The syntax tree: what a file says, node by node, each with its span. Two nodes are equal if they say the
same, wherever they stand."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from compiler.source import Span


class Node(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Base of the nodes. Two are equal if they are of one kind and their fields are, but for where they stand
    and how they are written."""

    span: Span
    _unseen: ClassVar[frozenset[str]] = frozenset({"span"})

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = (name for name in self.__struct_fields__ if name not in self._unseen)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]


# --- words ------------------------------------------------------------------------------------


class Name(Node, frozen=True, kw_only=True, eq=False):
    """A name; `quoted` where the spec writes it as a string (a spelling that is not a plain word)."""

    text: str
    quoted: bool = False
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "quoted"})


class Str(Node, frozen=True, kw_only=True, eq=False):
    """A text; `written` is its literal, quotes and all."""

    text: str
    written: str = ""
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "written"})


class Num(Node, frozen=True, kw_only=True, eq=False):
    value: float

    @property
    def is_whole(self) -> bool:
        return self.value.is_integer()

    @property
    def whole(self) -> int:
        return int(self.value)


class Dotted(Node, frozen=True, kw_only=True, eq=False):
    """`a` or `a.b`."""

    head: Name
    tail: Name | None = None

    @property
    def text(self) -> str:
        return self.head.text if self.tail is None else f"{self.head.text}.{self.tail.text}"


class Everything(Node, frozen=True, kw_only=True, eq=False):
    """`*`: all there is in scope."""


class Setting(Node, frozen=True, kw_only=True, eq=False):
    """`key value`, or `key { key value ... }`."""

    key: Dotted
    value: Name | Str | Num | tuple[Setting, ...]


# --- scales -----------------------------------------------------------------------------------


class Use(Node, frozen=True, kw_only=True, eq=False):
    path: Str


class Anchor(Node, frozen=True, kw_only=True, eq=False):
    code: Num
    label: Str


class Options(Node, frozen=True, kw_only=True, eq=False):
    """A range with a step, or (without `first`) the codes that the anchors name."""

    first: Num | None
    last: Num | None
    step: Num | None
    anchors: tuple[Anchor, ...]


class Cite(Node, frozen=True, kw_only=True, eq=False):
    text: Str
    doi: Str | None


class ItemDecl(Node, frozen=True, kw_only=True, eq=False):
    label: Num | Name | None
    text: Str
    options: Options | None


class DataFile(Node, frozen=True, kw_only=True, eq=False):
    """`from "file" sheet "S" column "c"`."""

    path: Str
    sheet: Str | None
    column: Str | Num | None


class ItemGroup(Node, frozen=True, kw_only=True, eq=False):
    """Items in place, with options of their own where they differ from the scale's."""

    options: Options | None
    items: tuple[ItemDecl, ...]


class ItemsFrom(Node, frozen=True, kw_only=True, eq=False):
    data: DataFile


class NumberRange(Node, frozen=True, kw_only=True, eq=False):
    """`3` or `3..7`."""

    first: Num
    last: Num


class ItemRef(Node, frozen=True, kw_only=True, eq=False):
    """Items of a scale: a number, a range, or a name."""

    item: NumberRange | Name
    raw: bool


class CallExpr(Node, frozen=True, kw_only=True, eq=False):
    function: Name
    arguments: tuple[ItemRef, ...]


class BinaryExpr(Node, frozen=True, kw_only=True, eq=False):
    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


Expr = Num | ItemRef | CallExpr | BinaryExpr


class SubscaleDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    score: Expr


class Keyed(Node, frozen=True, kw_only=True, eq=False):
    """`reverse 2, 4..6` or `filler 3`."""

    what: Literal["reverse", "filler"]
    items: tuple[NumberRange | Name, ...]


class Missing(Node, frozen=True, kw_only=True, eq=False):
    up_to: Num


class NormDecl(Node, frozen=True, kw_only=True, eq=False):
    subscale: Name
    group: Str
    mean: Num
    sd: Num
    n: Num


class Language(Node, frozen=True, kw_only=True, eq=False):
    code: Str


ScaleStatement = Cite | Options | ItemGroup | ItemsFrom | SubscaleDecl | Keyed | Missing | NormDecl | Language


class ScaleDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[ScaleStatement, ...]


# --- stimuli, prompts, protocols ---------------------------------------------------------------


class FieldDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    text: Str


class Situation(Node, frozen=True, kw_only=True, eq=False):
    text: Str
    fields: tuple[FieldDecl, ...]


class FactorDecl(Node, frozen=True, kw_only=True, eq=False):
    """`situations` in place, or `data`: the file that they stand in."""

    name: Name
    title: Str | None
    situations: tuple[Situation, ...]
    data: DataFile | None


class EmotionDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    factors: tuple[FactorDecl, ...]


Role = Literal["system", "user", "assistant"]


class MessageDecl(Node, frozen=True, kw_only=True, eq=False):
    role: Role
    text: Str


class Append(Node, frozen=True, kw_only=True, eq=False):
    """In a variant: text that is put behind the prompt's own message of that role."""

    message: MessageDecl


class VariantDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    changes: tuple[MessageDecl | Append, ...]


class PromptDecl(Node, frozen=True, kw_only=True, eq=False):
    """`short`: the whole prompt is one user message, written behind the name."""

    name: Name
    messages: tuple[MessageDecl, ...]
    variants: tuple[VariantDecl, ...]
    short: bool


class Argument(Node, frozen=True, kw_only=True, eq=False):
    """`hole = field` or `hole = "text"`."""

    name: Name
    value: Name | Str


class PromptRef(Node, frozen=True, kw_only=True, eq=False):
    prompt: Dotted
    arguments: tuple[Argument, ...]


class PresentStep(Node, frozen=True, kw_only=True, eq=False):
    prompt: PromptRef


class MeasureStep(Node, frozen=True, kw_only=True, eq=False):
    scale: Name | None
    prompt: PromptRef


StepNode = PresentStep | MeasureStep


class ConditionDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    each: bool
    steps: tuple[StepNode, ...]


class Then(Node, frozen=True, kw_only=True, eq=False):
    """Steps that every condition ends with."""

    steps: tuple[StepNode, ...]


class ProtocolDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[ConditionDecl | Then, ...]


class ModelDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    settings: tuple[Setting, ...]


# --- recorded and human answers ----------------------------------------------------------------


class PlaceNode(Node, frozen=True, kw_only=True, eq=False):
    axis: Literal["row", "column"]
    at: Num | Str


class ConstantNode(Node, frozen=True, kw_only=True, eq=False):
    value: Str


class MatchDecl(Node, frozen=True, kw_only=True, eq=False):
    place: PlaceNode
    pattern: Str
    counting_from: Num | None


class RecodePair(Node, frozen=True, kw_only=True, eq=False):
    """A spelling in the data, and what it means; `missing` is a name like any other here."""

    spelling: Str
    meaning: Name


class RecodeDecl(Node, frozen=True, kw_only=True, eq=False):
    field: Name
    pairs: tuple[RecodePair, ...]


class CovariateDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    source: PlaceNode | ConstantNode | Str


class KindDecl(Node, frozen=True, kw_only=True, eq=False):
    kind: Name


class RespondentDecl(Node, frozen=True, kw_only=True, eq=False):
    """`counted` (None), or where the respondent's id stands."""

    source: PlaceNode | None


class CellsDecl(Node, frozen=True, kw_only=True, eq=False):
    """`SCALE = rows 3..22 in order column "o"`."""

    scale: Name
    axis: Literal["row", "column"]
    first: Num | Str
    last: Num | Str
    order: PlaceNode | None


class ConditionCellsDecl(Node, frozen=True, kw_only=True, eq=False):
    condition: Name
    body: tuple[MatchDecl | CellsDecl, ...]


ResponsesStatement = KindDecl | RespondentDecl | MatchDecl | RecodeDecl | CovariateDecl | ConditionCellsDecl


class ResponsesDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    path: Str
    sheet: Str | None
    transposed: bool
    body: tuple[ResponsesStatement, ...]


# --- studies ----------------------------------------------------------------------------------


class ProtocolOf(Node, frozen=True, kw_only=True, eq=False):
    name: Name


class ScaleUse(Node, frozen=True, kw_only=True, eq=False):
    """`AGQ for anger, guilt`: `stimuli` empty means after all."""

    scale: Name
    stimuli: tuple[Name, ...]


class ScalesOf(Node, frozen=True, kw_only=True, eq=False):
    scales: tuple[ScaleUse, ...]


class StimuliOf(Node, frozen=True, kw_only=True, eq=False):
    stimuli: tuple[Dotted | Everything, ...]


class PanelsOf(Node, frozen=True, kw_only=True, eq=False):
    panels: tuple[Name, ...]


class SamplingOf(Node, frozen=True, kw_only=True, eq=False):
    settings: tuple[Setting, ...]


class Counted(Node, frozen=True, kw_only=True, eq=False):
    """`repeats 1`, `seed 42`, `orders 10` (or `orders 10 shuffled`)."""

    what: Literal["repeats", "seed", "orders"]
    value: Num
    shuffled: bool = False


class PredicateNode(Node, frozen=True, kw_only=True, eq=False):
    """`field is a or b`, `field is not a`."""

    field: Name
    values: tuple[Name | Num, ...]
    negated: bool


class Group(Node, frozen=True, kw_only=True, eq=False):
    """`overall`, `factor`, `emotion * gender`."""

    fields: tuple[Name, ...]


class OfClause(Node, frozen=True, kw_only=True, eq=False):
    outcomes: tuple[Dotted, ...]


class WhereClause(Node, frozen=True, kw_only=True, eq=False):
    predicates: tuple[PredicateNode, ...]


class ByClause(Node, frozen=True, kw_only=True, eq=False):
    groups: tuple[Group, ...]


class PairedClause(Node, frozen=True, kw_only=True, eq=False):
    field: Name


class SettingsClause(Node, frozen=True, kw_only=True, eq=False):
    settings: tuple[Setting, ...]


ContrastClause = OfClause | WhereClause | ByClause | PairedClause | SettingsClause


class ContrastDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    a: Name
    b: Name
    clauses: tuple[ContrastClause, ...]


class ExpectValue(Node, frozen=True, kw_only=True, eq=False):
    """One published number written in the spec."""

    target: Dotted
    outcome: Dotted
    value: Num
    within: Num
    where: WhereClause | None
    source: Str


class ExpectColumn(Node, frozen=True, kw_only=True, eq=False):
    """`column = place`: what a column of the report is in the published table."""

    column: Name
    source: PlaceNode | ConstantNode | Str
    rounded: Num | None
    within: Num | None


class RowsWhere(Node, frozen=True, kw_only=True, eq=False):
    """Which rows of the published table belong here."""

    place: PlaceNode
    values: tuple[Str, ...]


class Erratum(Node, frozen=True, kw_only=True, eq=False):
    text: Str
    where: WhereClause


ExpectStatement = ExpectColumn | RowsWhere | RecodeDecl | Erratum


class ExpectTable(Node, frozen=True, kw_only=True, eq=False):
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


class StudyDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[StudyStatement, ...]


Declaration = ScaleDecl | EmotionDecl | PromptDecl | ProtocolDecl | ModelDecl | ResponsesDecl | StudyDecl


class Comment(Node, frozen=True, kw_only=True, eq=False):
    """`# ...`, kept for the formatter; `trailing` where code stands before it on its line."""

    text: str
    trailing: bool


class File(Node, frozen=True, kw_only=True, eq=False):
    """`text` is what was read, for the formatter: where lines end is not in the tree. `unread` is what of
    it could not be read."""

    uses: tuple[Use, ...]
    declarations: tuple[Declaration, ...]
    statements: tuple[Use | Declaration, ...]
    comments: tuple[Comment, ...] = ()
    text: str = ""
    unread: str = ""
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "comments", "text", "unread"})
