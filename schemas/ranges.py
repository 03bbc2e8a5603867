"""Which values a score can have: its single values where they are few, else the least and the greatest.

Items are taken to be answered independently of one another, so that a score may have fewer values than said
here, and never others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple, assert_never

from schemas.plan import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    ItemValue,
    KeyValue,
    Number,
    Scale,
)

MAX_VALUES = 1024

COMPARED: dict[str, Callable[[float, float], bool]] = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Range(NamedTuple):
    """`values`: all of them, None where they are too many or not known. Of an expression without any value,
    `low` is above `high`."""

    low: float
    high: float
    values: frozenset[float] | None = None

    @property
    def is_empty(self) -> bool:
        return self.low > self.high

    @property
    def single(self) -> float | None:
        """The one value that there is."""
        return self.low if self.low == self.high else None


ANYTHING = Range(-math.inf, math.inf)
NOTHING = Range(math.inf, -math.inf, frozenset())


def of_values(values: Iterable[float]) -> Range:
    """The range of these values; those that are not finite are none."""
    found = frozenset(value for value in values if math.isfinite(value))
    if not found:
        return NOTHING
    return Range(min(found), max(found), found if len(found) <= MAX_VALUES else None)


def is_rate(scale: Scale, score: Expression) -> bool:
    """Whether the score is 0 or 1 whatever is answered, so that its mean is a rate."""
    values = Ranges(scale).of(score).values
    return values is not None and bool(values) and values <= {0.0, 1.0}


class Ranges:
    """The ranges of expressions over a scale's answers. A key in a field of the stimuli can be any number."""

    def __init__(self, scale: Scale) -> None:
        self._items = {item.number: item for item in scale.items}
        self._codes = {
            item.number: of_values(option.code for option in scale.options_of(item)) for item in scale.items
        }

    def of(self, score: Expression) -> Range:
        """Assumes that the scale has the items."""
        match score:
            case Number(value):
                return of_values([value])
            case ItemValue(number, raw):
                codes = self._codes[number]
                ends = Range(
                    codes.low + codes.high, codes.low + codes.high, frozenset({codes.low + codes.high})
                )
                turned = self._items[number].reverse and not raw
                return _arithmetic("-", ends, codes) if turned else codes
            case KeyValue(number):
                return self._key(number)
            case Call(("sum" | "mean" | "min" | "max") as function, arguments):
                return _of_several(function, [self.of(argument) for argument in arguments])
            case Call(function, arguments):
                return _called(function, self.of(arguments[0]))
            case Arithmetic(operator, left, right):
                return _arithmetic(operator, self.of(left), self.of(right))
            case Comparison(operator, left, right):
                return compared(operator, self.of(left), self.of(right))
            case _:
                assert_never(score)

    def _key(self, number: int) -> Range:
        key = self._items[number].key
        if isinstance(key, str):
            return ANYTHING
        return NOTHING if key is None else of_values([key])


def compared(operator: str, left: Range, right: Range) -> Range:
    """1 where the comparison can hold, 0 where it can fail."""
    if left.is_empty or right.is_empty:
        return NOTHING
    if left.values is not None and right.values is not None and _few(left.values, right.values):
        holds = COMPARED[operator]
        return of_values({float(holds(a, b)) for a, b in product(left.values, right.values)})
    apart = left.high < right.low or right.high < left.low
    match operator:
        case "is" if apart or _never_equal(left, right):
            return of_values([0])
        case "is not" if apart or _never_equal(left, right):
            return of_values([1])
        case "<" if left.high < right.low or left.low >= right.high:
            return of_values([float(left.high < right.low)])
        case "<=" if left.high <= right.low or left.low > right.high:
            return of_values([float(left.high <= right.low)])
        case ">" | ">=":
            return compared({">": "<", ">=": "<="}[operator], right, left)
        case _:
            return of_values([0, 1])


def _never_equal(left: Range, right: Range) -> bool:
    """Whether the values are known, and none is both."""
    return left.values is not None and right.values is not None and not left.values & right.values


def _few(*values: frozenset[float]) -> bool:
    return math.prod(map(len, values)) <= MAX_VALUES


def _arithmetic(operator: str, left: Range, right: Range) -> Range:
    if left.is_empty or right.is_empty:
        return NOTHING
    if left.values is not None and right.values is not None and _few(left.values, right.values):
        return of_values(_calculated(operator, a, b) for a, b in product(left.values, right.values))
    if operator == "/" and right.low <= 0 <= right.high:
        return NOTHING if right.single == 0 else ANYTHING
    ends = [_calculated(operator, a, b) for a, b in product(left[:2], right[:2])]
    # 0 times what has no bound is 0 in between, and a number over what has no bound comes near 0.
    numbers = [0.0 if math.isnan(end) else end for end in ends]
    return ANYTHING if operator in "+-" and any(map(math.isnan, ends)) else Range(min(numbers), max(numbers))


def _calculated(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right if right else math.nan


def _of_several(function: str, arguments: Sequence[Range]) -> Range:
    if any(argument.is_empty for argument in arguments):
        return NOTHING
    if function in ("sum", "mean"):
        total = of_values([0])
        for argument in arguments:
            total = _arithmetic("+", total, argument)
        return total if function == "sum" else _arithmetic("/", total, of_values([len(arguments)]))
    best = min if function == "min" else max
    found = arguments[0]
    for other in arguments[1:]:
        if found.values is not None and other.values is not None and _few(found.values, other.values):
            found = of_values(best(a, b) for a, b in product(found.values, other.values))
        else:
            found = Range(best(found.low, other.low), best(found.high, other.high))
    return found


def _called(function: str, argument: Range) -> Range:
    """A function of one argument, all of which but `abs` never fall."""
    if argument.is_empty:
        return NOTHING
    call = _FUNCTIONS[function]
    if argument.values is not None:
        return of_values(map(call, argument.values))
    low, high = argument.low, argument.high
    if function == "abs":
        ends = (abs(low), abs(high))
        return Range(0.0 if low <= 0 <= high else min(ends), max(ends))
    if function in ("log", "sqrt"):
        least = 0.0
        if high < least or (function == "log" and high == least):
            return NOTHING
        low = max(low, least)
    return Range(call(low), call(high))


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _log(value: float) -> float:
    if value > 0:
        return math.log(value)
    return -math.inf if value == 0 else math.nan


def rounded(value: float) -> float:
    """To the nearest whole number, halves away from zero."""
    if not math.isfinite(value):
        return value
    whole = math.floor(abs(value))
    return math.copysign(whole + (abs(value) - whole >= 0.5), value)


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "exp": _exp,
    "log": _log,
    "sqrt": lambda value: math.sqrt(value) if value >= 0 else math.nan,
    "round": rounded,
    "floor": lambda value: float(math.floor(value)) if math.isfinite(value) else value,
    "ceil": lambda value: float(math.ceil(value)) if math.isfinite(value) else value,
}
