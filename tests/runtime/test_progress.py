"""What a user sees of a run."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from runtime.pace import Counts, Pace
from runtime.progress import Form, Reporter, Standing, duration, line, short, width
from schemas.rows import ResponseRow, Status
from tests.runtime.test_journal import record

STANDING = Standing(32, 32, "window 32, cut by a 429 8 s ago")


def response(status: Status = "complete", cost: float | None = None) -> ResponseRow:
    row = record(1).response
    return msgspec.structs.replace(
        row, status=status, cost=cost, tokens_in=1000, tokens_out=20, tokens_cached=512
    )


def reported(form: Form, tell: Callable[[Reporter], None], seconds: float, columns: int = 200) -> str:
    """What a reporter writes, when each look at the clock is `seconds` later."""
    stream = io.StringIO()
    now = iter(seconds * step for step in range(10_000))
    tell(Reporter(stream, form, lambda: next(now), lambda: columns))
    return stream.getvalue()


def a_run(reporter: Reporter) -> None:
    reporter.begin("gpt-4", 10, 4)
    reporter.watch(lambda: STANDING)
    for _ in range(4):
        reporter.durable(response())
    reporter.note("The provider asks to wait 30 s.")
    reporter.tick()
    reporter.durable(response("refused", cost=0.5))
    reporter.durable(response("error"))
    reporter.end()


@pytest.mark.parametrize("form", ["live", "plain", "json"])
def test_a_run_as_it_is_shown(form: Form, golden: Callable[[str, str], None]) -> None:
    text = reported(form, a_run, 1.0 if form != "plain" else 10.0)
    golden(f"progress/{form}.txt", text.replace("\r", "<return>"))


def test_a_terminal_has_one_live_line_that_fits() -> None:
    for columns in (20, 40, 60, 80, 120):
        text = reported("live", a_run, 1.0, columns)
        shown = [part for whole in text.split("\n") for part in whole.split("\r")]
        assert max(width(part.rstrip()) for part in shown if "The provider" not in part) < columns
        assert "gpt-4 10/10" in text


def test_what_matters_least_goes_first() -> None:
    counts = Counts("gpt-4", 4290, 0, 1200, 500_000, 40_000, 90_000, 1.5, Counter(complete=1198, refused=2))
    whole = line(counts, 35.2, STANDING)
    assert whole == (
        "gpt-4 1200/4290  35.2/s  1 min 28 s left  500k tokens in, 90k cached, 40k out  $1.50  2 refused  "
        "32 in flight  window 32, cut by a 429 8 s ago"
    )
    assert line(counts, 35.2, STANDING, 100) == (
        "gpt-4 1200/4290  35.2/s  1 min 28 s left  $1.50  2 refused  window 32, cut by a 429 8 s ago"
    )
    assert line(counts, 35.2, STANDING, 50) == "gpt-4 1200/4290  35.2/s  1 min 28 s left  $1.50"
    assert line(counts, 35.2, STANDING, 12) == "gpt-4 1200…"
    assert width(line(Counts("模型" * 20, 5), 0.0, None, 30)) < 30


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
    assert {"in_flight", "limit", "why"} <= events[1].keys()
    last = events[-1]
    names = (
        "panel",
        "planned",
        "kept",
        "done",
        "tokens_in",
        "tokens_out",
        "tokens_cached",
        "statuses",
        "money",
    )
    assert {name: last[name] for name in names} == {
        "panel": "gpt-4",
        "planned": 10,
        "kept": 4,
        "done": 6,
        "tokens_in": 6000,
        "tokens_out": 120,
        "tokens_cached": 3072,
        "statuses": {"complete": 4, "refused": 1, "error": 1},
        "money": 0.5,
    }


def test_a_run_with_nothing_to_ask_shows_no_line() -> None:
    def nothing(reporter: Reporter) -> None:
        reporter.begin("gpt-4", 10, 10)
        reporter.end()

    assert reported("live", nothing, 1.0) == ""


def test_while_nothing_comes_the_line_goes_on() -> None:
    def waiting(reporter: Reporter) -> None:
        reporter.begin("gpt-4", 10, 0)
        seconds = iter((12, 11, 10))
        reporter.watch(lambda: Standing(0, 4, f"waiting {next(seconds)} s: Retry-After"))
        for _ in range(3):
            reporter.tick()
        reporter.end()

    text = reported("live", waiting, 1.0)
    assert [f"waiting {left} s: Retry-After" in text for left in (12, 11, 10)] == [True] * 3
    assert text.split("\r")[-1] == ""


def test_the_rate_is_that_of_the_last_seconds() -> None:
    pace = Pace(0.0)
    for step in range(1000):
        pace.add(step * 0.01)
    assert pace.rate(10.0) == pytest.approx(100)
    for step in range(100):
        pace.add(10 + step * 1.0)
    assert pace.rate(109.0) == pytest.approx(1, rel=0.1)
    assert pace.rate(140.0) == 0
    assert Pace(5.0).rate(5.0) == 0


def test_time_left_follows_from_the_rate() -> None:
    assert line(Counts("p", 100, 0, 50), 2.0) == "p 50/100  2.0/s  25 s left"
    assert line(Counts("p", 10_000, 0, 100), 1.0).endswith("2 h 45 min left")
    assert line(Counts("p", 1000, 0, 100), 100 / 60).endswith("9 min 00 s left")
    assert line(Counts("p", 100), 0.0) == "p 0/100  0.0/s"
    assert line(Counts("p", 100, 0, 50), 250.0) == "p 50/100  250/s  0 s left"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (9949, "9.9k"),
        (9951, "10k"),
        (999_400, "999k"),
        (999_600, "1.0M"),
    ],
)
def test_counts_are_short(count: int, text: str) -> None:
    assert short(count) == text


def test_spans_are_for_readers() -> None:
    assert [duration(one) for one in (0, 59.4, 61, 7260)] == ["0 s", "59 s", "1 min 01 s", "2 h 01 min"]
