"""Protocols: conditions and their steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from compiler import ast
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.prompts import conditions_of, variant_of
from compiler.model.study import panels_of, statements
from compiler.resolve import Program
from schemas.plan import AgainStatus

STATUSES = get_args(AgainStatus)
MOST_TIMES = 10


def check_protocols(program: Program) -> Iterator[Diagnostic]:
    recorded = _recorded_alone(program)
    for protocol in program.protocols.values():
        where = f"protocol `{protocol.name.text}`"
        conditions = [part for part in protocol.body if isinstance(part, ast.ConditionDecl)]
        yield from twice([(c.name.span, c.name.text) for c in conditions], where)
        yield from twice([(p.span, "then") for p in protocol.body if isinstance(p, ast.Then)], where)
        if not conditions:
            help = "add a line such as `condition default`"
            yield diagnostic(Code.LACKS, protocol.name.span, where=where, what="condition", help=help)
        for condition, steps in conditions_of(protocol):
            asks = any(isinstance(step, ast.MeasureStep) for step in steps)
            if not asks and protocol.name.text not in recorded:
                help = "add a step such as `then { measure with self_report }`"
                name = condition.name.text
                yield diagnostic(Code.NO_QUESTION, condition.name.span, condition=name, help=help)
        for part in protocol.body:
            for step in part.steps:
                yield from _step(program, step)


def _recorded_alone(program: Program) -> set[str]:
    """The protocols whose conditions name what was done when the answers were given: no study of theirs asks a
    model, and some study takes answers that exist already."""
    asked: set[str] = set()
    recorded: set[str] = set()
    for study in program.studies.values():
        names = {panel.text for panel in panels_of(study)}
        protocols = [part.name.text for part in statements(study, ast.ProtocolOf)]
        recorded.update(protocols if names & program.responses.keys() else ())
        asked.update(protocols if names & program.models.keys() else ())
    return recorded - asked


def _step(program: Program, step: ast.StepNode) -> Iterator[Diagnostic]:
    reference = step.prompt.prompt
    prompt = program.prompts.get(reference.head.text)
    if prompt is None:
        yield unknown(reference.head, "prompt", program.prompts)
    elif reference.tail is not None and variant_of(prompt, reference.tail.text) is None:
        names = [variant.name.text for variant in prompt.variants]
        yield unknown(reference.tail, "variant", names, f" of prompt `{prompt.name.text}`")
    yield from twice([(a.name.span, a.name.text) for a in step.prompt.arguments], "this step")
    if not isinstance(step, ast.MeasureStep):
        return
    if step.scale is not None and step.scale.text not in program.scales:
        yield unknown(step.scale, "scale", program.scales)
    for status in step.again.statuses if step.again else ():
        if status.text not in STATUSES:
            yield unknown(status, "status", STATUSES, " after which a question could be asked again")
    if step.again:
        yield from twice([(status.span, status.text) for status in step.again.statuses], "this step")
        yield from whole(step.again.times, "ask again", 1, MOST_TIMES)
