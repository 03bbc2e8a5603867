"""Intervals by bootstrap."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from warehouse.statistics.means import Difference, interval
from warehouse.statistics.results import Counts, Size, finite, values_of

RESAMPLES = 9999
LARGEST = 10_000
"""So many values are drawn anew; among more, the interval of the t test is the same."""
AT_ONCE = 2_000_000
"""So many values are drawn at a time: it bounds the memory."""


def bootstrap(sides: Sequence[Counts], analytic: Difference, level: float, seed: int) -> Size:
    """The bias-corrected and accelerated interval (BCa; Efron 1987) of a difference of means: of two sides,
    each drawn anew by itself, or of the differences within pairs, where there is one. 9,999 draws from `seed`.
    Of more than 10,000 values it is that of the t test (`analytic`), which the bootstrap comes to."""
    sizes = [sum(side.values()) for side in sides]
    if sum(sizes) > LARGEST:
        if analytic.note is not None:
            return Size(note="no interval: the scores do not vary")
        low, high = interval(analytic, level)
        return Size(analytic.estimate, low, high, f"more than {LARGEST:,} values: the interval is a t test's")
    if min(sizes) < 2 or all(len(side) < 2 for side in sides):
        why = "a side has fewer than two scores" if min(sizes) < 2 else "the scores do not vary"
        return Size(note=f"no interval: {why}")
    import numpy as np
    from scipy import stats

    def difference(*drawn: Any, axis: int = -1) -> Any:
        means = [values.mean(axis=axis) for values in drawn]
        return means[0] - means[1] if len(means) > 1 else means[0]

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Any = stats.bootstrap(
            tuple(map(values_of, sides)),
            difference,
            n_resamples=RESAMPLES,
            batch=max(1, AT_ONCE // max(sizes)),
            vectorized=True,
            confidence_level=level,
            method="BCa",
            rng=np.random.default_rng(seed),
        )
    low, high = map(finite, found.confidence_interval)
    note = "no interval: the bootstrap has none of so few values" if low is None or high is None else None
    return Size(analytic.estimate, low, high, note)
