"""Scales, items and scoring keys."""

from __future__ import annotations

from typing import Literal

from compiler.ast.words import Name, Node, Num, Str


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
    """`key`: its gold answer, a code or the stimulus's field that holds it."""

    label: Num | Name | None
    text: Str
    options: Options | None
    key: Num | Name | None


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
    """Items of a scale: a number, a range, or a name; in a `derive` also `value` and `key` of an item.
    `prefix`: what of the item is meant, where not its value: `raw`, `key`, or a derived one's name."""

    item: NumberRange | Name
    prefix: Name | None


class CallExpr(Node, frozen=True, kw_only=True, eq=False):
    function: Name
    arguments: tuple[Expr, ...]


class BinaryExpr(Node, frozen=True, kw_only=True, eq=False):
    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class CompareExpr(Node, frozen=True, kw_only=True, eq=False):
    """1 where it holds, else 0."""

    operator: Literal["is", "is not", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


Expr = Num | ItemRef | CallExpr | BinaryExpr | CompareExpr


class DeriveDecl(Node, frozen=True, kw_only=True, eq=False):
    """`derive miss = abs(value - key)`: one more value of every item."""

    name: Name
    value: Expr


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


ScaleStatement = (
    Cite | Options | ItemGroup | ItemsFrom | DeriveDecl | SubscaleDecl | Keyed | Missing | NormDecl | Language
)


class ScaleDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[ScaleStatement, ...]
