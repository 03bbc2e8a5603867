"""The published data sets that the studies read: every number that is known of them comes out of the report."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compiler import load
from ebc.asked import library
from ebc.cli import main
from ebc.pipeline import compile_spec
from ebc.tables import DiskFiles

STUDIES = Path(__file__).parents[2] / "specs" / "studies"
SHARED = Path(__file__).parents[3] / "shared" / "studies"

published_data = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the studies' data are not in ../shared/studies beside the repository"
)

Report = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The studies with their data beside them, read into the folder's results."""
    made = tmp_path_factory.mktemp("studies")
    shutil.copytree(STUDIES, made, dirs_exist_ok=True)
    for data in ("empathetic_responding", "story_similarity"):
        shutil.copytree(SHARED / data, made / data)
    return made


@pytest.fixture
def report(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """`report(study, format)`: its answers read in, its report printed."""

    def of(study: str, form: str = "json") -> str:
        monkeypatch.chdir(folder)
        assert main(["import", "responses", f"{study}.eb"]) == 0
        capsys.readouterr()
        assert main(["report", study, "--format", form]) == 0
        return capsys.readouterr().out

    return of


def rows(report: str, contrast: str) -> list[Report]:
    return [row for row in json.loads(report)["rows"] if row["contrast"] == contrast]


@published_data
@pytest.mark.parametrize(
    ("study", "known"), [("empathetic_responding", 59), ("story_similarity", 8), ("story_annotators", 15)]
)
def test_what_is_known_comes_out(study: str, known: int, report: Callable[..., str]) -> None:
    found = json.loads(report(study))["expectations"]
    assert [cell for cell in found["cells"] if not cell["agrees"]] == []
    assert sum(len(cell["published"]) for cell in found["cells"]) == known


@published_data
@pytest.mark.parametrize("study", ["empathetic_responding", "story_similarity", "story_annotators"])
def test_the_report(study: str, report: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    golden(f"studies/{study}.txt", report(study, "text"))


QUESTIONS = """
use "lib/prompts"
stimuli two_questions "Emotion, then cause" from "emobench/EU.jsonl" {
  situation = column "scenario"
  language = column "language"
  emotion_label = column "emotion_label"
  cause_label = column "cause_label"
}
stimuli one_question "What to do" from "emobench/EA.jsonl" {
  situation = column "scenario"
  language = column "language"
  label = column "label"
}
scale SURE "How sure" { options 1..5 { 1 "not at all"  5 "very" }  items { 1 "sure" }  subscale sure = item 1 }
protocol reading { condition read each stimulus { present imagine  measure with self_report } }
study questions { protocol reading  scales SURE  stimuli two_questions, one_question  panels reader  seed 1 }
model reader { provider simulated  name "reader" }
"""


@published_data
def test_json_lines_are_stimuli(tmp_path: Path) -> None:
    shutil.copytree(SHARED / "emobench", tmp_path / "emobench")
    (tmp_path / "questions.eb").write_text(QUESTIONS, encoding="utf-8")
    checked = load("questions.eb", DiskFiles(tmp_path), library())
    assert checked.errors == ()
    (compiled,) = compile_spec(checked)
    told = [one.fields for one in compiled.plan.stimuli]
    assert Counter(fields["language"] for fields in told) == {"en": 400, "zh": 400}
    asked = [name for fields in told for name in fields if name.endswith("label")]
    assert len(asked) == 1_200
    assert compiled.trials.num_rows == 800


def test_feelings_against_gold_ratings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(STUDIES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert main(["run", "gold_feelings.eb"]) == 0
    given = (
        "SELECT stimulus, list(value ORDER BY item) AS told FROM answers JOIN responses USING (response, run) "
    )
    asked = given + "JOIN trials USING (trial, run) GROUP BY ALL"
    assert main(["sql", f"SELECT * FROM ({asked}) JOIN scores USING (stimulus)", "--format", "json"]) == 0
    with (STUDIES / "gold_feelings.csv").open(encoding="utf-8") as file:
        gold = {
            f"talks.{row['talk']}": [float(row[name]) for name in ("surprise", "relief", "envy", "tenderness")]
            for row in csv.DictReader(file)
        }
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 3 * len(gold)
    for row in rows:
        misses = [abs(a - b) for a, b in zip(row["told"], gold[row["stimulus"]], strict=True)]
        costs = [10 / (1 + math.exp(4 - 1.2 * miss)) for miss in misses]
        wanted = {"score": 10 - 0.25 * sum(costs), "exact": float(sum(misses) == 0), "off": sum(misses)}
        assert row["score"] == pytest.approx(wanted[row["subscale"]])


def test_a_report_without_an_analysis_says_how_to_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(STUDIES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert main(["run", "gold_feelings.eb"]) == 0
    assert main(["report", "gold_feelings"]) == 0
    lines = " ".join(capsys.readouterr().out.split())
    (sql,) = re.findall(r'ebc sql "(.*?)"', lines)
    assert main(["sql", sql, "--format", "json"]) == 0
    assert {row["subscale"] for row in json.loads(capsys.readouterr().out)} == {"score", "exact", "off"}
