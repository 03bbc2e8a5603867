"""Surveys as programs and colleagues send them, from the file to the report."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from ebc.cli import main
from ebc.pipeline import compile_spec, load_spec
from ebc.recording import read_recorded, store_recorded
from schemas.report import ReportRow
from warehouse.report import build_report

SPEC = """
scale REST "Rest" {
  options 1..4 { 1 "no"  4 "yes" }
  items { "rested"  "worn out"  "fresh" }
  reverse 2
  subscale rest "Rest" = mean(1..3)
  subscale high "Well rested" = mean(1..3) > 2.5
}
protocol twice {
  condition second_look
  condition before
}
responses web "A survey on the web" from "survey.csv" {
  kind human
  headers 3
  match column "Finished" "True"
  respondent = column "ResponseId"
  covariate age = 2024 - column "Q2"
  recode age { 18..39 -> "under 40"  40..59 -> "40 to 59"  60..99 -> "60 and more" }
  condition before { REST = columns "Q1_1".."Q1_3" }
  condition second_look { REST = columns "Q3_1".."Q3_3" }
}
study rest "Rest twice" {
  protocol twice
  scales REST
  panels web
  contrast change = before - second_look of REST.rest by overall, age paired by respondent
  reliability whole by condition
}
"""
BEFORE = [(1, 4, 2), (2, 2, 3), (3, 2, 3), (4, 1, 3), (2, 3, 2), (3, 3, 4)]
AFTER = [(2, 3, 2), (3, 2, 3), (4, 1, 4), (3, 1, 4), (3, 2, 2), (None, None, None)]
BORN = [2000, 1990, 1975, 1950, 1970, 1999]


def rows() -> list[list[object]]:
    """A survey with three rows of labels, as a survey program exports it; the last row is not finished."""
    names = ["StartDate", "Finished", "ResponseId", *(f"Q1_{i}" for i in (1, 2, 3)), "Q2"]
    names += [f"Q3_{i}" for i in (1, 2, 3)]
    people = [
        ["2024-05-01", "True", f"R_{number}", *before, born, *after]
        for number, (before, born, after) in enumerate(zip(BEFORE, BORN, AFTER, strict=True))
    ]
    dropped = ["2024-05-01", "False", "R_9", 1, 1, 1, 1980, 1, 1, 1]
    asked = [f"Rate: {name}\nplease" for name in names]
    return [names, asked, [f'{{"ImportId":"{name}"}}' for name in names], *people, dropped]


@pytest.fixture
def summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Imports the survey; what the import says."""
    with (tmp_path / "survey.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows())
    (tmp_path / "rest.eb").write_text(SPEC, encoding="utf-8")
    spec, results = str(tmp_path / "rest.eb"), str(tmp_path / "results")
    assert main(["import", "responses", spec, "--results", results]) == 0
    said = capsys.readouterr()
    return said.out + said.err


def report_rows(folder: Path) -> list[ReportRow]:
    (compiled,) = compile_spec(load_spec(str(folder / "rest.eb")))
    store_recorded([read_recorded(compiled, folder)], folder / "results")
    return list(build_report(folder / "results", compiled.plan).report.rows)


def scored(answers: list[tuple[int, int, int]]) -> np.ndarray:
    """Items as they are keyed, a row a person."""
    keyed = np.array(answers, dtype=float)
    keyed[:, 1] = 5 - keyed[:, 1]
    return keyed


def test_columns_are_called_by_their_first_label(summary: str) -> None:
    assert 'note: this mapping reads nothing of 1 column: "StartDate"' in summary
    assert '1 row left out (10): column 2 ("Finished") does not fit "True" ("False")' in summary
    assert "3 rows left out (1-3): labels" in summary


@pytest.mark.usefixtures("summary")
def test_groups_stand_as_they_are_declared(tmp_path: Path) -> None:
    found = report_rows(tmp_path)
    ages = [row.groups["age"] for row in found if row.group_kind == "age"]
    assert ages == ["under 40", "40 to 59", "60 and more"]
    conditions = [row.groups["condition"] for row in found if row.kind == "reliability"]
    assert list(dict.fromkeys(conditions)) == ["second_look", "before"]


@pytest.mark.usefixtures("summary")
def test_numbers_are_those_of_scipy_and_a_blank_is_no_refusal(tmp_path: Path) -> None:
    found = report_rows(tmp_path)
    before, after = scored(BEFORE[:5]).mean(axis=1), scored(AFTER[:5]).mean(axis=1)  # type: ignore[arg-type]
    overall = next(row for row in found if row.group_kind == "overall")
    t = stats.ttest_rel(before, after)
    assert (overall.a_n, overall.left_out) == (5, {"nothing answered": 1})
    assert overall.estimate == pytest.approx((before - after).mean())
    assert (overall.statistic, overall.p) == (pytest.approx(t.statistic), pytest.approx(t.pvalue))
    first, formula = (
        next(row for row in found if row.subscale == name and row.groups == {"condition": "before"})
        for name in ("rest", "high")
    )
    items = scored(BEFORE)
    alpha = 3 / 2 * (1 - items.var(axis=0, ddof=1).sum() / items.sum(axis=1).var(ddof=1))
    assert (first.a_n, first.estimate) == (6, pytest.approx(alpha))
    assert formula.note == "no coefficient: its score is no sum of items"
    assert (formula.n_missing, formula.left_out) == (0, {"no sum of items": 6})
