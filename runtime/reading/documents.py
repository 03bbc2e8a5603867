"""Answers in JSON, wherever it stands in a reply."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from runtime.reading.answer import Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.grouping import grouped
from runtime.reading.text import plain
from runtime.reading.tokens import Token

MOST = 50
SCORES = ("score", "rating", "value", "answer", "response", "rate", "points")
PLACES = ("item", "number", "id", "index", "position", "question", "no", "order", "item_number")


class Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys as they stand, doubled ones too."""


def documents(reply: str) -> Iterator[tuple[int, int, Any]]:
    """The JSON objects and arrays of a reply, with their places; a bounded number of tries."""
    decoder = json.JSONDecoder(object_pairs_hook=Pairs)
    at = 0
    for _ in range(MOST):
        begin = min((place for place in (reply.find("{", at), reply.find("[", at)) if place >= 0), default=-1)
        if begin < 0:
            return
        try:
            document, end = decoder.raw_decode(reply, begin)
        except (ValueError, RecursionError):
            at = begin + 1
            continue
        yield begin, end, document
        at = end


def document_findings(document: Any, span: tuple[int, int], form: Form) -> list[Finding]:
    """What a document says of items: keys that are labels or marks, or objects that name an item and a
    score."""
    try:
        found = list(_walk(document, span, form))
    except RecursionError:
        return []
    labelled = [finding for finding, by_label in found if by_label]
    return labelled or [finding for finding, _ in found]


def _walk(node: Any, span: tuple[int, int], form: Form) -> Iterator[tuple[Finding, bool]]:
    if isinstance(node, Pairs):
        named = _named(node, span, form)
        if named is not None:
            yield named
            return
        marks = [key for key, _ in node if key.isdecimal()]
        trusted = (
            sorted(marks, key=int) == sorted(form.marks, key=int) if marks and not form.lettered else False
        )
        for key, value in node:
            index, by_label = _index(key, form), True
            if index is None and (trusted or form.lettered):
                index, by_label = form.marks.get(plain(key).strip()), False
            if index is None:
                yield from _walk(value, span, form)
                continue
            answer = _answer(_score(value), span, form, index)
            if answer is not None:
                yield Finding(index, answer), by_label
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value, span, form)


def _named(pairs: Pairs, span: tuple[int, int], form: Form) -> tuple[Finding, bool] | None:
    """An object such as {"item": 1, "emotion": "Interested", "score": 2}."""
    labels = {
        index for _, value in pairs if isinstance(value, str) and (index := _index(value, form)) is not None
    }
    places = [value for key, value in pairs if key.lower() in PLACES and isinstance(value, int)]
    scores = [value for key, value in pairs if key.lower() in SCORES]
    if len(scores) != 1 or len(labels) > 1:
        return None
    index = labels.pop() if labels else form.marks.get(str(places[0])) if len(places) == 1 else None
    if index is None:
        return None
    answer = _answer(scores[0], span, form, index)
    return None if answer is None else (Finding(index, answer), not places or bool(labels))


def _score(value: Any) -> Any:
    """The score in an object such as {"score": 3, "reason": "..."}; anything else as it is."""
    if not isinstance(value, Pairs):
        return value
    scores = [one for key, one in value if key.lower() in SCORES]
    return scores[0] if len(scores) == 1 else None


def _index(text: str, form: Form) -> int | None:
    """The item whose label `text` is, whole."""
    line = grouped(plain(text[:2000]), 0, form)
    return (
        line[0].ref
        if [token.kind for token in line if token.kind != "mark"] == ["label"] and line[0].kind == "label"
        else None
    )


def _answer(value: Any, span: tuple[int, int], form: Form, index: int) -> Answer | None:
    if isinstance(value, bool) or value is None or isinstance(value, list):
        return None
    text = str(value)[:2000]
    if isinstance(value, float) and value == int(value) if _finite(value) else False:
        text = str(int(value))
    line = [Token("mark", ":", 0, 0), *grouped(plain(text), 0, form)]
    answer = answer_at(line, 1, len(line), form, index)
    if answer is None:
        return None
    return Answer(answer.value, span, answer.end, answer.reason, answer.out_of_range)


def _finite(value: Any) -> bool:
    return isinstance(value, float) and abs(value) < 1e15
