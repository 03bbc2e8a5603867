"""The fields that analyses cut and filter by, and their outcomes: that all of them exist."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice, unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.fields import group_fields, values_of
from compiler.model.outcomes import outcome_scales
from compiler.model.sides import sides_of, variable_of
from compiler.model.study import (
    OBSERVATION_FIELDS,
    OVERALL,
    Analysis,
    clauses,
    cut_by,
    subscales_of,
    written,
)
from compiler.resolve import Program
from compiler.source import Span


def check_outcomes(
    program: Program, study: ast.StudyDecl, analysis: Analysis, where: str
) -> Iterator[Diagnostic]:
    """That the outcomes of an analysis exist, and that none is named twice."""
    scales = {scale.name.text: subscales_of(scale) for scale in outcome_scales(program, study, analysis)}
    named: list[tuple[Span, str]] = []
    for clause in clauses(analysis, ast.OfClause):
        for outcome in clause.outcomes:
            yield from check_outcome(program, study, analysis, outcome)
            scale = outcome.head.text
            subscales = scales.get(scale, []) if outcome.tail is None else [outcome.tail.text]
            named += [(outcome.span, f"{scale}.{subscale}") for subscale in subscales]
    yield from twice(named, where)


def check_outcome(
    program: Program, study: ast.StudyDecl, analysis: Analysis, outcome: ast.Dotted
) -> Iterator[Diagnostic]:
    """`PANAS.negative`, or `PANAS`: a scale of the study, and one of its subscales."""
    scales = {scale.name.text: scale for scale in outcome_scales(program, study, analysis)}
    if outcome.head.text not in scales:
        yield unknown(outcome.head, "scale", scales, f" in study `{study.name.text}`")
    elif outcome.tail is not None:
        known = subscales_of(scales[outcome.head.text])
        if outcome.tail.text not in known:
            yield unknown(outcome.tail, "subscale", known, f" in scale `{outcome.head.text}`")


def check_groups(
    program: Program, study: ast.StudyDecl, analysis: Analysis, where: str
) -> Iterator[Diagnostic]:
    """That groups are made of fields that exist, each kind of group once."""
    known = group_fields(program, study)
    own = variable_of(sides_of(program, study, analysis)) if analysis.sides else None
    first: dict[frozenset[str], ast.Group] = {}
    for group in (group for clause in clauses(analysis, ast.ByClause) for group in clause.groups):
        for field in group.fields:
            if field.text == own:
                why = f"the sides are levels of `{own}`"
                yield diagnostic(Code.UNFIT, field.span, what=f"by {own}", analysis=where, why=why)
            elif field.text != OVERALL or len(group.fields) > 1:
                yield from _field(field, known, [*known, OVERALL])
        shown = " * ".join(field.text for field in group.fields)
        yield from twice([(field.span, field.text) for field in group.fields], f"`by {shown}`")
        same = first.setdefault(cut_by(field.text for field in group.fields), group)
        if same is not group:
            yield from twice([(same.span, shown), (group.span, shown)], "`by`")


def _field(field: ast.Name, known: dict[str, list[str]], named: list[str]) -> Iterator[Diagnostic]:
    """A field that does not exist, or is two things."""
    means = known.get(field.text, [])
    if field.text not in named or (field.text == OVERALL and OVERALL not in known):
        yield diagnostic(Code.NO_FIELD, field.span, name=field.text, help=nearest(field.text, named))
    elif len(means) > 1:
        first, second = means[:2]
        help = "give one of them another name"
        yield diagnostic(Code.AMBIGUOUS, field.span, name=field.text, first=first, second=second, help=help)


def check_where(program: Program, study: ast.StudyDecl, where: ast.WhereClause) -> Iterator[Diagnostic]:
    """That the fields exist, and that something can have the values."""
    known = group_fields(program, study)
    named = [*OBSERVATION_FIELDS, *known]
    for predicate in where.predicates:
        yield from _field(predicate.field, known, named)
        if predicate.field.text in named:
            yield from check_values(program, study, predicate)


def check_values(program: Program, study: ast.StudyDecl, predicate: ast.PredicateNode) -> Iterator[Diagnostic]:
    """That something in the study can have the values."""
    field = predicate.field.text
    known = values_of(program, study, field)
    for value in predicate.values:
        if known is not None and written(value) not in known:
            yield diagnostic(
                Code.WHERE_NOTHING,
                value.span,
                field=field,
                study=study.name.text,
                value=written(value),
                help=nearest(written(value), known),
            )
