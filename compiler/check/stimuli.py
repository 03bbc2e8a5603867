"""Emotions, factors and their situations."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.scales import data_file
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.model.stimuli import Placed, situations_of, title
from compiler.resolve import Program


def check_stimuli(program: Program) -> Iterator[Diagnostic]:
    seen: dict[str, Placed] = {}
    for emotion in program.emotions.values():
        yield from _emotion(program, emotion)
        for placed in situations_of(program, emotion):
            text = " ".join(placed.stimulus.fields["situation"].split()).casefold()
            first = seen.setdefault(text, placed)
            if first is not placed:
                stimulus = first.stimulus
                yield diagnostic(
                    Code.SITUATION_TWICE,
                    placed.span,
                    factor=stimulus.factor,
                    emotion=stimulus.emotion,
                    notes=(Note(first.span, "here"),),
                )


def _emotion(program: Program, emotion: ast.EmotionDecl) -> Iterator[Diagnostic]:
    where = f"emotion `{emotion.name.text}`"
    yield from twice([(factor.name.span, factor.name.text) for factor in emotion.factors], where)
    if not emotion.factors:
        yield diagnostic(Code.EMPTY_FACTOR, emotion.name.span, what=where, kind="factor")
    filled = {placed.stimulus.factor for placed in situations_of(program, emotion)}
    for factor in emotion.factors:
        if factor.data is not None:
            problems = list(data_file(program, factor.data))
            yield from problems
            if problems:
                continue
        if factor.name.text not in filled:
            what = f"factor `{factor.name.text}` ({title(factor)})"
            yield diagnostic(Code.EMPTY_FACTOR, factor.name.span, what=what, kind="situation")
        for situation in factor.situations:
            names = [(field.name.span, field.name.text) for field in situation.fields]
            yield from twice([(situation.text.span, "situation"), *names], "this situation")
            if not situation.text.text.strip():
                yield diagnostic(Code.EMPTY_FACTOR, situation.span, what="this situation", kind="text")
