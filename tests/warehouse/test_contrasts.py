"""Contrasts and expectations on small warehouses whose numbers are known."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from scipy import stats

from schemas.plan import (
    Cells,
    Condition,
    Expectation,
    Expected,
    ExpectedCell,
    Hole,
    Outcome,
    Plan,
    Predicate,
    Protocol,
    Responses,
    Text,
)
from schemas.report import ReportRow
from tests.warehouse.builder import Seen, contrast, plan, store
from warehouse.errors import WarehouseError
from warehouse.register import register_plan
from warehouse.report import StudyReport, build_report, render

FIRST = (Outcome("PAIR", "first"),)
BASE = [Seen("default", [value, 5.0]) for value in (1.0, 2.0, 2.0)]
JOY_0 = [Seen("evoked", [value, 1.0], ("joy", 0, 0)) for value in (3.0, 4.0, 4.0)]
JOY_1 = [Seen("evoked", [value, 1.0], ("joy", 1, 0)) for value in (2.0, 5.0)]
ANGER = [Seen("evoked", [value, 1.0], ("anger", 0, 0)) for value in (1.0, 2.0, 3.0)]


def report(results: Path, the_plan: Plan, seen: Sequence[Seen], **details: object) -> StudyReport:
    register_plan(results, the_plan)
    store(results, the_plan.study, "m", seen, **details)  # type: ignore[arg-type]
    return build_report(results, the_plan)


def rows(results: Path, the_plan: Plan, seen: Sequence[Seen], **details: object) -> list[ReportRow]:
    return list(report(results, the_plan, seen, **details).report.rows)


def test_groups_come_in_declared_order_against_everybody_s_baseline(tmp_path: Path) -> None:
    the_plan = plan(contrast(outcomes=FIRST, by=((), ("emotion",), ("factor",))))
    found = rows(tmp_path, the_plan, [*ANGER, *JOY_1, *JOY_0, *BASE])
    groups = [(row.group_kind, row.emotion, row.factor_index, row.factor, row.a_n, row.b_n) for row in found]
    assert groups == [
        ("overall", None, None, None, 8, 3),
        ("emotion", "joy", None, None, 5, 3),
        ("emotion", "anger", None, None, 3, 3),
        ("factor", "joy", 0, "joy_0", 3, 3),
        ("factor", "joy", 1, "joy_1", 2, 3),
        ("factor", "anger", 0, "anger_0", 3, 3),
    ]
    row = found[3]
    theirs = stats.ttest_ind([3, 4, 4], [1, 2, 2], equal_var=False)
    assert (row.statistic, row.p, row.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.df))
    assert (row.a_mean, row.b_sd) == pytest.approx((11 / 3, statistics.stdev([1, 2, 2])))
    assert (row.kind, row.direction, row.coverage, row.family) == ("change", "up", 1.0, 3)


def test_empty_outcomes_are_all_subscales_in_order(tmp_path: Path) -> None:
    found = rows(tmp_path, plan(contrast()), [*BASE, *JOY_0])
    assert [(row.subscale, row.subscale_title) for row in found] == [
        ("total", "Total score"),
        ("first", "First item"),
    ]


def test_what_is_missing_is_counted_and_never_zero(tmp_path: Path) -> None:
    unread = Seen("evoked", [None, None], ("joy", 0, 0), status="unparseable")
    unasked = Seen("evoked", None, ("joy", 0, 0), status=None)
    (row,) = rows(tmp_path, plan(contrast(outcomes=FIRST)), [*BASE, *JOY_0, unread, unasked])
    assert (row.a_n, row.n_missing, row.coverage) == (3, 1, 6 / 8)
    assert row.a_mean == pytest.approx(11 / 3)


def test_a_side_without_answers_is_a_row_with_a_note(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, plan(contrast(outcomes=FIRST)), JOY_0)
    assert (row.b_n, row.b_mean, row.estimate, row.p, row.direction) == (0, None, None, None, "none")
    assert row.note == "no test: no score on side b"
    assert row.family == 0


def test_only_what_is_held_against_a_baseline_is_a_change(tmp_path: Path) -> None:
    turned = contrast(outcomes=FIRST, sides=(Cells(level="default"), Cells(level="evoked")))
    (row,) = rows(tmp_path, plan(turned), [*BASE, *JOY_0])
    assert (row.kind, row.estimate) == ("difference", pytest.approx(-2.0))


def test_pairs_are_within_subjects(tmp_path: Path) -> None:
    seen = [
        Seen("default", [1.0, 1.0], subject="a"),
        Seen("evoked", [3.0, 1.0], ("joy", 0, 0), "a"),
        Seen("default", [2.0, 1.0], subject="b"),
        Seen("evoked", [2.0, 1.0], ("joy", 0, 0), "b"),
        Seen("evoked", [4.0, 1.0], ("joy", 0, 0), "b", 1),
        Seen("default", [5.0, 1.0], subject="c"),
        Seen("evoked", [5.0, 1.0], ("anger", 0, 0), "c"),
        Seen("default", [3.0, 1.0], subject="d"),
        Seen("evoked", [None, 1.0], ("joy", 0, 0), "d", status="partial"),
        Seen("evoked", [4.0, 1.0], ("joy", 0, 0), "e"),
    ]
    paired = contrast(
        outcomes=FIRST, by=((), ("emotion",)), test="paired_t", effect="paired_d", paired_by="respondent"
    )
    overall, joy, anger = rows(tmp_path, plan(paired), seen, kind="human")
    assert (joy.a_n, joy.b_n, joy.n_missing, joy.coverage, joy.paired) == (2, 2, 2, 0.5, True)
    assert (joy.a_mean, joy.b_mean, joy.estimate) == (3.0, 1.5, 1.5)
    theirs = stats.ttest_rel([3.0, 3.0], [1.0, 2.0])
    assert (joy.statistic, joy.p, joy.df) == pytest.approx((theirs.statistic, theirs.pvalue, 1))
    assert joy.effect_size == pytest.approx(1.5 / statistics.stdev([2.0, 1.0]))
    assert (anger.a_n, anger.p, anger.note) == (1, None, "no test: a single pair")
    assert (overall.a_n, overall.n_missing, overall.coverage) == (3, 2, 3 / 5)


def test_who_lacks_the_situation_is_missing_overall_and_of_no_emotion(tmp_path: Path) -> None:
    seen = [
        Seen("default", [1.0, 1.0], subject="a"),
        Seen("evoked", [3.0, 1.0], ("joy", 0, 0), "a"),
        Seen("default", [2.0, 1.0], subject="dropped out"),
    ]
    details = {"outcomes": FIRST, "test": "paired_t", "paired_by": "respondent"}
    overall, joy = rows(tmp_path, plan(contrast(by=((), ("emotion",)), **details)), seen, kind="human")
    assert (overall.a_n, overall.n_missing, overall.coverage) == (1, 1, 0.5)
    assert (joy.a_n, joy.n_missing, joy.coverage) == (1, 0, 1.0)
    where = (Predicate("emotion", ("joy",)),)
    (row,) = rows(tmp_path, plan(contrast(where=where, **details)), seen, kind="human")
    assert (row.a_n, row.n_missing) == (1, 0)


def test_a_failure_is_not_an_answer_without_a_score(tmp_path: Path) -> None:
    failed = Seen("evoked", None, ("joy", 0, 0), status="error")
    (row,) = rows(tmp_path, plan(contrast(outcomes=FIRST)), [*BASE, *JOY_0, failed])
    assert (row.a_n, row.n_missing, row.coverage) == (3, 0, 6 / 7)


def test_a_factor_keeps_its_name_when_its_place_changes(tmp_path: Path) -> None:
    before = plan(contrast(outcomes=FIRST, by=(("factor",),)))
    rows(tmp_path, before, [*BASE, *JOY_0, *JOY_1])
    first, second, other = before.stimuli
    moved = (
        msgspec.structs.replace(second, factor_index=0),
        msgspec.structs.replace(first, factor_index=1),
        other,
    )
    after = build_report(tmp_path, msgspec.structs.replace(before, stimuli=moved))
    assert [(row.factor, row.factor_index, row.a_mean) for row in after.report.rows] == [
        ("joy_1", 0, 3.5),
        ("joy_0", 1, pytest.approx(11 / 3)),
    ]
    shown = render(after, "text")
    assert shown.index("Joy factor 1") < shown.index("Joy factor 0")


def test_the_same_answers_give_the_same_digits(tmp_path: Path) -> None:
    many = [Seen("evoked", [1 + k % 5, (k * 7) % 5 + 1], ("joy", k % 2, 0), repeat=k) for k in range(20_000)]
    the_plan = plan(contrast(by=((), ("factor",))))
    first = report(tmp_path, the_plan, [*BASE, *many]).report
    assert all(build_report(tmp_path, the_plan).report == first for _ in range(4))


def test_covariates_cut_both_sides(tmp_path: Path) -> None:
    people = {"a": {"it's": "yes"}, "b": {"it's": "no"}}
    seen = [Seen("default", [1.0, 1.0], subject=s) for s in "ab" for _ in range(2)]
    seen += [Seen("evoked", [value, 1.0], ("joy", 0, 0), s) for s in "ab" for value in (2.0, 3.0)]
    the_plan = plan(contrast(outcomes=FIRST, by=(("emotion", "it's"),)))
    found = rows(tmp_path, the_plan, seen, covariates=people, kind="human")
    assert [(r.group_kind, r.emotion, r.groups, r.a_n, r.b_n) for r in found] == [
        ("emotion * it's", "joy", {"it's": "no"}, 2, 2),
        ("emotion * it's", "joy", {"it's": "yes"}, 2, 2),
    ]
    only = plan(contrast(outcomes=FIRST, where=(Predicate("it's", ("yes",)),)))
    (row,) = build_report(tmp_path, only).report.rows
    assert (row.a_n, row.b_n) == (2, 2)


@pytest.mark.parametrize(
    ("where", "kind", "n"),
    [
        (Predicate("emotion", ("joy",)), "model", 3),
        (Predicate("emotion", ("joy",), negated=True), "model", 3),
        (Predicate("factor", ("anger_0",)), "model", 3),
        (Predicate("panel", ("m",)), "model", 6),
        (Predicate("panel", ("m",), negated=True), "model", None),
        (Predicate("kind", ("model",)), "model", 6),
        (Predicate("kind", ("model",)), "simulated", 6),
        (Predicate("kind", ("simulated",)), "model", None),
        (Predicate("kind", ("human",)), "model", None),
        (Predicate("subscale", ("total",)), "model", None),
        (Predicate("nowhere", ("x",), negated=True), "model", 6),
    ],
)
def test_where(tmp_path: Path, where: Predicate, kind: str, n: int | None) -> None:
    the_plan = plan(contrast(outcomes=FIRST, where=(where,)))
    found = rows(tmp_path, the_plan, [*BASE, *JOY_0, *ANGER], kind=kind)
    assert [(row.a_n, row.b_n, row.panel_kind) for row in found] == ([] if n is None else [(n, 3, kind)])


def test_two_conditions_with_situations_differ_group_by_group(tmp_path: Path) -> None:
    protocol = Protocol("p", (Condition("positive", True, ()), Condition("evoked", True, ())))
    seen = [*JOY_0, *(Seen("positive", [value, 1.0], ("joy", 0, 0)) for value in (1.0, 3.0))]
    seen += [Seen("positive", [1.0, 1.0], ("anger", 0, 0))]
    the_plan = plan(
        contrast(sides=(Cells(level="evoked"), Cells(level="positive")), outcomes=FIRST, by=(("emotion",),)),
        protocol=protocol,
    )
    joy, anger = rows(tmp_path, the_plan, seen)
    assert (joy.kind, joy.a_n, joy.b_n) == ("difference", 3, 2)
    assert (anger.a_n, anger.b_n) == (0, 1)
    assert anger.note == "no test: no score on side a and a single score on side b"


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "bh"])
def test_corrections_are_over_the_groups_of_one_kind(tmp_path: Path, adjust: str) -> None:
    chosen = contrast(outcomes=FIRST, by=((), ("factor",)), adjust=adjust, direction_by="p_adjusted", alpha=0.1)
    overall, *factors = rows(tmp_path, plan(chosen), [*BASE, *JOY_0, *JOY_1, *ANGER])
    assert (overall.family, overall.p_adjusted) == (1, overall.p)
    assert [row.family for row in factors] == [3, 3, 3]
    for row in factors:
        assert row.p is not None
        assert row.p_adjusted is not None
        assert row.p_adjusted >= row.p
        assert (row.direction != "none") == (row.p_adjusted < 0.1)


def test_panels_come_in_the_study_s_order_then_the_others(tmp_path: Path) -> None:
    the_plan = plan(contrast(outcomes=FIRST), panels=("b", "nobody", "a"))
    register_plan(tmp_path, the_plan)
    for panel in ("z", "a", "b"):
        store(tmp_path, the_plan.study, panel, [*BASE, *JOY_0])
    found = build_report(tmp_path, the_plan)
    assert [row.panel for row in found.report.rows] == ["b", "a", "z"]
    assert found.absent == ("nobody",)


def test_panels_of_one_mapping_stand_in_its_place(tmp_path: Path) -> None:
    mapping = Responses("recorded", "", "model", (Hole("panel"), Text(".csv")), ())
    the_plan = msgspec.structs.replace(
        plan(contrast(outcomes=FIRST), panels=("recorded", "crowd")), responses=(mapping,)
    )
    register_plan(tmp_path, the_plan)
    for panel in ("crowd", "gpt-4"):
        store(tmp_path, the_plan.study, panel, [*BASE, *JOY_0])
    found = build_report(tmp_path, the_plan)
    assert [panel.run.panel for panel in found.panels] == ["gpt-4", "crowd"]
    assert found.absent == ()


def test_a_named_run_takes_the_newest_one_s_place(tmp_path: Path) -> None:
    the_plan = plan(contrast(outcomes=FIRST))
    register_plan(tmp_path, the_plan)
    store(tmp_path, the_plan.study, "m", [*BASE, *JOY_0], run="one")
    store(tmp_path, the_plan.study, "m", [*BASE, *JOY_1], run="two")
    (newest,) = build_report(tmp_path, the_plan).report.rows
    (named,) = build_report(tmp_path, the_plan, {"m": "one"}).report.rows
    assert (newest.a_n, named.a_n) == (2, 3)
    with pytest.raises(WarehouseError, match="no run three of panel m"):
        build_report(tmp_path, the_plan, {"m": "three"})


def expected(row: dict[str, str | int | None], value: float, **details: object) -> ExpectedCell:
    number = Expected("estimate", value, 0.1, 1)
    return ExpectedCell({"panel": "m", "subscale": "first", **row}, (number,), **details)  # type: ignore[arg-type]


def test_expectations_keep_their_order_and_find_their_rows(tmp_path: Path) -> None:
    cells = (
        expected({"emotion": "joy", "factor_index": 1}, 1.9),
        expected({"emotion": "joy", "factor_index": None}, 1.9, direction="up"),
        expected({"emotion": "joy"}, 1.9, direction="down"),
        expected({}, 1.5),
        expected({"emotion": "anger", "factor_index": None}, 0.5, erratum="misprint"),
        expected({"emotion": "awe"}, 1.0),
    )
    the_plan = plan(
        contrast(outcomes=FIRST, by=((), ("emotion",), ("factor",)), alpha=0.2),
        expectations=(Expectation("shift", "Table 1", cells),),
    )
    found = report(tmp_path, the_plan, [*BASE, *JOY_0, *JOY_1, *ANGER]).report.expectations
    assert [cell.agrees for cell in found.cells] == [True, True, False, False, False, False]
    assert (found.within, found.outside) == (2, 4)
    assert found.cells[2].observed == {"estimate": pytest.approx(29 / 15), "direction": "up"}
    assert found.cells[3].observed == {"estimate": pytest.approx(4 / 3)}
    assert (found.cells[4].published, found.cells[4].erratum) == ({"estimate": 0.5}, "misprint")
    assert found.cells[5].observed == {"estimate": None}


def test_two_rows_that_fit_equally_are_none(tmp_path: Path) -> None:
    cell = ExpectedCell({"emotion": None}, (Expected("estimate", 1.0, 9.0),))
    the_plan = plan(contrast(), expectations=(Expectation("shift", "Table 1", (cell,)),))
    (found,) = report(tmp_path, the_plan, [*BASE, *JOY_0]).report.expectations.cells
    assert (found.agrees, found.observed) == (False, {"estimate": None})
