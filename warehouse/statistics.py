"""Tests and effects from summaries: the one module that knows scipy and statsmodels.

Means and standard deviations (sample, ddof 1) come from SQL; here are the distributions. What is not defined is
None with a note, never NaN and never infinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, assert_never

import msgspec

from schemas.plan import Adjust, Effect, Test

if TYPE_CHECKING:
    import pyarrow as pa

LEVEL = 0.95
F_TEST_ALPHA = 0.01
F_TEST_PAD = 1e-8
NEGLIGIBLE = 1e-12


class Sample(msgspec.Struct, frozen=True):
    """A sample's size, mean and standard deviation; None where it is too small to have one."""

    n: int
    mean: float | None
    sd: float | None


class Pairs(msgspec.Struct, frozen=True):
    """Two measurements of the same subjects, and their differences (a minus b)."""

    a: Sample
    b: Sample
    difference: Sample


class Comparison(msgspec.Struct, frozen=True):
    """A test's result. `test`: the one that was made; `low` and `high`: 95 % interval of `estimate`."""

    test: str
    estimate: float | None = None
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None


def t_p(t: float, df: float) -> float:
    """Two-sided p of Student's t."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def f_p(f: float, df1: float, df2: float) -> float:
    """Two-sided p of a variance ratio: twice the smaller tail, at most 1."""
    from scipy.special import fdtr, fdtrc

    return float(min(1.0, 2 * min(fdtr(df1, df2, f), fdtrc(df1, df2, f))))


def compare(a: Sample, b: Sample, test: Test) -> Comparison:
    """Two independent samples.

    `student`: pooled variance. `welch`: Welch (1947), degrees of freedom by Satterthwaite (1946). `f_then_t`:
    the rule of EmotionBench (Huang et al. 2024): a two-sided F test of the variances, 1e-8 added to each sd;
    Student where its p is above 0.01, else Welch. `test` of the result then names both.
    """
    estimate = None if a.mean is None or b.mean is None else a.mean - b.mean
    if a.sd is None or b.sd is None or estimate is None:
        return Comparison(test, estimate, note=f"no test: {_too_few(a, b)}")
    used = _chosen(a, b, test)
    label = test if used == test else f"{test}: {used}"
    if used == "student":
        df = float(a.n + b.n - 2)
        error = math.sqrt(_pooled_variance(a, b) * (1 / a.n + 1 / b.n))
    else:
        parts = (a.sd**2 / a.n, b.sd**2 / b.n)
        error = math.sqrt(sum(parts))
        weight = parts[0] ** 2 / (a.n - 1) + parts[1] ** 2 / (b.n - 1)
        df = sum(parts) ** 2 / weight if weight > 0 else 0.0
    if error <= NEGLIGIBLE * _magnitude(a, b):
        return Comparison(label, estimate, note="no test: neither side varies")
    return _t_test(label, estimate, error, df)


def compare_paired(pairs: Pairs) -> Comparison:
    """Student's t of the differences within subjects."""
    mean, sd, n = pairs.difference.mean, pairs.difference.sd, pairs.difference.n
    if mean is None or sd is None:
        return Comparison("paired_t", mean, note=f"no test: {_count(n, 'pair')}")
    error = sd / math.sqrt(n)
    if error <= NEGLIGIBLE * _magnitude(pairs.a, pairs.b):
        return Comparison("paired_t", mean, note="no test: the differences do not vary")
    return _t_test("paired_t", mean, error, n - 1.0)


def _t_test(label: str, estimate: float, error: float, df: float) -> Comparison:
    from scipy.special import stdtrit

    t = estimate / error
    half = float(stdtrit(df, (1 + LEVEL) / 2)) * error
    return Comparison(label, estimate, t, df, t_p(t, df), estimate - half, estimate + half)


def _chosen(a: Sample, b: Sample, test: Test) -> Test:
    if test != "f_then_t":
        return test
    ratio = (((a.sd or 0.0) + F_TEST_PAD) / ((b.sd or 0.0) + F_TEST_PAD)) ** 2
    return "student" if f_p(ratio, a.n - 1, b.n - 1) > F_TEST_ALPHA else "welch"


