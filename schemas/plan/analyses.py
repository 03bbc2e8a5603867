"""Contrasts, associations, and what is published of them."""

from __future__ import annotations

from typing import Literal

from schemas.plan.record import Record


class Predicate(Record, frozen=True):
    """`field` is (or, negated, is not) one of `values`."""

    field: str
    values: tuple[str, ...]
    negated: bool = False


class Outcome(Record, frozen=True):
    scale: str
    subscale: str


Unit = Literal["response", "respondent", "stimulus", "factor"]
Test = Literal[
    "welch",
    "student",
    "f_then_t",
    "paired_t",
    "mann_whitney",
    "wilcoxon",
    "anova",
    "welch_anova",
    "kruskal",
    "chi_squared",
    "fisher",
    "mcnemar",
    "clustered",
    "mixed",
    "ordinal",
    "equivalence",
    "non_inferiority",
]
Effect = Literal[
    "none",
    "cohens_d",
    "hedges_g",
    "paired_d",
    "cliffs_delta",
    "eta_squared",
    "omega_squared",
    "cramers_v",
    "odds_ratio",
    "lift",
]
Adjust = Literal["none", "bonferroni", "holm", "bh"]
PostHoc = Literal["tukey", "games_howell", "dunnett"]


class Cells(Record, frozen=True):
    """Which answers one side of an analysis takes: those at `level` of the analysis's variable (None: all), of
    the panel `panel` (None: of each in turn). Or a `norm` of the outcome, by its group; or the number in a
    `field` of the stimulus; or the estimates of a `contrast`."""

    level: str | None = None
    panel: str | None = None
    norm: str | None = None
    field: str | None = None
    contrast: str | None = None


class Contrast(Record, frozen=True):
    """The first of `sides` minus the second, or where `omnibus` all of them against one another, for each
    group of `by` (a group kind is the fields it crosses; () is overall). `variable`: whose levels the sides
    are. `outcomes` empty: every subscale of the study's scales. `unit`: what is one observation; scores are
    averaged within it. `paired_by`: what pairs observations, or None. `direction_by`: which p the direction
    follows. `yates`: the continuity correction of chi-squared in tables of two by two, and of McNemar's test.
    `margin`: of a test of equivalence or non-inferiority, the largest difference that does not matter, in the
    outcome's points; `worse`: which scores are the worse ones. `post_hoc`: how pairs of the sides of an omnibus
    contrast are compared. `interval`: that of the estimate, from the test or by bootstrap. `cluster`: in what
    answers nest, of tests that heed it."""

    name: str
    sides: tuple[Cells, ...]
    by: tuple[tuple[str, ...], ...]
    test: Test
    alpha: float
    effect: Effect
    adjust: Adjust
    variable: str = "condition"
    omnibus: bool = False
    outcomes: tuple[Outcome, ...] = ()
    where: tuple[Predicate, ...] = ()
    unit: Unit = "response"
    paired_by: Literal["respondent", "stimulus"] | None = None
    direction_by: Literal["p", "p_adjusted"] = "p"
    yates: bool = True
    title: str | None = None
    margin: float | None = None
    worse: Literal["lower", "higher"] | None = None
    post_hoc: PostHoc | None = None
    interval: Literal["analytic", "bootstrap"] = "analytic"
    cluster: tuple[Unit, ...] = ()


Coefficient = Literal[
    "pearson",
    "spearman",
    "pairwise_pearson",
    "pairwise_spearman",
    "krippendorff_interval",
    "cohens_kappa",
    "ceiling",
    "accuracy",
    "macro_f1",
    "cronbach_alpha",
]


class Association(Record, frozen=True):
    """`correlation`: of two sides, unit by unit (means within a unit). `agreement`: of the respondents of one
    side with one another, or of two sides with one another. `reliability`: of a subscale's items over
    respondents. One row of the report for each coefficient, panel, outcome and group of `by`. `cut`: above it
    a value is of the upper class, for coefficients of classes."""

    name: str
    kind: Literal["correlation", "agreement", "reliability"]
    sides: tuple[Cells, ...]
    by: tuple[tuple[str, ...], ...]
    coefficients: tuple[Coefficient, ...]
    alpha: float
    unit: Unit
    variable: str = "condition"
    outcomes: tuple[Outcome, ...] = ()
    where: tuple[Predicate, ...] = ()
    cut: float | None = None
    title: str | None = None


class Expected(Record, frozen=True):
    """A published number: the difference, rounded to `decimals` where given, is at most `within`."""

    column: str
    value: float
    within: float
    decimals: int | None = None


class ExpectedCell(Record, frozen=True):
    """Published values of one row of a report, found by `row` (a report column and its value; None: the
    column is empty there)."""

    row: dict[str, str | int | None]
    numbers: tuple[Expected, ...] = ()
    direction: Literal["up", "down", "none"] | None = None
    erratum: str | None = None


class Expectation(Record, frozen=True):
    """`contrast`: the name of the contrast or association whose rows are expected."""

    contrast: str
    source: str
    cells: tuple[ExpectedCell, ...]
