"""Tests of how often each value was found: chi-squared, Fisher's, McNemar's; Cramer's V and the odds ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warehouse.statistics import noncentral
from warehouse.statistics.results import LEVEL, Comparison, Counts, Crossed, Size, counted, finite, letter

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FEW = 5
"""A cell's expected count below which chi-squared is rough (Cochran 1954)."""
FEW_DISCORDANT = 25
"""Pairs of different answers below which McNemar's test is the exact binomial one."""

Interval = tuple[float | None, float | None]


def chi_squared(sides: Sequence[Counts], yates: bool, estimate: float | None = None) -> Comparison:
    """Pearson's chi-squared of sides by values, `yates`: with the continuity correction where the table is two
    by two. Between two sides whose values are 0 and 1, `low` and `high` are those of the difference of rates
    (Newcombe 1998, from Wilson scores). An expected count below 5 is noted."""
    note = untestable(sides)
    if note is not None:
        return Comparison("chi_squared", estimate, note=note)
    from scipy.stats import chi2_contingency

    table = _table(sides)
    found = chi2_contingency(table, correction=yates)
    low, high = _difference_of_rates(sides)
    few = None
    if float(found.expected_freq.min()) < FEW:
        few = f"chi-squared is rough: a cell's expected count is below {FEW}"
        few += "; `test fisher` is exact" if table.shape == (2, 2) else ""
    return Comparison(
        "chi_squared", estimate, float(found.statistic), float(found.dof), float(found.pvalue), low, high, few
    )


def fisher(sides: Sequence[Counts], estimate: float | None = None) -> Comparison:
    """Fisher's exact test of two sides whose values are 0 and 1, two-sided: the probability of all tables that
    are at most as probable. `low` and `high` are those of the difference of rates (Newcombe 1998)."""
    note = untestable(sides) or _not_of_rates(sides)
    if note is not None:
        return Comparison("fisher", estimate, note=note)
    import numpy as np
    from scipy.stats import fisher_exact

    low, high = _difference_of_rates(sides)
    found: Any = fisher_exact(np.array(_yes_no(sides)))
    return Comparison("fisher", estimate, p=float(found.pvalue), low=low, high=high)


def mcnemar(crossed: Crossed, yates: bool, estimate: float | None = None) -> Comparison:
    """McNemar's test (1947) of pairs whose values are 0 and 1: are as many 1 on side a alone as on b alone? The
    exact binomial test below 25 such pairs; else chi-squared, `yates`: with the continuity correction of
    Edwards (1948). `test` of the result says which. The interval of the difference of rates is method 10 of
    Newcombe (1998, Improved confidence intervals ... based on paired data)."""
    if not crossed:
        return Comparison("mcnemar", estimate, note=f"no test: {counted(0, 'pair')}")
    if not {value for pair in crossed for value in pair} <= {0.0, 1.0}:
        return Comparison("mcnemar", estimate, note="no test: values are not yes or no")
    both, only_a, only_b, neither = _cells(crossed)
    low, high = _paired_rates(both, only_a, only_b, neither)
    if not only_a + only_b:
        return Comparison("mcnemar", estimate, low=low, high=high, note="no test: no pair differs")
    from statsmodels.stats.contingency_tables import mcnemar as of_table

    exact = only_a + only_b < FEW_DISCORDANT
    found = of_table([[both, only_a], [only_b, neither]], exact=exact, correction=yates)
    label = f"mcnemar: {'exact' if exact else 'chi_squared'}"
    statistic, df = (None, None) if exact else (float(found.statistic), 1.0)
    return Comparison(label, estimate, statistic, df, min(1.0, float(found.pvalue)), low, high)


def cramers_v(sides: Sequence[Counts]) -> Size:
    """Cramer's V (1946) of sides by values, from chi-squared without a continuity correction: 0 where the
    sides are alike, 1 where a side tells the value. The interval is that of the noncentrality of chi-squared
    (Smithson 2003, Confidence intervals, p. 40): sqrt((nc + df) / (n (k - 1))), 0 where nc is."""
    if untestable(sides) is not None:
        return Size()
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    table = _table(sides)
    found = chi2_contingency(table, correction=False)
    whole = int(table.sum()) * (min(table.shape) - 1)
    ends = [
        None if nc is None else min(1.0, math.sqrt((nc + found.dof) / whole)) if nc > 0 else 0.0
        for nc in noncentral.of_chi_squared(float(found.statistic), float(found.dof))
    ]
    return Size(float(association(table, method="cramer")), ends[0], ends[1])