def _pooled_variance(a: Sample, b: Sample) -> float:
    return ((a.n - 1) * (a.sd or 0.0) ** 2 + (b.n - 1) * (b.sd or 0.0) ** 2) / (a.n + b.n - 2)


def _magnitude(a: Sample, b: Sample) -> float:
    return max(1.0, abs(a.mean or 0.0), abs(b.mean or 0.0))


def _too_few(a: Sample, b: Sample) -> str:
    return " and ".join(
        f"{_count(sample.n, 'score')} on side {side}" for side, sample in (("a", a), ("b", b)) if sample.n < 2
    )


def _count(n: int, noun: str) -> str:
    return {0: f"no {noun}", 1: f"a single {noun}"}.get(n, f"{n} {noun}s")


def effect_size(effect: Effect, a: Sample, b: Sample, pairs: Pairs | None) -> float | None:
    """The standardised difference; None where it is not defined.

    `cohens_d`: the difference in means by the pooled sd (Cohen 1988). `hedges_g`: d times the exact correction
    J(m) = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n_a + n_b - 2 (Hedges 1981). `paired_d`: the mean
    difference by the sd of the differences (Cohen's d_z).
    """
    match effect:
        case "none":
            return None
        case "paired_d":
            return (
                None if pairs is None else _ratio(pairs.difference.mean, pairs.difference.sd, pairs.a, pairs.b)
            )
        case "cohens_d":
            return _cohens_d(a, b)
        case "hedges_g":
            d = _cohens_d(a, b)
            return None if d is None else d * _small_sample(a.n + b.n - 2)
        case _:
            assert_never(effect)


def _cohens_d(a: Sample, b: Sample) -> float | None:
    if a.sd is None or b.sd is None or a.mean is None or b.mean is None:
        return None
    return _ratio(a.mean - b.mean, math.sqrt(_pooled_variance(a, b)), a, b)


def _ratio(difference: float | None, sd: float | None, a: Sample, b: Sample) -> float | None:
    if difference is None or sd is None or sd <= NEGLIGIBLE * _magnitude(a, b):
        return None
    return difference / sd


def _small_sample(m: int) -> float:
    from scipy.special import gammaln

    return float(math.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / math.sqrt(m / 2))


def adjusted(ps: Sequence[float], method: Adjust) -> list[float] | None:
    """p values corrected for their number: Bonferroni, Holm (1979), or `bh`, Benjamini and Hochberg (1995).
    None where nothing is to be corrected."""
    match method:
        case "none":
            return None
        case "bonferroni" | "holm" | "bh":
            if not ps:
                return []
            from statsmodels.stats.multitest import multipletests

            name = "fdr_bh" if method == "bh" else method
            return [float(p) for p in multipletests(list(ps), method=name)[1]]
        case _:
            assert_never(method)


def t_p_column(t: pa.ChunkedArray[Any], df: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """`t_p` of whole Arrow columns, for SQL."""
    import numpy as np
    from scipy.special import stdtr

    with np.errstate(all="ignore"):
        return _finite(2 * stdtr(_numbers(df), -np.abs(_numbers(t))))


def f_p_column(f: pa.ChunkedArray[Any], df1: pa.ChunkedArray[Any], df2: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """`f_p` of whole Arrow columns, for SQL."""
    import numpy as np
    from scipy.special import fdtr, fdtrc

    with np.errstate(all="ignore"):
        x, d1, d2 = _numbers(f), _numbers(df1), _numbers(df2)
        return _finite(np.minimum(1.0, 2 * np.minimum(fdtr(d1, d2, x), fdtrc(d1, d2, x))))


def _numbers(column: pa.ChunkedArray[Any]) -> Any:
    return column.to_numpy()


def _finite(values: Any) -> pa.Array[Any]:
    import numpy as np
    import pyarrow as pa

    return pa.array(values, pa.float64(), mask=~np.isfinite(values))
