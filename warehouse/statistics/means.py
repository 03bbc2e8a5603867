"""Tests of means from summaries: means and standard deviations (sample, ddof 1) come from SQL."""

from __future__ import annotations

import math

import msgspec

from schemas.plan import Test
from warehouse.statistics.results import LEVEL, NEGLIGIBLE, Comparison, Pairs, Sample, counted, finite

F_TEST_ALPHA = 0.01
F_TEST_PAD = 1e-8


def t_p(t: float, df: float) -> float:
    """Two-sided p of Student's t."""
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def f_p(f: float, df1: float, df2: float) -> float:
    """Two-sided p of a variance ratio: twice the smaller tail, at most 1."""
    from scipy.special import fdtr, fdtrc

    return float(min(1.0, 2 * min(fdtr(df1, df2, f), fdtrc(df1, df2, f))))


class Difference(msgspec.Struct, frozen=True):
    """A difference of means with its standard error and degrees of freedom; `label`: the t test that takes
    these. Where there is no test, `note` says why."""

    label: str
    estimate: float | None
    error: float = 0.0
    df: float = 0.0
    note: str | None = None


def of_independent(a: Sample, b: Sample, test: Test) -> Difference:
    """The difference of two independent samples.

    `student`: pooled variance. `welch`: Welch (1947), degrees of freedom by Satterthwaite (1946). `f_then_t`:
    the rule of EmotionBench (Huang et al. 2024): a two-sided F test of the variances, 1e-8 added to each sd;
    Student where its p is above 0.01, else Welch. The label then names both.
    """
    estimate = None if a.mean is None or b.mean is None else a.mean - b.mean
    if a.sd is None or b.sd is None or estimate is None:
        return Difference(test, estimate, note=f"no test: {_too_few(a, b)}")
    used = _chosen(a, b, test)
    label = test if used == test else f"{test}: {used}"
    if used == "student":
        df = float(a.n + b.n - 2)
        error = math.sqrt(pooled_variance(a, b) * (1 / a.n + 1 / b.n))
    else:
        parts = (a.sd**2 / a.n, b.sd**2 / b.n)
        error = math.sqrt(sum(parts))
        weight = parts[0] ** 2 / (a.n - 1) + parts[1] ** 2 / (b.n - 1)
        df = sum(parts) ** 2 / weight if weight > 0 else 0.0
    if error <= NEGLIGIBLE * magnitude(a, b):
        return Difference(label, estimate, note="no test: neither side varies")
    return Difference(label, estimate, error, df)


def of_pairs(pairs: Pairs) -> Difference:
    """The mean of the differences within pairs, for Student's t."""
    mean, sd, n = pairs.difference.mean, pairs.difference.sd, pairs.difference.n
    if mean is None or sd is None:
        return Difference("paired_t", mean, note=f"no test: {counted(n, 'pair')}")
    error = sd / math.sqrt(n)
    if error <= NEGLIGIBLE * magnitude(pairs.a, pairs.b):
        return Difference("paired_t", mean, note="no test: the differences do not vary")
    return Difference("paired_t", mean, error, n - 1.0)


def compare(a: Sample, b: Sample, test: Test) -> Comparison:
    """The t test of two independent samples, two-sided."""
    return _t_test(of_independent(a, b, test))


def compare_paired(pairs: Pairs) -> Comparison:
    """Student's t of the differences within pairs, two-sided."""
    return _t_test(of_pairs(pairs))


def interval(found: Difference, level: float) -> tuple[float | None, float | None]:
    """The interval of a difference whose error is known."""
    from scipy.special import stdtrit

    if found.estimate is None:
        return None, None
    half = float(stdtrit(found.df, (1 + level) / 2)) * found.error
    return finite(found.estimate - half), finite(found.estimate + half)


def _t_test(found: Difference) -> Comparison:
    if found.note is not None or found.estimate is None:
        return Comparison(found.label, found.estimate, note=found.note)
    t = found.estimate / found.error
    low, high = interval(found, LEVEL)
    return Comparison(found.label, found.estimate, t, found.df, t_p(t, found.df), low, high)


def _chosen(a: Sample, b: Sample, test: Test) -> Test:
    if test != "f_then_t":
        return test
    ratio = (((a.sd or 0.0) + F_TEST_PAD) / ((b.sd or 0.0) + F_TEST_PAD)) ** 2
    return "student" if f_p(ratio, a.n - 1, b.n - 1) > F_TEST_ALPHA else "welch"


def pooled_variance(a: Sample, b: Sample) -> float:
    """The variance of both samples around their own means."""
    return ((a.n - 1) * (a.sd or 0.0) ** 2 + (b.n - 1) * (b.sd or 0.0) ** 2) / (a.n + b.n - 2)


def magnitude(a: Sample, b: Sample) -> float:
    """How large numbers are here: what is negligible beside it is rounding."""
    return max(1.0, abs(a.mean or 0.0), abs(b.mean or 0.0))


def _too_few(a: Sample, b: Sample) -> str:
    return " and ".join(
        f"{counted(sample.n, 'score')} on side {side}" for side, sample in (("a", a), ("b", b)) if sample.n < 2
    )
