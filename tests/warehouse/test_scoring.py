from __future__ import annotations

from itertools import pairwise

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
    ItemValue,
    KeyValue,
    Number,
    Option,
    Scale,
    Subscale,
)
from tests.warehouse.scored import Answered
from warehouse.scoring import Terms, expression_text, items_used, terms

OWN = (Option(0), Option(4), Option(10))
TURNED = {2: 6.0, 4: 10.0}


def scale(score: Expression) -> Scale:
    """Four items from 1 to 5; 2 is reverse-keyed, and so is 4, which has options of its own."""
    items = (
        Item(1, "1", "a"),
        Item(2, "2", "b", reverse=True),
        Item(3, "3", "c"),
        Item(4, "4", "d", options=OWN, reverse=True),
    )
    return Scale("S", "S", tuple(map(Option, range(1, 6))), items, (Subscale("x", "X", score),))


def terms_of(score: Expression) -> Terms | None:
    its = scale(score)
    return terms(its, its.subscales[0])


numbers = st.builds(Number, st.sampled_from([-2.0, 0.5, 1.0, 3.0]))
item_values = st.builds(ItemValue, st.integers(1, 4), st.booleans())


def larger(smaller: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Call, st.sampled_from(["sum", "mean"]), st.lists(smaller, min_size=1, max_size=4).map(tuple)),
        st.builds(Arithmetic, st.sampled_from(["+", "-"]), smaller, smaller),
        st.builds(Arithmetic, st.just("*"), numbers, smaller),
        st.builds(Arithmetic, st.sampled_from(["*", "/"]), smaller, numbers),
    )


expressions = st.recursive(st.one_of(numbers, item_values), larger, max_leaves=8)


@given(expressions, st.tuples(*[st.integers(1, 5)] * 3, st.sampled_from([0, 4, 10])))
def test_terms_give_the_score(score: Expression, answered: tuple[int, ...]) -> None:
    answers = {number: float(code) for number, code in enumerate(answered, start=1)}
    found = terms_of(score)
    if found is None:
        assert not items_used(score)
        return
    assert all(a < b for a, b in pairwise(found.items))
    linear = sum(
        weight * answers[item] + offset
        for item, weight, offset in zip(found.items, found.weights, found.offsets, strict=True)
    )
    assert found.constant + linear == pytest.approx(Answered(answers, turned=TURNED).score(score), abs=1e-6)


def test_a_reversed_item_turns_within_its_own_options() -> None:
    assert terms_of(Call("sum", (ItemValue(2), ItemValue(4), ItemValue(2, raw=True)))) == Terms(
        0.0, (2, 4), (0.0, -1.0), (6.0, 10.0), (0, 0)
    )


@pytest.mark.parametrize(
    "score",
    [
        Arithmetic("*", ItemValue(1), ItemValue(3)),
        Arithmetic("/", Number(1), ItemValue(3)),
        Arithmetic("/", ItemValue(1), Number(0)),
        Call("abs", (ItemValue(1),)),
        Comparison("is", ItemValue(1), Number(3)),
        Arithmetic("-", ItemValue(1), KeyValue(1)),
    ],
)
def test_what_is_no_weighted_sum_has_no_terms(score: Expression) -> None:
    assert terms_of(score) is None


@pytest.mark.parametrize(
    ("score", "linear"),
    [
        (Call("sum", (ItemValue(1), Arithmetic("*", Number(2), ItemValue(3)))), True),
        (Arithmetic("-", Call("sum", (ItemValue(1),)), Call("mean", (ItemValue(2), ItemValue(3)))), True),
        (Arithmetic("-", Call("sum", (ItemValue(1),)), Call("mean", (ItemValue(1), ItemValue(3)))), False),
        (Call("sum", (Arithmetic("-", ItemValue(1), ItemValue(2)), ItemValue(3))), False),
        (Call("sum", (Arithmetic("-", Number(6), ItemValue(1)), ItemValue(3))), False),
        (Call("mean", (Call("sum", (ItemValue(1), ItemValue(2))), ItemValue(3))), False),
    ],
)
def test_terms_make_up_for_items_only_where_a_sum_is_of_items(score: Expression, linear: bool) -> None:
    its = scale(score)
    assert terms(its, its.subscales[0]) is not None
    allowing = msgspec.structs.replace(its, missing_allowed=1)
    assert (terms(allowing, its.subscales[0]) is not None) == linear


def test_text_of_an_expression() -> None:
    inner = Call("sum", (ItemValue(1), ItemValue(2, raw=True)))
    score = Arithmetic("*", Number(2), Arithmetic("-", inner, ItemValue(3)))
    assert expression_text(score) == "2 * (sum(1, raw 2) - item 3)"
    missed = Call("abs", (Arithmetic("-", ItemValue(1), KeyValue(1)),))
    assert expression_text(Comparison("<=", missed, Number(0.5))) == "abs(item 1 - key item 1) <= 0.5"
