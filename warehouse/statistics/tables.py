"""Tests of how often each value was found: chi-squared and Kruskal-Wallis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warehouse.statistics.results import LEVEL, Comparison, Counts, counted, finite

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def chi_squared(sides: Sequence[Counts], yates: bool, estimate: float | None = None) -> Comparison:
    """Pearson's chi-squared of sides by values, `yates`: with the continuity correction where the table is two
    by two. Between two sides whose values are 0 and 1, `low` and `high` are those of the difference of rates
    (Newcombe 1998, from Wilson scores)."""
    note = _untestable(sides)
    if note is not None:
        return Comparison("chi_squared", estimate, note=note)
    from scipy.stats import chi2_contingency

    table = _table(sides)
    found = chi2_contingency(table, correction=yates)
    low, high = _difference_of_rates(sides)
    return Comparison(
        "chi_squared", estimate, float(found.statistic), float(found.dof), float(found.pvalue), low, high
    )


def kruskal(sides: Sequence[Counts], estimate: float | None = None) -> Comparison:
    """Kruskal and Wallis's H, corrected for ties: do all sides have the same distribution?"""
    note = _untestable(sides)
    if note is not None:
        return Comparison("kruskal", estimate, note=note)
    import numpy as np
    from scipy import stats

    found: Any = stats.kruskal(*(np.repeat(list(side), list(side.values())) for side in sides))
    return Comparison("kruskal", estimate, float(found.statistic), len(sides) - 1.0, float(found.pvalue))


def cramers_v(sides: Sequence[Counts]) -> float | None:
    """Cramer's V (1946) of sides by values, from chi-squared without a continuity correction: 0 where the
    sides are alike, 1 where a side tells the value."""
    if _untestable(sides) is not None:
        return None
    from scipy.stats.contingency import association

    return float(association(_table(sides), method="cramer"))


def _untestable(sides: Sequence[Counts]) -> str | None:
    """Why a test does not exist: an empty side, or one value throughout."""
    sizes = [sum(side.values()) for side in sides]
    empty = " and ".join(
        f"{counted(0, 'score')} on side {_letter(i)}" for i, size in enumerate(sizes) if not size
    )
    if empty:
        return f"no test: {empty}"
    if len({value for side in sides for value in side}) < 2:
        return "no test: neither side varies" if len(sides) == 2 else "no test: no side varies"
    return None


def _letter(index: int) -> str:
    """a, b, c, ...; numbers where letters end."""
    return "abcdefghijklmnopqrstuvwxyz"[index] if index < 26 else str(index + 1)


def _table(sides: Sequence[Counts]) -> npt.NDArray[np.int64]:
    """One row a side, one column a value that was found."""
    import numpy as np

    values = sorted({value for side in sides for value in side})
    return np.array([[side.get(value, 0) for value in values] for side in sides], dtype=np.int64)


def _difference_of_rates(sides: Sequence[Counts]) -> tuple[float | None, float | None]:
    if len(sides) != 2 or not {value for side in sides for value in side} <= {0.0, 1.0}:
        return None, None
    from statsmodels.stats.proportion import confint_proportions_2indep

    a, b = sides
    low, high = confint_proportions_2indep(
        a.get(1.0, 0), sum(a.values()), b.get(1.0, 0), sum(b.values()), "newcomb", "diff", 1 - LEVEL
    )
    return finite(low), finite(high)
