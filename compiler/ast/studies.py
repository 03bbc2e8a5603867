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
