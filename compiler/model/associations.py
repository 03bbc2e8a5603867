"""What an association comes to: its design, its coefficients, its unit of observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from compiler import ast
from compiler.model.sides import Meaning
from compiler.model.study import Analysis, clauses, setting_of
from schemas.plan import Coefficient, Unit

Design = Literal["correlation", "agreement", "agreement of two", "reliability"]

COEFFICIENTS: Mapping[Design, tuple[Coefficient, ...]] = {
    "correlation": ("pearson", "spearman"),
    "agreement": (
        "krippendorff_interval",
        "pairwise_pearson",
        "pairwise_spearman",
        "cohens_kappa",
        "ceiling",
    ),
    "agreement of two": ("accuracy", "macro_f1", "cohens_kappa"),
    "reliability": ("cronbach_alpha",),
}
"""The coefficients of each design, the default first."""

UNITS: tuple[Unit, ...] = ("response", "respondent", "stimulus", "factor")

OF_CLASSES: tuple[Coefficient, ...] = ("accuracy", "macro_f1", "cohens_kappa")


def design_of(analysis: ast.AssociationDecl) -> Design:
    """Its kind; an agreement is of raters with one another, or of two sides."""
    if analysis.kind == "agreement" and len(analysis.sides) == 2:
        return "agreement of two"
    return analysis.kind


def coefficients_of(analysis: ast.AssociationDecl) -> tuple[Coefficient, ...]:
    """Those that it says, or its design's default."""
    known = COEFFICIENTS[design_of(analysis)]
    setting = setting_of(analysis, "coefficient")
    value = None if setting is None else setting.value
    said = value.values if isinstance(value, ast.Several) else (value,)
    named = [word.text for word in said if isinstance(word, ast.Name)]
    return tuple(one for name in named for one in known if one == name) or known[:1]


def unit_of(analysis: ast.AssociationDecl, sides: list[Meaning]) -> Unit:
    """What is one observation: what `per` says, or a factor of contrasts, a stimulus of answers, a respondent
    of a reliability."""
    said = unit_said(analysis)
    if said is not None:
        return said
    if analysis.kind == "reliability":
        return "respondent"
    return "factor" if any(side.kind == "contrast" for side in sides) else "stimulus"


def unit_said(analysis: Analysis) -> Unit | None:
    """What `per` says."""
    said = {per.unit.text for per in clauses(analysis, ast.PerClause)}
    return next((unit for unit in UNITS if unit in said), None)
