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
    cut_by,
    kind_of,
    names_files,
    panels_of,
    predicates,
    protocol_of,
    responses_of,
    scales_of,
    statements,
    subscales_of,
    written,
)
from compiler.resolve import Program
from compiler.settings import CONTRAST, check_settings
from compiler.source import Span

FOR_PAIRS = ("paired_t", "paired_d")
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
            yield from _same_people(program, study, contrast)


def _same_people(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    """People who answered in both conditions, compared as if they were two groups."""
    if clauses(contrast, ast.PairedClause):
        return
    where = [p for clause in clauses(contrast, ast.WhereClause) for p in predicates(clause)]
    for responses in responses_of(program, study):
        facts = {"kind": kind_of(responses), "panel": responses.name.text}
        answered = {part.condition.text for part in responses.body if isinstance(part, ast.ConditionCellsDecl)}
        taken = all((facts[p.field] in p.values) != p.negated for p in where if p.field in facts)
        if facts["kind"] == "human" and taken and {contrast.a.text, contrast.b.text} <= answered:
            help = "add `paired by respondent`, or leave them out: `where kind is model`"
            yield diagnostic(
                Code.NOT_PAIRED,
                contrast.name.span,
                contrast=contrast.name.text,
                panel=facts["panel"],
                help=help,
            )


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
    """A test or an effect size that does not fit the design."""
    paired, name = bool(clauses(contrast, ast.PairedClause)), contrast.name.text
    for settings in clauses(contrast, ast.SettingsClause):
        for setting in settings.settings:
            key, value = setting.key.text, setting.value
            if key not in ("test", "effect") or not isinstance(value, ast.Name):
                continue
            for_pairs = value.text in FOR_PAIRS
            if for_pairs and not paired:
                help = "add `paired by respondent` before the block"
                yield diagnostic(Code.TEST_UNPAIRED, value.span, test=value.text, contrast=name, help=help)
            if paired and key == "test" and not for_pairs and value.text in CONTRAST["test"].words:
                help = "take `test paired_t`, or take `paired by` out"
                yield diagnostic(Code.TEST_PAIRED, value.span, test=value.text, contrast=name, help=help)


def _outcomes(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Iterator[Diagnostic]:
    scales = {scale.name.text: subscales_of(scale) for scale in scales_of(program, study)}
    named: list[tuple[Span, str]] = []
    for clause in clauses(contrast, ast.OfClause):
        for outcome in clause.outcomes:
            yield from check_outcome(program, study, outcome)
            scale = outcome.head.text
            subscales = scales.get(scale, []) if outcome.tail is None else [outcome.tail.text]
            named += [(outcome.span, f"{scale}.{subscale}") for subscale in subscales]
    yield from twice(named, f"contrast `{contrast.name.text}`")


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
    groups = [group for clause in clauses(contrast, ast.ByClause) for group in clause.groups]
    first: dict[frozenset[str], ast.Group] = {}
    for group in groups:
        for field in group.fields:
            if field.text not in (*known, OVERALL) or (field.text == OVERALL and len(group.fields) > 1):
                help = nearest(field.text, (*known, OVERALL))
                yield diagnostic(Code.NO_FIELD, field.span, name=field.text, help=help)
        shown = " * ".join(field.text for field in group.fields)
        yield from twice([(field.span, field.text) for field in group.fields], f"`by {shown}`")
        same = first.setdefault(cut_by(field.text for field in group.fields), group)
        if same is not group:
            yield from twice([(same.span, shown), (group.span, shown)], "`by`")


def check_where(program: Program, study: ast.StudyDecl, where: ast.WhereClause) -> Iterator[Diagnostic]:
    """That the fields exist, and that something can have the values."""
    known = [*OBSERVATION_FIELDS, *covariates_of(program, study)]
    for predicate in where.predicates:
        name = predicate.field.text
        if name in known:
            yield from check_values(program, study, predicate)
        else:
            yield diagnostic(Code.NO_FIELD, predicate.field.span, name=name, help=nearest(name, known))


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
