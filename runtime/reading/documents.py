"""Answers in JSON, wherever it stands in a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from runtime.reading.answer import Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.grouping import grouped
from runtime.reading.text import plain
from runtime.reading.tokens import Token

MOST = 50
AGAIN = 6
"""How often the length of a reply may be read for JSON that turns out to be none."""
KEY = re.compile(
    r"(?:q|item|question|statement|number|nr|no|frage|pregunta|question_number)?[ _#.\-]*([^\W_]{1,9})"
)
ASIDE = frozenset(
    (
        "thinking",
        "thoughts",
        "thought",
        "reasoning",
        "analysis",
        "scratchpad",
        "example",
        "properties",
        "reflection",
    )
)
SCORES = ("score", "rating", "value", "answer", "response", "rate", "points")
LABELS = ("label", "anchor", "option", "choice", "meaning")
PLACES = ("item", "number", "id", "index", "position", "question", "no", "order", "item_number")


SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[-\w.+]+', re.DOTALL)


class Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys as they stand, doubled ones too."""


class Leaf(NamedTuple):
    """A string, number, ... of a document, and where it stands, without its quotation marks."""

    value: Any
    span: tuple[int, int]


def documents(reply: str) -> Iterator[tuple[int, int, Any]]:
    """The JSON objects and arrays of a reply, with their places; a bounded number of tries, and of characters
    read in vain. What they hold are `Pairs`, lists and `Leaf`s."""
    decoder = json.JSONDecoder(object_pairs_hook=Pairs)
    at, in_vain = 0, 0
    for _ in range(MOST):
        if in_vain > AGAIN * len(reply):
            return
        begin = min((place for place in (reply.find("{", at), reply.find("[", at)) if place >= 0), default=-1)
        if begin < 0:
            return
        try:
            document, end = decoder.raw_decode(reply, begin)
            placed = _placed(document, SCALAR.finditer(reply, begin, end))
        except (ValueError, RecursionError) as error:
            stopped = error.pos if isinstance(error, json.JSONDecodeError) else len(reply)
            in_vain += stopped - begin
            at = begin + 1
            continue
        yield begin, end, placed
        at = end


def _placed(node: Any, scalars: Iterator[re.Match[str]]) -> Any:
    """`node` with its scalars as leaves: they stand in the text in the order in which they are met."""
    if isinstance(node, Pairs):
        return Pairs((key, _placed(value, scalars)) for key, value in node if next(scalars))
    if isinstance(node, list):
        return [_placed(value, scalars) for value in node]
    found = next(scalars)
    quoted = isinstance(node, str)
    return Leaf(node, (found.start() + quoted, found.end() - quoted))


def document_findings(document: Any, form: Form) -> list[Finding]:
    """What a document says of items: keys that are labels or marks, or objects that name an item and a
    score; or else one score for a lone item, or a list of as many scores as items."""
    try:
        found = list(_walk(document, form))
    except RecursionError:
        return []
    labelled = [finding for finding, by_label in found if by_label]
    if labelled:
        return labelled
    marked = [finding for finding, _ in found]
    if any(finding.index < 0 for finding in marked) or _repeats_marks(marked, form):
        return []
    return marked or _unnamed(document, form)


def _repeats_marks(found: list[Finding], form: Form) -> bool:
    """Whether items are "answered" by their own numbers, as in an echo of options or items. A bare number for
    each item that there is, and no more, is an answer."""
    positions = [form.items[finding.index].position for finding in found]
    if len(found) < 3 or any(one.answer.value != at for one, at in zip(found, positions, strict=True)):
        return False
    bare = all(
        end - begin == len(str(at))
        for (begin, end), at in zip([f.answer.span for f in found], positions, strict=True)
    )
    return not bare or len(found) < len(form.items)


def _unnamed(document: Any, form: Form) -> list[Finding]:
    if len(form.items) == 1:
        scores = [v for k, v in document if k.lower() in SCORES] if isinstance(document, Pairs) else []
    else:
        lists = [v for _, v in document if isinstance(v, list)] if isinstance(document, Pairs) else []
        whole = [one for one in lists if not isinstance(one, Pairs) and len(one) == len(form.items)]
        scores = whole[0] if len(whole) == 1 and not _counts(whole[0]) else []
    answers = [(index, _answer(_score(value), form, index)) for index, value in enumerate(scores)]
    found = [Finding(index, answer) for index, answer in answers if answer is not None]
    return found if len(found) == len(form.items) else []


