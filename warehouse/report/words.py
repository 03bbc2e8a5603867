"""The words of a report: numbers as people print them, settings as sentences."""

from __future__ import annotations

from schemas.plan import Association, Contrast
from schemas.report import Direction, ReportRow
from warehouse.groups import label

ARROWS: dict[Direction, str] = {"up": "↑", "down": "↓", "none": "–"}
TESTS = {
    "student": "Student's t test, two-sided",
    "welch": "Welch's t test, two-sided",
    "f_then_t": "F test of the variances (0.01), then Student's or Welch's t test, two-sided",
    "paired_t": "paired t test, two-sided",
    "mann_whitney": "Mann-Whitney test, two-sided",
    "wilcoxon": "Wilcoxon's signed rank test, two-sided",
    "anova": "one-way analysis of variance",
    "welch_anova": "Welch's one-way analysis of variance",
    "kruskal": "Kruskal-Wallis test",
    "chi_squared": "chi-squared test",
    "fisher": "Fisher's exact test, two-sided",
    "mcnemar": "McNemar's test, exact below 25 pairs that differ",
    "clustered": "regression with cluster-robust standard errors",
    "mixed": "linear mixed model with a random intercept",
    "ordinal": "regression with proportional odds",
    "equivalence": "two one-sided tests of equivalence",
    "non_inferiority": "one-sided test of non-inferiority",
}
STATISTICS = {"chi_squared": "chi²", "kruskal": "H", "anova": "F", "welch_anova": "F"}
"""Tests whose statistic is shown, and what it is called."""
EFFECTS = {
    "none": "",
    "cohens_d": "Cohen's d",
    "hedges_g": "Hedges' g",
    "paired_d": "d of the differences",
    "lift": "the first mean by the second, minus 1",
    "cramers_v": "Cramer's V",
    "cliffs_delta": "Cliff's delta",
    "eta_squared": "eta squared",
    "omega_squared": "omega squared",
    "odds_ratio": "the odds ratio",
}
EFFECT_SYMBOLS = {
    "none": "",
    "cohens_d": "d",
    "hedges_g": "g",
    "paired_d": "dz",
    "lift": "lift",
    "cramers_v": "V",
    "cliffs_delta": "delta",
    "eta_squared": "eta²",
    "omega_squared": "omega²",
    "odds_ratio": "OR",
}
POST_HOC = {
    "tukey": "Tukey's test",
    "games_howell": "the test of Games and Howell",
    "dunnett": "Dunnett's test",
}
COEFFICIENTS = {
    "pearson": ("r", "Pearson's correlation"),
    "spearman": ("rho", "Spearman's correlation"),
    "pairwise_pearson": ("pairs r", "the mean of Pearson's correlation over pairs of respondents"),
    "pairwise_spearman": ("pairs rho", "the mean of Spearman's correlation over pairs of respondents"),
    "krippendorff_interval": ("K alpha", "Krippendorff's alpha of interval data"),
    "cohens_kappa": ("kappa", "Cohen's kappa, of more than two respondents its mean over pairs"),
    "ceiling": ("ceiling", "the mean over respondents of their correlation with the mean of all others"),
    "accuracy": ("accuracy", "the share of units of which both say the same"),
    "macro_f1": ("F1", "the mean of F1 over the classes"),
    "cronbach_alpha": ("alpha", "Cronbach's alpha"),
}
"""The symbol and the words of each coefficient."""
CORRECTIONS = {
    "none": "no correction for the number of tests",
    "bonferroni": "p corrected by Bonferroni",
    "holm": "p corrected by Holm",
    "bh": "p corrected by Benjamini and Hochberg",
}
UNITS = {
    "response": ("answer", "answers"),
    "respondent": ("respondent", "respondents"),
    "stimulus": ("stimulus", "stimuli"),
    "factor": ("factor", "factors"),
}


