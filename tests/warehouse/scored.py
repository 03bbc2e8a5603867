"""Scores as their definition says, without algebra and without SQL."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from schemas.plan import Arithmetic, Call, Comparison, Expression, ItemValue, KeyValue, Number
from warehouse.scoring import items_used

COMPARED = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Answered:
    """One response: its answers, the stimulus's keys, and for reverse-keyed items the sum of their ends."""

    def __init__(
        self,
        answers: Mapping[int, float | None],
        keys: Mapping[int, float | None] | None = None,
        turned: Mapping[int, float] | None = None,
    ) -> None:
        self.answers = answers
        self.keys = keys or {}
        self.turned = turned or {}

    def score(self, score: Expression, allowed: int = 0) -> float | None:
        """None where more than `allowed` items are missing, or the score does not exist."""
        missing = sum(self.answers[item] is None for item in items_used(score))
        return None if missing > allowed else _finite(self._value(score))

    def _value(self, score: Expression) -> float | None:
        match score:
            case Number(number):
                return float(number)
            case ItemValue(item, raw):
                answer = self.answers[item]
                return (
                    answer if answer is None or raw or item not in self.turned else self.turned[item] - answer
                )
            case KeyValue(item):
                return self.keys[item]
            case Call(("sum" | "mean") as function, arguments):
                return self._total(function, arguments)
            case Call(function, arguments):
                return _called(function, [self._value(argument) for argument in arguments])
            case Arithmetic(operator, left, right):
                return _calculated(operator, self._value(left), self._value(right))
            case Comparison(operator, left, right):
                a, b = self._value(left), self._value(right)
                return None if a is None or b is None else float(COMPARED[operator](a, b))

    def _total(self, function: str, arguments: Sequence[Expression]) -> float | None:
        there = [argument for argument in arguments if items_used(argument) and self._is_there(argument)]
        lacking = [argument for argument in arguments if items_used(argument) and not self._is_there(argument)]
        values = [self._value(argument) for argument in arguments if argument not in lacking]
        if None in values or (lacking and not there):
            return None
        found = [value for value in values if value is not None]
        total = sum(found)
        if lacking:
            made = [value for argument in there if (value := self._value(argument)) is not None]
            total += sum(made) / len(there) * len(lacking)
        return _finite(total / len(arguments) if function == "mean" else total)

    def _is_there(self, score: Expression) -> bool:
        match score:
            case ItemValue(item):
                return self.answers[item] is not None
            case Number() | KeyValue():
                return True
            case Call(("sum" | "mean"), arguments):
                needed = [argument for argument in arguments if items_used(argument)]
                return not needed or any(map(self._is_there, needed))
            case Call(_, arguments):
                return all(map(self._is_there, arguments))
            case Arithmetic(_, left, right) | Comparison(_, left, right):
                return self._is_there(left) and self._is_there(right)


def _called(function: str, values: list[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        return None
    first = found[0]
    match function:
        case "min":
            return min(found)
        case "max":
            return max(found)
        case "abs":
            return abs(first)
        case "exp":
            return math.exp(first) if first < 709.78 else None
        case "log":
            return math.log(first) if first > 0 else None
        case "sqrt":
            return math.sqrt(first) if first >= 0 else None
        case "round":
            whole = math.floor(abs(first))
            return math.copysign(whole + (abs(first) - whole >= 0.5), first)
        case "floor":
            return float(math.floor(first))
        case _:
            return float(math.ceil(first))


def _calculated(operator: str, left: float | None, right: float | None) -> float | None:
    if left is None or right is None:
        return None
    match operator:
        case "+":
            return _finite(left + right)
        case "-":
            return _finite(left - right)
        case "*":
            return _finite(left * right)
        case _:
            return _finite(left / right) if right else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
