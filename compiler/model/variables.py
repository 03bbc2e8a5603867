"""What a study's mappings tell apart: variables with their levels, covariates, scales answered once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ast
from compiler.model.prompts import conditions_of
from compiler.model.study import protocol_of, responses_of
from compiler.resolve import Program
from compiler.template import holes

CONDITION = "condition"


def within(body: Iterable[ast.ResponsesStatement]) -> Iterator[ast.ResponsesStatement]:
    """The statements of a mapping, with those inside each `vary`."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.VaryDecl):
            yield from within(statement.body)


def names_panels(responses: ast.ResponsesDecl) -> bool:
    """Whether the data name the mapping's panels: the name of a file, or what stands in it."""
    said = [
        part
        for statement in within(responses.body)
        for part in (statement, *(statement.body if isinstance(statement, ast.ConditionCellsDecl) else ()))
    ]
    patterns = [responses.path, *(one.pattern for one in said if isinstance(one, ast.MatchDecl))]
    assigned = any(isinstance(one, ast.AssignDecl) and one.name.text == "panel" for one in said)
    return assigned or any("panel" in holes(pattern.text) for pattern in patterns)


def variables_of(program: Program, study: ast.StudyDecl) -> dict[str, list[str]]:
    """The study's variables, each with its levels: the protocol's conditions, and what its mappings vary."""
    protocol = protocol_of(program, study)
    found: dict[str, list[str]] = {}
    if protocol is not None:
        found[CONDITION] = [condition.name.text for condition, _ in conditions_of(protocol)]
    for statement in _mapped(program, study):
        if isinstance(statement, ast.VaryDecl):
            levels = found.setdefault(statement.variable.text, [])
            levels += [level.name.text for level in statement.levels if level.name.text not in levels]
    return found


def has_variable(program: Program, panel: str, variable: str) -> bool:
    """Whether a panel's answers have levels of a variable; the condition is every panel's."""
    responses = program.responses.get(panel)
    said = within(responses.body) if responses is not None else ()
    varied = any(isinstance(one, ast.VaryDecl) and one.variable.text == variable for one in said)
    return varied or variable == CONDITION


def covariates_of(program: Program, study: ast.StudyDecl) -> list[str]:
    """The covariates that some of a study's respondents have."""
    names = [one.name.text for one in _mapped(program, study) if isinstance(one, ast.CovariateDecl)]
    return [name for name in dict.fromkeys(names) if name not in program.scales]


def profile_scales(program: Program, study: ast.StudyDecl) -> list[ast.ScaleDecl]:
    """The scales that the study's respondents answered once, outside of every condition."""
    names = [one.name.text for one in _mapped(program, study) if isinstance(one, ast.CovariateDecl)]
    return [program.scales[name] for name in dict.fromkeys(names) if name in program.scales]


def _mapped(program: Program, study: ast.StudyDecl) -> Iterator[ast.ResponsesStatement]:
    for responses in responses_of(program, study):
        yield from within(responses.body)
