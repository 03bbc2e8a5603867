"""Tests and effects against figures in print: data of R's documentation with what R prints of them, and of
textbooks."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from warehouse.statistics import (
    Nested,
    Sample,
    anova,
    chi_squared,
    clustered,
    compare,
    effect_size,
    fisher,
    kruskal,
    mann_whitney,
    mcnemar,
    mixed,
    ordinal,
    post_hoc,
    sample_of,
    welch_anova,
    wilcoxon,
)

PLANTS = {
    "ctrl": [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
    "trt1": [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
    "trt2": [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
}
"""R's PlantGrowth (Dobson 1983)."""
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
"""R's sleep (Student 1908)."""
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
"""Hollander and Wolfe (1973), of R's wilcox.test."""
PERMEABILITY = (
    [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46],
    [1.15, 0.88, 0.90, 0.74, 1.21],
)
BLOOD = (
    [9.76, 8.80, 7.68, 9.36],
    [12.80, 9.68, 12.16, 9.20, 10.55],
    [7.40, 8.50, 7.20, 8.24, 9.84, 8.32],
)
"""Dunnett (1955); the last is the control."""
IDEOLOGY = ([80, 81, 171, 41, 55], [30, 46, 148, 84, 99])
"""Agresti, political ideology of Democrats and Republicans, very liberal to very conservative."""


def sample(values: list[float]) -> Sample:
    import numpy as np

    return sample_of(np.array(values))


def spread(counts: list[int]) -> dict[float, int]:
    return {float(i): n for i, n in enumerate(counts, 1)}


def test_welch_on_sleep() -> None:
    found = compare(sample(SLEEP[0]), sample(SLEEP[1]), "welch")
    assert found.statistic == pytest.approx(-1.8608, abs=5e-5)
    assert found.df == pytest.approx(17.776, abs=5e-4)
    assert found.p == pytest.approx(0.07939, abs=5e-6)
    assert (found.low, found.high) == pytest.approx((-3.3654832, 0.2054832), abs=5e-8)


def test_analysis_of_variance_of_plants() -> None:
    samples = [sample(values) for values in PLANTS.values()]
    found = anova(samples)
    assert (found.df, found.df_error) == (2, 27)
    assert found.statistic == pytest.approx(4.846, abs=5e-4)
    assert found.p == pytest.approx(0.01591, abs=5e-6)
    found = welch_anova(samples)
    assert (found.statistic, found.df, found.df_error, found.p) == (
        pytest.approx(5.181, abs=5e-4),
        2,
        pytest.approx(17.128, abs=5e-4),
        pytest.approx(0.01739, abs=5e-6),
    )
    assert effect_size("eta_squared", samples).value == pytest.approx(3.76634 / (3.76634 + 10.49209), abs=1e-5)
    assert kruskal([Counter(v) for v in PLANTS.values()]).statistic == pytest.approx(7.9882, abs=5e-5)


def test_tukey_on_plants() -> None:
    sides = [Counter(PLANTS[name]) for name in ("trt1", "ctrl", "trt2")]
    found = {(pair.first, pair.second): pair.comparison for pair in post_hoc("tukey", sides, 1)}
    first, third = found[0, 1], found[0, 2]
    assert (first.estimate, first.low, first.high) == pytest.approx((-0.371, -1.0622161, 0.3202161), abs=5e-8)
    assert first.p == pytest.approx(0.3908711, abs=5e-8)
    assert (third.estimate, third.low, third.high) == pytest.approx((-0.865, -1.5562161, -0.1737839), abs=5e-8)
    assert third.p == pytest.approx(0.0120064, abs=5e-8)


def test_dunnett_on_blood() -> None:
    """R's multcomp: 0.6201 and 0.0058."""
    found = list(post_hoc("dunnett", [Counter(values) for values in BLOOD], 1))
    assert [(pair.first, pair.second) for pair in found] == [(0, 2), (1, 2)]
    assert [pair.comparison.p for pair in found] == [
        pytest.approx(0.6201, abs=2e-3),
        pytest.approx(0.0058, abs=5e-4),
    ]


def test_ranks() -> None:
    differences = Counter(round(a - b, 10) for a, b in zip(*DEPRESSION, strict=True))
    found = wilcoxon(differences)
    assert (found.test, found.statistic) == ("wilcoxon: exact", 40)
    assert found.p == pytest.approx(2 * 0.01953125)
    found = mann_whitney([Counter(values) for values in PERMEABILITY])
    assert (found.test, found.statistic) == ("mann_whitney: exact", 35)
    assert found.p == pytest.approx(2 * 0.1272, abs=1e-4)


