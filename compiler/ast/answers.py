"""Mappings of recorded and human answers."""

from __future__ import annotations

from typing import Literal

from compiler.ast.scales import NumberRange
from compiler.ast.words import Name, Node, Num, Str


class PlaceNode(Node, frozen=True, kw_only=True, eq=False):
    """`row "Gender:"` or `column 3`."""

    axis: Literal["row", "column"]
    at: Num | Str


class ConstantNode(Node, frozen=True, kw_only=True, eq=False):
    value: Str


class CountedNode(Node, frozen=True, kw_only=True, eq=False):
    """`counted`: the number of the observation in its file."""


class DifferenceNode(Node, frozen=True, kw_only=True, eq=False):
    """`2023 - column "birth_year"`."""

    minuend: Num
    place: PlaceNode


# A bare text is none: it is there so that a forgotten `column` or `constant` can be told.
FieldSource = PlaceNode | ConstantNode | CountedNode | Str


class CellSpanNode(Node, frozen=True, kw_only=True, eq=False):
    """`"q1".."q20"`, or one alone."""

    first: Num | Str
    last: Num | Str


class CellsNode(Node, frozen=True, kw_only=True, eq=False):
    """`columns "q1".."q8", "q12"`, `column "answers" as list of labels`, `rows 3..22 in order column "o"`."""

    axis: Literal["row", "column"]
    spans: tuple[CellSpanNode, ...]
    listed: bool
    labels: bool
    order: PlaceNode | None


class MatchDecl(Node, frozen=True, kw_only=True, eq=False):
    place: PlaceNode
    pattern: Str
    counting_from: Num | None


class RecodePair(Node, frozen=True, kw_only=True, eq=False):
    """A spelling in the data or a range of numbers, and its meaning; `missing` is a name like any other."""

    spelling: Str | NumberRange
    meaning: Name


class RecodeDecl(Node, frozen=True, kw_only=True, eq=False):
    field: Name
    pairs: tuple[RecodePair, ...]


class CovariateDecl(Node, frozen=True, kw_only=True, eq=False):
    """Something about a respondent; one with a scale's name is the answers to it, given once."""

    name: Name
    source: PlaceNode | ConstantNode | DifferenceNode | CellsNode | Str


class KindDecl(Node, frozen=True, kw_only=True, eq=False):
    kind: Name


class HeadersDecl(Node, frozen=True, kw_only=True, eq=False):
    """`headers 3`: how many rows hold labels."""

    count: Num


class AssignDecl(Node, frozen=True, kw_only=True, eq=False):
    """`respondent = column "id"`, `PANAS = rows 3..22`: what tells observations apart, or a scale's answers."""

    name: Name
    source: FieldSource | CellsNode


class ConditionCellsDecl(Node, frozen=True, kw_only=True, eq=False):
    condition: Name
    body: tuple[MatchDecl | AssignDecl, ...]


class LevelDecl(Node, frozen=True, kw_only=True, eq=False):
    """A level, and how the data spell it where that is not its name."""

    name: Name
    spelling: Str | None


class VaryDecl(Node, frozen=True, kw_only=True, eq=False):
    """`vary arm over a, b { ... }`: said once for each level, `{arm}` being its spelling."""

    variable: Name
    levels: tuple[LevelDecl, ...]
    body: tuple[BlockStatement, ...]


BlockStatement = MatchDecl | RecodeDecl | CovariateDecl | AssignDecl | ConditionCellsDecl | VaryDecl
ResponsesStatement = KindDecl | HeadersDecl | BlockStatement


class ResponsesDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    path: Str
    sheet: Str | None
    transposed: bool
    body: tuple[ResponsesStatement, ...]
