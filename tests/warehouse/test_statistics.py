from __future__ import annotations

import math
import statistics

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from schemas.plan import Test
from warehouse.statistics import (
    Pairs,
    Sample,
    adjusted,
    chi_squared,
    compare,
    compare_paired,
    cramers_v,
    effect_size,
    f_p,
    f_p_column,
    kruskal,
    pooled,
    t_p,
    t_p_column,
)

A = [2.0, 4.0, 4.0, 5.0, 7.0, 9.0]
B = [1.0, 1.5, 2.0, 2.5]
TIGHT = [3.0, 3.01, 2.99, 3.0, 3.0]


def sample(values: list[float]) -> Sample:
    return Sample(
        len(values),
        statistics.fmean(values) if values else None,
        statistics.stdev(values) if len(values) > 1 else None,
    )


def pairs(a: list[float], b: list[float]) -> Pairs:
    return Pairs(sample(a), sample(b), sample([x - y for x, y in zip(a, b, strict=True)]))


@pytest.mark.parametrize(("test", "equal"), [("student", True), ("welch", False)])
def test_against_scipy(test: Test, equal: bool) -> None:
    ours = compare(sample(A), sample(B), test)
    theirs = stats.ttest_ind(A, B, equal_var=equal)
    interval = theirs.confidence_interval(0.95)
    assert ours.test == test
    assert ours.estimate == pytest.approx(statistics.fmean(A) - statistics.fmean(B))
    assert (ours.statistic, ours.p, ours.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.df))
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))


def test_paired_against_scipy() -> None:
    a, b = A[:4], B
    ours = compare_paired(pairs(a, b))
    theirs = stats.ttest_rel(a, b)
    interval = theirs.confidence_interval(0.95)
    assert (ours.statistic, ours.p, ours.df) == pytest.approx((theirs.statistic, theirs.pvalue, 3))
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))


def test_by_hand() -> None:
    ours = compare(Sample(2, 3.0, math.sqrt(2)), Sample(2, 1.0, math.sqrt(2)), "student")
    assert (ours.estimate, ours.statistic, ours.df) == pytest.approx((2.0, math.sqrt(2), 2.0))
    assert ours.p == pytest.approx(1 - 1 / math.sqrt(2))


@pytest.mark.parametrize(("b", "used"), [(B, "student"), (TIGHT, "welch")])
def test_variances_choose_the_test(b: list[float], used: Test) -> None:
    ours = compare(sample(A), sample(b), "f_then_t")
    plain = compare(sample(A), sample(b), used)
    assert ours.test == f"f_then_t: {used}"
    assert (ours.statistic, ours.df, ours.p) == (plain.statistic, plain.df, plain.p)
    ratio = (statistics.stdev(A) + 1e-8) ** 2 / (statistics.stdev(b) + 1e-8) ** 2
    p = 2 * min(stats.f.cdf(ratio, len(A) - 1, len(b) - 1), stats.f.sf(ratio, len(A) - 1, len(b) - 1))
    assert (p > 0.01) == (used == "student")


@pytest.mark.parametrize("test", ["student", "welch", "f_then_t"])
@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ([], [], "no test: no score on side a and no score on side b"),
        ([1.0], A, "no test: a single score on side a"),
        (A, [], "no test: no score on side b"),
        ([3.0] * 4, [3.0] * 5, "no test: neither side varies"),
        ([3.0] * 4, [2.0] * 5, "no test: neither side varies"),
    ],
)
def test_what_is_not_defined_is_null_and_says_why(
    test: Test, a: list[float], b: list[float], note: str
) -> None:
    ours = compare(sample(a), sample(b), test)
    assert (ours.statistic, ours.df, ours.p, ours.low, ours.high) == (None,) * 5
    assert ours.note == note
    assert ours.estimate == (statistics.fmean(a) - statistics.fmean(b) if a and b else None)


def test_one_side_that_does_not_vary_is_tested() -> None:
    ours = compare(sample(A), sample([1.0] * 3), "welch")
    assert ours.p == pytest.approx(stats.ttest_1samp(A, 1.0).pvalue)


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ([], [], "no test: no pair"),
        ([1.0], [2.0], "no test: a single pair"),
        ([2.0, 3.0], [1.0, 2.0], "no test: the differences do not vary"),
    ],
)
def test_pairs_without_a_test(a: list[float], b: list[float], note: str) -> None:
    ours = compare_paired(pairs(a, b))
    assert (ours.statistic, ours.p, ours.note) == (None, None, note)


@given(
    st.lists(st.integers(1, 5), max_size=12),
    st.lists(st.integers(1, 5), max_size=12),
    st.sampled_from(["student", "welch", "f_then_t"]),
)
def test_never_nan_never_infinite(a: list[int], b: list[int], test: Test) -> None:
    first, second = sample([float(v) for v in a]), sample([float(v) for v in b])
    ours = compare(first, second, test)
    numbers = [ours.estimate, ours.statistic, ours.df, ours.p, ours.low, ours.high]
    effects = [effect_size(effect, (first, second)) for effect in ("cohens_d", "hedges_g", "paired_d", "lift")]
    numbers += [number for size in effects for number in (size.value, size.low, size.high)]
    assert all(number is None or math.isfinite(number) for number in numbers)
    assert (ours.p is None) == (ours.note is not None)


