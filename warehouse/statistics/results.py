"""What is compared, and what a comparison gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.float64]

LEVEL = 0.95
NEGLIGIBLE = 1e-12

Counts = Mapping[float, int]
"""How often each value was found on one side."""

Crossed = Mapping[tuple[float, float], int]
"""How often each two values were found in one pair, that of side a first."""


class Nested(msgspec.Struct, frozen=True):
    """How often each value was found in each cluster, of one side; a cluster has a name for each way of
    clustering."""

    values: Mapping[tuple[tuple[str, ...], float], int]


class Sample(msgspec.Struct, frozen=True):
    """A sample's size, mean and standard deviation; None where it is too small to have one."""

    n: int
    mean: float | None
    sd: float | None


NOBODY = Sample(0, None, None)


class Pairs(msgspec.Struct, frozen=True):
    """Two measurements of the same units, and their differences (a minus b)."""

    a: Sample
    b: Sample
    difference: Sample


class Comparison(msgspec.Struct, frozen=True):
    """A result. `test`: the test that was made, or the coefficient; `low` and `high`: 95 % interval of
    `estimate`, in tests against a margin 1 - 2 alpha. `df_error`: of an F test, the second degrees of freedom.
    `leans`: above 0 where side a is the higher one by what was tested, if that is not the estimate. What is not
    defined is None, and `note` says why, or what to mind."""

    test: str
    estimate: float | None = None
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None
    df_error: float | None = None
    leans: float | None = None


class Size(msgspec.Struct, frozen=True):
    """How large an effect is, with its 95 % interval. What is not defined is None, and `note` says why."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str | None = None


def sample_of(values: Values) -> Sample:
    """A sample of its values (shape: n)."""
    n = len(values)
    return Sample(n, float(values.mean()) if n else None, float(values.std(ddof=1)) if n > 1 else None)


def finite(value: float) -> float | None:
    """The number, or None where it is none."""
    return float(value) if math.isfinite(value) else None


def counted(n: int, noun: str) -> str:
    """`no score`, `a single score`, `3 scores`."""
    return {0: f"no {noun}", 1: f"a single {noun}"}.get(n, f"{n} {noun}s")


def letter(index: int) -> str:
    """A side's letter: a, b, c, ...; its number where letters end."""
    return "abcdefghijklmnopqrstuvwxyz"[index] if index < 26 else str(index + 1)


def values_of(counts: Counts) -> Values:
    """Every value as often as it was found, in ascending order."""
    import numpy as np

    kinds = sorted(counts)
    return np.repeat(np.array(kinds, dtype=np.float64), [counts[kind] for kind in kinds])


def differences(crossed: Crossed) -> Counts:
    """How often each difference was found within pairs, rounded to ten decimals, so that what is alike stays
    so."""
    found: dict[float, int] = {}
    for (a, b), count in crossed.items():
        difference = round(a - b, 10)
        found[difference] = found.get(difference, 0) + count
    return found


def pooled(samples: Sequence[Sample]) -> Sample:
    """All samples as one: the mean of all values, and their standard deviation around it."""
    full = [s for s in samples if s.n and s.mean is not None]
    n = sum(s.n for s in full)
    if not full:
        return NOBODY
    mean = sum(s.n * (s.mean or 0.0) for s in full) / n
    squares = sum((s.n - 1) * (s.sd or 0.0) ** 2 + s.n * ((s.mean or 0.0) - mean) ** 2 for s in full)
    return Sample(n, mean, math.sqrt(squares / (n - 1)) if n > 1 else None)
