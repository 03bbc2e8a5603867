"""What is several observations, and should be one: people of one side of a contrast, repeats of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler import ast
from compiler.check.models import provider_of
from compiler.check.respondents import shared_levels
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.associations import unit_said
from compiler.model.designs import OF_CLUSTERS, is_shown, test_of, unit_of_contrast
from compiler.model.outcomes import outcomes_of
from compiler.model.sides import sides_of
from compiler.model.study import (
    between_of,
    clauses,
    groups_of,
    kind_of,
    panels_of,
    predicates,
    responses_of,
    statements,
)
from compiler.model.variables import CONDITION, variables_of, within
from compiler.resolve import Program
from compiler.template import holes
from schemas.plan import Predicate


def check_counted_again(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl
) -> Iterator[Diagnostic]:
    """People whose answers in several conditions, at several levels or in repeats count one by one."""
    sides = sides_of(program, study, contrast)
    if unit_of_contrast(program, study, contrast, sides) != "response":
        return
    where = [p for clause in clauses(contrast, ast.WhereClause) for p in predicates(clause)]
    compared = {side.variable for side in sides}
    in_each_group = set.intersection(*map(set, groups_of(contrast)))
    apart = {*compared, *in_each_group, *between_of(study)}
    variables = [variable for variable in variables_of(program, study) if variable not in apart]
    scales = {scale for scale, _ in outcomes_of(program, study, contrast)}
    for responses in _people(program, study, contrast, where):
        again = [(variable, _levels(responses, variable, scales, where)) for variable in variables]
        several = next((one for one in again if len(one[1]) > 1), None)
        help = "say `per respondent`: each then counts once, with the mean"
        if several is not None:
            variable, levels = several
            help += f"; or take one level: `where {variable} is {levels[0]}`"
            why = f"at {' and '.join(f'`{level}`' for level in levels)}"
        elif "repeat" in _fields(responses):
            why = "at each `repeat`"
        else:
            continue
        name = contrast.name
        yield diagnostic(
            Code.COUNTED_AGAIN, name.span, contrast=name.text, panel=responses.name.text, why=why, help=help
        )


def check_repeats_counted(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl
) -> Iterator[Diagnostic]:
    """Answers of one model to one situation, in several orders or repeats, that count one by one."""
    sides = sides_of(program, study, contrast)
    counts = {one.what: int(one.value.value) for one in statements(study, ast.Counted)}
    count = counts.get("orders", 1) * counts.get("repeats", 1)
    test = test_of(program, study, contrast, sides)
    asked = [side for side in sides if side.cells.panel is None or side.cells.panel in program.models]
    if (
        count > 1
        and test not in OF_CLUSTERS
        and any(panel.text in program.models for panel in panels_of(study))
        and any(is_shown(program, study, side) for side in asked if side.kind == "level")
        and unit_of_contrast(program, study, contrast, sides) == "response"
    ):
        help = "leave `per response` out: the mean of each situation is then one observation"
        if unit_said(contrast) is None:
            help = "take `test clustered` with `cluster stimulus`, which heeds that they are alike"
        name = contrast.name
        yield diagnostic(Code.REPEATS_COUNTED, name.span, contrast=name.text, count=str(count), help=help)


def check_repeated_for_nothing(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """Repeats of a model whose answer to a question is always the same."""
    repeats = next((one for one in statements(study, ast.Counted) if one.what == "repeats"), None)
    if repeats is None or repeats.value.value < 2:
        return
    said = {s.key.text: s.value for part in statements(study, ast.SamplingOf) for s in part.settings}
    temperature = said.get("temperature")
    cold = isinstance(temperature, ast.Num) and temperature.value == 0
    for panel in panels_of(study):
        model = program.models.get(panel.text)
        if model is None or provider_of(model) not in ("openai", "local"):
            continue
        readout = next((s.value for s in model.settings if s.key.text == "readout"), None)
        options = isinstance(readout, ast.Name) and readout.text == "options"
        if options or cold:
            why = "its answers hardly vary at temperature 0"
            if options:
                why = "the probabilities of options do not vary"
            help = "take `orders`, which shuffles the items, in place of `repeats`"
            number = f"{repeats.value.value:g}"
            yield diagnostic(
                Code.REPEATED_FOR_NOTHING, repeats.span, repeats=number, model=panel.text, why=why, help=help
            )


def _people(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, where: Sequence[Predicate]
) -> Iterator[ast.ResponsesDecl]:
    """The people who are on a side. A side that names its panel does not heed what `where` says of panels."""
    named = {side.cells.panel for side in sides_of(program, study, contrast) if side.kind != "norm"}
    for responses in responses_of(program, study):
        facts = {"kind": kind_of(responses), "panel": responses.name.text}
        let_in = all((facts[p.field] in p.values) != p.negated for p in where if p.field in facts)
        if facts["kind"] == "human" and (facts["panel"] in named or (None in named and let_in)):
            yield responses


def _levels(
    responses: ast.ResponsesDecl, variable: str, scales: set[str], where: Sequence[Predicate]
) -> list[str]:
    """The levels at which the same people answered one of the scales, and that `where` lets in."""
    levels = shared_levels(responses, variable)
    if variable == CONDITION:
        levels &= {
            one.condition.text
            for one in within(responses.body)
            if isinstance(one, ast.ConditionCellsDecl)
            and any(isinstance(said, ast.AssignDecl) and said.name.text in scales for said in one.body)
        }
    heeded = [p for p in where if p.field == variable]
    return sorted(level for level in levels if all((level in p.values) != p.negated for p in heeded))


def _fields(responses: ast.ResponsesDecl) -> set[str]:
    """The fields that a mapping says of its observations."""
    found: set[str] = set()
    for statement in within(responses.body):
        inner = statement.body if isinstance(statement, ast.ConditionCellsDecl) else ()
        for one in (statement, *inner):
            if isinstance(one, ast.AssignDecl):
                found.add(one.name.text)
            elif isinstance(one, ast.MatchDecl):
                found.update(holes(one.pattern.text))
    return found