def settings(contrast: Contrast, rates: bool) -> str:
    """What was tested and how, defaults included. `rates`: whether some outcome is yes or no."""
    names = [label(side) for side in contrast.sides]
    follows = "corrected p" if contrast.direction_by == "p_adjusted" and contrast.adjust != "none" else "p"
    points = "points of the subscale" + (" (pp: points of a percentage)" if rates else "")
    against = f"{', '.join(names)} against one another"
    parts = [
        against if contrast.omnibus else f"{' minus '.join(names)}, in {points}",
        _test(contrast),
        CORRECTIONS[contrast.adjust]
        + ("" if contrast.adjust == "none" else " over the groups of one kind, per panel and subscale"),
    ]
    if contrast.margin is not None:
        within = f"within {contrast.margin:g} points" if contrast.worse is None else _not_worse(contrast)
        parts.append(f"{within} where the {follows} is below {contrast.alpha:g}")
    elif not contrast.omnibus:
        parts.append(f"an arrow where the {follows} is below {contrast.alpha:g}")
    if contrast.cluster:
        parts.append(f"answers nest in {' and '.join(UNITS[unit][1] for unit in contrast.cluster)}")
    elif contrast.paired_by:
        parts.append(f"paired by {contrast.paired_by}")
    else:
        parts.append(f"the {'sides' if contrast.omnibus else 'two sides'} taken as independent")
        if contrast.unit != "response":
            parts.append(f"each {contrast.unit} counted once, by its mean")
    if contrast.effect != "none":
        parts.append(f"{EFFECT_SYMBOLS[contrast.effect]} is {EFFECTS[contrast.effect]}")
    if contrast.interval == "bootstrap":
        parts.append("intervals by bootstrap")
    if contrast.post_hoc is not None:
        parts.append(f"pairs of sides by {POST_HOC[contrast.post_hoc]}, p and intervals for all at once")
    return "; ".join(parts) + "."


def _not_worse(contrast: Contrast) -> str:
    return f"not {contrast.worse} by {contrast.margin:g} points or more"


def _test(contrast: Contrast) -> str:
    if contrast.test != "chi_squared":
        return TESTS[contrast.test]
    yates = (
        "with Yates's correction in tables of two by two" if contrast.yates else "without Yates's correction"
    )
    return f"{TESTS['chi_squared']} {yates}"


def association_settings(association: Association) -> str:
    """What was held against what, and each coefficient in words."""
    names = [label(side) for side in association.sides]
    unit = UNITS[association.unit][0]
    match association.kind:
        case "correlation" | "agreement" if len(names) > 1:
            parts = [f"{' with '.join(names)}, {unit} by {unit}"]
        case "correlation" | "agreement":
            parts = [f"the respondents of {names[0]} with one another, {unit} by {unit}"]
        case _:
            parts = [
                f"the items of the subscale over {UNITS[association.unit][1]} with all of them ({names[0]})"
            ]
    parts += [" is ".join(COEFFICIENTS[name]) for name in association.coefficients]
    if association.cut is not None:
        parts.append(f"a value above {association.cut:g} is of the upper class")
    if {"pearson", "spearman"}.intersection(association.coefficients):
        parts.append(f"an arrow where p (two-sided, not corrected) is below {association.alpha:g}")
    return "; ".join(parts) + "."


def change(row: ReportRow, decimals: int) -> str:
    """The estimate with its arrow; a difference of rates in points of a percentage."""
    if row.estimate is None:
        return "n/a"
    rate = row.kind == "rate"
    shown = f"{signed(100 * row.estimate)} pp" if rate else signed(row.estimate, decimals)
    return f"{ARROWS[row.direction]} {shown}"


def coefficient(row: ReportRow) -> str:
    """A coefficient with three decimals; with an arrow where it was tested."""
    if row.estimate is None:
        return "n/a"
    shown = f"{row.estimate:.3f}"
    shown = "0.000" if shown == "-0.000" else shown
    return shown if row.p is None else f"{ARROWS[row.direction]} {shown}"


def signed(value: float, decimals: int = 1) -> str:
    """A number with its sign; what rounds to nothing has none."""
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text


def level(row: ReportRow, mean: float | None, sd: float | None, decimals: int) -> str:
    """Mean ± standard deviation; a rate as a percentage."""
    if mean is None:
        return "n/a"
    if row.kind == "rate":
        return f"{100 * mean:.1f} %"
    shown = f"{mean:.{decimals}f}"
    return shown if sd is None else f"{shown} ± {sd:.{decimals}f}"


def p_value(row: ReportRow) -> str:
    """p, corrected where the contrast corrects; without the leading zero, as journals print it."""
    p = row.p if row.p_adjusted is None else row.p_adjusted
    if p is None:
        return "n/a"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def effect(row: ReportRow) -> str:
    if row.effect_size is None:
        return "n/a"
    return f"{signed(100 * row.effect_size)} %" if row.effect == "lift" else f"{row.effect_size:.2f}"


def interval(row: ReportRow, decimals: int) -> str:
    """The interval of the estimate, `-1.2 to 0.4`."""
    if row.ci_low is None or row.ci_high is None:
        return "n/a"
    low, high = (signed(end, decimals) for end in (row.ci_low, row.ci_high))
    return f"{low} to {high}"


def refusals(row: ReportRow, side: str | None = None) -> str:
    """Refusals of the replies, `3/250`: of one side, or of all that the group cuts."""
    sides = row.replies if side is None else {side} & row.replies.keys()
    total = sum(row.replies[name] for name in sides)
    return f"{sum(row.refused[name] for name in sides)}/{total}" if total else ""


def count(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: 1 trial, 1,800 trials."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
