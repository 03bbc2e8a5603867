"""Numbers without labels: taken only where their number is that of the items."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from runtime.reading.answer import LEAD_WORDS, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.tokens import Token, whole

BETWEEN = frozenset(",;|[](){}\"'.-*=/")
HEADS = LEAD_WORDS | frozenset(("scores", "ratings", "answers", "responses", "values", "评分", "答案", "回答"))
Head = tuple[Finding, Token]
"""A finding with the token that it begins with."""


def bare_findings(lines: Sequence[list[Token]], form: Form) -> list[Finding]:
    """One answer a line, or a run of numbers, exactly as many as items. [] where that is not so, where an item
    is named, and where the numbers only count: that echoes the items' numbers or the options."""
    filled = [line for line in lines if line]
    if any(token.kind == "label" for line in filled for token in line):
        return []
    found = _one_a_line(filled, form) or _one_run(filled, form)
    if len(found) != len(form.items) or len(found) < 2 or _counts([head for _, head in found], filled):
        return []
    return [finding for finding, _ in found]


def _counts(heads: Sequence[Token], lines: Sequence[list[Token]]) -> bool:
    """Whether numbers count up, or down beside labels, which echoes items or options; or one is a year or the
    like."""
    numbers = [whole(head.text) if head.kind == "number" else None for head in heads]
    steps = {None if a is None or b is None else b - a for a, b in pairwise(numbers)}
    anchored = any(token.kind == "anchor" for line in lines for token in line)
    return steps == {1.0} or (anchored and steps == {-1.0}) or any(abs(one or 0.0) >= 1000 for one in numbers)


def _one_a_line(lines: Sequence[list[Token]], form: Form) -> list[Head]:
    with_answers = [line for line in lines if any(token.kind in ("number", "anchor") for token in line)]
    if len(with_answers) != len(form.items):
        return []
    found = []
    for index, line in enumerate(with_answers):
        start = 0
        while start < len(line) and line[start].text in "-*•":
            start += 1
        if start >= len(line) or line[start].kind not in ("number", "anchor", "mark"):
            return []
        answer = answer_at(line, start, len(line), form, index)
        if answer is None or _goes_on(line, start):
            return []
        head = next(token for token in line[start:] if token.kind in ("number", "anchor"))
        found.append((Finding(index, answer), head))
    return found


def _goes_on(line: list[Token], start: int) -> bool:
    """Whether a number at the start of a line is rather the number of what follows it."""
    behind = line[start + 1 :]
    return len(behind) > 1 and behind[0].text in (".", ")", ":") and behind[1].kind != "anchor"


def _one_run(lines: Sequence[list[Token]], form: Form) -> list[Head]:
    runs = [line for line in lines if any(token.kind in ("number", "anchor") for token in line)]
    numbers: list[Token] = []
    for number, line in enumerate(runs):
        for token in line[_behind_head(line) if number == 0 else 0 :]:
            if token.kind == "number":
                numbers.extend(_split(token))
            elif token.kind != "mark" or token.text not in BETWEEN:
                return []
        if len(numbers) > len(form.items):
            return []
    if len(numbers) != len(form.items) or (len(numbers) == 2 and len(runs[0]) == 1):
        return []
    found = []
    for index, token in enumerate(numbers):
        answer = answer_at([token], 0, 1, form, index)
        if answer is None:
            return []
        found.append((Finding(index, answer), token))
    return found


def _behind_head(line: list[Token]) -> int:
    """Behind "Answers:" or "My ratings:"."""
    colon = next((at for at, token in enumerate(line[:4]) if token.text == ":"), 0)
    words = line[:colon]
    named = bool(words) and all(token.kind == "word" for token in words)
    return colon + 1 if named and any(token.text in HEADS for token in words) else 0


def _split(token: Token) -> list[Token]:
    """`2,4,1` is three numbers where only numbers stand."""
    parts, at = [], token.start
    for text in token.text.split(","):
        parts.append(Token("number", text, at, at + len(text)))
        at += len(text) + 1
    return parts
