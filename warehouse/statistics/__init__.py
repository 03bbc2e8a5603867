"""The statistics: the one folder that knows scipy, statsmodels and pandas.

What is not defined is None with a note, never NaN and never infinite.
"""

from warehouse.statistics.coefficients import cronbach_alpha, of_two
from warehouse.statistics.columns import f_p_column, t_p_column
from warehouse.statistics.corrections import adjusted
from warehouse.statistics.effects import effect_size, no_effect_size
from warehouse.statistics.means import compare, compare_paired, f_p, t_p
from warehouse.statistics.raters import of_raters
from warehouse.statistics.results import NOBODY, Comparison, Counts, Pairs, Sample, pooled, sample_of
from warehouse.statistics.tables import chi_squared, cramers_v, kruskal

__all__ = [
    "NOBODY",
    "Comparison",
    "Counts",
    "Pairs",
    "Sample",
    "adjusted",
    "chi_squared",
    "compare",
    "compare_paired",
    "cramers_v",
    "cronbach_alpha",
    "effect_size",
    "f_p",
    "f_p_column",
    "kruskal",
    "no_effect_size",
    "of_raters",
    "of_two",
    "pooled",
    "sample_of",
    "t_p",
    "t_p_column",
]
