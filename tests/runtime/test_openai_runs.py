"""Whole runs against a server with faults: every answer once, whatever goes wrong. Its log is the judge."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runtime.asking import Settings
from schemas.plan import Sampling
from tests.runtime.asking_openai import QUICK, Notes, always, message, nth, run
from tests.runtime.plans import FileSink
from tests.runtime.server import Endpoint, Fault
from tests.runtime.server_log import paid_twice, read_events, tallies

TRIALS = 42
PATIENT = msgspec.structs.replace(QUICK, retry=msgspec.structs.replace(QUICK.retry, tries=30, longest=0.02))


def rows(folder: Path) -> list[Any]:
    return [one.response for one in FileSink(folder / "sink").answers()]


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 429, "headers": {"Retry-After": "0.1"}},
        {"status": 429, "headers": {"retry-after-ms": "100"}},
        {"status": 429},
        {"status": 500},
        {"status": 502, "body": "<html><title>Bad Gateway</title></html>", "type": "text/html"},
        {"status": 529},
        {"drop": True},
        {"lost": True},
        {"half": True},
        {"html": True},
        {"status": 200, "body": "{"},
        {"reply": {"choices": []}},
    ],
)
def test_one_fault_costs_one_more_request(tmp_path: Path, fault: Fault) -> None:
    outcome, server = run(tmp_path, nth(5, fault))
    assert (outcome.state, outcome.asked) == ("finished", TRIALS)
    assert len(server.bodies) == TRIALS + 1
    answers = rows(tmp_path)
    assert len({one.trial for one in answers}) == len(answers) == TRIALS
    assert all(one.status == "complete" for one in answers)
    assert paid_twice(server.log.events) == {}


def test_a_storm_of_faults_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    faults: list[Fault | None] = [
        {"status": 429},
        {"drop": True},
        {"lost": True},
        {"status": 503},
        {"half": True},
        {"html": True},
        {"slow": 0.05},
        {"trickle": 0.002},
        {"encoding": "gzip"},
        None,
        None,
    ]
    outcome, server = run(tmp_path, lambda number, _: faults[number * 7 % len(faults)], settings=PATIENT)
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    events = read_events(tmp_path / "log")
    assert events == server.log.events
    assert paid_twice(events) == {}
    tally = tallies(events)
    assert {one.answered for one in tally.values()} == {1}
    assert len(tally) == len({one.trial for one in rows(tmp_path)}) == TRIALS
    assert sum(one.lost for one in tally.values()) == sum(event.event == "lost" for event in events) > 0


def test_limits_on_requests_and_tokens_are_kept_to(tmp_path: Path) -> None:
    endpoint = Endpoint(
        requests_per_minute=60 * 200,
        tokens_per_minute=60 * 20_000,
        burst=0.05,
        tells=("retry-after", "x-ratelimit"),
        encoding="gzip",
    )
    outcome, server = run(tmp_path, endpoint=endpoint, settings=PATIENT)
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    assert paid_twice(server.log.events) == {}
    assert any(event.status == 429 for event in server.log.events)


def test_retry_after_is_waited_for_by_the_whole_run(tmp_path: Path) -> None:
    times: list[float] = []

    def script(number: int, body: dict[str, Any]) -> Fault | None:
        times.append(time.monotonic())
        return {"status": 429, "headers": {"Retry-After": "0.4"}} if number == 12 else None

    outcome, _ = run(tmp_path, script, settings=Settings(max_connections=1, retry=QUICK.retry))
    assert outcome.state == "finished"
    assert times[13] - times[12] >= 0.4


class Ticking:
    """A clock that moves by a millisecond whenever it is looked at, and not otherwise."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("milliseconds", range(1, 13))
def test_a_wait_that_ends_while_it_is_looked_at_holds_nothing_up(tmp_path: Path, milliseconds: int) -> None:
    ticking = msgspec.structs.replace(QUICK, clock=Ticking(), max_connections=1)
    fault = {"status": 429, "headers": {"retry-after-ms": str(milliseconds)}}
    outcome, server = run(tmp_path, nth(1, fault), situations=1, settings=ticking, seconds=5)
    assert (outcome.state, len(server.bodies)) == ("finished", 5)


