"""Emotions, factors and their situations."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.datafiles import check_data_file
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.model.stimuli import Placed, situations_of, title
from compiler.resolve import Program

PLACEHOLDERS = ("situation", "emotion", "factor", "presented", "scale")


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
            problems = list(check_data_file(program, factor.data))
            yield from problems
            if problems:
                continue
        if factor.name.text not in filled:
            what = f"factor `{factor.name.text}` ({title(factor)})"
            yield diagnostic(Code.EMPTY_FACTOR, factor.name.span, what=what, kind="situation")
        for situation in factor.situations:
            yield from _fields(situation)
            if not situation.text.text.strip():
                yield diagnostic(Code.EMPTY_FACTOR, situation.span, what="this situation", kind="text")


def _fields(situation: ast.Situation) -> Iterator[Diagnostic]:
    """Further texts of a situation, by names that no prompt means otherwise."""
    yield from twice([(field.name.span, field.name.text) for field in situation.fields], "this situation")
    for field in situation.fields:
        name = field.name.text
        if name in PLACEHOLDERS:
            first, second = "this text", f"what `{{{name}}}` stands for in every prompt"
            help = "give the text another name"
            yield diagnostic(Code.AMBIGUOUS, field.name.span, name=name, first=first, second=second, help=help)
