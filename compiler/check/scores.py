"""Scoring keys: that they name items which exist, and stay weighted sums of them."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.items import ResolvedItem, item_numbers, references

FUNCTIONS = ("sum", "mean")

MAX_WEIGHT = 1e12
"""No instrument weighs more, and a score within it stays a finite number whatever is answered."""


def check_score(
    decl: ast.ScaleDecl, items: list[ResolvedItem], subscale: ast.SubscaleDecl
) -> Iterator[Diagnostic]:
    """What is wrong with one subscale's key."""
    for reference in references(subscale.score):
        found = existing_items(decl, items, reference.item, "score")
        yield from (one for one in found if isinstance(one, Diagnostic))
    problems = list(_arithmetic(subscale.score))
    yield from problems or _too_heavy(subscale.score)
    yield from _counted_twice(decl, items, subscale)


def existing_items(
    decl: ast.ScaleDecl, items: list[ResolvedItem], reference: ast.NumberRange | ast.Name, what: str
) -> Iterator[int | Diagnostic]:
    """The numbers of the items that exist, and a diagnostic for each that does not."""
    if isinstance(reference, ast.Name):
        named = item_numbers(reference, items)
        if not named:
            names = [item.name for item in items if not item.name.isdecimal()]
            yield unknown(reference, "item", names, f" in scale `{decl.name.text}`")
        yield from named
        return
    problems = [*whole(reference.first, "item", 1), *whole(reference.last, "item", 1)]
    if problems:
        yield problems[0]
    elif reference.last.value < reference.first.value:
        first, last = reference.first.whole, reference.last.whole
        yield diagnostic(Code.EMPTY_RANGE, reference.span, first=first, last=last)
    else:
        yield from _numbered(decl, items, reference, what)


def _numbered(
    decl: ast.ScaleDecl, items: list[ResolvedItem], reference: ast.NumberRange, what: str
) -> Iterator[int | Diagnostic]:
    numbers = {item.number for item in items}
    code = Code.REVERSE_UNKNOWN if what == "reverse" else Code.NO_ITEM
    for number in item_numbers(reference, items):
        if number in numbers:
            yield number
        elif numbers:
            help = f"the items are 1 to {max(numbers)}"
            yield diagnostic(
                code, reference.span, what=f"this {what}", number=number, scale=decl.name.text, help=help
            )
            return


def _arithmetic(score: ast.Expr) -> Iterator[Diagnostic]:
    match score:
        case ast.CallExpr():
            if score.function.text not in FUNCTIONS:
                help = nearest(score.function.text, FUNCTIONS)
                name = score.function.text
                yield diagnostic(
                    Code.UNKNOWN, score.function.span, kind="function", name=name, where="", help=help
                )
        case ast.BinaryExpr(operator="*") if _has_items(score.left) and _has_items(score.right):
            yield diagnostic(Code.NOT_LINEAR, score.span, what="multiply items with one another")
        case ast.BinaryExpr(operator="/") if _has_items(score.right):
            yield diagnostic(Code.NOT_LINEAR, score.right.span, what="divide by items")
        case ast.BinaryExpr(operator="/") if _constant(score.right) == 0:
            yield diagnostic(Code.NOT_LINEAR, score.right.span, what="divide by zero")
        case ast.BinaryExpr():
            yield from _arithmetic(score.left)
            yield from _arithmetic(score.right)
        case ast.ItemRef() | ast.Num():
            pass


def _has_items(score: ast.Expr) -> bool:
    return any(True for _ in references(score))


def _constant(score: ast.Expr) -> float | None:
    """The value of an expression without items; None where it has some, or none exists."""
    match score:
        case ast.Num():
            return score.value
        case ast.BinaryExpr():
            left, right = _constant(score.left), _constant(score.right)
            if left is None or right is None or (score.operator == "/" and right == 0):
                return None
            return _calculated(score.operator, left, right)
        case ast.CallExpr() | ast.ItemRef():
            return None


def _calculated(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right


def _too_heavy(score: ast.Expr) -> Iterator[Diagnostic]:
    """The first part of a score in which an item or a number counts for more than MAX_WEIGHT."""
    parts = (score.left, score.right) if isinstance(score, ast.BinaryExpr) else ()
    for part in parts:
        found = list(_too_heavy(part))
        if found:
            yield found[0]
            return
    if not _weight(score) <= MAX_WEIGHT:
        what = f"hold a weight or a number beyond {MAX_WEIGHT:,.0f}"
        yield diagnostic(Code.NOT_LINEAR, score.span, what=what)


def _weight(score: ast.Expr) -> float:
    """At most how much a score moves by an item's answer of 1 and by its numbers; infinite where a part is
    more than a number can hold."""
    match score:
        case ast.Num():
            return abs(score.value)
        case ast.ItemRef() | ast.CallExpr():
            return 1.0
        case ast.BinaryExpr(operator="+" | "-"):
            return _weight(score.left) + _weight(score.right)
        case ast.BinaryExpr(operator="*"):
            return _weight(score.left) * _weight(score.right)
        case ast.BinaryExpr():
            divisor = _constant(score.right)
            return _weight(score.left) / abs(divisor) if divisor else float("inf")


def _counted_twice(
    decl: ast.ScaleDecl, items: list[ResolvedItem], subscale: ast.SubscaleDecl
) -> Iterator[Diagnostic]:
    seen: set[int] = set()
    for reference in references(subscale.score):
        for number in item_numbers(reference.item, items):
            if number in seen:
                yield diagnostic(
                    Code.ITEM_IN_SUM_TWICE,
                    reference.span,
                    number=number,
                    subscale=subscale.name.text,
                    help="weights are written out: `2 * item 3 + sum(4..6)`",
                )
            seen.add(number)
    if not seen:
        yield diagnostic(Code.NO_ITEMS, subscale.score.span, scale=f"{decl.name.text}.{subscale.name.text}")
