"""Questions that are asked again because of what came, as trials of their own: the last answer counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.ebc.test_endpoints import SPEC, selected
from tests.runtime.server_log import read_events

ITEMS = 20
TRIALS = 6
HALF = "\n".join(f"{number}. 2" for number in range(1, ITEMS // 2 + 1))
STATUSES = (
    "SELECT t.step, t.stage, r.status, count(*) AS n FROM responses r JOIN trials t USING (trial) GROUP BY ALL"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one-two-three")
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    return tmp_path


def said(text: str) -> dict[str, Any]:
    """A fault: this in place of the reply."""
    return {"reply": {"choices": [{"finish_reason": "stop", "message": {"content": text}}]}}


def write(url: str, again: str = "on partial, unparseable ask again 2") -> None:
    """The study, with a protocol of its own that asks again."""
    protocol = f"""
protocol appraisal {{
  condition default
  condition evoked each situation {{ present imagine_aloud }}
  then {{ measure with ask_all {again} }}
}}
prompt imagine_aloud "Imagine: {{situation}}"
prompt ask_all "{{presented}} Rate each of these: {{scale.items}}"
study pride"""
    spec = SPEC.replace('use "lib/appraisal"', "").replace("study pride", protocol, 1).replace("URL", url)
    Path("pride.eb").write_text(spec, encoding="utf-8")


def run(*more: str) -> int:
    return main(["run", "pride.eb", *(more if "--batch" in more else ("--connections", "1", *more))])


def scores(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return selected("SELECT trial, score, n_missing, stage FROM scores ORDER BY ALL", capsys)


def test_a_partial_answer_is_followed_up_and_the_last_one_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = [said(HALF), None, said("Well."), said(HALF), None]
    with served(folder / "log", faults=faults) as url:
        write(url)
        assert run() == 0
        assert len([one for one in read_events(folder / "log") if one.event == "answered"]) == TRIALS + 3
        assert run() == 0
        assert len([one for one in read_events(folder / "log") if one.event == "answered"]) == TRIALS + 3
    rows = {(row["step"], row["stage"], row["status"]): row["n"] for row in selected(STATUSES, capsys)}
    assert rows == {
        ("measure", 0, "partial"): 1,
        ("measure", 0, "unparseable"): 1,
        ("measure", 0, "complete"): TRIALS - 2,
        ("again", 1, "complete"): 1,
        ("again", 1, "partial"): 1,
        ("again", 2, "complete"): 1,
    }
    counted = scores(capsys)
    assert len(counted) == 2 * TRIALS
    assert {(row["n_missing"], row["stage"]) for row in counted} == {(0, 0)}
    progress = json.loads(_printed(["runs", "--format", "json"], capsys))
    assert (progress[0]["planned"], progress[0]["answered"], progress[0]["state"]) == (
        TRIALS,
        TRIALS,
        "finished",
    )
    assert "6 planned, 6 kept, 0 new, 0 stale" in _printed(
        ["explain", "pride.eb", "--results", "results"], capsys
    )


def test_a_follow_up_is_shown_and_read_again_as_any_trial(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log", faults=[said(HALF)]) as url:
        write(url)
        assert run() == 0
    rows = selected(
        "SELECT trial, parent FROM trials JOIN responses USING (trial) WHERE step = 'again'", capsys
    )
    shown = _printed(["show", rows[0]["trial"]], capsys)
    assert "Rate each of these" in shown
    assert f"after trial {rows[0]['parent']}, whose scores its answer gives" in shown
    told = _printed(["rescore", "pride"], capsys)
    assert f"{TRIALS + 1} replies read again, nothing changed" in told.replace("; nothing", ", nothing")
    assert "not kept" not in told


def test_after_the_declared_times_the_last_answer_counts_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log", faults=[said(HALF)] * 3) as url:
        write(url)
        assert run() == 0
    parents = selected(
        "SELECT count(DISTINCT parent) AS parents, count(*) AS n FROM trials WHERE step = 'again'", capsys
    )
    assert parents == [{"parents": TRIALS, "n": 2 * TRIALS}]
    assert len([row for row in scores(capsys) if row["n_missing"]]) == 2
    assert main(["report", "pride.eb"]) == 0


def test_a_follow_up_that_fails_leaves_the_answer_and_is_asked_by_the_next_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = {"status": 400, "error": {"message": "This cannot be answered."}}
    with served(folder / "log", faults=[said(HALF), refused]) as url:
        write(url)
        assert run() == 1
        assert "1 trials have no answer yet" in capsys.readouterr().err
        assert [row["n_missing"] for row in scores(capsys) if row["n_missing"]] == [5, 5]
        assert run() == 0
    assert not [row for row in scores(capsys) if row["n_missing"]]


def test_a_run_that_was_stopped_before_its_follow_ups_asks_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log", faults=[said(HALF)]) as url:
        write(url)
        assert run("--limit", "1", "--max-requests", "1") == 1
        assert run() == 0
        assert len([one for one in read_events(folder / "log") if one.event == "answered"]) == TRIALS + 1
    assert not [row for row in scores(capsys) if row["n_missing"]]


def test_a_follow_up_that_is_declared_later_keeps_all_answers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log", faults=[said(HALF)]) as url:
        write(url, again="")
        assert run() == 0
        write(url)
        assert run() == 0
        assert len([one for one in read_events(folder / "log") if one.event == "answered"]) == TRIALS + 1
    assert not [row for row in scores(capsys) if row["n_missing"]]


@pytest.mark.usefixtures("soon")
def test_a_batch_follows_up_in_the_next_batch(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "log", faults=[said(HALF)] * 3) as url:
        write(url)
        assert run("--max-requests", "2") == 1
        assert run("--batch") == 0
    assert not [row for row in scores(capsys) if row["n_missing"]]


@pytest.mark.usefixtures("soon")
def test_what_comes_of_a_batch_is_followed_up_in_the_next_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log") as url:
        write(url)
        spec = Path("pride.eb").read_text(encoding="utf-8")
        short = spec.replace("Rate each of these:", "Rate these!")  # the server then misses the first item
        Path("pride.eb").write_text(short, encoding="utf-8")
        assert run("--batch") == 0
    rows = selected(f"{STATUSES} ORDER BY stage", capsys)
    assert [tuple(row.values()) for row in rows] == [
        ("measure" if at == 0 else "again", at, "partial", TRIALS) for at in range(3)
    ]


@pytest.mark.parametrize(
    ("again", "said_of_it"),
    [
        ("on parital ask again 2", "there is no status `parital`"),
        ("on partial ask again 0", "`ask again` is 0; it must be a whole number from 1 to 10"),
        ("on partial, partial ask again 1", "`partial` is said twice"),
        ("on partial ask 2", "cannot stand here"),
    ],
)
def test_mistakes_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str], again: str, said_of_it: str
) -> None:
    write("http://127.0.0.1:9/v1", again)
    assert main(["check", "pride.eb"]) == 2
    assert said_of_it in capsys.readouterr().err


def test_the_layout_keeps_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("http://127.0.0.1:9/v1", "on partial,unparseable ask  again 2")
    assert main(["fmt", "pride.eb"]) == 0
    assert "measure with ask_all on partial, unparseable ask again 2 }\n" in Path("pride.eb").read_text(
        encoding="utf-8"
    )
    assert main(["fmt", "--check", "pride.eb"]) == 0


def _printed(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(command) == 0
    return capsys.readouterr().out
