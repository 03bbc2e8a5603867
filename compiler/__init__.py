"""The compiler: from .eb text to a plan. It knows no clock, no network and no environment: what it reads, it
is handed as `Files`.

    checked = load("anger.eb", files, library)
    if not checked.errors:
        steps = compile_study(checked, checked.program.studies["anger"])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compiler.diagnostics import Diagnostic
from compiler.source import Source

if TYPE_CHECKING:
    from compiler import ast
    from compiler.lower.draft import Draft
    from compiler.resolve import Program
    from schemas.plan import Model, Plan
    from schemas.table import Files


@dataclass(frozen=True)
class Checked:
    """A program, and everything that there is to say about it, in the order of the text."""

    program: Program
    sources: Mapping[str, Source]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.diagnostics if one.is_error)


def load(path: str, files: Files, library: Files) -> Checked:
    """Reads a spec with all that it uses, and checks it. Never raises for what a file says."""
    from compiler.check import check
    from compiler.resolve import Loader
    from compiler.suspicion import certain, of_read_stimuli, with_library

    loader = Loader(files, library)
    program = loader.load(path)
    meant = of_read_stimuli(check(program), program)
    if any(one.is_error for one in loader.found):
        meant = certain(meant, program, loader.found)
    found = [*loader.found, *with_library(meant, library)]
    found.sort(key=lambda one: (one.span.path != path, one.span))
    return Checked(program, loader.sources, tuple(found))


def compile_study(
    checked: Checked, study: ast.StudyDecl, models: tuple[Model, ...] | None = None
) -> list[tuple[str, Draft]]:
    """The passes' names, each with the plan as it left it; the last is the whole plan. `models` take the
    place of the study's own. The program must be without errors."""
    from compiler.lower import run_passes
    from compiler.lower.draft import Draft
    from compiler.lower.study import plan_head

    return run_passes(Draft(plan_head(checked.program, study, models)))


def compile_models(plan: Plan, models: tuple[Model, ...]) -> list[tuple[str, Draft]]:
    """A plan made anew for other models than its own."""
    import msgspec

    from compiler.lower import run_passes
    from compiler.lower.draft import Draft

    recorded = tuple(responses.id for responses in plan.responses)
    panels = (*(model.id for model in models), *recorded)
    study = msgspec.structs.replace(plan.study, panels=panels)
    return run_passes(Draft(msgspec.structs.replace(plan, models=models, study=study)))
