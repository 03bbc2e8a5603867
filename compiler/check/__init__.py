"""The static checks, one file a subject. Each is a function from a program to what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compiler.check.analyses import check_analyses
from compiler.check.datasets import check_datasets
from compiler.check.expectations import check_expectations
from compiler.check.keys import check_keys
from compiler.check.mappings import check_mappings
from compiler.check.models import check_models
from compiler.check.prompts import check_prompts
from compiler.check.protocols import check_protocols
from compiler.check.questions import check_questions
from compiler.check.scales import check_scales
from compiler.check.stimuli import check_stimuli
from compiler.check.studies import check_studies
from compiler.diagnostics import Diagnostic
from compiler.resolve import Program

Check = Callable[[Program], Iterable[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    check_scales,
    check_stimuli,
    check_datasets,
    check_prompts,
    check_protocols,
    check_models,
    check_mappings,
    check_studies,
    check_keys,
    check_questions,
    check_analyses,
    check_expectations,
)


def check(program: Program) -> list[Diagnostic]:
    """Everything that is wrong with a program, each thing once."""
    found: dict[Diagnostic, None] = {}
    for one in CHECKS:
        found.update(dict.fromkeys(one(program)))
    return list(found)
