"""How far several respondents agree about the same units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.plan import Coefficient
from warehouse.statistics.coefficients import FEWEST, constant
from warehouse.statistics.results import NEGLIGIBLE, Comparison, counted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from warehouse.statistics.results import Values

    Square = npt.NDArray[np.float64]


def of_raters(coefficient: Coefficient, table: Values) -> Comparison:
    """A coefficient of a table of values (shape: raters, units; NaN where a rater did not rate a unit).

    `pairwise_pearson`, `pairwise_spearman`: the mean over pairs of raters of the correlation over the units
    that both rated, three or more. `cohens_kappa`: the same of Cohen's kappa (1960), every value a category.
    `krippendorff_interval`: Krippendorff's alpha of interval data. `ceiling`: the mean over raters of Pearson's
    correlation of a rater with the mean of all others, over the units that both have: what agreement somebody
    who is like them can reach (Hill, Reichart and Korhonen 2015).
    """
    if len(table) < 2:
        return Comparison(coefficient, note=f"no coefficient: {counted(len(table), 'respondent')}")
    match coefficient:
        case "pairwise_pearson" | "pairwise_spearman":
            return _mean_of_pairs(coefficient, _correlations(coefficient, table))
        case "cohens_kappa":
            return _mean_of_pairs(coefficient, _kappas(table))
        case "krippendorff_interval":
            return _krippendorff(table)
        case "ceiling":
            return _ceiling(table)
        case _:
            return Comparison(coefficient, note="no coefficient: it is none of respondents with one another")


def _mean_of_pairs(coefficient: Coefficient, matrix: Square) -> Comparison:
    """The mean above the diagonal; a pair without a value is left out."""
    import numpy as np

    pairs = matrix[np.triu_indices_from(matrix, 1)]
    known = pairs[np.isfinite(pairs)]
    if not len(known):
        return Comparison(coefficient, note="no coefficient: no two respondents have enough units in common")
    lacking = len(pairs) - len(known)
    note = f"{lacking:,} of {len(pairs):,} pairs of respondents have no coefficient" if lacking else None
    return Comparison(coefficient, float(np.mean(known)), note=note)


def _correlations(coefficient: Coefficient, table: Values) -> Square:
    import numpy as np
    import pandas as pd

    varying = [not constant(row[np.isfinite(row)]) if np.isfinite(row).any() else False for row in table]
    method = "pearson" if coefficient == "pairwise_pearson" else "spearman"
    known = np.where(np.array(varying)[:, None], table, np.nan)
    matrix: Square = pd.DataFrame(known.T).corr(method=method, min_periods=FEWEST).to_numpy()
    return matrix


def _kappas(table: Values) -> Square:
    """Cohen's kappa of every pair: (observed - chance) / (1 - chance) over the units that both rated."""
    import numpy as np

    rated = np.isfinite(table).astype(float)
    common = rated @ rated.T
    seen = np.zeros_like(common)
    chance = np.zeros_like(common)
    for category in np.unique(table[np.isfinite(table)]):
        said = (table == category).astype(float)
        seen += said @ said.T
        often = said @ rated.T
        chance += often * often.T
    with np.errstate(divide="ignore", invalid="ignore"):
        seen, chance = seen / common, chance / common**2
        defined = (common >= FEWEST) & (1 - chance > NEGLIGIBLE)
        kappas: Square = np.where(defined, (seen - chance) / (1 - chance), np.nan)
    return kappas


def _krippendorff(table: Values) -> Comparison:
    """alpha = 1 - observed by expected disagreement, the squared differences of values within units and of all
    values (Krippendorff 2011, Computing Krippendorff's alpha-reliability). A unit of one value is left out."""
    import numpy as np

    name = "krippendorff_interval"
    rated = np.isfinite(table)
    shared = rated.sum(axis=0) > 1
    if not shared.any():
        return Comparison(name, note="no coefficient: no unit has two values")
    values, rated = table[:, shared], rated[:, shared]
    sizes = rated.sum(axis=0)
    filled = np.where(rated, values, 0.0)
    centred = np.where(rated, values - filled.sum(axis=0) / sizes, 0.0)
    within = float(np.sum(2 * sizes * np.sum(centred**2, axis=0) / (sizes - 1)))
    every = values[rated]
    if constant(every):
        return Comparison(name, note="no coefficient: every value is the same")
    n = len(every)
    observed = within / n
    expected = 2 * float(np.sum((every - np.mean(every)) ** 2)) / (n - 1)
    return Comparison(name, 1 - observed / expected)


def _ceiling(table: Values) -> Comparison:
    import numpy as np

    rated = np.isfinite(table)
    filled = np.where(rated, table, 0.0)
    total, sizes = filled.sum(axis=0), rated.sum(axis=0)
    found = []
    for row, has in zip(filled, rated, strict=True):
        both = has & (sizes > 1)
        own, others = row[both], (total[both] - row[both]) / (sizes[both] - 1)
        if len(own) >= FEWEST and not constant(own) and not constant(others):
            found.append(float(np.corrcoef(own, others)[0, 1]))
    if not found:
        return Comparison(
            "ceiling", note=f"no coefficient: no respondent has {FEWEST} units that others answered too"
        )
    lacking = len(table) - len(found)
    note = f"{lacking:,} of {len(table):,} respondents have no coefficient" if lacking else None
    return Comparison("ceiling", float(np.mean(found)), note=note)
