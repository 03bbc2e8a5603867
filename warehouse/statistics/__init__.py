"""The statistics: the one folder that knows scipy, statsmodels and pandas.

What is not defined is None with a note, never NaN and never infinite.
"""

from warehouse.statistics.coefficients import cronbach_alpha, of_two
from warehouse.statistics.columns import f_p_column, t_p_column
from warehouse.statistics.corrections import adjusted
from warehouse.statistics.effects import effect_size, no_effect_size
from warehouse.statistics.margins import equivalence, non_inferiority
from warehouse.statistics.means import compare, compare_paired, f_p, of_independent, of_pairs, t_p
from warehouse.statistics.nesting import clustered, mixed, ordinal
from warehouse.statistics.oneway import Pair, anova, post_hoc, welch_anova
from warehouse.statistics.ranks import kruskal, mann_whitney, wilcoxon
from warehouse.statistics.raters import of_raters
from warehouse.statistics.resampling import bootstrap
from warehouse.statistics.results import (
    LEVEL,
    NOBODY,
    Comparison,
    Counts,
    Crossed,
    Nested,
    Pairs,
    Sample,
    Size,
    differences,
    pooled,
    sample_of,
)
from warehouse.statistics.tables import chi_squared, cramers_v, fisher, mcnemar

__all__ = [
    "LEVEL",
    "NOBODY",
    "Comparison",
    "Counts",
    "Crossed",
    "Nested",
    "Pair",
    "Pairs",
    "Sample",
    "Size",
    "adjusted",
    "anova",
    "bootstrap",
    "chi_squared",
    "clustered",
    "compare",
    "compare_paired",
    "cramers_v",
    "cronbach_alpha",
    "differences",
    "effect_size",
    "equivalence",
    "f_p",
    "f_p_column",
    "fisher",
    "kruskal",
    "mann_whitney",
    "mcnemar",
    "mixed",
    "no_effect_size",
    "non_inferiority",
    "of_independent",
    "of_pairs",
    "of_raters",
    "of_two",
    "ordinal",
    "pooled",
    "post_hoc",
    "sample_of",
    "t_p",
    "t_p_column",
    "welch_anova",
    "wilcoxon",
]
