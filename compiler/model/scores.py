"""What a scale's scores come to: expressions over its items, with derived values put in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from compiler import ast
from compiler.model.items import ResolvedItem, item_numbers, item_records, options_of, parts, scale_options
from schemas.plan import Arithmetic, Call, Comparison, Expression, Function, ItemValue, KeyValue, Number, Scale

OF_SEVERAL = ("sum", "mean", "min", "max")
OF_ONE = ("abs", "exp", "log", "sqrt", "round", "floor", "ceil")
FUNCTIONS = OF_SEVERAL + OF_ONE

VALUE, KEY, RAW = "value", "key", "raw"
"""In a derived value: the answer to the item at hand, and its gold answer. Before an item: its gold answer, and
its answer as it was given."""


class Scoring:
    """What the names in a scale's scores mean. A number that an expression is made `at` is the item at hand."""

    def __init__(self, decl: ast.ScaleDecl, items: list[ResolvedItem]) -> None:
        self.scale = decl.name.text
        self.items = items
        derives = {derive.name.text: derive for derive in reversed(parts(decl, ast.DeriveDecl))}
        self.derives = {name: derive for name, derive in derives.items() if name not in (VALUE, KEY, RAW)}
        self._own = decl

    def record(self) -> Scale:
        """The scale as the plan has it, without scores."""
        options = options_of(scale_options(self._own))
        return Scale(self.scale, self.scale, options, item_records(self._own, self.items), ())

    def numbers(self, reference: ast.ItemRef, at: int | None = None) -> list[int]:
        """The items that are named."""
        named = item_numbers(reference.item, self.items)
        if isinstance(reference.item, ast.Name) and at is not None and not named:
            return [at]
        return named

    def meaning(self, reference: ast.ItemRef) -> str | None:
        """What of its items is meant: None for their values, else a prefix. Without one, `key` and the name of
        a derived value are those of the item at hand."""
        if reference.prefix is not None:
            return reference.prefix.text
        if isinstance(reference.item, ast.Name) and not item_numbers(reference.item, self.items):
            return None if reference.item.text == VALUE else reference.item.text
        return None

    def expression(self, score: ast.Expr, at: int | None = None) -> Expression:
        """The score as the plan has it; assumes that it was checked."""
        match score:
            case ast.Num():
                return Number(score.value)
            case ast.ItemRef():
                return self._terms(score, at)[0]
            case ast.CallExpr():
                arguments = (part for argument in score.arguments for part in self._arguments(argument, at))
                return Call(cast(Function, score.function.text), tuple(arguments))
            case ast.BinaryExpr(operator=operator):
                return Arithmetic(operator, self.expression(score.left, at), self.expression(score.right, at))
            case ast.CompareExpr(operator=compare):
                return Comparison(compare, self.expression(score.left, at), self.expression(score.right, at))

    def _arguments(self, argument: ast.Expr, at: int | None) -> list[Expression]:
        return (
            self._terms(argument, at) if isinstance(argument, ast.ItemRef) else [self.expression(argument, at)]
        )

    def _terms(self, reference: ast.ItemRef, at: int | None) -> list[Expression]:
        meaning = self.meaning(reference)
        return [self._term(meaning, number) for number in self.numbers(reference, at)]

    def _term(self, meaning: str | None, number: int) -> Expression:
        if meaning in (None, RAW):
            return ItemValue(number, raw=meaning == RAW)
        if meaning == KEY:
            return KeyValue(number)
        return self.expression(self.derives[meaning or ""].value, number)


def children(score: ast.Expr) -> tuple[ast.Expr, ...]:
    """The parts that the score is made of."""
    match score:
        case ast.CallExpr():
            return score.arguments
        case ast.BinaryExpr() | ast.CompareExpr():
            return (score.left, score.right)
        case ast.Num() | ast.ItemRef():
            return ()


def references(score: ast.Expr) -> Iterator[ast.ItemRef]:
    """Every place where a score names items, or values derived from them."""
    if isinstance(score, ast.ItemRef):
        yield score
    for part in children(score):
        yield from references(part)


def uses(scoring: Scoring, scores: Iterable[ast.Expr]) -> dict[str, set[int]]:
    """What the scores use, and of which items: answers (RAW, also where they are reversed), keys, and derived
    values with what these are made of. Names that mean nothing are left out."""
    found: dict[str, set[int]] = {}
    pending: list[tuple[ast.Expr, int | None]] = [(score, None) for score in scores]
    while pending:
        score, at = pending.pop()
        for reference in references(score):
            meaning = scoring.meaning(reference) or RAW
            new = set(scoring.numbers(reference, at)) - found.get(meaning, set())
            found.setdefault(meaning, set()).update(new)
            if meaning in scoring.derives:
                pending += [(scoring.derives[meaning].value, number) for number in sorted(new)]
    return found
