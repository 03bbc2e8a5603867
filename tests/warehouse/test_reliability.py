"""Reliability of scales on small warehouses."""

from __future__ import annotations

import statistics
from pathlib import Path

import msgspec
import numpy as np
import pytest

from schemas.plan import Cells, Outcome, Predicate
from tests.warehouse.builder import Seen, pair_scale, plan, store
from tests.warehouse.test_associations import association, rows
from warehouse.register import register_plan
from warehouse.report import build_report


def test_a_scale_is_reliable_over_those_who_answered_all_of_it(tmp_path: Path) -> None:
    answers = {"a": [1.0, 5.0], "b": [2.0, 3.0], "c": [5.0, 1.0], "d": [4.0, None], "e": [3.0, 2.0]}
    seen = [Seen("default", values, subject=subject) for subject, values in answers.items()]
    outcomes = (Outcome("PAIR", "total"), Outcome("PAIR", "first"))
    declared = association(
        "reliability",
        (Cells(level="default"),),
        coefficients=("cronbach_alpha", "pearson"),
        unit="respondent",
        outcomes=outcomes,
    )
    scale = pair_scale(missing_allowed=1)
    total, wrong, single, _ = rows(tmp_path, plan(scale=scale), declared, crowd=seen)
    items = np.array([[1, 6 - 5], [2, 6 - 3], [5, 6 - 1], [3, 6 - 2]])
    alpha = 2 * (1 - items.var(axis=0, ddof=1).sum() / items.sum(axis=1).var(ddof=1))
    assert (total.estimate, total.a_n, total.b_n) == (pytest.approx(alpha), 4, 2)
    assert total.a_mean == statistics.fmean(items.sum(axis=1))
    assert (total.expected, total.left_out) == (5, {"missing answers": 1})
    assert total.a_label == "default"
    assert wrong.note == "no coefficient: it is none of a scale's items"
    assert single.note == "no coefficient: its score is a single item"


def test_reliability_by_a_covariate_and_where(tmp_path: Path) -> None:
    declared = association(
        "reliability",
        (Cells(),),
        coefficients=("cronbach_alpha",),
        unit="respondent",
        outcomes=(Outcome("PAIR", "total"),),
        by=(("sex",),),
        where=(Predicate("sex", ("f",)),),
    )
    the_plan = msgspec.structs.replace(plan(), associations=(declared,))
    register_plan(tmp_path, the_plan)
    seen = [Seen("default", [float(k), 6.0 - k], subject=f"p{k}") for k in range(1, 6)]
    covariates = {f"p{k}": {"sex": "f" if k < 4 else "m"} for k in range(1, 6)}
    store(tmp_path, the_plan.study, "crowd", seen, kind="human", covariates=covariates)
    (row,) = build_report(tmp_path, the_plan).report.rows
    assert (row.groups, row.a_n, row.estimate) == ({"sex": "f"}, 3, pytest.approx(1.0))
