"""Scores from their text in a spec to a number in the warehouse."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import pytest

from ebc.cli import main

SPEC = """
stimuli talks "Short talks" from "talks.csv" {
  name = column "talk"
  situation = column "text"
  gold_1 = column "relief"
  gold_2 = column "regret"
}
scale FEELINGS "How the speaker feels" {
  options 0..10 { 0 "not at all"  10 "as much as can be" }
  items { 1 "relief" key gold_1  2 "regret" key gold_2 }
  derive miss = 1 / (1 + exp(-(abs(value - key) - 5)))
  subscale score = 10 - 0.75 * sum(miss 1..2)
  subscale both = min(item 1 is key item 1, item 2 is key item 2)
  missing up to 1
}
scale REPLY "How well a reply fits" {
  options { 1 "Bad"  2 "Okay"  3 "Good" }
  items { quality "The reply fits." }
  subscale good = quality is 3
}
protocol reading { condition read each stimulus }
responses readers "Readers" from "answers.csv" {
  kind human
  respondent = column "id"
  stimulus = column "talk"
  condition read {
    FEELINGS = columns "relief".."regret"
    REPLY = column "reply"
  }
}
study gold "Against gold answers" {
  protocol reading
  scales FEELINGS, REPLY
  stimuli talks
  panels readers
}
"""
TALKS = "talk,text,relief,regret\na,The test came back clear.,9,0\nb,I sold the boat too soon.,1,\n"
ANSWERS = "id,talk,relief,regret,reply\nann,a,9,0,3\nben,a,3,8,1\ncem,a,,0,2\ndee,b,1,5,3\neva,a,,,\n"


def miss(distance: float) -> float:
    return 1 / (1 + math.exp(-(distance - 5)))


def test_from_text_to_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"gold.eb": SPEC, "talks.csv": TALKS, "answers.csv": ANSWERS}.items():
        Path(name).write_text(text, encoding="utf-8")
    assert main(["import", "responses", "gold.eb"]) == 0
    capsys.readouterr()
    asked = "SELECT respondent, subscale, score, n_missing FROM scores ORDER BY ALL"
    assert main(["sql", asked, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    found = {(row["respondent"], row["subscale"]): row["score"] for row in rows}
    told = {"ann": (2 * miss(0), "1", "1"), "ben": (miss(6) + miss(8), "0", "0"), "cem": (2 * miss(0), "", "0")}
    for respondent, (missed, both, good) in told.items():
        assert float(found[respondent, "score"]) == pytest.approx(10 - 0.75 * missed)
        assert [found[respondent, name].removesuffix(".0") for name in ("both", "good")] == [both, good]
    assert [found["dee", name].removesuffix(".0") for name in ("score", "both", "good")] == ["", "", "1"]
    assert {row["score"] for row in rows if row["respondent"] == "eva"} <= {""}
