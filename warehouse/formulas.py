"""Scores that are no weighted sums, as SQL over the answers of one response.

A formula uses `v3`, the answer to item 3, and `fields`, the texts of the stimulus. Its numbers are doubles. Its
value is null where it has none: an answer or a key is missing, a number is divided by zero, a logarithm or root
does not exist, a result is too large for a double. Infinities and NaN are carried along by the arithmetic, and
become null before anything that could swallow them. Nothing in a formula is written twice, so that its SQL
grows as the expression does.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import md5
from typing import NamedTuple, assert_never

import msgspec

from schemas.plan import Arithmetic, Call, Comparison, Expression, ItemValue, KeyValue, Number, Scale, Subscale
from warehouse.errors import WarehouseError
from warehouse.scoring import children, items_used, option_range

ONE_ARGUMENT = {
    "abs": "abs",
    "exp": "exp",
    "log": "ln",
    "sqrt": "sqrt",
    "round": "round",
    "floor": "floor",
    "ceil": "ceil",
}
"""Functions of one argument, and what SQL calls them. `round` takes halves away from zero."""
AT_ONCE = 32
COMPARED = {"is": "=", "is not": "<>"}


class Formula(msgspec.Struct, frozen=True):
    """A score over answers as they were given: reverse keying and keys that are numbers are written out.
    `fields`: the stimulus's field that holds the key of an item."""

    score: Expression
    fields: dict[int, str] = {}


class Program(NamedTuple):
    """A formula in SQL. `name`: the MD5 of its JSON, as SQL computes it. `complete` is for responses without a
    missing item; in `prorated`, each sum and mean makes up for arguments that lack an item."""

    name: str
    items: tuple[int, ...]
    complete: str
    prorated: str


def formula_text(scale: Scale, subscale: Subscale) -> str:
    """The subscale's formula as JSON. Raises WarehouseError where it names what the scale lacks."""
    items = {item.number: item for item in scale.items}
    fields: dict[int, str] = {}

    def plain(score: Expression) -> Expression:
        match score:
            case Number():
                return score
            case ItemValue(number, raw):
                item = items[number]
                value = ItemValue(number, raw=True)
                turned = item.reverse and not raw
                return Arithmetic("-", Number(sum(option_range(scale, item))), value) if turned else value
            case KeyValue(number):
                key = items[number].key
                if key is None:
                    raise WarehouseError(
                        f"{scale.id}.{subscale.id} uses the key of item {number}, which has none. Give it one."
                    )
                if isinstance(key, str):
                    fields[number] = key
                    return score
                return Number(key)
            case Call(function, arguments):
                return Call(function, tuple(map(plain, arguments)))
            case Arithmetic(operator, left, right):
                return Arithmetic(operator, plain(left), plain(right))
            case Comparison(compare, left, right):
                return Comparison(compare, plain(left), plain(right))
            case _:
                assert_never(score)

    formula = Formula(plain(subscale.score), fields)
    return msgspec.json.encode(formula).decode()


def program(text: str) -> Program:
    """The SQL of a formula's JSON. Raises WarehouseError."""
    try:
        formula = msgspec.json.decode(text, type=Formula)
    except msgspec.MsgspecError as error:
        raise WarehouseError(
            f"the warehouse holds a score that cannot be read: {error}. Compile and run its study again."
        ) from None
    name = md5(text.encode(), usedforsecurity=False).hexdigest()
    complete, prorated = (_Writer(formula.fields, made_up).tamed(formula.score) for made_up in (False, True))
    return Program(name, items_used(formula.score), complete, prorated)


