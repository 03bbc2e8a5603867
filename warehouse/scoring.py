"""Scoring keys as linear terms over answered values, which SQL can sum, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

import msgspec

from schemas.plan import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    Item,
    ItemValue,
    KeyValue,
    Number,
    Scale,
    Subscale,
)
from warehouse.errors import WarehouseError


class Terms(msgspec.Struct, frozen=True):
    """A score: `constant` + the sum over `items` of weight * answered value + offset. `calls` says which sum or
    mean each item stands in; an item outside of any has a number of its own."""

    constant: float
    items: tuple[int, ...]
    weights: tuple[float, ...]
    offsets: tuple[float, ...]
    calls: tuple[int, ...]


class NotLinear(Exception):
    """An expression that is no sum of weighted items."""


class _Linear(msgspec.Struct, frozen=True):
    """A constant, and the weight of each item; raw and keyed values apart."""

    constant: float
    weights: Mapping[ItemValue, float]

    def times(self, factor: float) -> _Linear:
        return _Linear(self.constant * factor, {item: weight * factor for item, weight in self.weights.items()})

    def plus(self, other: _Linear) -> _Linear:
        weights = dict(self.weights)
        for item, weight in other.weights.items():
            weights[item] = weights.get(item, 0.0) + weight
        return _Linear(self.constant + other.constant, weights)

    def number(self) -> float:
        if self.weights:
            raise NotLinear
        return self.constant


def terms(scale: Scale, subscale: Subscale) -> Terms | None:
    """The subscale's linear terms; None where the score is no weighted sum of items, or one whose missing items
    terms could not make up for as its sums and means do. A reverse-keyed value is the sum of the least and the
    greatest code of the item's own options, minus the value answered."""
    score = subscale.score
    try:
        linear = _linear(score)
    except (NotLinear, ZeroDivisionError):
        return None
    if not linear.weights or (scale.missing_allowed and not _prorates_by_item(score)):
        return None
    weights: dict[int, float] = {}
    offsets: dict[int, float] = {}
    items = {item.number: item for item in scale.items}
    for value, weight in linear.weights.items():
        turned = not value.raw and items[value.item].reverse
        weights[value.item] = weights.get(value.item, 0.0) + (-weight if turned else weight)
        offset = weight * sum(option_range(scale, items[value.item])) if turned else 0.0
        offsets[value.item] = offsets.get(value.item, 0.0) + offset
    numbers = tuple(sorted(weights))
    calls = dict(_calls(score))
    return Terms(
        linear.constant,
        numbers,
        tuple(weights[number] for number in numbers),
        tuple(offsets[number] for number in numbers),
        tuple(calls[number] for number in numbers),
    )


def _prorates_by_item(score: Expression) -> bool:
    """Whether each item stands in one sum or mean alone, and each argument there is a multiple of one item."""
    owners: dict[int, set[int]] = {}
    for item, call in _calls(score):
        owners.setdefault(item, set()).add(call)
    if any(len(calls) > 1 for calls in owners.values()):
        return False
    parts = [part for operand in operands(score) if isinstance(operand, Call) for part in operand.arguments]
    linear = [_linear(part) for part in parts if items_used(part)]
    return not any(map(_has_call, parts)) and all(
        len(part.weights) == 1 and part.constant == 0 for part in linear
    )


def _has_call(score: Expression) -> bool:
    return isinstance(score, Call) or any(map(_has_call, children(score)))


def _calls(score: Expression) -> Iterator[tuple[int, int]]:
    """Each item with the number of the sum or mean that it stands in, from left to right."""
    for number, part in enumerate(operands(score)):
        for item in items_used(part):
            yield item, number


def operands(score: Expression) -> Iterator[Expression]:
    """The parts that signs of arithmetic join."""
    if isinstance(score, Arithmetic):
        yield from operands(score.left)
        yield from operands(score.right)
    else:
        yield score


def children(score: Expression) -> tuple[Expression, ...]:
    """The expressions that `score` is made of."""
    match score:
        case Number() | ItemValue() | KeyValue():
            return ()
        case Call(_, arguments):
            return arguments
        case Arithmetic(_, left, right) | Comparison(_, left, right):
            return (left, right)
        case _:
            assert_never(score)


def items_used(score: Expression) -> tuple[int, ...]:
    """The numbers of the items whose answers the score uses, each once, sorted."""
    own = {score.item} if isinstance(score, ItemValue) else set[int]()
    return tuple(sorted(own.union(*map(items_used, children(score)))))


def option_range(scale: Scale, item: Item) -> tuple[float, float]:
    """The least and the greatest code that `item` can be answered with."""
    codes = [option.code for option in scale.options_of(item)]
    if not codes:
        raise WarehouseError(f"item {item.number} of {scale.id} has no options. Give the scale options.")
    return min(codes), max(codes)


def _linear(expression: Expression) -> _Linear:
    match expression:
        case Number(value):
            return _Linear(value, {})
        case ItemValue():
            return _Linear(0.0, {expression: 1.0})
        case Call(("sum" | "mean") as function, arguments):
            total = _Linear(0.0, {})
            for argument in arguments:
                total = total.plus(_linear(argument))
            return total if function == "sum" else total.times(1 / len(arguments))
        case Arithmetic(operator, left, right):
            return _arithmetic(operator, _linear(left), _linear(right))
        case KeyValue() | Call() | Comparison():
            raise NotLinear
        case _:
            assert_never(expression)


def _arithmetic(operator: str, left: _Linear, right: _Linear) -> _Linear:
    if operator == "+":
        return left.plus(right)
    if operator == "-":
        return left.plus(right.times(-1.0))
    if operator == "/":
        return left.times(1 / right.number())
    return right.times(left.constant) if not left.weights else left.times(right.number())


def expression_text(expression: Expression) -> str:
    """The expression as a spec writes it, derives expanded: a bare number inside `sum` or `mean` is an item."""
    match expression:
        case Number(value):
            return f"{value:g}"
        case ItemValue(item, raw):
            return f"raw item {item}" if raw else f"item {item}"
        case KeyValue(item):
            return f"key item {item}"
        case Call(function, arguments):
            return f"{function}({', '.join(_argument_text(argument) for argument in arguments)})"
        case Arithmetic(operator, left, right) | Comparison(operator, left, right):
            return f"{_operand_text(left)} {operator} {_operand_text(right)}"
        case _:
            assert_never(expression)


def _argument_text(expression: Expression) -> str:
    match expression:
        case ItemValue(item, raw):
            return f"raw {item}" if raw else str(item)
        case _:
            return expression_text(expression)


def _operand_text(expression: Expression) -> str:
    text = expression_text(expression)
    return f"({text})" if isinstance(expression, Arithmetic | Comparison) else text
