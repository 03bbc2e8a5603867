"""What the stimuli of a study come to: situations, known by their place, and those of data files, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from compiler import ast
from compiler.model.datasets import dataset
from compiler.model.items import column
from compiler.resolve import Program
from compiler.source import Span
from schemas.plan import Stimulus


class Placed(NamedTuple):
    """A stimulus with the span that wrote it (of what takes in the file, where it came from one)."""

    stimulus: Stimulus
    span: Span

    @property
    def told(self) -> str:
        """Where it belongs, as messages tell it."""
        stimulus = self.stimulus
        if stimulus.name is None:
            return f"factor `{stimulus.factor}` of `{stimulus.emotion}`"
        return f'`{stimulus.id.removesuffix(f".{stimulus.name}")}`, with the name "{stimulus.name}"'


def title(decl: ast.EmotionDecl | ast.FactorDecl) -> str:
    """The declaration's title, or its name where it has none."""
    return decl.title.text if decl.title is not None else decl.name.text


_SITUATIONS: WeakKeyDictionary[Program, dict[Span, list[Placed]]] = WeakKeyDictionary()
"""An emotion may have many situations, and several checks ask for them."""


def situations_of(program: Program, emotion: ast.EmotionDecl) -> list[Placed]:
    """All situations of an emotion, factor after factor."""
    known = _SITUATIONS.setdefault(program, {})
    if emotion.span not in known:
        known[emotion.span] = list(_situations(program, emotion))
    return known[emotion.span]


def _situations(program: Program, emotion: ast.EmotionDecl) -> Iterator[Placed]:
    name, emotion_title = emotion.name.text, title(emotion)
    for index, factor in enumerate(emotion.factors):
        factor_title = title(factor)
        for number, (fields, span) in enumerate(_written(program, factor)):
            stimulus = Stimulus(
                id=f"{name}.{factor.name.text}.{number}",
                emotion=name,
                emotion_title=emotion_title,
                factor=factor.name.text,
                factor_title=factor_title,
                factor_index=index,
                situation=number,
                fields=fields,
            )
            yield Placed(stimulus, span)


def _written(program: Program, factor: ast.FactorDecl) -> Iterable[tuple[dict[str, str], Span]]:
    if factor.data is not None:
        return [({"situation": text}, factor.data.span) for _, text in column(program, factor.data)]
    return [
        ({"situation": written.text.text, **{f.name.text: f.text.text for f in written.fields}}, written.span)
        for written in factor.situations
    ]


_CHOSEN: WeakKeyDictionary[Program, dict[Span, list[Placed]]] = WeakKeyDictionary()
"""A study may have many stimuli, and many checks ask for them."""


def study_stimuli(program: Program, study: ast.StudyDecl) -> list[Placed]:
    """The stimuli that a study names, each once, in the order of the naming. Unknown names give none."""
    known = _CHOSEN.setdefault(program, {})
    if study.span not in known:
        known[study.span] = _chosen(program, study)
    return known[study.span]


def _chosen(program: Program, study: ast.StudyDecl) -> list[Placed]:
    chosen: dict[str, Placed] = {}
    for part in study.body:
        if isinstance(part, ast.StimuliOf):
            for reference in part.stimuli:
                for placed in _named(program, reference):
                    chosen.setdefault(placed.stimulus.id, placed)
    return list(chosen.values())


def _named(program: Program, reference: ast.Dotted | ast.Everything) -> list[Placed]:
    if isinstance(reference, ast.Everything):
        return [placed for emotion in program.emotions.values() for placed in situations_of(program, emotion)]
    name, tail = reference.head.text, reference.tail
    if tail is None and name in program.stimuli:
        decl = program.stimuli[name]
        return [Placed(stimulus, decl.path.span) for stimulus in dataset(program, decl).stimuli]
    if name not in program.emotions:
        return []
    placed = situations_of(program, program.emotions[name])
    return placed if tail is None else [one for one in placed if one.stimulus.factor == tail.text]
