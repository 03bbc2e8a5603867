"""Which values a score can have, against the scores of random answers."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.plan import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    Item,
    KeyValue,
    Number,
    Option,
    Scale,
    Subscale,
)
from schemas.ranges import Ranges, is_rate
from tests.warehouse.scored import Answered
from tests.warehouse.test_formulas import GOLD, TURNED, expressions, item, key, missed, scale

ANSWERED = st.tuples(*[st.integers(1, 5)] * 3, st.sampled_from([0, 4, 10]))


@given(st.one_of(expressions), ANSWERED, st.sampled_from(list(GOLD)))
def test_every_score_is_within_its_range(score: Expression, answered: tuple[int, ...], name: str) -> None:
    its = scale(score)
    answers: dict[int, float | None] = {number: float(code) for number, code in enumerate(answered, start=1)}
    fields = GOLD[name]
    keys = {1: key(fields, "gold"), 2: key(fields, 'it\'s "gold"'), 3: 4.0}
    value = Answered(answers, keys, TURNED).score(score)
    if value is None:
        return
    found = Ranges(its).of(score)
    slack = 1e-9 * max(1.0, abs(value))
    assert found.low - slack <= value <= found.high + slack
    assert found.values is None or min(abs(value - one) for one in found.values) <= slack
    assert not is_rate(its, score) or value in (0.0, 1.0)


@pytest.mark.parametrize(
    ("score", "least", "greatest"),
    [
        (Call("sum", (item(1), item(2))), 2.0, 10.0),
        (Arithmetic("-", item(1), item(4)), -9.0, 5.0),
        (Call("abs", (Arithmetic("-", item(1), KeyValue(3)),)), 0.0, 3.0),
        (Call("abs", (Arithmetic("-", item(1), KeyValue(1)),)), 0.0, math.inf),
        (Arithmetic("/", item(1), item(4)), 0.1, 5 / 6),
        (Arithmetic("/", item(1), Arithmetic("-", KeyValue(1), Number(1))), -math.inf, math.inf),
        (Call("log", (Arithmetic("-", item(1), Number(3)),)), 0.0, math.log(2)),
    ],
)
def test_least_and_greatest(score: Expression, least: float, greatest: float) -> None:
    assert Ranges(scale(score)).of(score)[:2] == (least, greatest)


def test_a_bent_distance_from_a_key_in_a_field_has_its_bounds() -> None:
    found = Ranges(scale(missed(1))).of(missed(1))
    assert found.low == pytest.approx(1 / (1 + math.exp(5)))
    assert found.high == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("score", "rate"),
    [
        (Comparison("is", item(1), Number(3)), True),
        (Comparison("<=", Call("abs", (Arithmetic("-", item(1), KeyValue(1)),)), Number(1)), True),
        (Call("min", (Comparison("is", item(1), KeyValue(1)), Comparison("is", item(3), KeyValue(3)))), True),
        (Arithmetic("-", Number(1), Comparison(">", item(1), Number(3))), True),
        (Call("sum", (Comparison("is", item(1), Number(3)), Comparison("is", item(3), Number(3)))), False),
        (item(1), False),
        (Call("log", (Number(0),)), False),
    ],
)
def test_rates(score: Expression, rate: bool) -> None:
    assert is_rate(scale(score), score) is rate


def test_a_yes_or_no_item_is_a_rate() -> None:
    items = (Item(1, "1", "a"), Item(2, "2", "b", reverse=True))
    asked = Scale("YES", "YES", (Option(0), Option(1)), items, (Subscale("no", "", item(2)),))
    assert is_rate(asked, item(2))
    coded = msgspec.structs.replace(asked, options=(Option(1), Option(2)))
    assert not is_rate(coded, item(2))
