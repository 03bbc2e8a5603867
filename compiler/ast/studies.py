"""Studies, contrasts and published values."""

from __future__ import annotations

from typing import Literal

from compiler.ast.answers import ConstantNode, PlaceNode, RecodeDecl
from compiler.ast.words import Dotted, Everything, Name, Node, Num, Setting, Str


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


class SplitPart(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    count: Num


class SplitOf(Node, frozen=True, kw_only=True, eq=False):
    """`split crowd into train 866, test 400`."""

    panel: Name
    parts: tuple[SplitPart, ...]


class BetweenOf(Node, frozen=True, kw_only=True, eq=False):
    """Variables of which a respondent has one level."""

    variables: tuple[Name, ...]


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


class PerClause(Node, frozen=True, kw_only=True, eq=False):
    """`per respondent`: the unit of analysis."""

    unit: Name


class PairedClause(Node, frozen=True, kw_only=True, eq=False):
    field: Name


class SettingsClause(Node, frozen=True, kw_only=True, eq=False):
    settings: tuple[Setting, ...]


AnalysisClause = OfClause | WhereClause | ByClause | PerClause | PairedClause | SettingsClause


class Side(Node, frozen=True, kw_only=True, eq=False):
    """Which answers: `evoked`, `evoked in crowd`, `in crowd`, `norm "students"`, `stimulus.gold`. A name is
    a level, a contrast or a panel."""

    what: Dotted | None
    panel: Name | None
    norm: Str | None


class ContrastDecl(Node, frozen=True, kw_only=True, eq=False):
    """`a - b`, or where `omnibus` all sides against one another."""

    name: Name
    title: Str | None
    sides: tuple[Side, ...]
    omnibus: bool
    clauses: tuple[AnalysisClause, ...]


class AssociationDecl(Node, frozen=True, kw_only=True, eq=False):
    """Of one side, or two, `with` between them; of a reliability none: of all respondents."""

    kind: Literal["correlation", "agreement", "reliability"]
    name: Name
    title: Str | None
    sides: tuple[Side, ...]
    clauses: tuple[AnalysisClause, ...]


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
    """A published table, mapped onto the rows of an analysis's report."""

    analysis: Name
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
    | SplitOf
    | BetweenOf
    | ContrastDecl
    | AssociationDecl
    | ExpectValue
    | ExpectTable
)


class StudyDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[StudyStatement, ...]
