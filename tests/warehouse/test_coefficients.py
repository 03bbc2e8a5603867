"""The coefficients themselves, against other libraries and by hand."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from schemas.plan import Coefficient
from tests.warehouse.test_associations import RATERS, TWO
from warehouse.statistics import cronbach_alpha, of_raters, of_two

STEPS = st.lists(st.integers(1, 3), max_size=6)


@given(STEPS, STEPS, st.sampled_from(TWO), st.sampled_from([None, 1.5]))
def test_of_two_is_a_number_or_says_why(
    x: list[int], y: list[int], coefficient: Coefficient, cut: float | None
) -> None:
    n = min(len(x), len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = of_two(coefficient, np.array(x[:n], dtype=float), np.array(y[:n], dtype=float), cut)
    numbers = (found.estimate, found.p, found.low, found.high, found.df)
    assert all(number is None or math.isfinite(number) for number in numbers)
    assert (found.estimate is None) == (found.note is not None)


@given(
    st.lists(st.lists(st.one_of(st.none(), st.integers(1, 3)), min_size=5, max_size=5), min_size=1, max_size=4),
    st.sampled_from(RATERS),
)
def test_of_raters_is_a_number_or_says_why(table: list[list[int | None]], coefficient: Coefficient) -> None:
    values = np.array([[np.nan if v is None else float(v) for v in row] for row in table])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = of_raters(coefficient, values)
    assert found.estimate is None or math.isfinite(found.estimate)
    assert found.estimate is not None or found.note is not None


def test_krippendorff_s_own_example() -> None:
    """Interval data of Krippendorff (2011), section D: four observers, twelve units, alpha = 0.849."""
    _ = math.nan
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
    found = of_raters("krippendorff_interval", np.array(observers, dtype=float))
    assert found.estimate == pytest.approx(0.849, abs=5e-4)


def test_kappa_of_pairs_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(1, 4, (3, 40)).astype(float)
    table[0, :5] = np.nan
    kappas = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = np.isfinite(table[i]) & np.isfinite(table[j])
        counts = [[np.sum((table[i][both] == a) & (table[j][both] == b)) for b in (1, 2, 3)] for a in (1, 2, 3)]
        kappas.append(cohens_kappa(np.array(counts), return_results=False))
    assert of_raters("cohens_kappa", table).estimate == pytest.approx(np.mean(kappas))


def test_kappa_leaves_out_pairs_with_few_units_in_common() -> None:
    _ = math.nan
    table = np.array([[1.0, 2, 1, 2, 2], [1.0, 2, 1, 1, 2], [2.0, 2, _, _, _]])
    found = of_raters("cohens_kappa", table)
    assert found.estimate == pytest.approx((0.8 - 0.48) / (1 - 0.48))
    assert found.note == "2 of 3 pairs of respondents have no coefficient"


def test_a_value_at_the_cut_is_of_the_lower_class() -> None:
    x, y = np.array([2.5, 3.0]), np.array([2.0, 4.0])
    assert of_two("accuracy", x, y, 2.5).estimate == 1.0


def test_alpha_has_the_interval_of_feldt() -> None:
    found = cronbach_alpha(25, 4, 4.0, 10.0)
    low, high = (1 - 0.2 * float(stats.f.ppf(p, 24, 72)) for p in (0.975, 0.025))
    assert (found.estimate, found.df) == (pytest.approx(0.8), 24.0)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_ceiling_leaves_each_respondent_out() -> None:
    table = np.array([[1.0, 2, 3, 5], [2.0, 2, 4, 4], [1.0, 3, 3, 4]])
    others = [table[[j for j in range(3) if j != i]].mean(axis=0) for i in range(3)]
    expected = np.mean([stats.pearsonr(table[i], others[i]).statistic for i in range(3)])
    assert of_raters("ceiling", table).estimate == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n", "items", "variances", "variance", "note"),
    [
        (5, 0, None, None, "its score is no sum of items"),
        (1, 4, None, None, "a single unit with all 4 items"),
        (9, 4, 0.0, 0.0, "the scores do not vary"),
    ],
)
def test_alpha_that_does_not_exist(
    n: int, items: int, variances: float | None, variance: float | None, note: str
) -> None:
    found = cronbach_alpha(n, items, variances, variance)
    assert (found.estimate, found.note) == (None, f"no coefficient: {note}")