def _counts(values: list[Any]) -> bool:
    plain_values = [one.value if isinstance(one, Leaf) else None for one in values]
    first = plain_values[0]
    return isinstance(first, int) and plain_values == list(range(first, first + len(values)))


def _walk(node: Any, form: Form) -> Iterator[tuple[Finding, bool]]:
    if isinstance(node, Pairs):
        named = _named(node, form)
        if named is not None:
            yield named
            return
        keys = {key: found for key, _ in node if (found := _mark(key, form)) is not None}
        trusted = form.lettered or set(keys.values()) == set(range(len(form.items)))
        for key, value in node:
            index, by_label = _index(key, form), True
            if index is None and trusted and key in keys:
                index, by_label = keys[key], False
            if index is None:
                if plain(key) not in ASIDE:
                    yield from _walk(value, form)
                continue
            answer = _answer(_score(value), form, index)
            if answer is not None:
                yield Finding(index, answer), by_label
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value, form)


def _mark(key: Any, form: Form) -> int | None:
    """The item whose mark `key` is: 1, "1", "q1", "item_1"; -1 for a number that no item has."""
    found = KEY.fullmatch(plain(str(key)).strip()) if isinstance(key, str | int) else None
    if found is None:
        return None
    return form.marks.get(found[1], -1 if found[1].isdecimal() else None)


def _named(pairs: Pairs, form: Form) -> tuple[Finding, bool] | None:
    """An object such as {"item": 1, "emotion": "Interested", "score": 2}."""
    leaves = [(key.lower(), leaf.value) for key, leaf in pairs if isinstance(leaf, Leaf)]
    texts = (value for _, value in leaves if isinstance(value, str))
    labels = {index for text in texts if (index := _index(text, form)) is not None}
    places = [place for key, value in leaves if key in PLACES and (place := _mark(value, form)) is not None]
    scores = [key for key, _ in pairs if key.lower() in SCORES]
    if len(scores) != 1 or len(labels) > 1:
        return None
    index = min(labels) if labels else places[0] if len(places) == 1 else None
    if index is None:
        return None
    answer = _answer(_score(pairs), form, max(index, 0))
    return None if answer is None else (Finding(index, answer), not places or bool(labels))


def _score(value: Any) -> Leaf | None:
    """The score in an object such as {"score": 3, "label": "a little"}, with its label, in a list of one, or a
    leaf itself."""
    if isinstance(value, Pairs):
        scores = [one for key, one in value if key.lower() in SCORES]
        labels = [one.value for key, one in value if key.lower() in LABELS and isinstance(one, Leaf)]
        if len(scores) != 1 or not isinstance(scores[0], Leaf) or not _says(scores[0].value):
            return None
        score, span = scores[0]
        return Leaf(f"{score} ({labels[0]})" if len(labels) == 1 else score, span)
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    return value if isinstance(value, Leaf) else None


def _says(value: Any) -> bool:
    return value is not None and not isinstance(value, bool)


def _index(text: str, form: Form) -> int | None:
    """The item whose label `text` is, whole."""
    named = form.names.get(text.lower())
    if named is not None:
        return named
    line = grouped(plain(text[:2000]), 0, form)
    return (
        line[0].ref
        if [token.kind for token in line if token.kind != "mark"] == ["label"] and line[0].kind == "label"
        else None
    )


def _answer(leaf: Leaf | None, form: Form, index: int) -> Answer | None:
    if leaf is None or not _says(leaf.value):
        return None
    if isinstance(leaf.value, int) and any(option.code == leaf.value for option in form.items[index].options):
        return Answer(float(leaf.value), leaf.span, end=2)
    text = f"{leaf.value:.0f}" if _is_whole(leaf.value) else str(leaf.value)[:2000]
    line = [Token("mark", ":", 0, 0), *grouped(plain(text), 0, form)]
    answer = answer_at(line, 1, len(line), form, index)
    if answer is None:
        return None
    return Answer(answer.value, leaf.span, answer.end, answer.reason, answer.out_of_range)


def _is_whole(value: Any) -> bool:
    return isinstance(value, float) and abs(value) < 1e15 and value == int(value)
