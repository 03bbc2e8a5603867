"""Coefficients of two measurements of the same units, and of the items of a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemas.plan import Coefficient
from warehouse.statistics.results import LEVEL, NEGLIGIBLE, Comparison, counted, finite

if TYPE_CHECKING:
    from warehouse.statistics.results import Values

FEWEST = 3
"""Units without which a correlation says nothing: two points are always on a line."""


def of_two(coefficient: Coefficient, x: Values, y: Values, cut: float | None = None) -> Comparison:
    """A coefficient of two measurements (shape: units) of the same units.

    `pearson` with Fisher's z interval, `spearman`: p two-sided. `accuracy`: the share of units of which both
    say the same; `macro_f1`: the mean over classes of F1, a class that one side alone knows counting 0;
    `cohens_kappa`: both sides as two raters. With `cut`, a value above it is of the upper class; else every
    value is a class of its own.
    """
    import numpy as np

    match coefficient:
        case "pearson" | "spearman":
            return _correlation(coefficient, x, y)
        case "accuracy" | "macro_f1" | "cohens_kappa":
            if not len(x):
                return _undefined(coefficient, counted(0, "unit"))
            if cut is not None:
                x, y = (x > cut).astype(float), (y > cut).astype(float)
            if coefficient == "cohens_kappa":
                return _two_raters(x, y)
            agreed = float(np.mean(x == y))
            return Comparison(coefficient, agreed if coefficient == "accuracy" else _macro_f1(x, y))
        case _:
            return _undefined(coefficient, "it is no coefficient of two sides")


def constant(values: Values) -> bool:
    """Whether values differ by no more than rounding."""
    import numpy as np

    return float(np.ptp(values)) <= NEGLIGIBLE * max(1.0, float(np.max(np.abs(values))))


def _undefined(coefficient: str, why: str) -> Comparison:
    return Comparison(coefficient, note=f"no coefficient: {why}")


def _correlation(coefficient: Coefficient, x: Values, y: Values) -> Comparison:
    from scipy import stats

    if len(x) < FEWEST:
        return _undefined(coefficient, counted(len(x), "unit"))
    still = [side for side, values in (("a", x), ("b", y)) if constant(values)]
    if still:
        return _undefined(coefficient, " and ".join(f"side {side} does not vary" for side in still))
    df = len(x) - 2.0
    if coefficient == "spearman":
        ranks: Any = stats.spearmanr(x, y)
        return Comparison(coefficient, finite(ranks.statistic), df=df, p=finite(ranks.pvalue))
    found: Any = stats.pearsonr(x, y)
    low, high = found.confidence_interval(LEVEL) if len(x) > FEWEST else (float("nan"), float("nan"))
    return Comparison(
        coefficient,
        finite(found.statistic),
        df=df,
        p=finite(found.pvalue),
        low=finite(low),
        high=finite(high),
    )


def _macro_f1(x: Values, y: Values) -> float:
    import numpy as np

    classes = np.union1d(x, y)
    both = np.array([np.sum((x == c) & (y == c)) for c in classes])
    either = np.array([np.sum(x == c) + np.sum(y == c) for c in classes])
    return float(np.mean(2 * both / either))


def _two_raters(x: Values, y: Values) -> Comparison:
    import numpy as np
    from statsmodels.stats.inter_rater import cohens_kappa

    classes = np.union1d(x, y)
    if len(classes) < 2:
        return _undefined("cohens_kappa", "both sides say the same of every unit")
    table = np.array([[np.sum((x == c) & (y == d)) for d in classes] for c in classes])
    return Comparison("cohens_kappa", finite(cohens_kappa(table, return_results=False)))


def cronbach_alpha(n: int, items: int, item_variances: float | None, variance: float | None) -> Comparison:
    """Cronbach's alpha (1951) of `n` units that answered all `items`: k / (k - 1) * (1 - the sum of the items'
    variances by the variance of their sum), with the interval of Feldt (1965)."""
    name = "cronbach_alpha"
    if items < 2:
        return _undefined(name, f"its score is {'no sum of items' if not items else 'a single item'}")
    if n < 2 or item_variances is None or variance is None:
        return _undefined(name, f"{counted(n, 'unit')} with all {items} items")
    if variance <= NEGLIGIBLE:
        return _undefined(name, "the scores do not vary")
    from scipy.special import fdtri

    alpha = items / (items - 1) * (1 - item_variances / variance)
    df = n - 1.0
    low, high = (
        1 - (1 - alpha) * float(fdtri(df, df * (items - 1), p)) for p in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)
    )
    return Comparison(name, alpha, df=df, low=finite(low), high=finite(high))
