"""What each test and effect size of a contrast is for, and what a contrast takes where it does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from compiler import ast
from compiler.model.associations import unit_said
from compiler.model.prompts import conditions_of
from compiler.model.sides import Meaning, variable_of
from compiler.model.study import clauses, protocol_of, setting_of, statements, word_said
from compiler.model.variables import CONDITION
from compiler.resolve import Program
from schemas.plan import Effect, Test, Unit

PairedBy = Literal["respondent", "stimulus"]


@dataclass(frozen=True)
class Design:
    """`paired`: whether a test is of pairs (None: of both). `several`: whether it takes all sides of an omnibus
    contrast. `rates`: whether it is, of two sides, of yes and no. `norms`: whether it does with a mean, a
    standard deviation and a number of people. `answers`: whether single answers are its observations.
    `effect`: the size that goes with it; of pairs or several sides see `default_effect`."""

    paired: bool | None = False
    several: bool = False
    rates: bool = False
    norms: bool = False
    answers: bool = False
    effect: Effect = "hedges_g"


TESTS: Mapping[Test, Design] = {
    "welch": Design(norms=True),
    "student": Design(norms=True),
    "f_then_t": Design(),
    "paired_t": Design(paired=True),
    "mann_whitney": Design(effect="cliffs_delta"),
    "wilcoxon": Design(paired=True),
    "anova": Design(several=True, effect="eta_squared"),
    "welch_anova": Design(several=True, effect="eta_squared"),
    "kruskal": Design(several=True, effect="none"),
    "chi_squared": Design(several=True, rates=True, answers=True, effect="cramers_v"),
    "fisher": Design(rates=True, answers=True, effect="odds_ratio"),
    "mcnemar": Design(paired=True, rates=True, effect="odds_ratio"),
    "clustered": Design(several=True, answers=True),
    "mixed": Design(several=True, answers=True),
    "ordinal": Design(several=True, answers=True, effect="odds_ratio"),
    "equivalence": Design(paired=None, norms=True),
    "non_inferiority": Design(paired=None, norms=True),
}

OF_MARGINS = ("equivalence", "non_inferiority")
OF_CLUSTERS = ("clustered", "mixed", "ordinal")
OF_VARIANCES = ("anova", "welch_anova")
OF_PAIRS: tuple[Effect, ...] = ("paired_d",)
OF_SEVERAL: tuple[Effect, ...] = ("none", "cramers_v", "eta_squared", "omega_squared")
OF_INDEPENDENT: tuple[Effect, ...] = ("cliffs_delta", "cramers_v", "eta_squared", "omega_squared")
OF_ANSWERS: tuple[Effect, ...] = ("cliffs_delta", "cramers_v", "odds_ratio")


def test_of(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, sides: list[Meaning]) -> Test:
    """The test that it says, or that goes with its design."""
    said = word_said(contrast, "test")
    if said is not None and said.text in TESTS:
        return cast(Test, said.text)
    if contrast.omnibus:
        return "kruskal"
    return "paired_t" if paired_by(program, study, contrast, sides) is not None else "welch"


def default_effect(contrast: ast.ContrastDecl, test: Test, paired: PairedBy | None) -> Effect:
    """The effect size that goes with the test."""
    effect = TESTS[test].effect
    if contrast.omnibus:
        return effect if effect in OF_SEVERAL else "none"
    return "paired_d" if paired is not None and effect == "hedges_g" else effect


def paired_by(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, sides: list[Meaning]
) -> PairedBy | None:
    """What pairs its observations: what it says; where it says neither test nor unit, the stimuli, if both
    sides were shown them."""
    for clause in clauses(contrast, ast.PairedClause):
        return "stimulus" if clause.field.text == "stimulus" else "respondent"
    if word_said(contrast, "test") is not None or unit_said(contrast) is not None or contrast.omnibus:
        return None
    return "stimulus" if _all_shown(program, study, sides) else None


def unit_of_contrast(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, sides: list[Meaning]
) -> Unit:
    """What is one observation: what it says or pairs by; the mean of a stimulus, where a side was shown stimuli
    and the test does not take single answers."""
    said = unit_said(contrast) or paired_by(program, study, contrast, sides)
    if said is not None:
        return said
    levels = [side for side in sides if side.kind == "level"]
    alone = TESTS[test_of(program, study, contrast, sides)].answers or len(levels) < len(sides)
    return "stimulus" if not alone and any(is_shown(program, study, side) for side in levels) else "response"


def clusters_of(contrast: ast.ContrastDecl) -> tuple[Unit, ...]:
    """What its answers nest in."""
    setting = setting_of(contrast, "cluster")
    value = None if setting is None else setting.value
    said = value.values if isinstance(value, ast.Several) else (value,)
    return tuple(cast(Unit, word.text) for word in said if isinstance(word, ast.Name))


def _all_shown(program: Program, study: ast.StudyDecl, sides: list[Meaning]) -> bool:
    return all(side.kind == "level" and is_shown(program, study, side) for side in sides)


def is_shown(program: Program, study: ast.StudyDecl, side: Meaning) -> bool:
    """Whether the answers of a level came after stimuli."""
    protocol = protocol_of(program, study)
    if protocol is None or not statements(study, ast.StimuliOf):
        return False
    if variable_of([side]) != CONDITION:
        return any(condition.each is not None for condition, _ in conditions_of(protocol))
    named = [one for one, _ in conditions_of(protocol) if one.name.text == side.cells.level]
    return any(condition.each is not None for condition in named)
