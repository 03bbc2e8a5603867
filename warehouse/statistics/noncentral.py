"""Intervals of noncentrality parameters, by inverting the test (Steiger and Fouladi 1997, Noncentrality
interval estimation): the lower end is the parameter under which a statistic of at least this size has the
probability (1 - level) / 2, the upper end that under which one of at most this size has.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from warehouse.statistics.results import LEVEL

Bounds = tuple[float | None, float | None]
NONE: Bounds = (None, None)
LARGEST_T = 1e4


def of_t(t: float, df: float) -> Bounds:
    """95 % interval of the noncentrality of Student's t; none where t is beyond what the distribution can be
    computed for."""
    from scipy.special import nctdtr

    if t < 0:
        low, high = of_t(-t, df)
        return None if high is None else -high, None if low is None else -low
    if t > LARGEST_T:
        return NONE
    return _bounds(lambda nc: float(nctdtr(df, nc, t)), -math.inf, t)


def of_chi_squared(statistic: float, df: float) -> Bounds:
    """95 % interval of the noncentrality of chi-squared; its lower end is 0 where the test says nothing."""
    from scipy.special import chndtr

    return _bounds(lambda nc: float(chndtr(statistic, df, nc)), 0.0, statistic)


def of_f(statistic: float, df: float, df_error: float) -> Bounds:
    """95 % interval of the noncentrality of F; its lower end is 0 where the test says nothing."""
    from scipy.special import ncfdtr

    return _bounds(lambda nc: float(ncfdtr(df, df_error, nc, statistic)), 0.0, df * statistic)


def _bounds(probability: Callable[[float], float], least: float, near: float) -> Bounds:
    """`probability` falls as the parameter grows from `least`; the ends are not far from `near`."""
    ends = [_root(probability, p, least, near) for p in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)]
    return ends[0], ends[1]


def _root(probability: Callable[[float], float], wanted: float, least: float, near: float) -> float | None:
    """None where the distribution cannot be computed. The ends are sought from near: far from it, the
    distributions of scipy are not numbers."""
    import numpy as np
    from scipy.optimize import brentq

    with np.errstate(all="ignore"):
        low = _past(lambda nc: probability(nc) >= wanted, near, -1.0, least)
        high = _past(lambda nc: probability(nc) <= wanted, near, 1.0, least)
        if low is None or high is None:
            return None
        if probability(low) <= wanted:
            return low
        try:
            return float(brentq(lambda nc: probability(nc) - wanted, low, high, xtol=1e-10, rtol=1e-12))
        except (RuntimeError, ValueError):
            return None


def _past(reached: Callable[[float], bool], start: float, step: float, least: float) -> float | None:
    """The first of ever longer steps from `start` at which it is reached, or the least there is."""
    at = start
    for _ in range(100):
        if at <= least or reached(at):
            return max(at, least)
        at += step
        step *= 1.5
    return None
