"""Correlation, agreement and reliability on small warehouses and on EmotionBench's people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from schemas.plan import (
    Association,
    Cells,
    Coefficient,
    Expectation,
    Expected,
    ExpectedCell,
    Plan,
    Predicate,
    Stimulus,
)
from schemas.report import ReportRow
from tests.warehouse import emotionbench_fixture
from tests.warehouse.builder import Seen, contrast, plan, store
from tests.warehouse.test_contrasts import FIRST
from tests.warehouse.test_levels import TEXTS
from warehouse.errors import WarehouseError
from warehouse.register import register_plan
from warehouse.report import build_report, render

TWO: tuple[Coefficient, ...] = ("pearson", "spearman", "accuracy", "macro_f1", "cohens_kappa")
RATERS: tuple[Coefficient, ...] = (
    "pairwise_pearson",
    "pairwise_spearman",
    "krippendorff_interval",
    "cohens_kappa",
    "ceiling",
)


def association(kind: str, sides: tuple[Cells, ...], **details: object) -> Association:
    settings: dict[str, object] = {
        "name": "assoc",
        "by": ((),),
        "coefficients": ("pearson",),
        "alpha": 0.05,
        "unit": "stimulus",
        "outcomes": FIRST,
        **details,
    }
    return Association(kind=kind, sides=sides, **settings)  # type: ignore[arg-type]


def rows(results: Path, the_plan: Plan, *declared: Association, **panels: list[Seen]) -> list[ReportRow]:
    the_plan = msgspec.structs.replace(the_plan, associations=declared)
    register_plan(results, the_plan)
    for panel, seen in panels.items():
        store(results, the_plan.study, panel, seen, kind="human" if panel == "crowd" else "model")
    return [row for row in build_report(results, the_plan).report.rows if row.contrast == "assoc"]


MANY = tuple(
    Stimulus(f"s{i}", i, {"arousal": f"{i * i}", "half": "first" if i < 4 else "second"}) for i in range(8)
)


def rated(values: Sequence[float | None], subject: str = "m") -> list[Seen]:
    return [
        Seen(
            "evoked",
            [value, 1.0],
            stimulus=f"s{i}",
            subject=subject,
            status="refused" if value is None else "complete",
        )
        for i, value in enumerate(values)
    ]


M = [1.0, 2.0, 2.0, 4.0, 5.0, 3.0, 4.0, None]
C = [2.0, 1.0, 3.0, 5.0, 4.0, 3.0, 5.0, 1.0]


def test_two_panels_stimulus_by_stimulus(tmp_path: Path) -> None:
    declared = association("correlation", (Cells(panel="m"), Cells(panel="crowd")), coefficients=TWO[:2])
    pearson, spearman = rows(tmp_path, plan(shown=MANY), declared, m=rated(M), crowd=rated(C))
    theirs = stats.pearsonr(M[:7], C[:7])
    assert (pearson.estimate, pearson.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert (pearson.ci_low, pearson.ci_high) == pytest.approx(tuple(theirs.confidence_interval()))
    assert spearman.estimate == pytest.approx(stats.spearmanr(M[:7], C[:7]).statistic)
    assert (pearson.panel, pearson.a_label, pearson.b_label, pearson.unit) == ("m", "m", "crowd", "stimulus")
    assert (pearson.expected, pearson.found, pearson.left_out, pearson.n_missing) == (8, 7, {"refused": 1}, 1)
    assert (pearson.stimuli, pearson.stimuli_answered) == (8, 8)


def test_each_panel_in_turn_with_people(tmp_path: Path) -> None:
    declared = association("correlation", (Cells(), Cells(panel="crowd")), by=((), ("half",)))
    found = rows(tmp_path, plan(shown=MANY), declared, m=rated(M), n=rated(C), crowd=rated(C))
    assert [(row.panel, row.groups, row.a_n) for row in found] == [
        ("m", {}, 7),
        ("m", {"half": "first"}, 4),
        ("m", {"half": "second"}, 3),
        ("n", {}, 8),
        ("n", {"half": "first"}, 4),
        ("n", {"half": "second"}, 4),
    ]
    assert [row.estimate for row in found[3:]] == pytest.approx([1.0] * 3)
    assert found[0].family == 1
    assert [row.stimuli_answered for row in found] == [7, 4, 3, 8, 4, 4]


def test_conditions_person_by_person(tmp_path: Path) -> None:
    values = {"a": (1.0, 2.0), "b": (2.0, 4.0), "c": (3.0, 3.0), "d": (5.0, None)}
    seen = [Seen("default", [before, 1.0], subject=subject) for subject, (before, _) in values.items()]
    seen += [Seen("evoked", [after, 1.0], ("joy", 0, 0), subject) for subject, (_, after) in values.items()]
    seen += [Seen("default", [4.0, 1.0], subject="e")]
    sides = (Cells(level="default"), Cells(level="evoked"))
    declared = association("correlation", sides, unit="respondent", by=((), ("emotion",)))
    overall, joy = rows(tmp_path, plan(), declared, crowd=seen)
    assert (overall.estimate, overall.a_n) == (pytest.approx(stats.pearsonr([1, 2, 3], [2, 4, 3]).statistic), 3)
    assert overall.left_out == {"missing answers": 1, "unpaired": 1}
    assert (joy.a_n, joy.left_out, joy.a_mean) == (3, {"missing answers": 1}, 2.0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_field_of_the_stimulus(tmp_path: Path, order: tuple[int, int]) -> None:
    sides = (Cells(panel="m"), Cells(field="arousal"))
    declared = association("correlation", tuple(sides[i] for i in order))
    (row,) = rows(tmp_path, plan(shown=MANY), declared, m=rated(M))
    theirs = stats.pearsonr(M[:7], [i * i for i in range(7)])
    assert row.estimate == pytest.approx(theirs.statistic)
    assert [row.a_label, row.b_label][order[1]] == "arousal"
    assert row.left_out == {"refused": 1}


def test_a_field_without_a_number_leaves_its_stimulus_out(tmp_path: Path) -> None:
    seen = [Seen("evoked", [2.0, 1.0], stimulus=stimulus.id) for stimulus in TEXTS]
    declared = association("correlation", (Cells(), Cells(field="arousal")))
    (row,) = rows(tmp_path, plan(shown=TEXTS), declared, m=seen)
    assert (row.a_n, row.left_out) == (2, {"no number in the field": 1})
    assert row.note == "no coefficient: 2 units"


@pytest.mark.parametrize(
    ("side", "message"),
    [
        (Cells(field="arousal"), "is of two fields of stimuli, and of no answers"),
        (Cells(contrast="shft"), "is of the contrast shft, which there is not"),
    ],
)
def test_sides_that_cannot_be_are_one_message(tmp_path: Path, side: Cells, message: str) -> None:
    declared = association("correlation", (side, Cells(field="arousal")))
    with pytest.raises(WarehouseError, match=message):
        rows(tmp_path, plan(contrast(), shown=MANY), declared, m=rated(M))


def test_classes_above_a_cut(tmp_path: Path) -> None:
    declared = association("agreement", (Cells(panel="m"), Cells(panel="crowd")), coefficients=TWO[2:], cut=2.5)
    accuracy, f1, kappa = rows(tmp_path, plan(shown=MANY), declared, m=rated(M), crowd=rated(C))
    a, b = [[int(v > 2.5) for v in side[:7] if v is not None] for side in (M, C)]
    assert accuracy.estimate == pytest.approx(6 / 7)
    assert f1.estimate == pytest.approx((2 * 4 / (4 + 5) + 2 * 2 / (3 + 2)) / 2)
    table = [[sum(x == i and y == j for x, y in zip(a, b, strict=True)) for j in (0, 1)] for i in (0, 1)]
    assert kappa.estimate == pytest.approx(cohens_kappa(np.array(table), return_results=False))


def test_respondents_with_one_another(tmp_path: Path) -> None:
    seen = [*rated(M, "a"), *rated(C, "b"), *rated([3.0, 3.0], "c")]
    declared = association("agreement", (Cells(),), coefficients=RATERS)
    found = rows(tmp_path, plan(shown=MANY), declared, crowd=seen)
    assert [row.test for row in found] == list(RATERS)
    assert {(row.a_n, row.b_n, row.expected, row.b_label) for row in found} == {(7, 3, 8, "")}
    assert found[0].left_out == {"a single respondent": 1}
    assert found[0].estimate == pytest.approx(stats.pearsonr(M[:7], C[:7]).statistic)
    assert found[0].note == "2 of 3 pairs of respondents have no coefficient"


def test_one_respondent_agrees_with_nobody(tmp_path: Path) -> None:
    declared = association("agreement", (Cells(),), coefficients=RATERS)
    found = rows(tmp_path, plan(shown=MANY), declared, m=rated(C))
    assert {(row.estimate, row.note) for row in found} == {(None, "no coefficient: a single respondent")}


def test_expectations_of_associations_find_coefficient_and_group(tmp_path: Path) -> None:
    declared = association(
        "correlation", (Cells(panel="m"), Cells(panel="crowd")), coefficients=TWO[:2], by=((), ("half",))
    )
    value = float(stats.pearsonr(M[:4], C[:4]).statistic)
    cells = (
        ExpectedCell({"test": "pearson", "half": "first"}, (Expected("estimate", round(value, 2), 0.005),)),
        ExpectedCell({"test": "spearman"}, (Expected("estimate", 9.0, 0.1),)),
    )
    the_plan = plan(shown=MANY, expectations=(Expectation("assoc", "Table 3", cells),))
    the_plan = msgspec.structs.replace(the_plan, associations=(declared,))
    register_plan(tmp_path, the_plan)
    store(tmp_path, the_plan.study, "m", rated(M))
    store(tmp_path, the_plan.study, "crowd", rated(C), kind="human")
    study = build_report(tmp_path, the_plan)
    first, second = study.report.expectations.cells
    assert (first.agrees, second.agrees) == (True, False)
    assert second.observed == {"estimate": pytest.approx(stats.spearmanr(M[:7], C[:7]).statistic)}
    text = render(study, "text")
    assert "1 of 2 published cells agree" in text


# --- contrasts as sides ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alignment(tmp_path_factory: pytest.TempPathFactory) -> list[ReportRow]:
    """Each model's shifts with people's, factor by factor, over EmotionBench's recorded answers."""
    results = tmp_path_factory.mktemp("alignment")
    the_plan = emotionbench_fixture.load(results)
    sides = {
        "one": (Cells(contrast="shift", panel="gpt-4"), Cells(contrast="people")),
        "all": (Cells(contrast="shift"), Cells(contrast="people")),
    }
    declared = tuple(
        association("correlation", pair, name=name, unit="factor", outcomes=(), coefficients=TWO[:2])
        for name, pair in sides.items()
    )
    study = build_report(results, msgspec.structs.replace(the_plan, associations=declared))
    return list(study.report.rows)


