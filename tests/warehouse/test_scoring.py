from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.plan import (
    Arithmetic,
    Call,
    Expression,
    Item,
    ItemValue,
    Number,
    Option,
    Scale,
    Subscale,
)
from warehouse.errors import WarehouseError
from warehouse.scoring import Terms, expression_text, terms

OWN = (Option(0), Option(4), Option(10))


def scale(score: Expression) -> Scale:
    """Four items from 1 to 5; 2 is reverse-keyed, and so is 4, which has options of its own."""
    items = (
        Item(1, "1", "a"),
        Item(2, "2", "b", reverse=True),
        Item(3, "3", "c"),
        Item(4, "4", "d", options=OWN, reverse=True),
    )
    return Scale("S", "S", tuple(map(Option, range(1, 6))), items, (Subscale("x", "X", score),))


def terms_of(score: Expression) -> Terms:
    its = scale(score)
    return terms(its, its.subscales[0])


def value(expression: Expression, answers: dict[int, float]) -> float:
    """The score as its definition says, without any algebra."""
    match expression:
        case Number(number):
            return number
        case ItemValue(item, raw):
            turned = {2: 1 + 5, 4: 0 + 10}
            return answers[item] if raw or item not in turned else turned[item] - answers[item]
        case Call("sum", arguments):
            return sum(value(argument, answers) for argument in arguments)
        case Call(_, arguments):
            return sum(value(argument, answers) for argument in arguments) / len(arguments)
        case Arithmetic("+", left, right):
            return value(left, answers) + value(right, answers)
        case Arithmetic("-", left, right):
            return value(left, answers) - value(right, answers)
        case Arithmetic("*", left, right):
            return value(left, answers) * value(right, answers)
        case Arithmetic(_, left, right):
            return value(left, answers) / value(right, answers)


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
    assert all(a < b for a, b in pairwise(found.items))
    linear = sum(
        weight * answers[item] + offset
        for item, weight, offset in zip(found.items, found.weights, found.offsets, strict=True)
    )
    assert found.constant + linear == pytest.approx(value(score, answers), abs=1e-6)


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
    ],
)
def test_what_is_not_linear_is_refused_by_name(score: Expression) -> None:
    with pytest.raises(WarehouseError, match=r"S\.x = .* is no weighted sum of items"):
        terms_of(score)


def test_text_of_an_expression() -> None:
    inner = Call("sum", (ItemValue(1), ItemValue(2, raw=True)))
    score = Arithmetic("*", Number(2), Arithmetic("-", inner, ItemValue(3)))
    assert expression_text(score) == "2 * (sum(1, raw 2) - item 3)"
