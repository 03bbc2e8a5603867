"""Correlations, agreements and reliabilities: that sides, unit and coefficients fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compiler import ast
from compiler.check.scores import with_values
from compiler.check.sides import shown
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.associations import COEFFICIENTS, OF_CLASSES, UNITS, coefficients_of, design_of, unit_of
from compiler.model.outcomes import is_class, outcomes_of
from compiler.model.sides import Meaning, sides_of
from compiler.model.study import analyses_of, clauses, cut_by, groups_of, setting_of
from compiler.resolve import Program

SIDES: Mapping[str, tuple[str, ...]] = {
    "correlation": ("level", "panel", "field", "contrast"),
    "agreement": ("level", "panel"),
    "agreement of two": ("level", "panel", "field"),
    "reliability": (),
}
"""What the sides of each design can be."""

MATCHED: Mapping[str, tuple[str, ...]] = {
    "correlation": ("stimulus", "respondent", "factor"),
    "agreement": ("stimulus", "factor"),
    "agreement of two": ("stimulus", "respondent", "factor"),
    "reliability": ("respondent", "response", "stimulus", "factor"),
}
"""What one observation of each design can be; with a field of the stimuli also a response."""


def check_association(
    program: Program, study: ast.StudyDecl, analysis: ast.AssociationDecl, where: str
) -> Iterator[Diagnostic]:
    """What an association relates, unit by unit, and by which coefficients. Its names were checked."""
    sides = sides_of(program, study, analysis)
    if len(sides) == len(analysis.sides):
        problems = list(_kinds(analysis, sides, where))
        yield from problems
        if not problems:
            yield from _contrasts(program, study, analysis, sides, where)
            yield from _unit(analysis, sides, where)
    yield from _coefficients(analysis, where)
    yield from _classes(program, study, analysis, where)
    for paired in clauses(analysis, ast.PairedClause):
        why = "`per` says what its observations are"
        what = f"paired by {paired.field.text}"
        yield diagnostic(
            Code.UNFIT, paired.span, what=what, analysis=where, why=why, help="write `per stimulus`"
        )


def _kinds(analysis: ast.AssociationDecl, sides: list[Meaning], where: str) -> Iterator[Diagnostic]:
    allowed = SIDES[design_of(analysis)]
    for side, meaning in zip(analysis.sides, sides, strict=True):
        if meaning.kind not in allowed:
            why = (
                f"{meaning.told} has no answers to relate"
                if meaning.kind == "norm"
                else f"it is {meaning.told}"
            )
            help = "its sides are " + ", ".join(f"{kind}s" for kind in allowed)
            yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why, help=help)
    kinds = [meaning.kind for meaning in sides]
    if "contrast" in kinds and {*kinds} & {"level", "panel"}:
        first, second = (
            f"`{shown(side)}` is {meaning.told}" for side, meaning in zip(analysis.sides, sides, strict=True)
        )
        help = "a contrast's estimates go with those of another contrast, or with a field of the stimuli"
        span = analysis.sides[1].span
        yield diagnostic(Code.UNLIKE, span, analysis=where, why=f"{first}, {second}", help=help)
    if kinds == ["field", "field"] and sides[0] != sides[1]:
        why = "neither side has answers"
        yield diagnostic(Code.UNLIKE, analysis.sides[1].span, analysis=where, why=why)


def _contrasts(
    program: Program,
    study: ast.StudyDecl,
    analysis: ast.AssociationDecl,
    sides: list[Meaning],
    where: str,
) -> Iterator[Diagnostic]:
    """Contrasts as sides have an estimate for each outcome and each unit."""
    wanted = set(outcomes_of(program, study, analysis)) if clauses(analysis, ast.OfClause) else set()
    unit = unit_of(analysis, sides)
    for side, meaning in zip(analysis.sides, sides, strict=True):
        contrast = analyses_of(study).get(meaning.cells.contrast or "")
        if not isinstance(contrast, ast.ContrastDecl):
            continue
        why, help = "", None
        if contrast.omnibus:
            why = "an omnibus test has no estimates"
        elif unit == "factor" and cut_by(["factor"]) not in map(cut_by, groups_of(contrast)):
            why, help = (
                "it is not made by factor",
                f"add `factor` to the `by` of contrast `{contrast.name.text}`",
            )
        elif lacking := wanted - set(outcomes_of(program, study, contrast)):
            why = f"it is not about `{'.'.join(min(lacking))}`"
        if why:
            yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why, help=help)


def _unit(analysis: ast.AssociationDecl, sides: list[Meaning], where: str) -> Iterator[Diagnostic]:
    design = design_of(analysis)
    kinds = [meaning.kind for meaning in sides]
    allowed = MATCHED[design]
    if "field" in kinds:
        allowed = ("stimulus", "factor", *(() if "contrast" in kinds else ("response",)))
    for per in clauses(analysis, ast.PerClause):
        if per.unit.text in UNITS and per.unit.text not in allowed:
            why = "its observations are not matched so"
            help = "write " + " or ".join(f"`per {unit}`" for unit in allowed)
            what = f"per {per.unit.text}"
            yield diagnostic(Code.UNFIT, per.span, what=what, analysis=where, why=why, help=help)


def _coefficients(analysis: ast.AssociationDecl, where: str) -> Iterator[Diagnostic]:
    allowed = COEFFICIENTS[design_of(analysis)]
    every = {name for names in COEFFICIENTS.values() for name in names}
    seen: set[str] = set()
    for word in _words(setting_of(analysis, "coefficient")):
        if word.text in every and word.text not in allowed:
            why = "it is one of another kind of analysis, or of another number of sides"
            help = "take " + ", ".join(f"`{name}`" for name in allowed)
            what = f"coefficient {word.text}"
            yield diagnostic(Code.UNFIT, word.span, what=what, analysis=where, why=why, help=help)
        if word.text in seen:
            yield diagnostic(Code.TWICE, word.span, what=word.text, where=where, help="keep one of them")
        seen.add(word.text)


def _words(setting: ast.Setting | None) -> list[ast.Name]:
    value = None if setting is None else setting.value
    words = value.values if isinstance(value, ast.Several) else (value,)
    return [word for word in words if isinstance(word, ast.Name)]


def _classes(
    program: Program, study: ast.StudyDecl, analysis: ast.AssociationDecl, where: str
) -> Iterator[Diagnostic]:
    """Accuracy, F1 and kappa of two sides are of classes: of values as they are, or of those above and below a
    cut."""
    cut = setting_of(analysis, "cut")
    of_classes = [name for name in coefficients_of(analysis) if name in OF_CLASSES and len(analysis.sides) == 2]
    if cut is not None and not of_classes:
        why = "it makes classes, and no coefficient is of classes"
        help = "add `coefficient accuracy`, or take it out"
        yield diagnostic(Code.UNFIT, cut.span, what="cut", analysis=where, why=why, help=help)
    if cut is not None or not of_classes:
        return
    for name, subscale in with_values(program, outcomes_of(program, study, analysis)):
        if not is_class(program, program.scales[name], subscale):
            setting = setting_of(analysis, "coefficient")
            why = f"the values of `{name}.{subscale}` are no classes"
            help = "say where the upper class begins: `cut 2.5`"
            span = analysis.name.span if setting is None else setting.span
            yield diagnostic(Code.UNFIT, span, what=of_classes[0], analysis=where, why=why, help=help)
            return
