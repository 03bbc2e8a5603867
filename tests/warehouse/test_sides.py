"""Contrasts between panels and against norms, on small warehouses."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import msgspec
import pytest
from scipy import stats

from schemas.plan import (
    Call,
    Cells,
    Item,
    ItemValue,
    Norm,
    Option,
    Outcome,
    Plan,
    Predicate,
    Scale,
    Subscale,
)
from schemas.report import ReportRow
from tests.warehouse import studies_fixture
from tests.warehouse.builder import Seen, contrast, pair_scale, plan, store
from tests.warehouse.test_contrasts import ANGER, FIRST, JOY_0, JOY_1
from warehouse.register import register_plan
from warehouse.report import build_report, render

EVOKED, DEFAULT = Cells(level="evoked"), Cells(level="default")


def rows(
    results: Path, the_plan: Plan, covariates: dict[str, dict[str, str]] | None = None, **panels: list[Seen]
) -> list[ReportRow]:
    register_plan(results, the_plan)
    for panel, seen in panels.items():
        kind = "human" if panel == "crowd" else "model"
        store(results, the_plan.study, panel, seen, kind=kind, covariates=covariates)  # type: ignore[arg-type]
    return list(build_report(results, the_plan).report.rows)


def people(values: dict[str, tuple[float, float]]) -> list[Seen]:
    return [
        seen
        for subject, (default, evoked) in values.items()
        for seen in (
            Seen("default", [default, 1.0], subject=subject),
            Seen("evoked", [evoked, 1.0], ("joy", 0, 0), subject),
        )
    ]


CROWD = people({"a": (1.0, 3.0), "b": (2.0, 2.0), "c": (2.0, 5.0)})


def test_panels_stand_against_one_another(tmp_path: Path) -> None:
    sides = (Cells(level="evoked", panel="m"), Cells(level="evoked", panel="crowd"))
    the_plan = plan(contrast(sides=sides, outcomes=FIRST, by=((), ("emotion",))), panels=("m", "crowd"))
    overall, joy, anger = rows(tmp_path, the_plan, m=[*JOY_0, *ANGER], crowd=CROWD)
    assert (overall.panel, overall.a_label, overall.b_label) == ("m", "evoked in m", "evoked in crowd")
    assert (overall.kind, overall.a_n, overall.b_n) == ("difference", 6, 3)
    theirs = stats.ttest_ind([3, 4, 4], [3, 2, 5], equal_var=False)
    assert (joy.statistic, joy.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert (anger.a_n, anger.b_n, anger.note) == (3, 0, "no test: no score on side b")


def test_each_panel_in_turn_stands_against_one(tmp_path: Path) -> None:
    sides = (EVOKED, Cells(level="evoked", panel="crowd"))
    where = (Predicate("kind", ("model",)),)
    versus = contrast(sides=sides, outcomes=FIRST)
    only_models = msgspec.structs.replace(versus, name="models", where=where)
    the_plan = plan(versus, only_models, panels=("m", "n", "crowd"))
    found = rows(tmp_path, the_plan, m=JOY_0, n=JOY_1, crowd=CROWD)
    assert [(row.contrast, row.panel, row.a_n, row.b_n) for row in found] == [
        ("shift", "m", 3, 3),
        ("shift", "n", 2, 3),
        ("models", "m", 3, 3),
        ("models", "n", 2, 3),
    ]


def test_a_panel_is_never_held_against_itself(tmp_path: Path) -> None:
    sides = (Cells(), Cells(panel="crowd"))
    found = rows(tmp_path, plan(contrast(sides=sides, outcomes=FIRST)), m=JOY_0, crowd=CROWD)
    assert [(row.panel, row.a_label, row.b_label) for row in found] == [("m", "all answers", "crowd")]


def told(results: Path, the_plan: Plan) -> str:
    return " ".join(render(build_report(results, the_plan), "text").split())


def test_people_who_count_more_than_once_are_told(tmp_path: Path) -> None:
    versus = contrast(sides=(Cells(panel="crowd"), Cells(panel="m")), outcomes=FIRST)
    evoked = msgspec.structs.replace(versus, name="evoked", where=(Predicate("condition", ("evoked",)),))
    each = msgspec.structs.replace(versus, name="each", unit="respondent")
    the_plan = plan(versus, evoked, each, panels=("m", "crowd"))
    found = rows(tmp_path, the_plan, m=JOY_0, crowd=CROWD)
    assert [(row.a_n, row.respondents) for row in found] == [(6, {"crowd": 3}), (3, {}), (3, {})]
    sentence = "The answers of crowd are of 3 people who count more than once; `per respondent` takes the mean"
    assert told(tmp_path, the_plan).count(f"{sentence} of each.") == 1


def test_people_who_repeat_count_more_than_once(tmp_path: Path) -> None:
    again = [Seen("evoked", [2.0, 1.0], ("joy", 0, 0), "a", repeat=1), *CROWD]
    other = Seen("evoked", [2.0, 1.0], ("joy", 1, 0), "a")
    declared = contrast(sides=(EVOKED, Cells(level="evoked", panel="m")), outcomes=FIRST)
    for number, (crowd, people_told) in enumerate((([other, *CROWD], {}), (again, {"evoked": 3}))):
        (row,) = rows(tmp_path / str(number), plan(declared), m=JOY_0, crowd=crowd)
        assert (row.panel, row.a_n, row.respondents) == ("crowd", 4, people_told)


def test_units_that_lack_some_conditions_are_told(tmp_path: Path) -> None:
    each = contrast(sides=(Cells(panel="crowd"), Cells(panel="m")), outcomes=FIRST, unit="respondent")
    the_plan = plan(each, panels=("m", "crowd"))
    fewer = [seen for seen in CROWD if (seen.subject, seen.condition) != ("b", "default")]
    (row,) = rows(tmp_path, the_plan, m=JOY_0, crowd=fewer)
    assert (row.a_n, row.partial, row.coverage) == (3, 1, 1.0)
    assert "1 of 4 respondents have answers in some conditions only." in told(tmp_path, the_plan)
    between = msgspec.structs.replace(
        the_plan, study=msgspec.structs.replace(the_plan.study, between=("condition",))
    )
    register_plan(tmp_path, between)
    assert [one.partial for one in build_report(tmp_path, between).report.rows] == [0]


def test_a_panel_that_nobody_answered_leaves_a_note(tmp_path: Path) -> None:
    sides = (EVOKED, Cells(level="evoked", panel="crowd"))
    (row,) = rows(tmp_path, plan(contrast(sides=sides, outcomes=FIRST)), m=JOY_0)
    assert (row.a_n, row.b_n, row.note) == (3, 0, "no test: no score on side b")


def test_panels_are_paired_by_stimulus(tmp_path: Path) -> None:
    sides = (EVOKED, Cells(level="evoked", panel="crowd"))
    paired = contrast(sides=sides, outcomes=FIRST, paired_by="stimulus", test="paired_t", by=((), ("emotion",)))
    crowd = [*CROWD, Seen("evoked", [2.0, 1.0], ("joy", 1, 0), "a")]
    overall, joy, anger = rows(tmp_path, plan(paired), m=[*JOY_0, *JOY_1, *ANGER], crowd=crowd)
    assert (overall.a_n, overall.expected, overall.left_out) == (2, 3, {"unpaired": 1})
    assert (joy.a_mean, joy.b_mean) == pytest.approx(((11 / 3 + 3.5) / 2, (10 / 3 + 2) / 2))
    assert (anger.found, anger.stimuli, anger.stimuli_answered) == (0, 1, 1)


def normed(*norms: Norm) -> Scale:
    return msgspec.structs.replace(pair_scale(), norms=norms)


def test_a_norm_is_a_sample_without_answers(tmp_path: Path) -> None:
    scale = normed(Norm("first", "students", 2.5, 1.2, 40))
    sides = (DEFAULT, Cells(norm="students"))
    the_plan = plan(contrast(sides=sides, by=((), ("sex",))), scale=scale)
    covariates = {"a": {"sex": "f"}, "b": {"sex": "m"}, "c": {"sex": "f"}}
    overall, women, men = rows(tmp_path, the_plan, covariates, crowd=CROWD)
    theirs = stats.ttest_ind_from_stats(5 / 3, statistics.stdev([1, 2, 2]), 3, 2.5, 1.2, 40, equal_var=False)
    assert (overall.statistic, overall.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert (overall.b_label, overall.b_n, overall.b_mean, overall.b_sd) == ("students", 40, 2.5, 1.2)
    assert (overall.expected, overall.found, overall.subscale) == (3, 3, "first")
    assert [(row.groups, row.a_n, row.b_n) for row in (women, men)] == [
        ({"sex": "f"}, 2, 40),
        ({"sex": "m"}, 1, 40),
    ]


def test_a_norm_that_nobody_published_and_a_test_that_needs_answers(tmp_path: Path) -> None:
    scale = normed(Norm("first", "students", 2.5, 1.2, 40))
    sides = (DEFAULT, Cells(norm="students"))
    unknown = contrast(sides=sides, outcomes=(Outcome("PAIR", "total"),))
    counted = contrast(name="counted", sides=sides, outcomes=FIRST, test="kruskal")
    first, second = rows(tmp_path, plan(unknown, counted, scale=scale), crowd=CROWD)
    assert first.note == "no test: no score on side b"
    assert second.note == "no test: a norm has no single answers"


@pytest.mark.parametrize("questionnaire", ["BFI", "DTDD"])
def test_published_norms(tmp_path: Path, questionnaire: str) -> None:
    path = studies_fixture.DATA / "psychobench" / "questionnaires.json"
    if not path.is_file():
        pytest.skip("the studies' files do not stand beside the repository (../shared/studies)")
    found = {q["name"]: q for q in json.loads(path.read_text(encoding="utf-8"))}[questionnaire]
    high = int(found["scale"]) - 1
    items = sorted(map(int, found["questions"]))
    scale = Scale(
        questionnaire,
        questionnaire,
        tuple(map(Option, range(1, high + 1))),
        tuple(Item(i, str(i), str(i), reverse=i in found["reverse"]) for i in items),
        tuple(
            Subscale(c["cat_name"], c["cat_name"], Call("mean", tuple(map(ItemValue, c["cat_questions"]))))
            for c in found["categories"]
        ),
        norms=tuple(
            Norm(c["cat_name"], crowd["crowd_name"], crowd["mean"], crowd["std"], crowd["n"])
            for c in found["categories"]
            for crowd in c["crowd"]
        ),
    )
    sides = (DEFAULT, Cells(norm="Crowd"))
    seen = [Seen("default", [float(1 + (k + i) % high) for i in items], repeat=k) for k in range(10)]
    report_rows = rows(tmp_path, plan(contrast(sides=sides, test="f_then_t"), scale=scale), m=seen)
    assert len(report_rows) == len(found["categories"])
    for row, category in zip(report_rows, found["categories"], strict=True):
        (crowd,) = category["crowd"]
        assert (row.subscale, row.b_n, row.b_mean, row.b_sd) == (
            category["cat_name"],
            crowd["n"],
            crowd["mean"],
            crowd["std"],
        )
        theirs = stats.ttest_ind_from_stats(
            row.a_mean, row.a_sd, 10, row.b_mean, row.b_sd, row.b_n, equal_var=row.test.endswith("student")
        )
        assert (row.statistic, row.p) == pytest.approx((theirs.statistic, theirs.pvalue))
