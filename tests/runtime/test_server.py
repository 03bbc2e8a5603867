"""The test server itself: a judge that lets doubles pass, or limits that do not hold, would make every test
that rests on them worthless."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from tests.runtime.server import PLAIN, Endpoint, Fault, Server
from tests.runtime.server_endpoint import Account, Bucket
from tests.runtime.server_log import Event, answered_twice, paid_twice, read_events, request_key, tallies


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def body(text: str = "Rate: 1. Calm\n2. Tense", **parameters: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **parameters}


def events(*said: tuple[str, str, int, int]) -> list[Event]:
    """Events of (event, key, number, choices)."""
    return [Event(event, f"hash {key}", key, number, choices=choices) for event, key, number, choices in said]


@pytest.mark.parametrize(
    ("wanted", "log", "doubled"),
    [
        (1, events(("request", "a", 0, 0), ("answered", "a", 0, 1)), 0),
        (
            1,
            events(
                ("request", "a", 0, 0), ("lost", "a", 0, 1), ("request", "a", 1, 0), ("answered", "a", 1, 1)
            ),
            0,
        ),
        (
            1,
            events(
                ("request", "a", 0, 0), ("answered", "a", 0, 1), ("request", "a", 1, 0), ("answered", "a", 1, 1)
            ),
            1,
        ),
        (
            1,
            events(
                ("request", "a", 0, 0), ("answered", "a", 0, 1), ("request", "a", 1, 0), ("lost", "a", 1, 1)
            ),
            1,
        ),
        (
            1,
            events(
                ("request", "a", 0, 0), ("request", "a", 1, 0), ("answered", "a", 0, 1), ("answered", "a", 1, 1)
            ),
            1,
        ),
        (
            2,
            events(
                ("request", "a", 0, 0), ("request", "a", 1, 0), ("answered", "a", 0, 1), ("answered", "a", 1, 1)
            ),
            0,
        ),
        (
            3,
            events(
                ("request", "a", 0, 0), ("answered", "a", 0, 3), ("request", "b", 1, 0), ("answered", "b", 1, 3)
            ),
            0,
        ),
        (
            3,
            events(
                ("request", "a", 0, 0), ("answered", "a", 0, 2), ("request", "a", 1, 0), ("answered", "a", 1, 2)
            ),
            1,
        ),
        (
            1,
            events(
                ("request", "a", 0, 0), ("refused", "a", 0, 0), ("request", "a", 1, 0), ("answered", "a", 1, 1)
            ),
            0,
        ),
    ],
)
def test_the_judge_finds_what_was_paid_for_twice(wanted: int, log: list[Event], doubled: int) -> None:
    assert len(paid_twice(log, wanted)) == doubled


def test_a_key_is_of_the_question_whatever_else_is_sent() -> None:
    system = {"role": "system", "content": "Be brief."}
    apart = {"model": "m", "temperature": 1, "messages": [system, {"role": "user", "content": "Rate."}]}
    joined = {"model": "m", "messages": [{"role": "user", "content": "Be brief.\n\nRate."}]}
    assert request_key(apart) == request_key(joined)
    assert request_key(body()) != request_key(body("Rate: 1. Calm"))


def test_a_bucket_lets_its_burst_pass_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(60.0, burst=3.0, clock=clock)
    assert [bucket.take(1.0) for _ in range(5)] == [0, 0, 0, 1.0, 1.0]
    assert bucket.headers("requests") == {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "3000ms",
    }
    clock.now += 1.5
    assert [bucket.take(1.0), bucket.take(1.0)] == [0, 0.5]
    clock.now += 100
    assert bucket.take(50.0) == 0
    assert bucket.take(1.0) > 3.0


@pytest.mark.parametrize(
    ("tells", "headers"),
    [
        ((), {}),
        (("retry-after",), {"retry-after": "1.000"}),
        (("retry-after-ms",), {"retry-after-ms": "1000"}),
    ],
)
def test_a_limit_is_told_as_it_should_be(tells: tuple[str, ...], headers: dict[str, str]) -> None:
    said = {"requests_per_minute": 60.0, "burst": 1.0, "tells": tells}
    account = Account(msgspec.convert(said, Endpoint), Clock())
    assert account.refusal(body(), "key") is None
    refusal = account.refusal(body(), "key")
    assert refusal is not None
    assert (refusal.status, refusal.headers) == (429, headers)


def test_a_limit_on_tokens_counts_what_is_sent_and_what_may_come() -> None:
    account = Account(Endpoint(tokens_per_minute=6000.0, burst=1.0), Clock())
    assert account.refusal(body("x" * 40, max_tokens=80), "key") is None
    refusal = account.refusal(body("x" * 40, max_tokens=80), "key")
    assert refusal is not None
    assert refusal.error["type"] == "tokens"


def test_choices_are_counted_together_and_differ() -> None:
    account = Account(Endpoint(most_choices=2, caches=True))
    text = body("Rate: 1. Calm\n2. Tense" + "x" * 400, n=3)
    first, second = account.completion(text), account.completion(text)
    said = [one["message"]["content"] for one in first["choices"]]
    assert len(said) == len(set(said)) == 2
    usage = {"prompt_tokens": 105, "completion_tokens": sum(len(one) // 4 for one in said)}
    assert first["usage"] == {**usage, "prompt_tokens_details": {"cached_tokens": 0}}
    assert second["usage"] == {**usage, "prompt_tokens_details": {"cached_tokens": 96}}


def posted(
    folder: Path, faults: list[Fault | None], endpoint: Endpoint = PLAIN
) -> tuple[list[Any], list[Event]]:
    """What a plain client sees of each request, and the log."""

    async def one(session: aiohttp.ClientSession, url: str) -> Any:
        headers = {"Authorization": "Bearer one"}
        try:
            async with session.post(f"{url}/chat/completions", json=body(), headers=headers) as response:
                return response.status, await response.text()
        except aiohttp.ClientError as error:
            return type(error).__name__

    async def main() -> list[Any]:
        script = dict(enumerate(faults)).get
        async with (
            Server(lambda number, _: script(number), folder / "log", endpoint=endpoint) as server,
            aiohttp.ClientSession() as session,
        ):
            return [await one(session, server.url) for _ in faults]

    return asyncio.run(main()), read_events(folder / "log")


def test_faults_do_what_they_say_and_the_log_knows(tmp_path: Path) -> None:
    faults: list[Fault | None] = [
        None,
        {"drop": True},
        {"lost": True},
        {"half": True},
        {"status": 500},
        {"html": True},
        {"encoding": "gzip"},
        {"trickle": 0.001},
    ]
    seen, log = posted(tmp_path, faults)
    whole = seen[0]
    assert json.loads(whole[1])["choices"][0]["message"]["content"] == "1. 2\n2. 2"
    assert seen[1:4] == ["ServerDisconnectedError", "ServerDisconnectedError", "ClientPayloadError"]
    assert [one[0] for one in seen[4:6]] == [500, 200]
    assert seen[5][1].startswith("<html>")
    assert seen[6:] == [whole, whole]
    outcomes = ["answered", None, "lost", "lost", "refused", "refused", "answered", "answered"]
    by_number = {event.number: event.event for event in log if event.event != "request"}
    assert [by_number.get(number) for number in range(len(faults))] == outcomes
    assert sum(event.event == "request" for event in log) == len(faults)
    assert {one.answered for one in tallies(log).values()} == {3}
    assert len(answered_twice(tmp_path / "log")) == len(faults) - 1


@pytest.mark.parametrize(
    ("endpoint", "statuses"),
    [
        (Endpoint(expires_after=2), [200, 200, 401]),
        (Endpoint(key="two"), [401, 401, 401]),
        (Endpoint(quota=6), [200, 429, 429]),
        (Endpoint(requests_per_minute=2), [200, 200, 429]),
        (Endpoint(requests_per_minute=600, burst=0.0), [200, 429, 429]),
    ],
)
def test_an_account_ends_as_it_should(tmp_path: Path, endpoint: Endpoint, statuses: list[int]) -> None:
    seen, log = posted(tmp_path, [None] * 3, endpoint)
    assert [status for status, _ in seen] == statuses
    assert [event.status for event in log if event.event != "request"] == statuses