def test_tables() -> None:
    tea = [{1.0: 3, 0.0: 1}, {1.0: 1, 0.0: 3}]
    assert fisher(tea).p == pytest.approx(0.4857, abs=5e-5)
    # R finds these by a search that is good to five digits; its upper end, 621.9, to two.
    ratio = effect_size("odds_ratio", (), counts=tea)
    assert (ratio.value, ratio.low) == (
        pytest.approx(6.408309, rel=2e-5),
        pytest.approx(0.2117329, rel=2e-5),
    )
    assert stats.nchypergeom_fisher.cdf(3, 8, 4, 4, ratio.high) == pytest.approx(0.025)
    approval = {(1.0, 1.0): 794, (1.0, 0.0): 86, (0.0, 1.0): 150, (0.0, 0.0): 570}
    found = mcnemar(approval, False)
    assert (found.test, found.df) == ("mcnemar: chi_squared", 1)
    assert found.statistic == pytest.approx(17.36, abs=5e-3)  # Agresti, approval of a prime minister
    assert mcnemar(approval, True).statistic == pytest.approx(63**2 / 236)
    party = [{1.0: 762, 2.0: 327, 3.0: 468}, {1.0: 484, 2.0: 239, 3.0: 477}]
    assert chi_squared(party, True).statistic == pytest.approx(30.070, abs=5e-4)


def test_proportional_odds() -> None:
    """Agresti, An Introduction to Categorical Data Analysis: 0.975 with a standard error of 0.129."""
    sides = [Nested({((), value): n for value, n in spread(counts).items()}) for counts in IDEOLOGY]
    found, ratio = ordinal(sides)
    import math

    assert ratio.value is not None
    assert found.statistic is not None
    beta = math.log(ratio.value)
    assert beta == pytest.approx(-0.975, abs=5e-4)
    assert abs(beta / found.statistic) == pytest.approx(0.129, abs=5e-4)
    assert found.leans is not None
    assert found.leans < 0


def test_a_mixed_model_of_pairs_is_the_paired_t_test() -> None:
    """Balanced, with one answer a side and cluster, both are one; t of R's sleep, paired, is -4.0621."""
    sides = [Nested({((f"{i}",), v): 1 for i, v in enumerate(values)}) for values in SLEEP]
    found = mixed(sides)
    assert found.statistic == pytest.approx(-4.0621, abs=5e-4)
    assert found.estimate == pytest.approx(-1.58)


def test_clustered_errors_by_hand() -> None:
    """CR1: sums of residuals within clusters, times G / (G - 1) * (N - 1) / (N - 2)."""
    import numpy as np

    values = {("a", 0): [1.0, 2.0, 4.0], ("b", 0): [3.0, 5.0], ("c", 1): [2.0, 2.0, 7.0], ("a", 1): [6.0]}
    sides = [
        Nested(
            {((c,), v): 1 + (values[c, s].count(v) - 1) for (c, s) in values if s == side for v in values[c, s]}
        )
        for side in (0, 1)
    ]
    rows = [(cluster, side, v) for (cluster, side), vs in values.items() for v in vs]
    y = np.array([v for *_, v in rows])
    x = np.column_stack([np.ones(len(y)), [float(side == 0) for _, side, _ in rows]])
    bread = np.linalg.inv(x.T @ x)
    residuals = y - x @ bread @ x.T @ y
    meat = np.zeros((2, 2))
    for cluster in "abc":
        own = np.array([c == cluster for c, *_ in rows])
        u = x[own].T @ residuals[own]
        meat += np.outer(u, u)
    n = len(y)
    cov = bread @ meat @ bread * (3 / 2) * ((n - 1) / (n - 2))
    found = clustered(sides, None)
    assert found.df == 2
    beta = (bread @ x.T @ y)[1]
    assert (found.estimate, found.statistic) == pytest.approx((beta, beta / np.sqrt(cov[1, 1])))


def test_cliffs_delta_by_counting_pairs() -> None:
    a, b = [1.0, 3.0, 4.0, 4.0, 5.0], [2.0, 2.0, 3.0, 1.0]
    signs = [(x > y) - (x < y) for x in a for y in b]
    size = effect_size("cliffs_delta", (), counts=[Counter(a), Counter(b)])
    assert size.value == pytest.approx(sum(signs) / len(signs))
    assert size.low is not None
    assert size.high is not None
    assert -1 <= size.low < size.value < size.high <= 1
