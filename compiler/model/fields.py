"""What observations can be told apart by: in a `by`, in a `where`, in a row of the report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from compiler import ast
from compiler.model.prompts import conditions_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import (
    panels_of,
    protocol_of,
    responses_of,
    scales_of,
    splits_of,
    subscales_of,
)
from compiler.model.variables import covariates_of, names_panels, variables_of
from compiler.resolve import Program
from compiler.source import Span

KINDS = ("model", "human", "simulated")
STIMULUS = "stimulus"
SPLIT = "split"

_NO_GROUPS = frozenset({"situation", "emotion", "factor"})
"""Fields of stimuli that a group is not made of by their text."""


_SAID: WeakKeyDictionary[Program, dict[Span, dict[str, list[str]]]] = WeakKeyDictionary()
"""A study may have many stimuli, and many checks ask for what they say."""


def group_fields(program: Program, study: ast.StudyDecl) -> dict[str, list[str]]:
    """What groups can be cut by, each field with what it is; with more than one, its name has two meanings."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in ("emotion", "factor"):
        found[name].append(f"the {name} of a situation")
    found[STIMULUS].append("which stimulus was answered")
    for name in stimulus_fields(program, study):
        found[name].append("a field of the stimuli")
    for name in variables_of(program, study):
        found[name].append("a variable")
    for name in covariates_of(program, study):
        found[name].append("a covariate")
    if splits_of(study):
        found[SPLIT].append("a respondent's part of a split")
    return dict(found)


def stimulus_fields(program: Program, study: ast.StudyDecl) -> list[str]:
    """The fields that some of the study's stimuli have, but for what tells their place."""
    return [name for name in _said(program, study) if name not in _NO_GROUPS]


def values_of(program: Program, study: ast.StudyDecl, field: str) -> list[str] | None:
    """The values that a field can have in a study; None where only the data knows."""
    match field:
        case "kind":
            return list(KINDS)
        case "panel":
            if any(names_panels(responses) for responses in responses_of(program, study)):
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
            return _distinct(placed.stimulus.emotion for placed in study_stimuli(program, study))
        case "factor":
            return _distinct(placed.stimulus.factor for placed in study_stimuli(program, study))
        case "stimulus":
            stimuli = [placed.stimulus for placed in study_stimuli(program, study)]
            return _distinct(called for stimulus in stimuli for called in (stimulus.id, stimulus.name))
        case "split" if splits_of(study):
            return [part.name.text for split in splits_of(study) for part in split.parts]
        case _:
            return _own_values(program, study, field)


def _own_values(program: Program, study: ast.StudyDecl, field: str) -> list[str] | None:
    """The levels of a variable, or what the stimuli say of a field."""
    levels = variables_of(program, study).get(field)
    if levels is not None:
        return levels
    return _said(program, study).get(field)


def _said(program: Program, study: ast.StudyDecl) -> dict[str, list[str]]:
    """The fields of a study's stimuli, each with its values."""
    known = _SAID.setdefault(program, {})
    if study.span not in known:
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for placed in study_stimuli(program, study):
            for name, value in placed.stimulus.fields.items():
                found[name][value] = None
        known[study.span] = {name: list(values) for name, values in found.items()}
    return known[study.span]


def _distinct(values: Iterable[str | None]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value is not None]
