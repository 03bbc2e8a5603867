"""Mappings of recorded and human answers."""

from __future__ import annotations

from typing import Literal

from compiler.ast.words import Name, Node, Num, Str


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
