"""Contrasts: levels, tests, groups and filters."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice, unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.prompts import conditions_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import (
    OBSERVATION_FIELDS,
    OVERALL,
    clauses,
    covariates_of,
    names_files,
    panels_of,
    protocol_of,
    responses_of,
    scales_of,
    statements,
    subscales_of,
)
from compiler.resolve import Program
from compiler.settings import CONTRAST, check_settings

PAIRED_TESTS = ("paired_t",)
KINDS = ("model", "human", "simulated")


def check_analyses(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        for contrast in statements(study, ast.ContrastDecl):
            yield from _levels(program, study, contrast)
            yield from _clauses(contrast)
            yield from _test(contrast)
            yield from _outcomes(program, study, contrast)
            yield from _groups(program, study, contrast)
            for where in clauses(contrast, ast.WhereClause):
                yield from check_where(program, study, where)


def _levels(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    if contrast.a.text == contrast.b.text:
        name = contrast.name.text
        yield diagnostic(Code.SAME_LEVEL, contrast.b.span, contrast=name, level=contrast.a.text)
    protocol = protocol_of(program, study)
    if protocol is None:
        return
    conditions = [condition.name.text for condition, _ in conditions_of(protocol)]
    for level in (contrast.a, contrast.b):
        if level.text not in conditions:
            yield diagnostic(
                Code.NO_LEVEL,
                level.span,
                protocol=protocol.name.text,
                name=level.text,
                help=nearest(level.text, conditions),
            )


def _clauses(contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    words = {
        ast.OfClause: "of",
        ast.WhereClause: "where",
        ast.ByClause: "by",
        ast.PairedClause: "paired by",
        ast.SettingsClause: "{ }",
    }
    where = f"contrast `{contrast.name.text}`"
    yield from twice([(clause.span, words[type(clause)]) for clause in contrast.clauses], where)
    for settings in clauses(contrast, ast.SettingsClause):
        yield from check_settings(settings.settings, CONTRAST, where)
    for paired in clauses(contrast, ast.PairedClause):
        if paired.field.text != "respondent":
            yield unknown(paired.field, "field to pair by", ["respondent"])


def _test(contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    paired = bool(clauses(contrast, ast.PairedClause))
    for settings in clauses(contrast, ast.SettingsClause):
        for setting in settings.settings:
            if setting.key.text == "test" and isinstance(setting.value, ast.Name):
                test, name = setting.value.text, contrast.name.text
                if test in PAIRED_TESTS and not paired:
                    help = "add `paired by respondent` before the block"
                    yield diagnostic(
                        Code.TEST_UNPAIRED, setting.value.span, test=test, contrast=name, help=help
                    )
                if test not in PAIRED_TESTS and test in CONTRAST["test"].words and paired:
                    help = "take `test paired_t`, or take `paired by` out"
                    yield diagnostic(Code.TEST_PAIRED, setting.value.span, test=test, contrast=name, help=help)


def _outcomes(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    for clause in clauses(contrast, ast.OfClause):
        for outcome in clause.outcomes:
            yield from check_outcome(program, study, outcome)


def check_outcome(program: Program, study: ast.StudyDecl, outcome: ast.Dotted) -> Iterator[Diagnostic]:
    """`PANAS.negative`, or `PANAS`: a scale of the study, and one of its subscales."""
    scales = {scale.name.text: scale for scale in scales_of(program, study)}
    if outcome.head.text not in scales:
        yield unknown(outcome.head, "scale", scales, f" in study `{study.name.text}`")
    elif outcome.tail is not None:
        known = subscales_of(scales[outcome.head.text])
        if outcome.tail.text not in known:
            yield unknown(outcome.tail, "subscale", known, f" in scale `{outcome.head.text}`")


def _groups(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    known = ("emotion", "factor", *covariates_of(program, study))
    for clause in clauses(contrast, ast.ByClause):
        for group in clause.groups:
            for field in group.fields:
                if field.text not in (*known, OVERALL) or (field.text == OVERALL and len(group.fields) > 1):
                    help = nearest(field.text, (*known, OVERALL))
                    yield diagnostic(Code.NO_FIELD, field.span, name=field.text, help=help)


def check_where(program: Program, study: ast.StudyDecl, where: ast.WhereClause) -> Iterator[Diagnostic]:
    """That the fields exist, and that something can have the values."""
    covariates = covariates_of(program, study)
    for predicate in where.predicates:
        name = predicate.field.text
        if name not in OBSERVATION_FIELDS and name not in covariates:
            known = [*OBSERVATION_FIELDS, *covariates]
            yield diagnostic(Code.NO_FIELD, predicate.field.span, name=name, help=nearest(name, known))
            continue
        known_values = values_of(program, study, name)
        for value in predicate.values:
            text = value.text if isinstance(value, ast.Name) else f"{value.value:g}"
            if known_values is not None and text not in known_values:
                yield diagnostic(
                    Code.WHERE_NOTHING,
                    value.span,
                    field=name,
                    study=study.name.text,
                    value=text,
                    help=nearest(text, known_values),
                )


def values_of(program: Program, study: ast.StudyDecl, field: str) -> list[str] | None:
    """The values that a field can have in a study; None where only the data knows."""
    match field:
        case "kind":
            return list(KINDS)
        case "panel":
            if any(names_files(responses) for responses in responses_of(program, study)):
                return None
            return [panel.text for panel in panels_of(study)]
        case "scale":
            return [scale.name.text for scale in scales_of(program, study)]
        case "subscale":
            return [name for scale in scales_of(program, study) for name in subscales_of(scale)]
        case "condition":
            protocol = protocol_of(program, study)
            return [] if protocol is None else [c.name.text for c, _ in conditions_of(protocol)]
        case "emotion":
            return list(dict.fromkeys(placed.stimulus.emotion for placed in study_stimuli(program, study)))
        case "factor":
            return list(dict.fromkeys(placed.stimulus.factor for placed in study_stimuli(program, study)))
        case _:
            return None
