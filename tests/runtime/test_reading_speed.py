"""No reply takes more time than its length is worth."""

from __future__ import annotations

import time

import pytest

from bench.reading import HOSTILE
from runtime.reading import read
from schemas.render import Shown
from tests.runtime.test_reading import FORWARDS, ONE, values


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("shown_as", [FORWARDS, ONE], ids=["five", "one"])
def test_hostile_replies_take_time_linear_in_their_length(piece: str, shown_as: Shown) -> None:
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length]
        before = time.process_time()
        read(text, shown_as)
        return time.process_time() - before

    assert seconds(160_000) < 25 * max(seconds(20_000), 0.03)


def test_headings_below_all_answers_are_passed_over() -> None:
    text = "Calm: 3\n" * 20_000 + "Final scores:\n" * 20_000
    before = time.process_time()
    assert values(read(text, FORWARDS)) == {1: 3}
    assert time.process_time() - before < 10
