"""Scales: options, items, and the expressions that score them."""

from __future__ import annotations

from typing import Literal

from schemas.plan.record import Record


class Option(Record, frozen=True):
    """One thing that can be answered: its code is stored, its anchor is shown."""

    code: float
    anchor: str | None = None


class Item(Record, frozen=True):
    """One question. `options` is None where the scale's own options hold. `key`: its right or gold answer, a
    code, or the name of the stimulus's field that holds it."""

    number: int
    name: str
    text: str
    options: tuple[Option, ...] | None = None
    reverse: bool = False
    filler: bool = False
    key: float | str | None = None


class Number(Record, frozen=True, tag="number"):
    value: float


class ItemValue(Record, frozen=True, tag="item"):
    """An item's value; reverse-keyed where the item is, unless `raw`."""

    item: int
    raw: bool = False


class KeyValue(Record, frozen=True, tag="key"):
    """An item's gold answer, for the stimulus that was answered."""

    item: int


Function = Literal["sum", "mean", "min", "max", "abs", "exp", "log", "sqrt", "round", "floor", "ceil"]


class Call(Record, frozen=True, tag="call"):
    """A function of its arguments: `sum`, `mean`, `min` and `max` of one or more, the others of one."""

    function: Function
    arguments: tuple[Expression, ...]


class Arithmetic(Record, frozen=True, tag="arithmetic"):
    operator: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression


class Comparison(Record, frozen=True, tag="comparison"):
    """1 where it holds, else 0."""

    operator: Literal["is", "is not", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


Expression = Number | ItemValue | KeyValue | Call | Arithmetic | Comparison


class Subscale(Record, frozen=True):
    id: str
    title: str
    score: Expression


class Norm(Record, frozen=True):
    """Published norm of a subscale in a group of people."""

    subscale: str
    group: str
    mean: float
    sd: float
    n: int


class Scale(Record, frozen=True):
    """An instrument. `missing_allowed`: up to so many missing items a subscale is prorated;
    None: an incomplete subscale has no score. `orders[k]` is the item numbers in order k; order 0 is
    the scale's own."""

    id: str
    title: str
    options: tuple[Option, ...]
    items: tuple[Item, ...]
    subscales: tuple[Subscale, ...]
    missing_allowed: int | None = None
    norms: tuple[Norm, ...] = ()
    citation: str | None = None
    doi: str | None = None
    language: str | None = None
    orders: tuple[tuple[int, ...], ...] = ()

    def options_of(self, item: Item) -> tuple[Option, ...]:
        """The options that `item` is answered with."""
        return self.options if item.options is None else item.options
