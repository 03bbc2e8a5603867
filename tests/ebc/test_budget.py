"""Budgets and what a run tells, as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.runtime.server_log import read_events

PRICE = "usd_per_million_tokens { input 2  output 8 }"


def spec(url: str, more: str = "", second: str = "") -> str:
    return f"""
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" {{ factor craft "Craft" {{ "The shelf that you built holds."  "Your bread rises." }} }}
model one {{ provider openai  name "one"  base_url "{url}"  {more} }}
model two {{ provider openai  name "two"  base_url "{url}"  {second} }}
model robot {{ provider simulated  name "a robot" }}
study pride "Pride" {{
  protocol appraisal  scales PANAS  stimuli pride  panels one, two
  seed 1  orders 5  repeats 2  sampling {{ max_tokens 40 }}
}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """The status, the runs and the messages of `ebc run`."""
    status = main(["run", "pride.eb", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else [], err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--max-cost", "1"], "--max-cost needs the price of two"),
        (["--max-cost", "0"], "--max-cost is 0"),
        (["--max-cost", "nan"], "--max-cost is nan"),
        (["--max-cost", "-3"], "--max-cost is -3"),
        (["--max-requests", "0"], "--max-requests is 0"),
    ],
)
def test_a_budget_that_cannot_be_kept_is_refused_before_anything_is_asked(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    (folder / "pride.eb").write_text(spec("http://127.0.0.1:9/v1", PRICE), encoding="utf-8")
    status, ended, err = run(capsys, *arguments)
    assert (status, ended) == (2, [])
    assert says in err
    assert not (folder / "results").exists()


def test_a_simulated_respondent_costs_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pride.eb").write_text(spec("http://127.0.0.1:9/v1"), encoding="utf-8")
    status, [ended], _ = run(capsys, "--model", "robot", "--max-cost", "0.01")
    assert (status, ended["state"], ended["asked"]) == (0, "finished", 30)


def test_a_budget_holds_for_all_models_of_a_call_and_the_next_call_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log") as url:
        (folder / "pride.eb").write_text(spec(url, PRICE, PRICE), encoding="utf-8")
        status, ended, err = run(capsys, "--max-requests", "20")
        assert (status, [one["state"] for one in ended]) == (1, ["finished", "incomplete"])
        assert [(one["asked"], one["left"]) for one in ended] == [(30, 0), (10, 20)]
        assert (
            "the 20 requests of --max-requests are used up. 20 trials have no answer yet, and would cost" in err
        )
        assert len(read_events(folder / "log")) == 2 * 20
        status, ended, _ = run(capsys)
        assert (status, [(one["asked"], one["kept"]) for one in ended]) == (0, [(0, 30), (20, 10)])
    assert len(read_events(folder / "log")) == 2 * 30


def test_money_is_never_passed_and_what_is_left_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log") as url:
        (folder / "pride.eb").write_text(spec(url, PRICE, PRICE), encoding="utf-8")
        status, ended, err = run(capsys, "--max-cost", "0.012", "--model", "one")
        events = [event for event in read_events(folder / "log") if event.event == "answered"]
        spent = sum(event.tokens_in * 2 + event.tokens_out * 8 for event in events) / 1e6
        assert status == 1
        assert 0.008 < spent <= 0.012
        assert ended[0]["state"] == "incomplete"
        assert f"{ended[0]['left']} trials have no answer yet, and would cost about $0.0" in err
        (told,) = re.findall(r"might pass --max-cost: \$(\d\.\d{4}) of \$0\.0120 are spent", err)
        assert float(told) == pytest.approx(spent, abs=0.00005 + 1e-9)


def test_events_say_what_is_in_flight_and_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "log", latency=100) as url:
        (folder / "pride.eb").write_text(spec(url, "requests_per_minute 300"), encoding="utf-8")
        status, _, err = run(capsys, "--model", "one")
    events = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert status == 0
    assert any(event.get("why") == "requests a minute: 300, as the spec says" for event in events)
    assert events[-1]["statuses"] == {"complete": 30}
    assert events[-1]["tokens_in"] > events[-1]["tokens_out"] > 0


def test_settings_of_asking_change_no_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "log") as url:
        (folder / "pride.eb").write_text(spec(url), encoding="utf-8")
        assert run(capsys, "--model", "one")[0] == 0
        more = "requests_per_minute 90  tokens_per_minute 9000  timeout 30  silence 20"
        (folder / "pride.eb").write_text(spec(url, more), encoding="utf-8")
        status, [ended], _ = run(capsys, "--model", "one")
    assert (status, ended["asked"], ended["kept"]) == (0, 0, 30)