def test_estimates_of_contrasts_are_correlated_factor_by_factor(alignment: list[ReportRow]) -> None:
    shift, people = (
        {
            (row.subscale, row.emotion, row.factor): row.estimate
            for row in alignment
            if row.contrast == name and row.panel == panel and row.group_kind == "factor"
        }
        for name, panel in (("shift", "gpt-4"), ("people", "crowd"))
    )
    found = {(row.subscale, row.test): row for row in alignment if row.contrast == "one"}
    assert len(found) == 4
    for subscale in ("positive", "negative"):
        keys = [key for key in shift if key[0] == subscale and key in people]
        theirs = stats.pearsonr([shift[key] for key in keys], [people[key] for key in keys])
        row = found[subscale, "pearson"]
        assert (row.estimate, row.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert (row.panel, row.a_n, row.unit) == ("gpt-4", 36, "factor")
        assert (row.a_label, row.b_label) == ("shift in gpt-4", "people")


def test_a_contrast_of_one_panel_stands_beside_each_model(alignment: list[ReportRow]) -> None:
    found = [row for row in alignment if row.contrast == "all" and row.test == "pearson"]
    assert {row.panel for row in found} == set(emotionbench_fixture.MODELS)
    one = {row.subscale: row.estimate for row in alignment if row.contrast == "one" and row.test == "pearson"}
    assert {row.subscale: row.estimate for row in found if row.panel == "gpt-4"} == one


def test_estimates_of_a_contrast_with_a_field(tmp_path: Path) -> None:
    sides = (Cells(contrast="shift"), Cells(field="arousal"))
    declared = association("correlation", sides, by=((), ("half",)))
    seen = [*rated(C), Seen("default", [1.0, 1.0])]
    overall, first, second = rows(tmp_path, plan(contrast(), shown=MANY), declared, m=seen)
    squares = [i * i for i in range(8)]
    assert overall.estimate == pytest.approx(stats.pearsonr(C, squares).statistic)
    assert first.estimate == pytest.approx(stats.pearsonr(C[:4], squares[:4]).statistic)
    assert (second.a_n, second.groups) == (4, {"half": "second"})


def test_where_is_also_of_a_contrast_s_answers(tmp_path: Path) -> None:
    sides = (Cells(contrast="shift"), Cells(field="arousal"))
    declared = association("correlation", sides, where=(Predicate("half", ("first",)),))
    (row,) = rows(tmp_path, plan(contrast(), shown=MANY), declared, m=[*rated(C), Seen("default", [1.0, 1.0])])
    assert row.a_n == 4
    assert row.estimate == pytest.approx(stats.pearsonr(C[:4], [0, 1, 4, 9]).statistic)


PLACED = tuple(
    Stimulus(f"{emotion}.{index}.{number}", number, {"weight": f"{weight}", "half": half}, **place)
    for emotion, index, number, weight, half in (
        ("joy", 0, 0, 1, "first"),
        ("joy", 0, 1, 5, "first"),
        ("joy", 0, 2, 90, "second"),
        ("joy", 1, 0, 2, "first"),
        ("anger", 0, 0, 9, "first"),
    )
    for place in ({"emotion": emotion, "factor": f"{emotion}_{index}", "factor_index": index},)
)


@pytest.mark.parametrize("side", [Cells(contrast="shift"), Cells(panel="m", level="evoked")])
def test_each_stimulus_of_a_factor_counts_once_in_the_mean_of_a_field(tmp_path: Path, side: Cells) -> None:
    asked = [(("joy", 0, 0), 2.0)] * 3 + [(("joy", 0, 1), 4.0), (("joy", 0, 2), 5.0)]
    asked += [(("joy", 1, 0), 3.0), (("anger", 0, 0), 5.0)]
    seen = [Seen("evoked", [value, 1.0], place) for place, value in asked] + [Seen("default", [1.0, 1.0])]
    sides = (side, Cells(field="weight"))
    where = (Predicate("half", ("first",)),)
    declared = association("correlation", sides, unit="factor", where=where)
    (row,) = rows(tmp_path, plan(contrast(by=(("factor",),)), shown=PLACED), declared, m=seen)
    assert row.estimate == pytest.approx(stats.pearsonr([2.5, 3.0, 5.0], [3.0, 2.0, 9.0]).statistic)
