"""Questions: that every placeholder has a value, and that each question is shown whole and asked once."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic, nearest
from compiler.model.items import items_of, options_of, scale_options
from compiler.model.prompts import Asked, asked, conditions_of
from compiler.model.stimuli import Placed, study_stimuli
from compiler.model.study import protocol_of, scales_of
from compiler.resolve import Program
from compiler.source import Span
from compiler.template import holes
from schemas.render import SCALE_HOLES, stimulus_holes

OF_SITUATIONS = ("situation", "emotion", "factor")


def check_questions(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        protocol = protocol_of(program, study)
        if protocol is not None:
            yield from _holes(program, protocol, study_stimuli(program, study))
            yield from _measures(program, protocol, study)
            yield from _twice(program, protocol, study)


def _holes(program: Program, protocol: ast.ProtocolDecl, stimuli: list[Placed]) -> Iterator[Diagnostic]:
    kinds: dict[tuple[str, ...], list[Placed]] = {}
    for placed in stimuli:
        kinds.setdefault(tuple(stimulus_holes(placed.stimulus)), []).append(placed)
    fields = {name for kind in kinds for name in kind}
    vocabulary = {*fields, *SCALE_HOLES, *OF_SITUATIONS, "presented"}
    for condition, steps in conditions_of(protocol):
        for step in steps:
            available = (fields if condition.each else set()) | (
                {*SCALE_HOLES, "presented"} if isinstance(step, ast.MeasureStep) else set()
            )
            use = asked(program, step.prompt)
            if use is None:
                continue
            yield from _arguments(
                use.id, step.prompt, {hole for m in use.written for hole in holes(m.text.text)}
            )
            for name, span in use.holes():
                if name not in vocabulary:
                    yield diagnostic(Code.NO_HOLE, span, name=name, help=nearest(name, vocabulary))
                elif name not in available and not (condition.each and not stimuli):
                    help = "only a prompt that a scale is measured with can show it"
                    if name in fields or name in OF_SITUATIONS:
                        help = "the condition has no situation: only one `each situation` has"
                        help = "the study's stimuli have no such field" if condition.each else help
                    yield diagnostic(
                        Code.HOLE_NOT_FILLED, span, name=name, condition=condition.name.text, help=help
                    )
                elif name in fields:
                    yield from _lacking(name, kinds)


def _arguments(id: str, reference: ast.PromptRef, names: set[str]) -> Iterator[Diagnostic]:
    for argument in reference.arguments:
        if argument.name.text not in names:
            prompt = id.partition("(")[0]
            help = nearest(argument.name.text, names)
            yield diagnostic(
                Code.ARGUMENT_UNUSED, argument.name.span, prompt=prompt, name=argument.name.text, help=help
            )


def _lacking(field: str, kinds: dict[tuple[str, ...], list[Placed]]) -> Iterator[Diagnostic]:
    """`kinds`: the stimuli by the placeholders that they fill, the first one's kind first."""
    lacking = [placed for kind, placed in kinds.items() if field not in kind]
    if lacking:
        first = lacking[0][0]
        help = f'write it behind the situation: `"..." {{ {field} "..." }}`'
        if first.stimulus.name is not None:
            help = f"fill `{field}` in where the data lack it, or let the prompt do without it"
        yield diagnostic(
            Code.FIELD_LACKING,
            first.span,
            count=sum(map(len, lacking)),
            total=sum(map(len, kinds.values())),
            field=field,
            first=first.told,
            help=help,
        )


def _scales(program: Program, study: ast.StudyDecl, step: ast.MeasureStep) -> list[ast.ScaleDecl]:
    """The scales that a step measures."""
    if step.scale is None:
        return scales_of(program, study)
    return [program.scales[step.scale.text]] if step.scale.text in program.scales else []


def _measures(program: Program, protocol: ast.ProtocolDecl, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """Each scale's items are shown, and no placeholder stands for what its items do not share."""
    for condition, steps in conditions_of(protocol):
        for step in steps:
            use = asked(program, step.prompt)
            if not isinstance(step, ast.MeasureStep) or use is None:
                continue
            filled = use.holes()
            if "scale.items" not in {name for name, _ in filled}:
                help = "write {scale.items} where the items are to stand"
                yield diagnostic(Code.NO_ITEMS_SHOWN, step.prompt.span, prompt=use.id, help=help)
            for scale in _scales(program, study, step):
                differing = _not_shared(program, scale)
                for name, span in filled:
                    if name in differing:
                        help = f"the items of scale `{scale.name.text}` differ in it: leave it out"
                        yield diagnostic(
                            Code.HOLE_NOT_FILLED, span, name=name, condition=condition.name.text, help=help
                        )


def _not_shared(program: Program, scale: ast.ScaleDecl) -> set[str]:
    """The placeholders of a scale that have no value, because its items have different options."""
    options = {options_of(item.options or scale_options(scale)) for item in items_of(program, scale)}
    ranges = {(min(o.code for o in each), max(o.code for o in each)) for each in options if each}
    lacking = {"scale.anchors"} if len(options) > 1 else set()
    return lacking | ({"scale.min", "scale.max"} if len(ranges) > 1 else set())


def _twice(program: Program, protocol: ast.ProtocolDecl, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """The same question twice in a condition would count each answer twice."""
    for condition, steps in conditions_of(protocol):
        seen: dict[tuple[str, str, tuple[str, ...]], Span] = {}
        presented: list[str] = []
        for step in steps:
            use = asked(program, step.prompt)
            if use is None:
                continue
            if isinstance(step, ast.PresentStep):
                presented.append(use.id)
                yield from _only_user(step, use)
                continue
            for scale in _scales(program, study, step):
                question = (scale.name.text, use.id, tuple(presented))
                if question in seen and seen[question] != step.span:
                    note = Note(seen[question], "first asked here")
                    what = f"measure {scale.name.text} with {use.id}"
                    where = f"condition `{condition.name.text}`"
                    help = "use a variant of the prompt, or `repeats` to ask again"
                    yield diagnostic(Code.TWICE, step.span, what=what, where=where, notes=(note,), help=help)
                seen.setdefault(question, step.span)


def _only_user(step: ast.PresentStep, use: Asked) -> Iterator[Diagnostic]:
    for message in use.written:
        if message.role != "user":
            help = "what is presented becomes part of the next question: write it as `user` text"
            yield diagnostic(Code.PRESENTED_ROLE, step.prompt.span, prompt=use.id, role=message.role, help=help)
