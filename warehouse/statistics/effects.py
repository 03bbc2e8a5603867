"""How large an effect is, beside whether there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from schemas.plan import Effect
from warehouse.statistics.means import magnitude, pooled_variance
from warehouse.statistics.results import NEGLIGIBLE, Counts, Pairs, Sample
from warehouse.statistics.tables import cramers_v


def effect_size(
    effect: Effect, sides: Sequence[Sample], pairs: Pairs | None = None, counts: Sequence[Counts] = ()
) -> float | None:
    """An effect's size; None where it is not defined.

    `cohens_d`: the difference in means by the pooled sd (Cohen 1988). `hedges_g`: d times the exact correction
    J(m) = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n_a + n_b - 2 (Hedges 1981). `paired_d`: the mean
    difference by the sd of the differences (Cohen's d_z). `lift`: a's mean (or rate) by b's, minus 1.
    `cramers_v`: of any number of sides, see there; it needs `counts`, the others are of two sides.
    """
    if effect == "none":
        return None
    if effect == "cramers_v":
        return cramers_v(counts)
    if len(sides) != 2:
        return None
    a, b = sides
    match effect:
        case "paired_d":
            if pairs is None:
                return None
            return _ratio(pairs.difference.mean, pairs.difference.sd, pairs.a, pairs.b)
        case "cohens_d":
            return _cohens_d(a, b)
        case "hedges_g":
            d = _cohens_d(a, b)
            return None if d is None else d * _small_sample(a.n + b.n - 2)
        case "lift":
            return a.mean / b.mean - 1 if a.mean is not None and b.mean else None
        case _:
            assert_never(effect)


def no_effect_size(effect: Effect) -> str:
    """Why an effect has no size although its test was made."""
    return {
        "paired_d": "no d of the differences: the two sides are not paired",
        "lift": "no lift: the mean of side b is 0",
        "cramers_v": "no Cramer's V: it is of independent answers",
    }.get(effect, f"no {effect}: it is of two samples that vary")


def _cohens_d(a: Sample, b: Sample) -> float | None:
    if a.sd is None or b.sd is None or a.mean is None or b.mean is None:
        return None
    return _ratio(a.mean - b.mean, math.sqrt(pooled_variance(a, b)), a, b)


def _ratio(difference: float | None, sd: float | None, a: Sample, b: Sample) -> float | None:
    if difference is None or sd is None or sd <= NEGLIGIBLE * magnitude(a, b):
        return None
    return difference / sd


def _small_sample(m: int) -> float:
    from scipy.special import gammaln

    return float(math.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / math.sqrt(m / 2))
