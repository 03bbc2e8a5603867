"""What the rows of an analysis of a study can be called."""

from __future__ import annotations

from compiler import ast
from compiler.model.associations import coefficients_of
from compiler.model.fields import STIMULUS, values_of
from compiler.model.outcomes import outcomes_of
from compiler.model.reportrows import ROW_COLUMNS, Factor, Outcome, Rows, fits
from compiler.model.sides import Meaning, sides_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import (
    Analysis,
    analyses_of,
    clauses,
    groups_of,
    kind_of,
    panels_of,
    predicates,
    responses_of,
    statements,
)
from compiler.model.variables import has_variable, names_panels
from compiler.resolve import Program
from schemas.plan import Predicate


def rows_of(program: Program, study: ast.StudyDecl, analysis: Analysis) -> Rows:
    """All that an analysis's rows can be called; only ids that exist."""
    stimuli = [placed.stimulus for placed in study_stimuli(program, study)]
    factors = {
        (s.emotion, s.factor): Factor(s.emotion, s.factor, s.factor_title or s.factor, s.factor_index)
        for s in stimuli
        if s.factor is not None
    }
    named = dict.fromkeys(outcomes_of(program, study, analysis))
    uses = [use for part in statements(study, ast.ScalesOf) for use in part.scales]
    fields = {name for kind in groups_of(analysis) for name in kind if name not in ROW_COLUMNS}
    known = {name: values_of(program, study, name) for name in sorted(fields)}
    if STIMULUS in known:
        known[STIMULUS] = [stimulus.id for stimulus in stimuli]
    return Rows(
        analysis=analysis,
        emotions={s.emotion: s.emotion_title or s.emotion for s in stimuli if s.emotion is not None},
        factors=tuple(factors.values()),
        outcomes=tuple(_outcome(program.scales[scale], subscale) for scale, subscale in named),
        panels=panels_with_rows(program, study, analysis),
        values={name: values for name, values in known.items() if values is not None},
        measured={use.scale.text: tuple(name.text for name in use.stimuli) for use in uses if use.stimuli},
        coefficients=coefficients_of(analysis) if isinstance(analysis, ast.AssociationDecl) else (),
    )


def _outcome(scale: ast.ScaleDecl, subscale: str) -> Outcome:
    scale_title = scale.name.text if scale.title is None else scale.title.text
    declared = [part for part in scale.body if isinstance(part, ast.SubscaleDecl)]
    titles = {part.name.text: part.title.text for part in declared if part.title is not None}
    return Outcome(scale.name.text, scale_title, subscale, titles.get(subscale, subscale))


def panels_with_rows(program: Program, study: ast.StudyDecl, analysis: Analysis) -> tuple[str, ...] | None:
    """The panels that an analysis has rows for, or None where only the data knows. Where all sides that take
    answers name their panel, that is the first's. Else each that the `where` lets in, that has the levels, and
    that is not held against itself."""
    sides = [side for side in sides_of(program, study, analysis) if side.kind not in ("norm", "field")]
    named = [side.cells.panel or _the_only(program, study, side) for side in sides]
    if sides and None not in named:
        return tuple(panel for panel in named[:1] if panel is not None)
    if any(names_panels(responses) for responses in responses_of(program, study)):
        return None
    in_turn = [side for side, panel in zip(sides, named, strict=True) if panel is None]
    where = [p for clause in clauses(analysis, ast.WhereClause) for p in predicates(clause)]
    return tuple(
        panel.text
        for panel in panels_of(study)
        if _lets_in(where, panel.text, _kind(program, panel.text))
        and all(_has(program, study, side, panel.text) for side in in_turn)
        and len({_taken(side, panel.text) for side in sides}) == len(sides)
    )


def _the_only(program: Program, study: ast.StudyDecl, side: Meaning) -> str | None:
    """The one panel whose estimates a contrast holds, where it is one."""
    panels = _of_contrast(program, study, side)
    return panels[0] if panels is not None and len(panels) == 1 else None


def _of_contrast(program: Program, study: ast.StudyDecl, side: Meaning) -> tuple[str, ...] | None:
    contrast = analyses_of(study).get(side.cells.contrast or "")
    if not isinstance(contrast, ast.ContrastDecl):
        return None
    return panels_with_rows(program, study, contrast)


def _has(program: Program, study: ast.StudyDecl, side: Meaning, panel: str) -> bool:
    """Whether a panel has what a side takes of each in turn."""
    estimated = _of_contrast(program, study, side)
    if estimated is not None:
        return panel in estimated
    return side.variable is None or has_variable(program, panel, side.variable)


def _taken(side: Meaning, panel: str) -> tuple[str | None, str | None, str]:
    """What a side takes in the row of a panel."""
    return side.cells.level, side.cells.contrast, side.cells.panel or panel


def _lets_in(where: list[Predicate], panel: str, kind: str) -> bool:
    """Whether an analysis is about a panel. A simulated one stands in for a model."""
    kinds = ["model", "simulated"] if kind == "simulated" else [kind]
    for predicate in where:
        if predicate.field == "panel" and not fits({"panel": panel}, predicate):
            return False
        if predicate.field == "kind" and any(one in predicate.values for one in kinds) == predicate.negated:
            return False
    return True


def _kind(program: Program, panel: str) -> str:
    responses, model = program.responses.get(panel), program.models.get(panel)
    if responses is not None:
        return kind_of(responses)
    providers = [setting.value for setting in model.settings if setting.key.text == "provider"] if model else []
    asked = any(isinstance(provider, ast.Name) and provider.text == "openai" for provider in providers)
    return "model" if asked else "simulated"
