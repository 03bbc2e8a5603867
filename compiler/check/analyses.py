"""Contrasts and associations: what all analyses have in common."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.associations import check_association
from compiler.check.contrasts import check_contrast
from compiler.check.fields import check_groups, check_outcomes, check_where
from compiler.check.repeated import check_counted_again, check_repeated_for_nothing, check_repeats_counted
from compiler.check.respondents import check_same_people
from compiler.check.sides import check_sides
from compiler.check.wording import twice, unknown
from compiler.diagnostics import Diagnostic
from compiler.model.associations import UNITS
from compiler.model.study import Analysis, clauses, told
from compiler.resolve import Program
from compiler.settings import ASSOCIATION, CONTRAST, check_settings

PAIRED_BY = ("respondent", "stimulus")
WORDS = {
    ast.OfClause: "of",
    ast.WhereClause: "where",
    ast.ByClause: "by",
    ast.PerClause: "per",
    ast.PairedClause: "paired by",
    ast.SettingsClause: "{ }",
}


def check_analyses(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        yield from check_repeated_for_nothing(program, study)
        for analysis in (part for part in study.body if isinstance(part, Analysis)):
            where = told(analysis)
            yield from check_sides(program, study, analysis, where)
            yield from _clauses(analysis, where)
            yield from check_outcomes(program, study, analysis, where)
            yield from check_groups(program, study, analysis, where)
            for clause in clauses(analysis, ast.WhereClause):
                yield from check_where(program, study, clause)
            if isinstance(analysis, ast.ContrastDecl):
                yield from check_contrast(program, study, analysis, where)
                yield from check_same_people(program, study, analysis)
                yield from check_counted_again(program, study, analysis)
                yield from check_repeats_counted(program, study, analysis)
            else:
                yield from check_association(program, study, analysis, where)


def _clauses(analysis: Analysis, where: str) -> Iterator[Diagnostic]:
    yield from twice([(clause.span, WORDS[type(clause)]) for clause in analysis.clauses], where)
    keys = CONTRAST if isinstance(analysis, ast.ContrastDecl) else ASSOCIATION
    for settings in clauses(analysis, ast.SettingsClause):
        yield from check_settings(settings.settings, keys, where)
    for per in clauses(analysis, ast.PerClause):
        if per.unit.text not in UNITS:
            yield unknown(per.unit, "unit of observation", UNITS)
    for paired in clauses(analysis, ast.PairedClause):
        if paired.field.text not in PAIRED_BY:
            yield unknown(paired.field, "field to pair by", PAIRED_BY)
