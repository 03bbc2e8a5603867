"""What a scale's declaration comes to: its options, its items with their numbers, its scores."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Literal, TypeVar

from compiler import ast
from compiler.model.grids import column_index, text
from compiler.resolve import Program
from compiler.source import Span
from schemas.plan import Item, Option

MAX_OPTIONS = 1001

Kind = TypeVar("Kind", bound=ast.Node)


@dataclass(frozen=True)
class ResolvedItem:
    number: int
    name: str
    text: str
    options: ast.Options | None
    span: Span
    key: float | str | None = None


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
                items.append(ResolvedItem(number, name, item.text.text, options, item.span, _key(item)))
        elif isinstance(statement, ast.ItemsFrom):
            for _, text in column(program, statement.data):
                number = len(items) + 1
                items.append(ResolvedItem(number, str(number), text, None, statement.span))
    return items


def _key(item: ast.ItemDecl) -> float | str | None:
    match item.key:
        case ast.Num():
            return item.key.value
        case ast.Name():
            return item.key.text
        case None:
            return None


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


def item_records(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> tuple[Item, ...]:
    """The items as the plan has them, by their number."""
    reverse, filler = keyed(decl, items, "reverse"), keyed(decl, items, "filler")
    return tuple(
        Item(
            number=item.number,
            name=item.name,
            text=item.text,
            options=None if item.options is None else options_of(item.options),
            reverse=item.number in reverse,
            filler=item.number in filler,
            key=item.key,
        )
        for item in sorted(items, key=lambda item: item.number)
    )


def keyed(decl: ast.ScaleDecl, items: list[ResolvedItem], what: Literal["reverse", "filler"]) -> set[int]:
    """The numbers of the items that a line of this kind names."""
    return {
        number
        for line in parts(decl, ast.Keyed)
        if line.what == what
        for reference in line.items
        for number in item_numbers(reference, items)
    }


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
    return [(row, said) for row, cells in rows if index < len(cells) and (said := text(cells[index]))]
