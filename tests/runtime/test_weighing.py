"""Probabilities of options, from those of the token in which a value stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.reading import read
from runtime.reading.weighing import weights
from runtime.transport import Chance, Weights
from runtime.transports.completion import Completion, replies_of
from schemas.plan import Option
from schemas.render import Shown, ShownItem


def item(*codes: float) -> ShownItem:
    """An item with these codes."""
    return ShownItem(1, 1, "Calm", tuple(Option(code) for code in codes))


def chance(start: int, token: str, **shares: float) -> Chance:
    """A token, and the probabilities of what might stand in its place; `_` stands for a blank."""
    said = tuple((name.removeprefix("n").replace("_", " "), math.log(share)) for name, share in shares.items())
    return Chance(start, token, said)


def test_forms_of_one_number_count_together_and_words_are_off_the_scale() -> None:
    found = weights(
        item(1, 2, 3), (6, 7), [chance(0, "Calm:"), chance(5, " 3", n_3=0.4, n3=0.2, n2=0.3, Hm=0.05)]
    )
    assert found is not None
    assert found.probabilities == pytest.approx((0, 1 / 3, 2 / 3))
    assert (found.value, found.expected) == (3, pytest.approx(2 + 2 / 3))
    assert found.off_scale_mass == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("codes", "span", "chances"),
    [
        ((1, 2), (0, 1), []),
        ((1, 2), (0, 2), [chance(0, "1", n1=1.0), chance(1, "0", n0=1.0)]),
        ((1, 10), (0, 1), [chance(0, "1", n1=0.9, n2=0.1)]),
        ((1, 2), (0, 1), [chance(0, "7", n7=1.0)]),
    ],
    ids=["no token", "several tokens", "it may begin a longer one", "no option"],
)
def test_what_cannot_be_told_is_not(
    codes: Sequence[float], span: tuple[int, int], chances: list[Chance]
) -> None:
    assert weights(item(*codes), span, chances) is None


def test_a_longer_code_that_is_a_token_of_its_own_is_told_apart() -> None:
    found = weights(item(1, 10), (0, 2), [chance(0, "10", n10=0.75, n1=0.25)])
    assert found == Weights((pytest.approx(0.25), pytest.approx(0.75)), 10, pytest.approx(7.75), 0.0)


@given(st.lists(st.floats(0.001, 1), min_size=5, max_size=5), st.floats(0, 0.9))
def test_shares_add_up_and_the_value_is_the_most_probable(drawn: list[float], off: float) -> None:
    scale = (1 - off) / sum(drawn)
    of = {f"n{code}": share * scale for code, share in enumerate(drawn, 1)}
    found = weights(item(1, 2, 3, 4, 5), (0, 1), [chance(0, "1", **of)])
    assert found is not None
    assert sum(found.probabilities) == pytest.approx(1)
    assert found.probabilities[int(found.value) - 1] == max(found.probabilities)
    assert 1 <= found.expected <= 5
    assert found.off_scale_mass == pytest.approx(off, abs=1e-9)


def completion(content: str, *tokens: str) -> Completion:
    """A chat completion with the probabilities of its tokens."""
    places = [{"token": token, "logprob": -0.1, "top_logprobs": []} for token in tokens]
    choice = {"message": {"content": content}, "logprobs": {"content": places}}
    return msgspec.convert({"choices": [choice]}, Completion)


@pytest.mark.parametrize(
    ("content", "tokens"),
    [
        ("1. 3", ("1", ".", " 3")),
        ("1. 3", ("1", ".", " 3", "<|end|>")),
        ("<think>5</think>1. 3", ("<think>", "5", "</think>", "1", ".", " 3")),
    ],
    ids=["plain", "with its end", "behind thinking"],
)
def test_tokens_are_found_where_they_stand_in_the_text(content: str, tokens: tuple[str, ...]) -> None:
    found = completion(content, *tokens)
    reply = replies_of(found.choices or [], found, "{}")[0]
    assert reply.text == "1. 3"
    shown = Shown("s", (item(1, 2, 3, 4, 5),))
    span = read(reply.text, shown).values[0].span
    assert span == (3, 4)
    told = weights(shown.items[0], span, reply.chances or ())
    assert told is not None
    assert (told.value, told.probabilities[2]) == (3, 1.0)


def test_tokens_of_another_text_tell_nothing() -> None:
    found = completion("1. 3", "2", ".", " 4")
    assert replies_of(found.choices or [], found, "{}")[0].chances is None
