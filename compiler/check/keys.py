"""Keys of items in fields of the stimuli: that the stimuli of the studies which score by them have these."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.grids import as_number
from compiler.model.items import items_of, parts
from compiler.model.scores import KEY, Scoring, uses
from compiler.model.stimuli import Placed, study_stimuli
from compiler.model.study import scales_of
from compiler.resolve import Program


def check_keys(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        stimuli = study_stimuli(program, study)
        for decl in scales_of(program, study):
            for field in _fields_used(program, decl):
                yield from _field(study, stimuli, field)


def _fields_used(program: Program, decl: ast.ScaleDecl) -> Iterator[ast.Name]:
    """The fields that hold keys which the scale's scores use, where its items name them."""
    items = items_of(program, decl)
    scores = [subscale.score for subscale in parts(decl, ast.SubscaleDecl)]
    used = uses(Scoring(decl, items), scores).get(KEY, set())
    spans = {item.span for item in items if item.number in used}
    for group in parts(decl, ast.ItemGroup):
        for item in group.items:
            if isinstance(item.key, ast.Name) and item.span in spans:
                yield item.key


def _field(study: ast.StudyDecl, stimuli: list[Placed], field: ast.Name) -> Iterator[Diagnostic]:
    """A field that no stimulus has, or that holds other than numbers."""
    held = [(placed, placed.stimulus.fields.get(field.text, "").strip()) for placed in stimuli]
    if not any(text for _, text in held):
        fields = {name for placed in stimuli for name in placed.stimulus.fields}
        yield unknown(field, "field", fields, f" in the stimuli of study `{study.name.text}`")
        return
    for placed, text in held:
        if text and as_number(text) is None:
            yield diagnostic(
                Code.WRONG_TYPE,
                field.span,
                what=f"key {field.text}",
                wanted="numbers",
                found=f'"{text}", as {placed.told} has it',
                help="recode the field to the options' codes, or to `missing`",
            )
            return
