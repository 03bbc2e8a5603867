"""How large an effect is, beside whether there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from schemas.plan import Effect
from warehouse.statistics import noncentral
from warehouse.statistics.means import magnitude, pooled_variance
from warehouse.statistics.oneway import eta_squared, omega_squared
from warehouse.statistics.ranks import cliffs_delta
from warehouse.statistics.results import LEVEL, NEGLIGIBLE, Counts, Crossed, Pairs, Sample, Size
from warehouse.statistics.tables import cramers_v, odds_ratio, paired_odds_ratio


def effect_size(
    effect: Effect,
    sides: Sequence[Sample],
    pairs: Pairs | None = None,
    counts: Sequence[Counts] = (),
    crossed: Crossed | None = None,
) -> Size:
    """An effect's size with its interval; None where it is not defined.

    `cohens_d`: the difference in means by the pooled sd (Cohen 1988). `hedges_g`: d times the exact correction
    J(m) = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n_a + n_b - 2 (Hedges 1981). `paired_d`: the mean
    difference by the sd of the differences (Cohen's d_z). Their intervals are of the noncentrality of t
    (Cumming and Finch 2001), that of g corrected as g is. `lift`: a's mean (or rate) by b's, minus 1, with the
    interval of the logarithm of the ratio (Katz et al. 1978; of means: Hedges, Gurevitch and Curtis 1999).
    `cliffs_delta`, `cramers_v`, `odds_ratio`: see there; they need `counts`, or an odds ratio of pairs
    `crossed`. `eta_squared`, `omega_squared`: of any number of sides.
    """
    match effect:
        case "none":
            return Size()
        case "cohens_d" | "hedges_g":
            return _standardized(effect, sides)
        case "paired_d":
            return Size() if pairs is None else _paired(pairs)
        case "lift":
            return _lift(sides, pairs is not None)
        case "cliffs_delta":
            return cliffs_delta(counts)
        case "cramers_v":
            return cramers_v(counts)
        case "odds_ratio":
            return odds_ratio(counts) if crossed is None else paired_odds_ratio(crossed)
        case "eta_squared":
            return eta_squared(sides)
        case "omega_squared":
            return omega_squared(sides)
        case _:
            assert_never(effect)


def no_effect_size(effect: Effect) -> str:
    """Why an effect has no size although its test was made."""
    return {
        "paired_d": "no d of the differences: the two sides are not paired",
        "lift": "no lift: the mean of side b is 0",
        "cramers_v": "no Cramer's V: it is of independent answers",
        "cliffs_delta": "no Cliff's delta: it is of two sides of independent answers",
        "odds_ratio": "no odds ratio: it is of two sides of yes and no that vary",
    }.get(effect, f"no {effect}: it is of samples that vary")


def _standardized(effect: Effect, sides: Sequence[Sample]) -> Size:
    if len(sides) != 2:
        return Size()
    a, b = sides
    if a.sd is None or b.sd is None or a.mean is None or b.mean is None:
        return Size()
    d = _ratio(a.mean - b.mean, math.sqrt(pooled_variance(a, b)), a, b)
    if d is None:
        return Size()
    m = a.n + b.n - 2
    return _of_t(d, math.sqrt(1 / a.n + 1 / b.n), m, _small_sample(m) if effect == "hedges_g" else 1.0)


def _paired(pairs: Pairs) -> Size:
    d = _ratio(pairs.difference.mean, pairs.difference.sd, pairs.a, pairs.b)
    n = pairs.difference.n
    return Size() if d is None else _of_t(d, 1 / math.sqrt(n), n - 1, 1.0)


def _of_t(d: float, error: float, df: int, correction: float) -> Size:
    """d with the interval of the noncentrality of t = d / error, all times a correction."""
    low, high = (
        None if nc is None else nc * error * correction for nc in noncentral.of_t(d / error, float(df))
    )
    note = "no interval of the effect: it is too large for one" if low is None or high is None else None
    return Size(d * correction, low, high, note)


def _lift(sides: Sequence[Sample], paired: bool) -> Size:
    if len(sides) != 2 or sides[0].mean is None or not sides[1].mean:
        return Size()
    ratio = sides[0].mean / sides[1].mean
    if paired:
        return Size(ratio - 1)
    if ratio <= 0 or any(side.sd is None for side in sides):
        return Size(ratio - 1, note="no interval of the lift: it is of two positive means of several scores")
    from scipy.special import ndtri

    parts = [(side.sd or 0.0) ** 2 / (side.n * (side.mean or 1.0) ** 2) for side in sides]
    half = float(ndtri((1 + LEVEL) / 2)) * math.sqrt(sum(parts))
    return Size(ratio - 1, ratio * math.exp(-half) - 1, ratio * math.exp(half) - 1)


def _ratio(difference: float | None, sd: float | None, a: Sample, b: Sample) -> float | None:
    if difference is None or sd is None or sd <= NEGLIGIBLE * magnitude(a, b):
        return None
    return difference / sd


def _small_sample(m: int) -> float:
    from scipy.special import gammaln

    return float(math.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / math.sqrt(m / 2))
