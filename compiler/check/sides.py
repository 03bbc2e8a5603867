"""The sides of an analysis: that each means one thing, and that all can be held against one another."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.fields import STIMULUS, stimulus_fields, values_of
from compiler.model.grids import as_number
from compiler.model.sides import Meaning, meanings
from compiler.model.stimuli import study_stimuli
from compiler.model.study import Analysis, analyses_of, panels_of, protocol_of, responses_of
from compiler.model.variables import covariates_of, has_variable, names_panels, variables_of
from compiler.resolve import Program

Told = tuple[ast.Side, Meaning]


def check_sides(program: Program, study: ast.StudyDecl, analysis: Analysis, where: str) -> Iterator[Diagnostic]:
    """The names of the sides, then their being alike. What is wrong with a name is said alone."""
    found = [(side, meanings(program, study, analysis, side)) for side in analysis.sides]
    problems = [
        problem
        for side, means in found
        for problem in (*_name(program, study, analysis, side, means), *_panel(program, study, side))
    ]
    yield from problems
    told = [(side, means[0]) for side, means in found if len(means) == 1]
    if not problems and len(told) == len(analysis.sides):
        yield from _same(told, where)
        yield from _variables(told, where)
        for side, meaning in told:
            if meaning.kind == "field":
                yield from _field(program, study, side, meaning, where)
            elif meaning.variable is not None and side.panel is not None:
                yield from _level_of(program, side, meaning.variable, side.panel.text, where)


def shown(side: ast.Side) -> str:
    """A side as the spec writes it."""
    if side.norm is not None:
        return f'norm "{side.norm.text}"'
    words = [] if side.what is None else [side.what.text]
    if side.panel is not None:
        words.append(f'in "{side.panel.text}"' if side.panel.quoted else f"in {side.panel.text}")
    return " ".join(words)


def _name(
    program: Program, study: ast.StudyDecl, analysis: Analysis, side: ast.Side, means: list[Meaning]
) -> Iterator[Diagnostic]:
    """A name that nothing has, or that several things have."""
    if len(means) > 1 and side.what is not None:
        first, second = (meaning.told for meaning in means[:2])
        help = "rename one of them"
        if side.panel is None and any(meaning.kind == "panel" for meaning in means):
            help = f"write `in {side.what.text}` for the panel, or rename one of them"
        yield diagnostic(Code.AMBIGUOUS, side.span, name=side.what.text, first=first, second=second, help=help)
    elif not means and side.what is not None and (protocol_of(program, study) or variables_of(program, study)):
        levels = [name for names in variables_of(program, study).values() for name in names]
        others = [name.text for name in panels_of(study)]
        kinds = "level or panel"
        if isinstance(analysis, ast.AssociationDecl):
            others += [name for name, one in analyses_of(study).items() if isinstance(one, ast.ContrastDecl)]
            kinds = "level, contrast or panel"
        if side.what.tail is not None:
            others = [f"{STIMULUS}.{name}" for name in stimulus_fields(program, study)]
        name = side.what.text
        yield diagnostic(
            Code.NO_LEVEL,
            side.what.span,
            study=study.name.text,
            kinds=kinds,
            name=name,
            help=_instead(program, study, name, [*levels, *others]),
        )


def _instead(program: Program, study: ast.StudyDecl, name: str, known: list[str]) -> str | None:
    """What to write in place of a name that is no side: the values of fields and covariates are none."""
    for field in stimulus_fields(program, study):
        if name in (values_of(program, study, field) or ()):
            return (
                f"`{name}` is a value of the field `{field}`: `by {field}` has a row for it. It is a level "
                f'if the mapping says `vary NAME over {name}, ... {{ match column "..." "{{NAME}}" ... }}`'
            )
    near, covariates = nearest(name, known), covariates_of(program, study)
    if not covariates or (near is not None and near.startswith("did")):
        return near
    said = " and ".join(f"`{covariate}`" for covariate in covariates[:3])
    there = f"{near}; " if near else ""
    return (
        f"{there}values of covariates such as {said} become levels where the mapping says "
        '`vary NAME over a, b { match column "..." "{NAME}" ... }`'
    )


def _panel(program: Program, study: ast.StudyDecl, side: ast.Side) -> Iterator[Diagnostic]:
    known = [panel.text for panel in panels_of(study)]
    told = not any(names_panels(responses) for responses in responses_of(program, study))
    if side.panel is not None and told and side.panel.text not in known:
        yield unknown(side.panel, "panel", known, f" in study `{study.name.text}`")


def _level_of(program: Program, side: ast.Side, variable: str, panel: str, where: str) -> Iterator[Diagnostic]:
    """A level of a panel whose answers have no such variable."""
    known = panel in program.models or panel in program.responses
    if known and not has_variable(program, panel, variable):
        why = f"the answers of `{panel}` have no `{variable}`"
        yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why)


def _same(told: list[Told], where: str) -> Iterator[Diagnostic]:
    seen: list[Meaning] = []
    for side, meaning in told:
        if meaning in seen:
            yield diagnostic(Code.SAME_LEVEL, side.span, analysis=where, level=shown(side))
        seen.append(meaning)


def _variables(told: list[Told], where: str) -> Iterator[Diagnostic]:
    """All levels are of one variable."""
    first: Told | None = None
    for side, meaning in told:
        if meaning.variable is None:
            continue
        first = first or (side, meaning)
        if meaning.variable != first[1].variable:
            why = f"`{shown(first[0])}` is {first[1].told}, `{shown(side)}` {meaning.told}"
            yield diagnostic(Code.UNLIKE, side.span, analysis=where, why=why)


def _field(
    program: Program, study: ast.StudyDecl, side: ast.Side, meaning: Meaning, where: str
) -> Iterator[Diagnostic]:
    """A field of the stimuli that is to be counted with."""
    name = meaning.cells.field or ""
    if side.panel is not None:
        why = "a field of the stimuli is the same for every panel"
        yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why)
    stimuli = study_stimuli(program, study)
    values = [(placed, placed.stimulus.fields[name]) for placed in stimuli if name in placed.stimulus.fields]
    if not values and side.what is not None and side.what.tail is not None:
        known = stimulus_fields(program, study)
        yield unknown(side.what.tail, "field", known, f" of the stimuli of study `{study.name.text}`")
    for placed, value in values:
        if as_number(value) is None:
            why = f'"{value}" of `{placed.stimulus.id}` is no number'
            help = f"recode `{name}` where the stimuli are declared"
            yield diagnostic(Code.UNFIT, side.span, what=shown(side), analysis=where, why=why, help=help)
            return
