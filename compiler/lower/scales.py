"""A scale's declaration as the plan's record."""

from __future__ import annotations

from typing import Literal, cast

from compiler import ast
from compiler.model.items import ResolvedItem, item_numbers, items_of, options_of, parts, scale_options
from compiler.resolve import Program
from schemas.plan import Arithmetic, Call, Expression, Item, ItemValue, Norm, Number, Scale, Subscale


def scale_record(program: Program, decl: ast.ScaleDecl) -> Scale:
    """The scale; its orders are drawn later."""
    items = items_of(program, decl)
    reverse, filler = _keyed(decl, items, "reverse"), _keyed(decl, items, "filler")
    missing = parts(decl, ast.Missing)
    cite = next(iter(parts(decl, ast.Cite)), None)
    language = next(iter(parts(decl, ast.Language)), None)
    return Scale(
        id=decl.name.text,
        title=decl.name.text if decl.title is None else decl.title.text,
        options=options_of(scale_options(decl)),
        items=tuple(
            Item(
                number=item.number,
                name=item.name,
                text=item.text,
                options=None if item.options is None else options_of(item.options),
                reverse=item.number in reverse,
                filler=item.number in filler,
            )
            for item in sorted(items, key=lambda item: item.number)
        ),
        subscales=tuple(_subscale(items, part) for part in parts(decl, ast.SubscaleDecl)),
        missing_allowed=missing[0].up_to.whole if missing else None,
        norms=tuple(
            Norm(norm.subscale.text, norm.group.text, norm.mean.value, norm.sd.value, norm.n.whole)
            for norm in parts(decl, ast.NormDecl)
        ),
        citation=None if cite is None else cite.text.text,
        doi=None if cite is None or cite.doi is None else cite.doi.text,
        language=None if language is None else language.code.text,
    )


def _keyed(decl: ast.ScaleDecl, items: list[ResolvedItem], what: str) -> set[int]:
    return {
        number
        for keyed in parts(decl, ast.Keyed)
        if keyed.what == what
        for reference in keyed.items
        for number in item_numbers(reference, items)
    }


def _subscale(items: list[ResolvedItem], part: ast.SubscaleDecl) -> Subscale:
    title = part.name.text if part.title is None else part.title.text
    return Subscale(part.name.text, title, _expression(items, part.score))


def _expression(items: list[ResolvedItem], score: ast.Expr) -> Expression:
    match score:
        case ast.Num():
            return Number(score.value)
        case ast.ItemRef():
            return _terms(items, score)[0]
        case ast.CallExpr():
            terms = tuple(term for reference in score.arguments for term in _terms(items, reference))
            return Call(cast(Literal["sum", "mean"], score.function.text), terms)
        case ast.BinaryExpr():
            return Arithmetic(score.operator, _expression(items, score.left), _expression(items, score.right))


def _terms(items: list[ResolvedItem], reference: ast.ItemRef) -> list[ItemValue]:
    return [ItemValue(number, reference.raw) for number in item_numbers(reference.item, items)]
