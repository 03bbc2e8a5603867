"""The statistics against EmotionBench's recorded answers and the paper's printed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.report import ReportRow
from tests.warehouse import emotionbench_fixture
from warehouse.report import StudyReport, build_report, render


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyReport:
    results: Path = tmp_path_factory.mktemp("emotionbench")
    return build_report(results, emotionbench_fixture.load(results))


def overall(study: StudyReport, panel: str, subscale: str) -> ReportRow:
    (row,) = (
        row
        for row in study.report.rows
        if row.panel == panel and row.subscale == subscale and row.group_kind == "overall"
    )
    return row


@pytest.mark.parametrize(
    ("subscale", "mean", "sd", "estimate"), [("positive", 49.8, 0.8, -27.6), ("negative", 10.0, 0.0, 22.2)]
)
def test_gpt_4(study: StudyReport, subscale: str, mean: float, sd: float, estimate: float) -> None:
    row = overall(study, "gpt-4", subscale)
    assert row.b_mean is not None
    assert row.b_sd is not None
    assert row.estimate is not None
    assert (round(row.b_mean, 1), round(row.b_sd, 1), round(row.estimate, 1)) == (mean, sd, estimate)
    assert (row.a_n, row.b_n, row.test, row.paired) == (1750, 50, "f_then_t: welch", False)


@pytest.mark.parametrize(
    ("subscale", "mean", "sd", "estimate", "t"),
    [("positive", 28.0, 8.9, -5.1, -20.67), ("negative", 13.6, 5.5, 10.4, 38.62)],
)
def test_people(study: StudyReport, subscale: str, mean: float, sd: float, estimate: float, t: float) -> None:
    row = overall(study, "crowd", subscale)
    assert row.b_mean is not None
    assert row.b_sd is not None
    assert row.estimate is not None
    assert row.statistic is not None
    assert (round(row.b_mean, 1), round(row.b_sd, 1), round(row.estimate, 1)) == (mean, sd, estimate)
    assert (round(row.statistic, 2), row.df, row.a_n, row.paired) == (t, 1265.0, 1266, True)


@pytest.mark.parametrize(("contrast", "agree", "printed"), [("shift", 609, 630), ("people", 53, 90)])
def test_published_cells(study: StudyReport, contrast: str, agree: int, printed: int) -> None:
    cells = [cell for cell in study.report.expectations.cells if cell.contrast == contrast]
    assert (sum(cell.agrees for cell in cells), len(cells)) == (agree, printed)


def test_every_row_has_its_numbers(study: StudyReport) -> None:
    assert len(study.report.rows) == 8 * 2 * (1 + 8 + 36)
    assert all(row.p is not None and row.note is None for row in study.report.rows)


def test_responses_without_values_are_counted_not_scored(study: StudyReport) -> None:
    row = overall(study, "llama3.1-8b", "positive")
    assert (row.a_n, row.n_missing, row.coverage) == (1690, 60, 1740 / 1800)
    assert (row.expected, row.found, row.left_out) == (1800, 1740, {"nothing answered": 60})
    assert (row.stimuli, row.stimuli_answered) == (428, 169)
    (panel,) = (panel for panel in study.panels if panel.run.panel == "llama3.1-8b")
    assert panel.statuses == {"complete": 1740, "unparseable": 60}
    assert panel.missing == 120


def test_the_text_fits_and_names_factors_by_title(study: StudyReport) -> None:
    text = render(study, "text")
    assert max(map(len, text.splitlines())) <= 110
    assert "  Facing Self-Opinioned People" in text
    assert "609 of 630" in text
    assert (
        "llama3.1-8b (recorded, finished): 1,800 of 1,800 trials answered; complete 1,740, unparseable 60"
        in (text)
    )
