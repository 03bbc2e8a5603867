"""What the rows of an analysis of a study can be called."""

from __future__ import annotations

from compiler import ast
from compiler.model.associations import coefficients_of
from compiler.model.fields import values_of
from compiler.model.outcomes import outcomes_of
from compiler.model.reportrows import ROW_COLUMNS, Factor, Outcome, Rows
from compiler.model.sides import sides_of, variable_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import (
    Analysis,
    groups_of,
    kind_of,
    panels_of,
    responses_of,
    statements,
)
from compiler.model.variables import CONDITION, names_panels, within
from compiler.resolve import Program


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
    return Rows(
        analysis=analysis,
        emotions={s.emotion: s.emotion_title or s.emotion for s in stimuli if s.emotion is not None},
        factors=tuple(factors.values()),
        outcomes=tuple(_outcome(program.scales[scale], subscale) for scale, subscale in named),
        panels=_panels(program, study, analysis),
        values={name: values for name, values in known.items() if values is not None},
        measured={use.scale.text: tuple(name.text for name in use.stimuli) for use in uses if use.stimuli},
        coefficients=coefficients_of(analysis) if isinstance(analysis, ast.AssociationDecl) else (),
    )


def _outcome(scale: ast.ScaleDecl, subscale: str) -> Outcome:
    scale_title = scale.name.text if scale.title is None else scale.title.text
    declared = [part for part in scale.body if isinstance(part, ast.SubscaleDecl)]
    titles = {part.name.text: part.title.text for part in declared if part.title is not None}
    return Outcome(scale.name.text, scale_title, subscale, titles.get(subscale, subscale))


def _panels(program: Program, study: ast.StudyDecl, analysis: Analysis) -> dict[str, str] | None:
    """The panels that rows are made for: that of the first side that says one, else those with its levels."""
    sides = sides_of(program, study, analysis)
    said = next((side.cells.panel for side in sides if side.cells.panel is not None), None)
    if said is not None:
        return {said: _kind(program, said)}
    if any(names_panels(responses) for responses in responses_of(program, study)):
        return None
    panels = [panel.text for panel in panels_of(study)]
    if variable_of(sides) != CONDITION:
        panels = [panel for panel in panels if _varies(program.responses.get(panel), variable_of(sides))]
    return {panel: _kind(program, panel) for panel in panels}


def _varies(responses: ast.ResponsesDecl | None, variable: str) -> bool:
    """Whether a panel has levels of a variable."""
    said = within(responses.body) if responses is not None else ()
    return any(isinstance(one, ast.VaryDecl) and one.variable.text == variable for one in said)


def _kind(program: Program, panel: str) -> str:
    responses, model = program.responses.get(panel), program.models.get(panel)
    if responses is not None:
        return kind_of(responses)
    providers = [setting.value for setting in model.settings if setting.key.text == "provider"] if model else []
    asked = any(isinstance(provider, ast.Name) and provider.text == "openai" for provider in providers)
    return "model" if asked else "simulated"