def test_faults_that_stay_end_as_rows(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return {"status": 500} if "Situation 3." in body["messages"][0]["content"] else None

    outcome, server = run(tmp_path, script)
    assert (outcome.state, outcome.counts) == ("incomplete", {"complete": 40, "error": 2})
    assert len(server.bodies) == 40 + 2 * 4
    errors = [one for one in rows(tmp_path) if one.status == "error"]
    assert all("500 from" in (row.error or "") and row.text is None for row in errors)


def test_an_unknown_model_stops_the_run(tmp_path: Path) -> None:
    error = {"message": "The model does not exist", "code": "model_not_found"}
    outcome, server = run(tmp_path, always({"status": 404, "error": error}))
    assert (outcome.state, outcome.fault) == ("failed", "provider")
    assert "model-one" in outcome.message
    assert len(server.bodies) <= 8


def test_a_key_that_expires_stops_the_run_and_a_new_one_goes_on(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, endpoint=Endpoint(expires_after=20))
    assert (outcome.state, outcome.fault, outcome.asked) == ("failed", "key", 20)
    assert "OPENAI_API_KEY was refused" in outcome.message
    again, server = run(tmp_path)
    assert (again.state, again.kept, again.asked) == ("finished", 20, TRIALS - 20)
    assert len(server.bodies) == TRIALS - 20
    assert paid_twice(read_events(tmp_path / "log")) == {}


def test_a_quota_that_is_used_up_stops_the_run(tmp_path: Path) -> None:
    outcome, server = run(tmp_path, endpoint=Endpoint(quota=500))
    assert (outcome.state, outcome.fault) == ("failed", "provider")
    assert outcome.message.startswith("The quota is used up. 429")
    assert 0 < outcome.asked == sum(event.event == "answered" for event in server.log.events) < TRIALS


@pytest.mark.parametrize("place", ["reasoning_content", "tags", "parts", None])
def test_thinking_that_leaves_no_room_is_a_reply_cut_off(tmp_path: Path, place: str | None) -> None:
    behaviour = {"finish_reason": "length", "thinks": place}
    outcome, _ = run(tmp_path, situations=1, endpoint=msgspec.convert(behaviour, Endpoint))
    assert (outcome.state, outcome.counts) == ("finished", {"truncated": 4})
    assert {bool(one.reasoning) for one in rows(tmp_path)} == {place is not None}


def test_a_filtered_prompt_is_a_refusal_with_its_reason(tmp_path: Path) -> None:
    error = {"message": "The prompt was filtered.", "code": "content_filter"}
    outcome, server = run(tmp_path, nth(0, {"status": 400, "error": error}), situations=1)
    assert (outcome.state, outcome.counts) == ("finished", {"complete": 3, "refused": 1})
    refused = next(one for one in rows(tmp_path) if one.status == "refused")
    assert (refused.text, refused.error) == (None, "The prompt was filtered.")
    assert refused.finish_reason == "content_filter"
    assert len(server.bodies) == 4


def test_a_reply_withheld_by_a_filter_is_a_refusal(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, always(message(content="", finish_reason="content_filter")), situations=1)
    assert (outcome.state, outcome.counts) == ("finished", {"refused": 4})


def test_what_a_model_refuses_is_told_once_and_stands_in_every_row(tmp_path: Path) -> None:
    told = Notes()
    endpoint = Endpoint(refuses=("seed", "temperature"), newer=True, usage=False)
    sampling = Sampling(temperature=0.0, seed=3, max_tokens=100)
    outcome, server = run(tmp_path, endpoint=endpoint, told=told, sampling=sampling)
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    begun = {note.split(":")[0] for note in told.notes}
    assert begun > {"Model m refuses seed", "Model m refuses temperature"}
    assert len(told.notes) == 3
    sent = {
        "model": "model-one",
        "max_completion_tokens": 100,
        "adapted": {
            "left_out": {"temperature": 0.0, "seed": 3},
            "renamed": {"max_tokens": "max_completion_tokens"},
        },
    }
    assert all(json.loads(one.request_sent) == sent for one in rows(tmp_path))
    assert len(server.bodies) - TRIALS <= 3 * 8
    assert {one.tokens_in for one in rows(tmp_path)} == {None}
    assert paid_twice(server.log.events) == {}