class _Writer:
    """Writes SQL, with sums and means that make up for missing items or without."""

    def __init__(self, fields: dict[int, str], made_up: bool) -> None:
        self._fields = fields
        self._made_up = made_up

    def tamed(self, score: Expression) -> str:
        """The expression, null where it is not finite."""
        sql = self._sql(score)
        return sql if self._is_tame(score) else f"list_filter([{sql}], lambda x: isfinite(x))[1]"

    def _is_tame(self, score: Expression) -> bool:
        """Whether the expression is finite or null, whatever is answered."""
        match score:
            case Number() | ItemValue() | Comparison() | Call("min" | "max"):
                return True
            case KeyValue() | Arithmetic("*" | "/") | Call("exp" | "log" | "sqrt"):
                return False
            case Call("sum" | "mean") if self._made_up:
                return False
            case Call() | Arithmetic():
                return all(map(self._is_tame, children(score)))
            case _:
                assert_never(score)

    def _sql(self, score: Expression) -> str:
        match score:
            case Number(value):
                return _number(value)
            case ItemValue(item):
                return f"v{item:d}"
            case KeyValue(item):
                return f"TRY_CAST(fields[{_literal(self._fields[item])}] AS DOUBLE)"
            case Comparison(operator, left, right):
                sign = COMPARED.get(operator, operator)
                return f"CAST({self.tamed(left)} {sign} {self.tamed(right)} AS DOUBLE)"
            case Arithmetic("/", left, right):
                return f"({self._sql(left)} / {self.tamed(right)})"
            case Arithmetic(operator, left, right):
                return f"({self._sql(left)} {operator} {self._sql(right)})"
            case Call(function, arguments):
                return self._call(function, arguments)
            case _:
                assert_never(score)

    def _call(self, function: str, arguments: tuple[Expression, ...]) -> str:
        if not arguments or (function in ONE_ARGUMENT and len(arguments) != 1):
            raise WarehouseError(f"{function} does not take {len(arguments)} arguments. Correct the score.")
        if function in ("min", "max"):
            order = "ASC" if function == "min" else "DESC"
            return f"list_sort([{', '.join(map(self.tamed, arguments))}], '{order}', 'NULLS FIRST')[1]"
        if function not in ("sum", "mean"):
            inner = self.tamed(arguments[0]) if function == "exp" else self._sql(arguments[0])
            found = f"{ONE_ARGUMENT[function]}({inner})"
            return f"TRY({found})" if function in ("log", "sqrt") else found
        total = self._made_up_sum(arguments) if self._made_up else _added(list(map(self._sql, arguments)))
        return f"(({total}) / {_number(len(arguments))})" if function == "mean" else f"({total})"

    def _made_up_sum(self, arguments: tuple[Expression, ...]) -> str:
        """The mean of the arguments with items that are there, times their number, plus the others. One that
        has its items and yet no value is NaN, which a mean keeps."""
        varying = [argument for argument in arguments if items_used(argument)]
        parts = [self._sql(argument) for argument in arguments if not items_used(argument)]
        if varying:
            values = (
                f"CASE WHEN {_is_there(argument)} THEN coalesce({self.tamed(argument)}, 'nan'::DOUBLE) END"
                for argument in varying
            )
            parts.insert(0, f"list_avg([{', '.join(values)}]) * {_number(len(varying))}")
        return _added(parts)


def _added(parts: Sequence[str]) -> str:
    """The parts, added up in halves where they are many: to DuckDB a sum is operations inside one another."""
    if len(parts) <= AT_ONCE:
        return " + ".join(parts)
    middle = len(parts) // 2
    return f"({_added(parts[:middle])}) + ({_added(parts[middle:])})"


def _is_there(score: Expression) -> str:
    """SQL that says whether the items are there that the expression cannot do without."""
    if isinstance(score, ItemValue):
        return f"v{score.item:d} IS NOT NULL"
    needed = [_is_there(part) for part in children(score) if items_used(part)]
    joint = " OR " if isinstance(score, Call) and score.function in ("sum", "mean") else " AND "
    return f"({joint.join(needed)})"


def _number(value: float) -> str:
    """A double, exactly: only a literal with an exponent is no decimal."""
    text = repr(float(value))
    return f"({text if 'e' in text else text + 'e0'})"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
