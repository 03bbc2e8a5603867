"""Limits a minute, as they are declared and as providers state them: pure functions of a clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.account import Account, declared_limits
from runtime.limits import Bucket, a_minute, as_stated, taken, wait_for
from runtime.stated import Quota, seconds, stated_limits
from tests.runtime.plans import model


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("120ms", 0.12),
        ("1h2m3.5s", 3723.5),
        ("2m59.56s", 179.56),
        ("1d", 86_400.0),
        ("7.5", 7.5),
        (" 8.64s ", 8.64),
        ("", None),
        (None, None),
        ("soon", None),
        ("1s ago", None),
        ("-3", None),
        ("inf", None),
    ],
)
def test_times_until_a_limit_is_whole_again(text: str | None, found: float | None) -> None:
    assert seconds(text) == (None if found is None else pytest.approx(found))


def test_stated_limits_are_read_and_nonsense_is_not() -> None:
    headers = {
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-limit-tokens": "30000",
        "x-ratelimit-remaining-tokens": "40000",
    }
    assert stated_limits(headers) == {"requests": Quota(500, 499, 0.12), "tokens": Quota(30_000, 30_000, None)}
    assert stated_limits({}) == {}
    assert stated_limits({"x-ratelimit-limit-requests": "many", "x-ratelimit-limit-tokens": "0"}) == {}


@given(st.floats(1, 1e5), st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 50)), min_size=1, max_size=60))
def test_who_waits_as_told_never_takes_more_than_the_rate(
    a_minute_: float, asked: list[tuple[float, float]]
) -> None:
    now = 0.0
    bucket = a_minute(a_minute_, now)
    total = largest = 0.0
    for pause, amount in asked:
        now += pause
        now += wait_for(bucket, amount, now)
        bucket = taken(bucket, amount, now)
        total, largest = total + amount, max(largest, amount)
        assert total <= bucket.capacity + bucket.rate * now + largest + 1e-6 * total


def test_a_minute_is_spread_over_its_seconds() -> None:
    bucket = a_minute(600, 0.0)
    assert wait_for(bucket, 10, 0.0) == 0
    bucket = taken(bucket, 10, 0.0)
    assert wait_for(bucket, 1, 0.0) == pytest.approx(0.1)
    assert wait_for(bucket, 1, 0.1) == pytest.approx(0, abs=1e-9)
    slow = taken(a_minute(2, 0.0), 1, 0.0)
    assert wait_for(slow, 1, 0.0) == pytest.approx(30)


def test_what_is_larger_than_the_bucket_goes_when_it_is_full_and_is_paid_back() -> None:
    bucket = a_minute(60, 0.0)
    assert wait_for(bucket, 100, 0.0) == 0
    bucket = taken(bucket, 100, 0.0)
    assert wait_for(bucket, 1, 0.0) == pytest.approx(100)
    assert wait_for(taken(bucket, -90, 0.0), 1, 0.0) == pytest.approx(10)


def test_a_stated_rate_follows_from_when_everything_is_back() -> None:
    a_minute_of_requests = as_stated(None, Quota(500, 490, 1.2), out=0, now=0.0)
    assert a_minute_of_requests.rate == pytest.approx(500 / 60)
    a_day = as_stated(None, Quota(14_400, 14_370, 180.0), out=0, now=0.0)
    assert a_day.rate * 86_400 == pytest.approx(14_400)
    unsaid = as_stated(None, Quota(60, 60), out=4, now=0.0)
    assert (unsaid.rate, unsaid.level) == (1.0, 56)


def test_our_own_count_holds_where_the_reply_is_older_than_it() -> None:
    before = Bucket(capacity=100, rate=1, level=20, at=0.0)
    assert as_stated(before, Quota(100, 50, 50.0), out=40, now=0.0).level == 20  # others are still in flight
    assert as_stated(before, Quota(100, 10, 90.0), out=40, now=0.0).level == 10  # someone else asks too
    assert as_stated(before, Quota(100, 99, 1.0), out=3, now=0.0).level == 96  # a new minute has begun


def test_an_account_says_how_long_and_why() -> None:
    account = Account(64)
    assert (account.wait(100, 0.0), account.why(0, 100, 0.0)) == (0, "window 4, growing")
    account.declare({"requests": 60, "tokens": 6000}, 0.0)
    account.sent(100, 0.0)
    assert account.wait(100, 0.0) == pytest.approx(1)
    assert account.why(1, 100, 0.0) == "requests a minute: 60, as the spec says"
    account.ended(100)
    account.answered(1, 500.0, 0.5)  # it took 600
    assert account.wait(100, 1.0) == pytest.approx(5)
    assert account.why(1, 100, 1.0) == "tokens a minute: 6,000, as the spec says"
    account.declare({}, 2.0)
    assert account.wait(100, 2.0) == 0


def test_a_cut_is_told_until_the_window_is_whole_again() -> None:
    account = Account(4)
    assert account.why(0, 1, 0.0) == "window 4, the most"
    assert account.throttled(429, started=0.0, wait=12.0, now=1.0)
    assert not account.throttled(429, started=0.0, wait=11.5, now=1.0)
    assert (account.wait(1, 1.0), account.why(0, 1, 1.0)) == (12, "waiting 12 s: Retry-After")
    assert (account.size, account.why(1, 1, 14.0)) == (2, "window 2, cut by a 429 13 s ago")
    for _ in range(6):
        account.answered(4, 0.0, 15.0)
    assert account.why(1, 1, 15.0) == "window 4, the most"


def test_a_stated_limit_is_kept_to_before_it_is_hit() -> None:
    account = Account(64)
    account.told({"tokens": Quota(30_000, 1000, 58.0)}, 0.0)
    assert account.wait(500, 0.0) == 0
    account.sent(500, 0.0)
    assert account.wait(1500, 0.0) == pytest.approx(2)
    assert account.why(1, 1500, 0.0) == "tokens a minute: 30,000, as the provider says"


def test_declared_limits_stand_in_the_models_settings() -> None:
    assert declared_limits(model("openai", requests_per_minute=500, tokens_per_minute=3e4)) == {
        "requests": 500,
        "tokens": 30_000,
    }
    assert declared_limits(model("openai")) == {}
