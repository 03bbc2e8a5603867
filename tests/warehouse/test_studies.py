"""The analyses against other studies' recorded ratings and their printed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.report import ReportRow
from tests.warehouse import studies_fixture
from warehouse.report import StudyReport, build_report, render


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> StudyReport:
    results: Path = tmp_path_factory.mktemp("replies")
    return build_report(results, studies_fixture.load_replies(results))


@pytest.fixture(scope="module")
def similarity(tmp_path_factory: pytest.TempPathFactory) -> StudyReport:
    results: Path = tmp_path_factory.mktemp("similarity")
    return build_report(results, studies_fixture.load_similarity(results))


@pytest.fixture(scope="module")
def annotators(tmp_path_factory: pytest.TempPathFactory) -> StudyReport:
    results: Path = tmp_path_factory.mktemp("annotators")
    return build_report(results, studies_fixture.load_annotators(results))


def of(study: StudyReport, contrast: str, **group: str) -> list[ReportRow]:
    return [row for row in study.report.rows if row.contrast == contrast and row.groups == group]


def test_good_replies_overall(replies: StudyReport) -> None:
    (row,) = of(replies, "good")
    assert (row.kind, row.unit, row.direction, row.a_n, row.b_n, row.df) == (
        "rate",
        "rate",
        "up",
        2000,
        2000,
        1,
    )
    assert (row.a_mean, row.b_mean, row.estimate) == pytest.approx((0.6475, 0.493, 0.1545))
    assert row.statistic == pytest.approx(96.774, abs=5e-4)
    assert row.effect_size == pytest.approx(1295 / 986 - 1)
    assert round(100 * row.effect_size, 1) == 31.3
    assert row.ci_low is not None
    assert row.ci_high is not None
    assert row.ci_low < 0.1545 < row.ci_high
    assert (row.expected, row.found, row.left_out, row.stimuli, row.stimuli_answered) == (
        4000,
        4000,
        {},
        2000,
        2000,
    )


@pytest.mark.parametrize(
    ("valence", "people", "model", "n", "statistic"),
    [("positive", 454, 619, 881, 64.102), ("negative", 532, 676, 1119, 36.781)],
)
def test_by_valence(
    replies: StudyReport, valence: str, people: int, model: int, n: int, statistic: float
) -> None:
    (row,) = of(replies, "good", valence=valence)
    assert (row.a_n, row.b_n, row.stimuli, row.family) == (n, n, n, 2)
    assert (row.a_mean, row.b_mean) == pytest.approx((model / n, people / n))
    assert row.statistic == pytest.approx(statistic, abs=5e-4)


@pytest.mark.parametrize(
    ("tone", "n", "people", "model", "statistic"),
    [
        ("impressed", 67, 34, 53, 10.618),
        ("surprised", 63, 24, 43, 10.327),
        ("grateful", 62, 26, 43, 8.365),
        ("proud", 63, 32, 48, 7.704),
        ("apprehensive", 63, 25, 51, 20.724),
        ("anxious", 63, 24, 42, 9.195),
    ],
)
def test_by_emotion(replies: StudyReport, tone: str, n: int, people: int, model: int, statistic: float) -> None:
    (row,) = of(replies, "good", tone=tone)
    assert (row.a_n, row.b_n, row.family) == (n, n, 32)
    assert (row.a_mean, row.b_mean) == pytest.approx((model / n, people / n))
    assert row.statistic == pytest.approx(statistic, abs=5e-4)


def test_all_arms_at_once(replies: StudyReport) -> None:
    (row,) = of(replies, "arms")
    assert round(row.statistic or 0, 1) == 154.6
    assert (row.df, row.estimate, row.direction, row.a_n, row.b_n) == (2, None, "none", 6000, 0)
    assert (row.a_label, row.b_label) == ("human, chatgpt, chatgpt_empathy", "")
    assert row.means == pytest.approx({"human": 2.322, "chatgpt": 2.556, "chatgpt_empathy": 2.5765})
    (table,) = of(replies, "table")
    assert (table.df, table.effect) == (4, "cramers_v")
    assert table.effect_size == pytest.approx((table.statistic / 6000 / 2) ** 0.5 if table.statistic else None)


def test_raters_count_once_and_openings_are_pairs(replies: StudyReport) -> None:
    (clustered,) = of(replies, "clustered")
    assert (clustered.a_n, clustered.b_n, clustered.expected) == (200, 200, 400)
    (pairs,) = of(replies, "openings")
    assert (pairs.a_n, pairs.df, pairs.paired, pairs.expected) == (2000, 1999, True, 2000)
    assert pairs.estimate == pytest.approx(2.5765 - 2.322)


@pytest.mark.parametrize(("arm", "alpha"), [("human", 0.890), ("chatgpt", 0.895), ("chatgpt_empathy", 0.870)])
def test_the_raters_scale_is_reliable(replies: StudyReport, arm: str, alpha: float) -> None:
    (row,) = of(replies, "reliable", arm=arm)
    assert (row.kind, row.test, row.a_n, row.b_n, row.stimuli) == (
        "reliability",
        "cronbach_alpha",
        200,
        16,
        None,
    )
    assert row.estimate == pytest.approx(alpha, abs=5e-4)
    assert row.ci_low is not None
    assert row.ci_high is not None
    assert row.ci_low < alpha < row.ci_high


@pytest.mark.parametrize(
    ("kind", "sbert", "bart"),
    [
        ("empathy", 0.346, 0.333),
        ("event", 0.439, 0.417),
        ("emotion", 0.381, 0.332),
        ("moral", 0.365, 0.381),
    ],
)
def test_programs_against_people(similarity: StudyReport, kind: str, sbert: float, bart: float) -> None:
    for program, printed in (("sbert", sbert), ("bart", bart)):
        found = {row.test: row for row in of(similarity, program) if row.subscale == kind}
        row = found["pearson"]
        assert row.estimate == pytest.approx(printed, abs=5e-4)
        assert (row.panel, row.a_label, row.b_label) == ("people", "rated in people", program)
        assert (row.a_n, row.df, row.direction, row.paired) == (400, 398, "up", True)
        assert list(found) == ["pearson", "spearman"]


def test_binned_similarity(similarity: StudyReport) -> None:
    data = studies_fixture.rows("story_similarity/test_set_scores.csv")
    both = [(float(row["similarity_event_human_AGG"]) > 2.5, float(row["SBERT"]) > 2.5) for row in data]
    scores = []
    for upper in (True, False):
        hits = sum(a == b == upper for a, b in both)
        scores.append(2 * hits / sum((a == upper) + (b == upper) for a, b in both))
    found = {row.test: row.estimate for row in of(similarity, "binned") if row.subscale == "event"}
    assert found["accuracy"] == pytest.approx(sum(a == b for a, b in both) / len(both))
    assert found["macro_f1"] == pytest.approx(sum(scores) / 2)


@pytest.mark.parametrize(
    ("aspect", "printed"),
    [
        ("event", (0.308, 0.307, 0.214, 0.109)),
        ("emotion", (0.381, 0.362, 0.316, 0.119)),
        ("empathy", (0.422, 0.392, 0.392, 0.145)),
    ],
)
def test_four_annotators(annotators: StudyReport, aspect: str, printed: tuple[float, ...]) -> None:
    found = [row for row in of(annotators, "agree") if row.subscale == aspect]
    assert [row.test for row in found] == list(studies_fixture.OF_ANNOTATORS)
    assert [row.estimate for row in found[:4]] == pytest.approx(list(printed), abs=5e-4)
    assert {(row.kind, row.a_n, row.b_n, row.unit) for row in found} == {("agreement", 291, 4, "stimulus")}


@pytest.mark.parametrize(("aspect", "kappa"), [("event", 0.133), ("emotion", 0.169), ("empathy", 0.190)])
def test_kappa_of_half_steps_rounded_up(annotators: StudyReport, aspect: str, kappa: float) -> None:
    (row,) = (
        row for row in of(annotators, "agree") if row.subscale == f"{aspect}_up" and row.test == "cohens_kappa"
    )
    assert row.estimate == pytest.approx(kappa, abs=5e-4)


def test_a_reader_sees_rates_statistics_and_coefficients(
    replies: StudyReport, similarity: StudyReport, annotators: StudyReport
) -> None:
    shown = {
        name: render(study, "text") for name, study in (("r", replies), ("s", similarity), ("a", annotators))
    }
    assert all(len(line) <= 110 for text in shown.values() for line in text.splitlines())
    lines = [" ".join(line.split()) for text in shown.values() for line in text.splitlines()]
    for line in (
        "Overall ↑ +15.4 pp +31.3 % 96.77 <.001 2000",
        "chatgpt_empathy 64.8 % 2000",
        "Overall 2.48 154.61 <.001 6000",
        "chatgpt 2.56",
        "arm human 0.890 200 16",
        "Overall ↑ 0.439 <.001 ↑ 0.434 <.001 400",
        "Overall 0.308 0.307 0.214 0.109 0.416 291 4",
    ):
        assert line in lines, line
    assert "| Overall | 0.308 | 0.307 | 0.214 | 0.109 | 0.416 | 291 | 4 |" in render(annotators, "markdown")
