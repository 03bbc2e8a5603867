"""Tests against a margin: that a difference is smaller than what matters."""

from __future__ import annotations

from typing import Literal

from warehouse.statistics.means import Difference, interval
from warehouse.statistics.results import Comparison


def equivalence(found: Difference, margin: float, alpha: float) -> Comparison:
    """Two one-sided t tests (Schuirmann 1987): that the difference is above -`margin` and below `margin`. The
    statistic and p are those of the weaker of the two; the interval is that of 1 - 2 `alpha`, which lies within
    the margin where p is below `alpha`."""
    from scipy.special import stdtr

    label = f"equivalence: {found.label}"
    if found.note is not None or found.estimate is None:
        return Comparison(label, found.estimate, note=found.note)
    above, below = (found.estimate + margin) / found.error, (found.estimate - margin) / found.error
    of_both = ((float(stdtr(found.df, -above)), above), (float(stdtr(found.df, below)), below))
    p, t = max(of_both)
    low, high = interval(found, 1 - 2 * alpha)
    return Comparison(label, found.estimate, t, found.df, p, low, high)


def non_inferiority(
    found: Difference, margin: float, worse: Literal["lower", "higher"], alpha: float
) -> Comparison:
    """A one-sided t test that side a is worse than side b by less than `margin`; `worse` says which scores are
    the worse ones. The interval is that of 1 - 2 `alpha`: its worse end is within the margin where p is below
    `alpha`."""
    from scipy.special import stdtr

    label = f"non_inferiority: {found.label}"
    if found.note is not None or found.estimate is None:
        return Comparison(label, found.estimate, note=found.note)
    t = (found.estimate + (margin if worse == "lower" else -margin)) / found.error
    p = float(stdtr(found.df, -t if worse == "lower" else t))
    low, high = interval(found, 1 - 2 * alpha)
    return Comparison(label, found.estimate, t, found.df, p, low, high)
