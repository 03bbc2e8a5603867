"""No reply takes more time than its length is worth."""

from __future__ import annotations

import sys
import time
from types import FrameType
from typing import Any

import pytest

from bench.reading import HOSTILE
from runtime.reading import read
from schemas.render import Shown
from tests.runtime.test_reading import FORWARDS, ONE, values

every_kind = pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
shown_as = pytest.mark.parametrize("shown", [FORWARDS, ONE], ids=["five", "one"])


def of_length(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


def seconds(text: str, shown: Shown) -> float:
    before = time.process_time()
    read(text, shown)
    return time.process_time() - before


def steps(text: str, shown: Shown) -> int:
    """How many lines of code run to read a text."""
    count = 0

    def traced(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        read(text, shown)
    finally:
        sys.settrace(before)
    return count


@every_kind
@shown_as
def test_twice_the_text_takes_twice_the_steps(piece: str, shown: Shown) -> None:
    read(piece[:100], shown)
    once = steps(of_length(piece, 3_000), shown)
    assert steps(of_length(piece, 6_000), shown) < 2.2 * once + 2_000


@every_kind
@shown_as
def test_hostile_replies_take_time_linear_in_their_length(piece: str, shown: Shown) -> None:
    long, short = of_length(piece, 160_000), of_length(piece, 20_000)
    assert any(seconds(long, shown) < 25 * max(seconds(short, shown), 0.03) for _ in range(3))


def test_headings_below_all_answers_are_passed_over() -> None:
    text = "Calm: 3\n" * 20_000 + "Final scores:\n" * 20_000
    before = time.process_time()
    assert values(read(text, FORWARDS)) == {1: 3}
    assert time.process_time() - before < 10


def test_text_behind_many_openings_of_json_is_still_read() -> None:
    text = "[" * 49 + "{}," * 50_000 + "\nCalm: 3\n"
    assert values(read(text, FORWARDS)) == {1: 3}
