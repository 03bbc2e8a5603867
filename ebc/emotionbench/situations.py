"""Situations as emotions, and all prompts: the one that presents a situation, and those that ask."""

from __future__ import annotations

from collections.abc import Iterable

from ebc.emotionbench.upstream import Emotion
from ebc.questionnaires.records import Questionnaire
from ebc.questionnaires.scales import prompt_text
from ebc.questionnaires.words import quoted, slug, unique

IMAGINE = "Think of yourself as the one to whom this happens: {situation}"


def emotion_text(emotion: Emotion) -> str:
    """The emotion with its situations in place."""
    lines = [f"emotion {slug(emotion.name)} {quoted(emotion.name)} {{"]
    names = unique(slug(factor.name) for factor in emotion.factors)
    for name, factor in zip(names, emotion.factors, strict=True):
        lines.append(f"factor {name} {quoted(factor.name)} {{")
        lines += [quoted(text) for text in factor.scenarios]
        lines.append("}")
    return "\n".join([*lines, "}"])


def prompts_text(questionnaires: Iterable[Questionnaire], presented: str | None) -> str:
    """The prompts: one that presents a situation, and one a questionnaire."""
    present = f"prompt imagine {quoted(presented or IMAGINE)}"
    return "\n\n".join([present, *(prompt_text(one) for one in questionnaires)])
