"""Respondents: what is between them, how they are split, who stands on more than one side of a contrast."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.fields import SPLIT, group_fields
from compiler.model.sides import sides_of, variable_of
from compiler.model.study import (
    between_of,
    clauses,
    kind_of,
    predicates,
    responses_of,
    splits_of,
    statements,
    word_said,
)
from compiler.model.variables import CONDITION, variables_of, within
from compiler.resolve import Program
from compiler.template import holes

AVERAGED = ("stimulus", "factor")
"""Units of observation over which respondents are averaged."""


def check_between(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """`between` is about variables of the study, each once."""
    said = [variable for part in statements(study, ast.BetweenOf) for variable in part.variables]
    yield from twice([(variable.span, variable.text) for variable in said], "`between`")
    known = variables_of(program, study)
    for variable in said:
        if variable.text not in known:
            yield unknown(variable, "variable", known, f" in study `{study.name.text}`")


def check_splits(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """A split is of recorded respondents, each panel's once, into parts of some respondents each."""
    splits = splits_of(study)
    yield from twice(
        [(one.panel.span, f"split {one.panel.text}") for one in splits], f"study `{study.name.text}`"
    )
    known = [responses.name.text for responses in responses_of(program, study)]
    first, *others = group_fields(program, study).get(SPLIT, [""])
    if splits and others:
        help = f"the parts of a split are called `{SPLIT}` in `by` and `where`: give the other another name"
        span = splits[0].span
        yield diagnostic(Code.AMBIGUOUS, span, name=SPLIT, first=first, second=others[0], help=help)
    for split in splits:
        if split.panel.text not in known:
            where = f" in study `{study.name.text}` (a split divides people, or other recorded respondents)"
            yield unknown(split.panel, "panel of responses", known, where)
        where = f"the split of `{split.panel.text}`"
        yield from twice([(part.name.span, part.name.text) for part in split.parts], where)
        for part in split.parts:
            yield from whole(part.count, part.name.text, 1)


def check_same_people(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl
) -> Iterator[Diagnostic]:
    """People who answered at several of the levels, compared as if they were different people."""
    sides = sides_of(program, study, contrast)
    variable, levels = variable_of(sides), {side.cells.level for side in sides} - {None}
    panels = {side.cells.panel for side in sides}
    averaged = any(per.unit.text in AVERAGED for per in clauses(contrast, ast.PerClause))
    apart = averaged or len(panels) > 1 or variable in between_of(study)
    if apart or len(levels) < 2 or clauses(contrast, ast.PairedClause):
        return
    where = [p for clause in clauses(contrast, ast.WhereClause) for p in predicates(clause)]
    test = word_said(contrast, "test")
    for responses in responses_of(program, study):
        facts = {"kind": kind_of(responses), "panel": responses.name.text}
        taken = all((facts[p.field] in p.values) != p.negated for p in where if p.field in facts)
        taken = taken and panels <= {None, facts["panel"]}
        if facts["kind"] == "human" and taken and len(levels & shared_levels(responses, variable)) > 1:
            help = "add `paired by respondent`, or leave them out: `where kind is model`"
            if variable != CONDITION:
                help = f"add `paired by respondent`, or say `between {variable}` if each has one level of it"
            elif contrast.omnibus:
                help = "an omnibus test is of different people: leave them out with `where kind is model`"
            elif test is not None and test.text == "chi_squared":
                help = (
                    "`chi_squared` is of different people: add `paired by respondent` and say `test paired_t`, "
                    "which compares their rates, or leave them out: `where kind is model`"
                )
            yield diagnostic(
                Code.NOT_PAIRED,
                contrast.name.span,
                contrast=contrast.name.text,
                panel=facts["panel"],
                help=help,
            )


def shared_levels(responses: ast.ResponsesDecl, variable: str) -> set[str]:
    """The levels of a variable at which a mapping has the same respondents."""
    said = list(within(responses.body))
    if variable == CONDITION:
        return {one.condition.text for one in said if isinstance(one, ast.ConditionCellsDecl)}
    if any(variable in holes(text) for one in said for text in _respondent(one)):
        return set()
    varied = [one for one in said if isinstance(one, ast.VaryDecl) and one.variable.text == variable]
    return {level.name.text for one in varied for level in one.levels}


def _respondent(statement: ast.ResponsesStatement) -> Iterator[str]:
    """The texts that tell which respondent an observation is of."""
    match statement:
        case ast.AssignDecl(name=name, source=ast.PlaceNode(at=ast.Str(text=text))) if (
            name.text == "respondent"
        ):
            yield text
        case ast.MatchDecl(place=place, pattern=pattern) if "respondent" in holes(pattern.text):
            yield pattern.text
            if isinstance(place.at, ast.Str):
                yield place.at.text
        case _:
            pass
