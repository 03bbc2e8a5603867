"""Contrasts, associations and published values as the plan's records."""

from __future__ import annotations

from typing import Literal, cast

from compiler import ast
from compiler.diagnostics import Diagnostic
from compiler.model.analysisrows import rows_of
from compiler.model.associations import coefficients_of, unit_of
from compiler.model.designs import clusters_of, default_effect, paired_by, test_of, unit_of_contrast
from compiler.model.outcomes import outcomes_of
from compiler.model.published import PublishedTable, inline_cell
from compiler.model.sides import sides_of, variable_of
from compiler.model.study import Analysis, analyses_of, clauses, groups_of, predicates
from compiler.resolve import Program
from compiler.settings import DEFAULT_ALPHA, values
from schemas.plan import (
    Adjust,
    Association,
    Cells,
    Contrast,
    Effect,
    Expectation,
    ExpectedCell,
    Outcome,
    PostHoc,
    Predicate,
    Setting,
)


def contrast_record(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Contrast:
    """A contrast; assumes that it was checked."""
    said = _said(contrast)
    adjust = cast(Adjust, said.get("adjust", "holm"))
    direction = said.get("direction", "raw" if adjust == "none" else "adjusted")
    sides = sides_of(program, study, contrast)
    test = test_of(program, study, contrast, sides)
    paired = paired_by(program, study, contrast, sides)
    margin = said.get("margin")
    return Contrast(
        name=contrast.name.text,
        sides=tuple(side.cells for side in sides),
        by=tuple(groups_of(contrast)),
        test=test,
        alpha=_alpha(said),
        effect=cast(Effect, said.get("effect", default_effect(contrast, test, paired))),
        adjust=adjust,
        variable=variable_of(sides),
        omnibus=contrast.omnibus,
        outcomes=_outcomes(program, study, contrast),
        where=_where(contrast),
        unit=unit_of_contrast(program, study, contrast, sides),
        paired_by=paired,
        direction_by="p" if direction == "raw" else "p_adjusted",
        yates=said.get("yates", "on") == "on",
        title=None if contrast.title is None else contrast.title.text,
        margin=float(margin) if isinstance(margin, int | float) else None,
        worse=cast(Literal["lower", "higher"] | None, said.get("worse")),
        post_hoc=cast(PostHoc | None, said.get("post_hoc")),
        interval=cast(Literal["analytic", "bootstrap"], said.get("interval", "analytic")),
        cluster=clusters_of(contrast),
    )


def association_record(program: Program, study: ast.StudyDecl, analysis: ast.AssociationDecl) -> Association:
    """A correlation, agreement or reliability; assumes that it was checked."""
    said = _said(analysis)
    cut = said.get("cut")
    sides = sides_of(program, study, analysis)
    return Association(
        name=analysis.name.text,
        kind=analysis.kind,
        sides=tuple(side.cells for side in sides) or (Cells(),),
        by=tuple(groups_of(analysis)),
        coefficients=coefficients_of(analysis),
        alpha=_alpha(said),
        unit=unit_of(analysis, sides),
        variable=variable_of(sides),
        outcomes=_outcomes(program, study, analysis),
        where=_where(analysis),
        cut=float(cut) if isinstance(cut, int | float) else None,
        title=None if analysis.title is None else analysis.title.text,
    )


def expectation_records(program: Program, study: ast.StudyDecl) -> tuple[Expectation, ...]:
    """The published values, in the order of the study."""
    analyses = analyses_of(study)
    found: list[Expectation] = []
    for statement in study.body:
        if isinstance(statement, ast.ExpectValue):
            target = statement.target.head.text
            cell = inline_cell(study, statement, rows_of(program, study, analyses[target]))
            assert isinstance(cell, ExpectedCell), "a value without a row does not pass the checks"
            found.append(Expectation(target, statement.source.text, (cell,)))
        elif isinstance(statement, ast.ExpectTable):
            rows = rows_of(program, study, analyses[statement.analysis.text])
            read = PublishedTable(program, study, statement, rows).read()
            cells = tuple(cell for cell in read if not isinstance(cell, Diagnostic))
            found.append(Expectation(statement.analysis.text, statement.source.text, cells))
    return tuple(found)


def _said(analysis: Analysis) -> dict[str, Setting]:
    return values(tuple(s for clause in clauses(analysis, ast.SettingsClause) for s in clause.settings))


def _alpha(said: dict[str, Setting]) -> float:
    alpha = said.get("alpha", DEFAULT_ALPHA)
    assert isinstance(alpha, int | float), "alpha that is no number does not pass the checks"
    return float(alpha)


def _outcomes(program: Program, study: ast.StudyDecl, analysis: Analysis) -> tuple[Outcome, ...]:
    named = bool(clauses(analysis, ast.OfClause))
    return tuple(Outcome(*outcome) for outcome in outcomes_of(program, study, analysis)) if named else ()


def _where(analysis: Analysis) -> tuple[Predicate, ...]:
    return tuple(p for clause in clauses(analysis, ast.WhereClause) for p in predicates(clause))
