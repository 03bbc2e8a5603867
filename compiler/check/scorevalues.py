"""Scoring keys: that their values exist, stay within bounds, and can differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.grids import text
from compiler.model.scores import RAW, Scoring, children, uses
from schemas.ranges import Range, Ranges, compared

MAX_WEIGHT = 1e12
"""No instrument weighs more, and a score within it stays a finite number whatever is answered."""

MAX_LISTED = 8


def check_values(
    scoring: Scoring, derives: Sequence[ast.DeriveDecl], subscales: Sequence[ast.SubscaleDecl]
) -> Iterator[Diagnostic]:
    """What is wrong with the values of scores that name nothing wrong."""
    values = _Values(scoring)
    used = uses(scoring, [subscale.score for subscale in subscales])
    for derive in derives:
        items = sorted(used.get(derive.name.text, ()))
        if items:
            yield from _of_one(values, derive.value, items)
    for subscale in subscales:
        found = list(_of_one(values, subscale.score, [None]))
        single = values.of(subscale.score, None).single
        yield from found
        if single is not None and not found:
            name = subscale.name.text
            yield diagnostic(Code.SAME_SCORE, subscale.score.span, subscale=name, value=text(single))


def _of_one(values: _Values, score: ast.Expr, items: Sequence[int | None]) -> Iterator[Diagnostic]:
    yield from list(values.check(score, items)) or list(_too_heavy(score))[:1]


class _Values:
    """The values of expressions over a scale's answers. Those of a derived value are judged with all items that
    it is used with: what is wrong with each of them is wrong."""

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self._ranges = Ranges(scoring.record())

    def of(self, score: ast.Expr, at: int | None) -> Range:
        return self._ranges.of(self._scoring.expression(score, at))

    def check(self, score: ast.Expr, items: Sequence[int | None]) -> Iterator[Diagnostic]:
        for part in children(score):
            if not isinstance(part, ast.ItemRef):
                yield from self.check(part, items)
        match score:
            case ast.CompareExpr():
                yield from self._comparison(score, items)
            case ast.BinaryExpr(operator="/"):
                if all(self.of(score.right, at).single == 0 for at in items):
                    yield diagnostic(Code.BAD_SCORE, score.right.span, what="divide by zero")
            case ast.CallExpr(function=function) if function.text in ("log", "sqrt"):
                yield from self._undefined(score, items)
            case _:
                return

    def _undefined(self, call: ast.CallExpr, items: Sequence[int | None]) -> Iterator[Diagnostic]:
        """A logarithm or a root that never exists."""
        (argument,) = call.arguments
        if all(self.of(call, at).is_empty and not self.of(argument, at).is_empty for at in items):
            what = "take the square root of what is never 0 or above"
            if call.function.text == "log":
                what = "take the logarithm of what is never above 0"
            help = f"it can only be {_listed([self.of(argument, at) for at in items])}"
            yield diagnostic(Code.BAD_SCORE, call.span, what=what, help=help)

    def _comparison(self, score: ast.CompareExpr, items: Sequence[int | None]) -> Iterator[Diagnostic]:
        """One that has the same outcome whatever is answered."""
        sides = [(self.of(score.left, at), self.of(score.right, at)) for at in items]
        outcomes = {compared(score.operator, left, right).single for left, right in sides}
        if outcomes not in ({0.0}, {1.0}):
            return
        first = any(left.single is None for left, _ in sides) or all(
            right.single is not None for _, right in sides
        )
        side = score.left if first else score.right
        yield diagnostic(
            Code.SAME_EITHER_WAY,
            score.span,
            outcome="always holds" if outcomes == {1.0} else "never holds",
            what=self._shown(side) or ("its left side" if first else "its right side"),
            values=_listed([left if first else right for left, right in sides]),
        )

    def _shown(self, side: ast.Expr) -> str | None:
        """An item, as the score writes it."""
        if not isinstance(side, ast.ItemRef) or (self._scoring.meaning(side) or RAW) != RAW:
            return None
        return f"`{side.item.text}`" if isinstance(side.item, ast.Name) else f"item {side.item.first.whole}"


def _listed(ranges: Sequence[Range]) -> str:
    """Values, in words."""
    values: set[float] = set()
    for one in ranges:
        values |= one.values or frozenset()
    if any(one.values is None for one in ranges) or len(values) > MAX_LISTED:
        return f"from {text(min(one.low for one in ranges))} to {text(max(one.high for one in ranges))}"
    *others, last = map(text, sorted(values))
    return f"{', '.join(others)} or {last}" if others else last


def _too_heavy(score: ast.Expr) -> Iterator[Diagnostic]:
    """Parts of a score in which an item or a number counts for more than MAX_WEIGHT, the innermost first."""
    for part in children(score):
        yield from _too_heavy(part)
    if not _weight(score) <= MAX_WEIGHT:
        what = f"hold a weight or a number beyond {MAX_WEIGHT:,.0f}"
        yield diagnostic(Code.BAD_SCORE, score.span, what=what)


def _weight(score: ast.Expr) -> float:
    """At most how much a score moves by an item's answer of 1 and by its numbers; infinite where a part is
    more than a number can hold. What is divided by items, or bent, counts as it is."""
    match score:
        case ast.Num():
            return abs(score.value)
        case ast.ItemRef() | ast.CompareExpr():
            return 1.0
        case ast.CallExpr():
            return max(1.0, *map(_weight, score.arguments))
        case ast.BinaryExpr(operator="+" | "-"):
            return _weight(score.left) + _weight(score.right)
        case ast.BinaryExpr(operator="*"):
            return _weight(score.left) * _weight(score.right)
        case ast.BinaryExpr():
            divisor = _constant(score.right)
            if divisor is None:
                return _weight(score.left)
            return _weight(score.left) / abs(divisor) if divisor else float("inf")


def _constant(score: ast.Expr) -> float | None:
    """The value of an expression of numbers alone; None where it has others."""
    match score:
        case ast.Num():
            return score.value
        case ast.BinaryExpr():
            left, right = _constant(score.left), _constant(score.right)
            if left is None or right is None:
                return None
            return _calculated(score.operator, left, right)
        case ast.CallExpr() | ast.ItemRef() | ast.CompareExpr():
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
            return left / right if right else float("inf")
