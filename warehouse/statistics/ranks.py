"""Tests of ranks, from how often each value was found, and Cliff's delta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from warehouse.statistics.results import LEVEL, Comparison, Counts, Size, counted, values_of
from warehouse.statistics.tables import untestable

EXACT = 50
"""Fewer values than this, and no two of them alike: the exact distribution is taken, as R does."""


def mann_whitney(sides: Sequence[Counts], estimate: float | None = None) -> Comparison:
    """The rank sum test of Mann and Whitney (1947) and Wilcoxon (1945), two-sided. The statistic is U of side a
    (R's W): how often a value of a is above one of b, a tie counting one half. p is exact where each side has
    fewer than 50 values and none are alike; otherwise from the normal distribution, corrected for ties and for
    continuity. `test` of the result says which."""
    note = untestable(sides)
    if note is not None:
        return Comparison("mann_whitney", estimate, note=note)
    from scipy.stats import mannwhitneyu

    a, b = map(values_of, sides)
    alike = len({*sides[0], *sides[1]}) < len(a) + len(b)
    exact = not alike and max(len(a), len(b)) < EXACT
    method: Literal["exact", "asymptotic"] = "exact" if exact else "asymptotic"
    found: Any = mannwhitneyu(a, b, use_continuity=True, alternative="two-sided", method=method)
    leans = float(found.statistic) - len(a) * len(b) / 2
    return Comparison(
        f"mann_whitney: {method}", estimate, float(found.statistic), p=float(found.pvalue), leans=leans
    )


def wilcoxon(differences: Counts, estimate: float | None = None) -> Comparison:
    """The signed rank test of Wilcoxon (1945) of the differences within pairs, two-sided; differences of 0 are
    left out. The statistic is the sum of the ranks of the positive ones (R's V). p is exact where there are
    fewer than 50 differences, none 0 and none of one size; otherwise from the normal distribution, corrected
    for ties and for continuity. `test` of the result says which."""
    n = sum(differences.values())
    if not n:
        return Comparison("wilcoxon", estimate, note=f"no test: {counted(0, 'pair')}")
    if not any(differences):
        return Comparison("wilcoxon", estimate, note="no test: no pair differs")
    from scipy import stats

    values = values_of(differences)
    sizes = abs(values)
    exact = n < EXACT and 0.0 not in differences and len(set(sizes.tolist())) == n
    method: Any = "exact" if exact else "asymptotic"
    found: Any = stats.wilcoxon(values, zero_method="wilcox", correction=not exact, method=method)
    kept = values[values != 0]
    ranks = stats.rankdata(abs(kept))
    positive = float(ranks[kept > 0].sum())
    return Comparison(
        f"wilcoxon: {method}",
        estimate,
        positive,
        p=float(found.pvalue),
        leans=2 * positive - float(ranks.sum()),
    )


def kruskal(sides: Sequence[Counts], estimate: float | None = None) -> Comparison:
    """Kruskal and Wallis's H, corrected for ties: do all sides have the same distribution?"""
    note = untestable(sides)
    if note is not None:
        return Comparison("kruskal", estimate, note=note)
    from scipy import stats

    found: Any = stats.kruskal(*map(values_of, sides))
    return Comparison("kruskal", estimate, float(found.statistic), len(sides) - 1.0, float(found.pvalue))


def cliffs_delta(sides: Sequence[Counts]) -> Size:
    """Cliff's delta (1993): the probability that a value of side a is above one of side b, minus that it is
    below. The interval is Cliff's (1996), not symmetrical: from the unbiased variance of delta and Student's t
    of n_a + n_b - 2, after Feng and Cliff (2004)."""
    if len(sides) != 2 or not all(sum(side.values()) for side in sides):
        return Size()
    import numpy as np
    from scipy.special import stdtrit

    a, b = map(values_of, sides)
    n, m = len(a), len(b)
    of_a = (np.searchsorted(b, a, "left") + np.searchsorted(b, a, "right") - m) / m
    of_b = (n - np.searchsorted(a, b, "left") + n - np.searchsorted(a, b, "right") - n) / n
    delta = float(of_a.mean())
    if n < 2 or m < 2:
        return Size(delta, note="no interval of the effect: a side has a single score")
    if abs(delta) == 1:
        return Size(delta, note="no interval of the effect: every score of one side is above all of the other")
    alike = sum(count * sides[1].get(value, 0) for value, count in sides[0].items())
    squares = [float(np.sum((of - delta) ** 2)) for of in (of_a, of_b)]
    each = n * m - alike - n * m * delta**2
    variance = (m**2 * squares[0] + n**2 * squares[1] - each) / (n * m * (n - 1) * (m - 1))
    variance = max(variance, (1 - delta**2) / (n * m - 1))
    t = float(stdtrit(n + m - 2.0, (1 + LEVEL) / 2))
    middle, scale = delta - delta**3, 1 - delta**2 + t**2 * variance
    half = t * float(np.sqrt(variance * ((1 - delta**2) ** 2 + t**2 * variance)))
    return Size(delta, max(-1.0, (middle - half) / scale), min(1.0, (middle + half) / scale))