def test_effects_by_hand() -> None:
    a, b = Sample(10, 5.0, 2.0), Sample(10, 3.0, 2.0)
    assert effect_size("cohens_d", (a, b)).value == pytest.approx(1.0)
    exact = math.gamma(9) / (math.sqrt(9) * math.gamma(8.5))
    assert effect_size("hedges_g", (a, b)).value == pytest.approx(exact)
    assert effect_size("none", (a, b)).value is None
    four = pairs([2.0, 4.0, 6.0, 8.0], [1.0, 2.0, 3.0, 4.0])
    assert effect_size("paired_d", (four.a, four.b), four).value == pytest.approx(
        2.5 / statistics.stdev([1, 2, 3, 4])
    )
    assert effect_size("paired_d", (a, b)).value is None


def test_corrections() -> None:
    ps = [0.01, 0.04, 0.03, 0.5]
    assert adjusted(ps, "none") is None
    assert adjusted(ps, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 1.0])
    assert adjusted(ps, "holm") == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert adjusted(ps, "bh") == pytest.approx(list(stats.false_discovery_control(ps)))
    assert adjusted([], "holm") == []


def column(*values: float | None) -> pa.ChunkedArray[pa.DoubleScalar]:
    return pa.chunked_array([pa.array(values, pa.float64())])


def test_columns_for_sql() -> None:
    found = t_p_column(column(2.0, None, 1.0), column(5.0, 5.0, -1.0)).to_pylist()
    assert found == [pytest.approx(t_p(2.0, 5.0)), None, None]
    found = f_p_column(column(2.0, 0.5), column(4.0, 4.0), column(7.0, 7.0)).to_pylist()
    assert found == pytest.approx([f_p(2.0, 4, 7), f_p(0.5, 4, 7)])
    assert f_p(0.5, 4, 7) == pytest.approx(2 * stats.f.cdf(0.5, 4, 7))


TALLY = st.dictionaries(st.sampled_from([0.0, 1.0, 2.5]), st.integers(1, 6))


@given(st.lists(TALLY, min_size=2, max_size=4), st.booleans())
def test_tests_of_counts_are_those_of_scipy_or_say_why(sides: list[dict[float, int]], yates: bool) -> None:
    values = [[value for value, n in side.items() for _ in range(n)] for side in sides]
    chi, ranks, size = chi_squared(sides, yates), kruskal(sides), cramers_v(sides)
    if all(values) and len({value for side in values for value in side}) > 1:
        kinds = sorted({value for side in values for value in side})
        table = [[side.count(kind) for kind in kinds] for side in values]
        theirs = stats.chi2_contingency(table, correction=yates)
        assert (chi.statistic, chi.p, chi.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.dof))
        h = stats.kruskal(*values)
        assert (ranks.statistic, ranks.p, ranks.df) == pytest.approx((h.statistic, h.pvalue, len(sides) - 1))
        assert size.value is not None
        assert 0 <= size.value <= 1 + 1e-9
        assert (chi.note is not None) == bool(theirs.expected_freq.min() < 5)
        assert ranks.note is None
    else:
        assert (chi.statistic, ranks.statistic, size.value) == (None, None, None)
        assert chi.note == ranks.note
        assert chi.note is not None


def test_an_interval_of_the_difference_of_rates() -> None:
    """Newcombe (1998), table II, 56/70 against 48/80: 0.0524 to 0.3339."""
    found = chi_squared([{1.0: 56, 0.0: 14}, {1.0: 48, 0.0: 32}], yates=False, estimate=0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert chi_squared([{1.0: 3, 2.0: 4}, {1.0: 5, 2.0: 1}], yates=True).low is None


def test_lift_is_of_the_second_mean() -> None:
    assert effect_size("lift", (Sample(10, 0.6, 0.1), Sample(10, 0.4, 0.1))).value == pytest.approx(0.5)
    assert effect_size("lift", (Sample(10, 0.6, 0.1), Sample(10, 0.0, 0.0))).value is None


@given(st.lists(st.lists(st.integers(1, 5), max_size=5), max_size=4))
def test_samples_together_are_the_sample_of_all(parts: list[list[int]]) -> None:
    values = [[float(value) for value in part] for part in parts]
    together, whole = pooled([sample(part) for part in values]), sample([v for part in values for v in part])
    assert (together.n, together.mean, together.sd) == (
        whole.n,
        whole.mean if whole.mean is None else pytest.approx(whole.mean),
        whole.sd if whole.sd is None else pytest.approx(whole.sd, abs=1e-7),
    )
