"""Scores: that their keys name what exists, each item once, and have values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from compiler import ast
from compiler.check.scorenames import NameCheck, check_name
from compiler.check.scorevalues import check_values
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.items import ResolvedItem, items_of, parts
from compiler.model.scores import RAW, Scoring, children, references, uses
from compiler.resolve import Program

MAX_PARTS = 5000
MAX_NESTED = 80
"""A score with its derived values put in is walked call by call, and becomes one expression of SQL."""


def check_scores(decl: ast.ScaleDecl, items: list[ResolvedItem]) -> Iterator[Diagnostic]:
    """What is wrong with a scale's derived values and subscales."""
    scoring = Scoring(decl, items)
    derives = parts(decl, ast.DeriveDecl)
    found = list(_named(decl, scoring))
    yield from (one for one in found if isinstance(one, Diagnostic))
    yield from check_values(scoring, derives, [one for one in found if isinstance(one, ast.SubscaleDecl)])
    used = uses(scoring, [subscale.score for subscale in parts(decl, ast.SubscaleDecl)])
    for derive in derives:
        if derive.name.text not in used:
            help = f"use it before items, `sum({derive.name.text} 1..3)`, or take it out"
            yield diagnostic(Code.DERIVE_UNUSED, derive.name.span, name=derive.name.text, help=help)


def with_values(program: Program, outcomes: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """The scales and subscales whose values can be worked out, since all that their scores name exists."""
    unsound: set[tuple[str, str]] = set()
    for name in {scale for scale, _ in outcomes}:
        decl = program.scales[name]
        sound = list(_named(decl, Scoring(decl, items_of(program, decl))))
        unsound |= {(name, one.name.text) for one in parts(decl, ast.SubscaleDecl) if one not in sound}
    return [outcome for outcome in outcomes if outcome not in unsound]


def _named(decl: ast.ScaleDecl, scoring: Scoring) -> Iterator[Diagnostic | ast.SubscaleDecl]:
    """What is wrong with what scores name, and the subscales with which nothing is."""
    derives = parts(decl, ast.DeriveDecl)
    known = {item.number for item in scoring.items}  # of a scale that could not be read whole, some are missing
    sizes: dict[str, _Size] = {}
    wrong: set[str] = set()
    for place, derive in enumerate(derives):
        found = [
            *check_name(scoring, derive),
            *NameCheck(decl, scoring, derives[:place], derive).check(derive.value),
        ]
        sizes.setdefault(derive.name.text, _size(scoring, derive.value, sizes))
        wrong |= {derive.name.text} if found else set()
        yield from found
    for subscale in parts(decl, ast.SubscaleDecl):
        found = list(NameCheck(decl, scoring, derives, None).check(subscale.score))
        if not found and wrong.isdisjoint(uses(scoring, [subscale.score])):
            found = list(_made_of(scoring, subscale, _size(scoring, subscale.score, sizes)))
            if not found and set().union(*uses(scoring, [subscale.score]).values()) <= known:
                yield subscale
        yield from found
        yield from _counted_twice(scoring, subscale)


def _made_of(scoring: Scoring, subscale: ast.SubscaleDecl, size: _Size) -> Iterator[Diagnostic]:
    """A score that is made of too much, or of no answer."""
    score = subscale.score
    if size.parts > MAX_PARTS:
        what = "parts of one score, derived values put in"
        yield diagnostic(Code.TOO_DEEP, score.span, limit=MAX_PARTS, what=what)
    elif size.nested > MAX_NESTED:
        what = "operations inside one another in one score, derived values put in"
        yield diagnostic(Code.TOO_DEEP, score.span, limit=MAX_NESTED, what=what)
    elif not uses(scoring, [score]).get(RAW):
        help = "name items, such as `sum(1..3)`: a range is written with two dots"
        name = f"{scoring.scale}.{subscale.name.text}"
        yield diagnostic(Code.NO_ITEMS, score.span, scale=name, help=help)


@dataclass(frozen=True)
class _Size:
    """How many parts an expression has, and how many of them stand inside one another."""

    parts: int
    nested: int


def _size(scoring: Scoring, score: ast.Expr, derived: Mapping[str, _Size]) -> _Size:
    if isinstance(score, ast.ItemRef):
        one = derived.get(scoring.meaning(score) or "", _Size(1, 1))
        return _Size(one.parts * max(1, len(scoring.numbers(score))), one.nested)
    sizes = [_size(scoring, part, derived) for part in children(score)]
    return _Size(1 + sum(one.parts for one in sizes), 1 + max((one.nested for one in sizes), default=0))


def _counted_twice(scoring: Scoring, subscale: ast.SubscaleDecl) -> Iterator[Diagnostic]:
    """An item that is added twice."""
    seen: set[tuple[str, int]] = set()
    for reference in _added(subscale.score):
        meaning = scoring.meaning(reference) or RAW
        for number in scoring.numbers(reference):
            if (meaning, number) in seen:
                yield diagnostic(
                    Code.ITEM_IN_SUM_TWICE,
                    reference.span,
                    number=number,
                    subscale=subscale.name.text,
                    help="weights are written out: `2 * item 3 + sum(4..6)`",
                )
            seen.add((meaning, number))


def _added(score: ast.Expr) -> Iterator[ast.ItemRef]:
    """What stands in a score's sums and means, or is added to them."""
    match score:
        case ast.ItemRef():
            yield score
        case ast.CallExpr(function=function) if function.text not in ("sum", "mean"):
            return
        case ast.BinaryExpr(operator="*" | "/") if all(any(references(part)) for part in children(score)):
            return
        case ast.CompareExpr() | ast.Num():
            return
        case ast.CallExpr() | ast.BinaryExpr():
            for part in children(score):
                yield from _added(part)