def odds_ratio(sides: Sequence[Counts]) -> Size:
    """The odds of 1 on side a by those on side b: the conditional maximum likelihood estimate with the exact
    interval that go with Fisher's test (Cornfield 1956), as R's fisher.test has them."""
    if untestable(sides) is not None or _not_of_rates(sides) is not None:
        return Size()
    from scipy.stats.contingency import odds_ratio as of_table

    found = of_table(_yes_no(sides), kind="conditional")
    low, high = found.confidence_interval(LEVEL)
    return _ratio(float(found.statistic), float(low), float(high), "a cell is empty")


def paired_odds_ratio(crossed: Crossed) -> Size:
    """Of pairs: how many are 1 on side a alone, by how many on b alone; the interval is that of Clopper and
    Pearson (1934) of their share."""
    if not crossed or not {value for pair in crossed for value in pair} <= {0.0, 1.0}:
        return Size()
    _, only_a, only_b, _ = _cells(crossed)
    if not only_a + only_b:
        return Size()
    from statsmodels.stats.proportion import proportion_confint

    ends = proportion_confint(only_a, only_a + only_b, 1 - LEVEL, "beta")
    low, high = (end / (1 - end) if end < 1 else math.inf for end in map(float, ends))
    return _ratio(only_a / only_b if only_b else math.inf, low, high, "no pair is 1 on side b alone")


def _ratio(value: float, low: float, high: float, why: str) -> Size:
    """What is infinite is None, and said."""
    note = None if math.isfinite(value) and math.isfinite(high) else f"the odds ratio has no upper end: {why}"
    return Size(finite(value), finite(low), finite(high), note)


def untestable(sides: Sequence[Counts]) -> str | None:
    """Why a test does not exist: an empty side, or one value throughout."""
    sizes = [sum(side.values()) for side in sides]
    empty = " and ".join(
        f"{counted(0, 'score')} on side {letter(i)}" for i, size in enumerate(sizes) if not size
    )
    if empty:
        return f"no test: {empty}"
    if len({value for side in sides for value in side}) < 2:
        return "no test: neither side varies" if len(sides) == 2 else "no test: no side varies"
    return None


def _not_of_rates(sides: Sequence[Counts]) -> str | None:
    rates = {value for side in sides for value in side} <= {0.0, 1.0}
    return None if len(sides) == 2 and rates else "no test: values are not yes or no"


def _table(sides: Sequence[Counts]) -> npt.NDArray[np.int64]:
    """One row a side, one column a value that was found."""
    import numpy as np

    values = sorted({value for side in sides for value in side})
    return np.array([[side.get(value, 0) for value in values] for side in sides], dtype=np.int64)


def _yes_no(sides: Sequence[Counts]) -> list[list[int]]:
    return [[side.get(1.0, 0), side.get(0.0, 0)] for side in sides]


def _cells(crossed: Crossed) -> tuple[int, int, int, int]:
    """Pairs that are 1 on both sides, on a alone, on b alone, on neither."""
    both, only_a, only_b, neither = (
        crossed.get(pair, 0) for pair in ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))
    )
    return both, only_a, only_b, neither


def _difference_of_rates(sides: Sequence[Counts]) -> Interval:
    if len(sides) != 2 or not {value for side in sides for value in side} <= {0.0, 1.0}:
        return None, None
    from statsmodels.stats.proportion import confint_proportions_2indep

    a, b = sides
    low, high = confint_proportions_2indep(
        a.get(1.0, 0), sum(a.values()), b.get(1.0, 0), sum(b.values()), "newcomb", "diff", 1 - LEVEL
    )
    return finite(low), finite(high)


def _paired_rates(both: int, only_a: int, only_b: int, neither: int) -> Interval:
    from statsmodels.stats.proportion import proportion_confint

    n = both + only_a + only_b + neither
    yes = (both + only_a, both + only_b)
    (p, q) = (count / n for count in yes)
    (p_low, p_high), (q_low, q_high) = (proportion_confint(count, n, 1 - LEVEL, "wilson") for count in yes)
    margins = yes[0] * (n - yes[0]) * yes[1] * (n - yes[1])
    product = both * neither - only_a * only_b
    corrected = max(product - n / 2, 0.0) if product > 0 else float(product)
    phi = corrected / math.sqrt(margins) if margins else 0.0
    down, up = p - float(p_low), float(q_high) - q
    low = (p - q) - math.sqrt(max(0.0, down**2 - 2 * phi * down * up + up**2))
    down, up = q - float(q_low), float(p_high) - p
    return low, (p - q) + math.sqrt(max(0.0, down**2 - 2 * phi * down * up + up**2))
