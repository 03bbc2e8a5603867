"""What a scale's declaration comes to: its options, its items with their numbers, its scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import TypeVar

from compiler import ast
from compiler.model.grids import column_index, text
from compiler.resolve import Program
from compiler.source import Span
from schemas.plan import Option

MAX_OPTIONS = 1001

Kind = TypeVar("Kind", bound=ast.Node)


@dataclass(frozen=True)
class ResolvedItem:
    number: int
    name: str
    text: str
    options: ast.Options | None
    span: Span


def parts(decl: ast.ScaleDecl, kind: type[Kind]) -> list[Kind]:
    """The scale's statements of one kind."""
    return [statement for statement in decl.body if isinstance(statement, kind)]


def items_of(program: Program, decl: ast.ScaleDecl) -> list[ResolvedItem]:
    """The items in the order in which they are written. One without a number has its place for it."""
    items: list[ResolvedItem] = []
    for statement in decl.body:
        if isinstance(statement, ast.ItemGroup):
            for item in statement.items:
                number = item.label.whole if isinstance(item.label, ast.Num) else len(items) + 1
                name = item.label.text if isinstance(item.label, ast.Name) else str(number)
                options = item.options or statement.options
                items.append(ResolvedItem(number, name, item.text.text, options, item.span))
        elif isinstance(statement, ast.ItemsFrom):
            for _, text in column(program, statement.data):
                number = len(items) + 1
                items.append(ResolvedItem(number, str(number), text, None, statement.span))
    return items


def options_of(options: ast.Options | None) -> tuple[Option, ...]:
    """Every code that can be answered, in order, with its anchor."""
    if options is None:
        return ()
    anchors = {anchor.code.value: anchor.label.text for anchor in options.anchors}
    if options.first is None or options.last is None:
        return tuple(Option(code, label) for code, label in anchors.items())
    step = options.step.value if options.step is not None and options.step.value > 0 else 1.0
    steps = min((options.last.value - options.first.value) / step + 1e-9, MAX_OPTIONS - 1)
    codes = (round(options.first.value + step * k, 9) for k in range(max(0, floor(steps) + 1)))
    return tuple(Option(code, anchors.get(code)) for code in codes)


def scale_options(decl: ast.ScaleDecl) -> ast.Options | None:
    """The scale's own options."""
    return next(iter(parts(decl, ast.Options)), None)


def item_numbers(reference: ast.NumberRange | ast.Name, items: list[ResolvedItem]) -> list[int]:
    """The numbers that a reference names; a name that no item has gives none."""
    if isinstance(reference, ast.Name):
        return [item.number for item in items if item.name == reference.text]
    first, last = reference.first.whole, reference.last.whole
    return list(range(first, min(last, first + MAX_OPTIONS) + 1))


def references(score: ast.Expr) -> Iterator[ast.ItemRef]:
    """Every place where a score names items."""
    match score:
        case ast.ItemRef():
            yield score
        case ast.CallExpr():
            yield from score.arguments
        case ast.BinaryExpr():
            yield from references(score.left)
            yield from references(score.right)
        case ast.Num():
            pass


def column(program: Program, data: ast.DataFile) -> list[tuple[int, str]]:
    """The texts of a data file's column below its header, each with its row (from 1); blank ones left out.
    Empty where the file or the column is missing: a check says so."""
    table = program.table(data.path, data.sheet)
    if isinstance(table, str) or data.column is None:
        return []
    index = column_index(table, data.column)
    if index is None:
        return []
    rows = enumerate(table.rows[1:], start=2)
    return [(row, text(cells[index])) for row, cells in rows if index < len(cells) and text(cells[index])]
