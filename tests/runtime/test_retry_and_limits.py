"""When to ask again, and how many at a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.limits import after_answer, after_throttle, may_start, opened
from runtime.retry import RetryPolicy, retry_after, wait_before
from runtime.transport import RateLimited, ServerFault

NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Fri, 01 May 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 01 May 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Fri, 01 May 2026 12:00:30"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_backoff_stays_below_a_bound_that_doubles(tries: int, chance: float) -> None:
    policy = RetryPolicy(first=0.5, longest=60.0)
    wait = wait_before(policy, tries, ServerFault("500"), chance)
    assert 0 <= wait <= min(60.0, 0.5 * 2 ** min(tries - 1, 20))


def test_a_stated_wait_is_never_cut_short() -> None:
    failure = RateLimited("slow down", retry_after=120.0)
    assert wait_before(RetryPolicy(longest=1.0), 1, failure, 0.0) == 120.0
    assert 120.0 < wait_before(RetryPolicy(longest=1.0), 1, failure, 1.0) <= 132.0


def test_the_window_doubles_a_round_trip_while_it_is_full() -> None:
    window = opened(64, start=4)
    for expected in (8, 16, 32, 64, 64):
        for in_flight in [int(window.size)] * int(window.size):
            window = after_answer(window, max(in_flight, int(window.size)))
        assert int(window.size) == expected


def test_a_window_that_is_not_full_does_not_grow() -> None:
    window = opened(64, start=8)
    assert after_answer(window, 3) == window


def test_a_throttle_halves_once_a_round_and_then_growth_is_slow() -> None:
    window = after_throttle(opened(64, start=32), started=0.0, now=10.0, wait=0.0)
    assert window.size == 16
    assert after_throttle(window, started=9.0, now=10.1, wait=0.0).size == 16
    assert after_throttle(window, started=10.5, now=11.0, wait=0.0).size == 8
    grown = window
    for _ in range(16):
        grown = after_answer(grown, 17)
    assert 16.9 < grown.size < 17.1


def test_nothing_starts_before_the_stated_time() -> None:
    window = after_throttle(opened(8), started=0.0, now=10.0, wait=5.0)
    assert not may_start(window, 0, 14.9)
    assert may_start(window, 0, 15.0)
    assert not may_start(window, int(window.size), 15.0)


@given(st.integers(-3, 300), st.lists(st.booleans(), max_size=100))
def test_the_window_stays_between_one_and_its_most(most: int, throttled: list[bool]) -> None:
    window = opened(most)
    for step, cut in enumerate(throttled):
        now = float(step)
        window = after_throttle(window, now, now, 0.0) if cut else after_answer(window, int(window.size))
        assert 1 <= int(window.size) <= max(1, most)
