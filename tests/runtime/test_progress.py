"""What a user sees of a run."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import msgspec

from runtime.progress import Counts, Form, Reporter, line
from schemas.rows import ResponseRow, Status
from tests.runtime.test_journal import record


def response(status: Status = "complete", cost: float | None = None) -> ResponseRow:
    row = record(1).response
    return msgspec.structs.replace(row, status=status, cost=cost, tokens_in=100, tokens_out=20)


def reported(form: Form, tell: Callable[[Reporter], None], seconds: float) -> str:
    """What a reporter writes, when each look at the clock is `seconds` later."""
    stream = io.StringIO()
    now = iter(seconds * step for step in range(10_000))
    tell(Reporter(stream, form, lambda: next(now)))
    return stream.getvalue()


def a_run(reporter: Reporter) -> None:
    reporter.begin("gpt-4", 10, 4)
    for _ in range(4):
        reporter.durable(response())
    reporter.note("The provider asks to wait 30 s.")
    reporter.durable(response("refused", cost=0.5))
    reporter.durable(response("error"))
    reporter.end()


def test_a_terminal_has_one_live_line() -> None:
    text = reported("live", a_run, 1.0)
    lines = text.split("\n")
    assert lines[-1] == ""
    assert "The provider asks to wait 30 s." in lines[0]
    assert len(lines) == 3
    last = lines[1].split("\r")[-1]
    assert last.startswith("gpt-4 10/10")
    assert "720 tokens  $0.50  1 refused  1 errors" in last


def test_elsewhere_a_line_comes_now_and_then() -> None:
    assert "\r" not in reported("plain", a_run, 1.0)
    many = reported("plain", a_run, 10.0).splitlines()
    few = reported("plain", a_run, 0.1).splitlines()
    assert len(many) > len(few)
    assert few[-1].startswith("gpt-4 10/10")


def test_events_are_json() -> None:
    events = [json.loads(text) for text in reported("json", a_run, 1.0).splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["begin", "end"]
    assert any(event["event"] == "note" and "30 s" in event["text"] for event in events)
    last = events[-1]
    counted = {name: last[name] for name in ("panel", "planned", "kept", "done", "tokens", "refused", "errors")}
    assert counted == {
        "panel": "gpt-4",
        "planned": 10,
        "kept": 4,
        "done": 6,
        "tokens": 720,
        "refused": 1,
        "errors": 1,
    }
    assert last["money"] == 0.5


def test_a_run_with_nothing_to_ask_shows_no_line() -> None:
    def nothing(reporter: Reporter) -> None:
        reporter.begin("gpt-4", 10, 10)
        reporter.end()

    assert reported("live", nothing, 1.0) == ""


def test_time_left_follows_from_the_rate() -> None:
    assert line(Counts("p", 100, 0, 50), 25.0) == "p 50/100  2.0/s  25 s left"
    assert line(Counts("p", 10_000, 0, 100), 100.0).endswith("2 h 45 min left")
    assert line(Counts("p", 1000, 0, 100), 60.0).endswith("9 min 00 s left")
    assert line(Counts("p", 100), 0.0) == "p 0/100  0.0/s"
