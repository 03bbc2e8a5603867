"""Contrasts: that sides, norms and pairing are of one design."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.comparisons import check_comparison
from compiler.check.sides import shown
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.associations import UNITS
from compiler.model.outcomes import norm_of, norms_of, outcomes_of
from compiler.model.sides import Meaning, sides_of, variable_of
from compiler.model.study import between_of, clauses, scales_of, subscales_of
from compiler.resolve import Program

ANSWERS = ("level", "panel")


def check_contrast(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, where: str
) -> Iterator[Diagnostic]:
    """What a contrast compares, how, and of which outcomes. Its names were checked."""
    sides = sides_of(program, study, contrast)
    if len(sides) == len(contrast.sides):
        problems = list(_kinds(contrast, sides, where))
        yield from problems
        if not problems:
            yield from _pairs(study, contrast, sides, where)
        yield from _norms(program, study, contrast)
    yield from check_comparison(program, study, contrast, where)


def _kinds(contrast: ast.ContrastDecl, sides: list[Meaning], where: str) -> Iterator[Diagnostic]:
    """Levels with levels, panels with panels; a norm only as what all else is held against."""
    told = list(zip(contrast.sides, sides, strict=True))
    first = next(((side, meaning) for side, meaning in told if meaning.kind in ANSWERS), None)
    for side, meaning in told:
        last_of_two = side is contrast.sides[-1] and not contrast.omnibus
        if meaning.kind == "field":
            why = "a contrast compares answers"
            help = f"`correlate ... with {shown(side)}` relates answers to a field of the stimuli"
            yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why, help=help)
        elif meaning.kind == "norm" and not last_of_two:
            why = "a norm is the second of two sides"
            help = 'write `evoked - norm "students"`'
            yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why, help=help)
        elif first is not None and meaning.kind not in ("norm", first[1].kind):
            why = f"`{shown(first[0])}` is {first[1].told}, `{shown(side)}` is {meaning.told}"
            help = "compare levels with levels (`evoked in gpt_4 - evoked in people`), panels with panels"
            yield diagnostic(Code.UNLIKE, side.span, analysis=where, why=why, help=help)


def _pairs(
    study: ast.StudyDecl, contrast: ast.ContrastDecl, sides: list[Meaning], where: str
) -> Iterator[Diagnostic]:
    """Whether what is paired can be on both sides."""
    for paired in clauses(contrast, ast.PairedClause):
        why = ""
        if contrast.omnibus:
            why = "an omnibus test is of independent groups"
        elif any(meaning.kind == "norm" for meaning in sides):
            why = "a norm is of other people"
        elif paired.field.text == "respondent" and len({meaning.cells.panel for meaning in sides}) > 1:
            why = "no respondent is in both panels"
        elif paired.field.text == "respondent" and variable_of(sides) in between_of(study):
            why = f"`{variable_of(sides)}` is between respondents: each has one level of it"
        if why:
            what = f"paired by {paired.field.text}"
            yield diagnostic(Code.UNFIT, paired.span, what=what, analysis=where, why=why)
        for per in clauses(contrast, ast.PerClause):
            if not why and per.unit.text in UNITS and per.unit.text != paired.field.text:
                why = f"what is paired by {paired.field.text} is one observation a {paired.field.text}"
                yield diagnostic(Code.UNFIT, per.span, what=f"per {per.unit.text}", analysis=where, why=why)


def _norms(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    """Each outcome that is named has the norm, and some outcome has."""
    norm = norm_of(contrast)
    if norm is None:
        return
    named = outcomes_of(program, study, contrast)
    lacking = [one for one in named if norm.text not in norms_of(program.scales[one[0]], one[1])]
    for name, subscale in lacking:
        known = norms_of(program.scales[name], subscale)
        help = nearest(norm.text, known) or f"add `norm {subscale} in ...` to scale `{name}`, or say `of ...`"
        of = f" of `{name}.{subscale}`"
        yield diagnostic(Code.UNKNOWN, norm.span, kind="norm", name=norm.text, where=of, help=help)
    if not named and not clauses(contrast, ast.OfClause):
        scales = scales_of(program, study)
        groups = [one for scale in scales for name in subscales_of(scale) for one in norms_of(scale, name)]
        of = f" of any scale of study `{study.name.text}`"
        help = nearest(norm.text, groups) or "add `norm SUBSCALE in ...` to a scale"
        yield diagnostic(Code.UNKNOWN, norm.span, kind="norm", name=norm.text, where=of, help=help)
