"""Analysis of variance of independent samples, from their summaries, and comparisons of their pairs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec

from schemas.plan import PostHoc
from warehouse.statistics import noncentral
from warehouse.statistics.results import (
    LEVEL,
    NEGLIGIBLE,
    Comparison,
    Counts,
    Sample,
    Size,
    counted,
    finite,
    letter,
    sample_of,
    values_of,
)

if TYPE_CHECKING:
    from warehouse.statistics.results import Values


class Squares(msgspec.Struct, frozen=True):
    """Sums of squares between and within samples, with their degrees of freedom."""

    between: float
    within: float
    df: float
    df_error: float

    @property
    def f(self) -> float:
        return (self.between / self.df) / (self.within / self.df_error)


class Pair(msgspec.Struct, frozen=True):
    """Two sides of several, by their places. `p` of the comparison is adjusted for all pairs."""

    first: int
    second: int
    comparison: Comparison


def anova(samples: Sequence[Sample], estimate: float | None = None) -> Comparison:
    """The F test of a one-way analysis of variance (Fisher 1925): do all sides have the same mean?"""
    squares = _squares(samples)
    if isinstance(squares, str):
        return Comparison("anova", estimate, note=f"no test: {squares}")
    from scipy.special import fdtrc

    p = float(fdtrc(squares.df, squares.df_error, squares.f))
    return Comparison("anova", estimate, squares.f, squares.df, p, df_error=squares.df_error)


def welch_anova(samples: Sequence[Sample], estimate: float | None = None) -> Comparison:
    """Welch's F test (1951), which lets the variances differ."""
    name = "welch_anova"
    few = [i for i, sample in enumerate(samples) if sample.n < 2]
    still = [i for i, sample in enumerate(samples) if not sample.sd or sample.sd <= NEGLIGIBLE * _size(samples)]
    if few or still:
        why = " and ".join(f"{counted(samples[i].n, 'score')} on side {letter(i)}" for i in few)
        why = why or " and ".join(f"side {letter(i)} does not vary" for i in still)
        return Comparison(name, estimate, note=f"no test: {why}")
    import numpy as np
    from statsmodels.stats.oneway import anova_generic

    means, sds, sizes = (np.array([getattr(s, of) for s in samples], float) for of in ("mean", "sd", "n"))
    found: Any = anova_generic(means, sds**2, sizes, use_var="unequal")
    df, df_error = map(float, found.df)
    return Comparison(name, estimate, float(found.statistic), df, float(found.pvalue), df_error=df_error)


def eta_squared(samples: Sequence[Sample]) -> Size:
    """Eta squared: the share of the sum of squares that is between the sides. The interval is that of the
    population's share, nc / (nc + N), from the noncentrality of F (Steiger 2004, Beyond the F test)."""
    squares = _squares(samples)
    if isinstance(squares, str):
        return Size()
    low, high = _share(squares)
    return Size(squares.between / (squares.between + squares.within), low, high)


def omega_squared(samples: Sequence[Sample]) -> Size:
    """Omega squared (Hays 1963): what eta squared is in the population, less biased; 0 where it would be below.
    The interval is that of eta squared."""
    squares = _squares(samples)
    if isinstance(squares, str):
        return Size()
    error = squares.within / squares.df_error
    whole = squares.between + squares.within + error
    low, high = _share(squares)
    return Size(max(0.0, (squares.between - squares.df * error) / whole), low, high)


def post_hoc(method: PostHoc, sides: Sequence[Counts], seed: int) -> Iterator[Pair]:
    """The pairs of the sides: of `tukey` (Tukey 1949, Kramer 1956) and `games_howell` (1976) each with each, of
    `dunnett` (1955) each with the last. p and interval hold for all pairs at once. Dunnett's distribution is
    integrated by drawing, from `seed`. A side with less than two scores is in no pair that is tested."""
    samples = [values_of(side) for side in sides]
    wanted = list(combinations(range(len(sides)), 2))
    if method == "dunnett":
        wanted = [(i, len(sides) - 1) for i in range(len(sides) - 1)]
    fit = [i for i, sample in enumerate(samples) if len(sample) > 1]
    tested = _tested(method, [samples[i] for i in fit], seed) if len(fit) > 1 else {}
    for i, j in wanted:
        few = [k for k in (i, j) if k not in fit]
        estimate = (
            finite(samples[i].mean() - samples[j].mean()) if len(samples[i]) and len(samples[j]) else None
        )
        if few:
            why = " and ".join(f"{counted(len(samples[k]), 'score')} on side {letter(k)}" for k in few)
            yield Pair(i, j, Comparison(method, estimate, note=f"no test: {why}"))
            continue
        p, low, high = tested.get((fit.index(i), fit.index(j)), (None, None, None))
        note = "no test: the sides do not vary" if p is None else None
        yield Pair(i, j, Comparison(method, estimate, p=p, low=low, high=high, note=note))


Tested = dict[tuple[int, int], tuple[float | None, float | None, float | None]]


def _tested(method: PostHoc, samples: Sequence[Values], seed: int) -> Tested:
    import numpy as np
    from scipy import stats

    squares = _squares([sample_of(sample) for sample in samples])
    if isinstance(squares, str):
        return {}
    count = len(samples)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Any
        if method == "dunnett":
            drawn = np.random.default_rng(seed)
            found = stats.dunnett(*samples[:-1], control=samples[-1], rng=drawn)
            ends = found.confidence_interval(LEVEL)
            pairs = [((i, count - 1), i) for i in range(count - 1)]
            return {pair: _finite(found.pvalue[at], ends.low[at], ends.high[at]) for pair, at in pairs}
        found = stats.tukey_hsd(*samples, equal_var=method == "tukey")
        ends = found.confidence_interval(LEVEL)
        both = combinations(range(count), 2)
        return {at: _finite(found.pvalue[at], ends.low[at], ends.high[at]) for at in both}


def _finite(p: float, low: float, high: float) -> tuple[float | None, float | None, float | None]:
    return finite(p), finite(low), finite(high)


def _squares(samples: Sequence[Sample]) -> Squares | str:
    """Or why there are none."""
    empty = " and ".join(
        f"{counted(0, 'score')} on side {letter(i)}" for i, sample in enumerate(samples) if not sample.n
    )
    if empty:
        return empty
    n = sum(sample.n for sample in samples)
    if n == len(samples):
        return "a single score on each side"
    mean = sum(sample.n * (sample.mean or 0.0) for sample in samples) / n
    between = sum(sample.n * ((sample.mean or 0.0) - mean) ** 2 for sample in samples)
    within = sum((sample.n - 1) * (sample.sd or 0.0) ** 2 for sample in samples)
    df_error = float(n - len(samples))
    if within / df_error <= (NEGLIGIBLE * _size(samples)) ** 2:
        return "neither side varies" if len(samples) == 2 else "no side varies"
    return Squares(between, within, len(samples) - 1.0, df_error)


def _size(samples: Sequence[Sample]) -> float:
    """How large numbers are here: what is negligible beside it is rounding."""
    return max(1.0, *(abs(sample.mean or 0.0) for sample in samples))


def _share(squares: Squares) -> noncentral.Bounds:
    n = squares.df + squares.df_error + 1
    low, high = noncentral.of_f(squares.f, squares.df, squares.df_error)
    return (None if low is None else low / (low + n)), (None if high is None else high / (high + n))
