"""Recorded answers as chats: complete ones, of one part of the panel, as the reader reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ebc.cli import main
from runtime.reading import read
from schemas.render import shown
from warehouse.catalog import registered_plans

SPEC = """
use "lib/prompts"
scale MOOD "Mood" {
  options 1..5 { 1 "low"  5 "high" }  items { 1 "calm"  2 "tense" }  subscale all = sum(1..2)
}
emotion joy "Joy" { factor news "Good news" { "Your tomatoes have won the prize."  "Rain, after weeks." } }
protocol before_and_after {
  condition default
  condition evoked each situation { present imagine }
  then { measure with self_report }
}
responses people "People" from "people.csv" {
  kind human  respondent = column "who"
  match column "told" "{emotion}_F{factor}S{situation}"
  condition default { MOOD = columns "a1".."a2" }
  condition evoked { MOOD = columns "b1".."b2" }
}
study moods "Moods" {
  protocol before_and_after  scales MOOD  stimuli joy  panels people  seed 5
  split people into train 2, test 2
}
"""

DATA = """who,told,a1,a2,b1,b2
p1,joy_F1S1,1,2,3,4
p2,joy_F1S2,2,2,5,1
p3,joy_F1S1,3,2,4,
p4,joy_F1S2,4,2,4,2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    (tmp_path / "moods.eb").write_text(SPEC, encoding="utf-8")
    (tmp_path / "people.csv").write_text(DATA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    assert main(["import", "responses", "moods.eb"]) == 0
    capsys.readouterr()
    return tmp_path


def test_every_complete_response_is_a_chat(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "chat", "moods", "--panel", "people"]) == 0
    told = capsys.readouterr()
    chats = [json.loads(line)["messages"] for line in told.out.splitlines()]
    assert [[message["role"] for message in chat][-2:] for chat in chats] == [["user", "assistant"]] * 7
    assert {chat[-1]["content"] for chat in chats} >= {"1. 1\n2. 2", "1. 3\n2. 4"}
    assert "left out: 1 response (partial)" in told.err
    evoked = [chat for chat in chats if "tomatoes" in json.dumps(chat)]
    assert [chat[-1]["content"] for chat in evoked] == ["1. 3\n2. 4"]


def test_the_reader_reads_what_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "chat", "moods", "--panel", "people"]) == 0
    plan = registered_plans(folder / "results")["moods"]
    (scale,) = plan.scales
    for line in capsys.readouterr().out.splitlines():
        written = json.loads(line)["messages"][-1]["content"]
        reading = read(written, shown(scale, 0))
        assert reading.status == "complete"
        values = [(one.position, one.value) for one in reading.values if one.value is not None]
        assert "\n".join(f"{position}. {value:.0f}" for position, value in values) == written


def test_a_part_of_the_panel(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {}
    for part in ("train", "test"):
        out = folder / f"{part}.jsonl"
        assert main(["export", "chat", "moods", "--panel", "people", "--split", part, "-o", str(out)]) == 0
        lines[part] = out.read_text(encoding="utf-8").splitlines()
    assert not capsys.readouterr().out
    assert len(lines["train"]) + len(lines["test"]) == 7
    assert not set(lines["train"]) & set(lines["test"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--panel", "crowd"], "no answers of a panel crowd"),
        (["--panel", "people", "--split", "dev"], "has no part dev: its parts are train, test"),
    ],
)
def test_what_is_not_there(
    folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "chats.jsonl"
    assert main(["export", "chat", "moods", *arguments, "-o", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
