"""What was shown, prepared for finding it again in a reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from runtime.reading.text import plain
from runtime.reading.tokens import Token, tokens
from schemas.render import Shown, ShownItem

Trie = dict[str, "Trie | int"]
END = ""
SKIPPED = frozenset("'\"/-.,;()!?")
DIGIT = re.compile(r"\d")


class Phrases:
    """Finds the longest of some phrases at a place in a line, whatever stands between their words."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._root: Trie = {}
        for index, phrase in enumerate(phrases):
            self._add(index, phrase)

    def _add(self, index: int, phrase: str) -> None:
        node = self._root
        words = [token.text for token in tokens(plain(phrase), 0) if token.kind != "mark"]
        if not words:
            return
        for word in words:
            below = node.setdefault(word, {})
            assert isinstance(below, dict)
            node = below
        node[END] = -1 if END in node else index

    @property
    def openers(self) -> frozenset[str]:
        """The words that a phrase begins with."""
        return frozenset(self._root)

    def longest(self, line: list[Token], start: int) -> tuple[int, int] | None:
        """(index of the phrase, end) where one begins at `start`; a phrase that stands twice is none."""
        if line[start].text not in self._root or line[start].kind == "mark":
            return None
        node, found, at = self._root, None, start
        while at < len(line):
            token = line[at]
            if token.kind == "mark":
                if token.text not in SKIPPED or at == start:
                    break
                at += 1
                continue
            below = node.get(token.text)
            if not isinstance(below, dict):
                break
            node, at = below, at + 1
            end = node.get(END)
            if isinstance(end, int):
                found = (end, at) if end >= 0 else None
        return found


class Form(msgspec.Struct, frozen=True):
    """A scale as it was shown: items by label and by mark, options by code, anchor and letter. `codes`: each
    item's, the lowest first. `openers`: the
    words that either begins with. `signed`: there are negative codes. `names`: items by their whole label,
    where no other has it; none at all where a label or an anchor holds a digit, or there is but one item:
    numbers may then be something else than marks and codes."""

    items: tuple[ShownItem, ...]
    labels: Phrases
    anchors: Phrases
    openers: frozenset[str]
    anchor_names: tuple[str, ...]
    marks: dict[str, int]
    letters: dict[str, float]
    lettered: bool
    signed: bool
    names: dict[str, int]
    codes: tuple[tuple[float, ...], ...]

    def code_of(self, index: int, anchor: int) -> float | None:
        """The code of an anchor among the options of the item at `index`; None where it has none, or two."""
        name = self.anchor_names[anchor]
        codes = [option.code for option in self.items[index].options if _name(option.anchor) == name]
        return codes[0] if len(codes) == 1 else None


@lru_cache(maxsize=256)
def form_of(shown: Shown, marks: tuple[str, ...] = (), letters: tuple[tuple[str, float], ...] = ()) -> Form:
    """The form of what was shown; `marks` are how the items were marked, where not by their position."""
    anchors = tuple(dict.fromkeys(_anchors(shown)))
    labels, phrases = Phrases(item.text for item in shown.items), Phrases(anchors)
    named = marks or tuple(str(item.position) for item in shown.items)
    return Form(
        items=shown.items,
        labels=labels,
        anchors=phrases,
        openers=labels.openers | phrases.openers,
        anchor_names=anchors,
        marks={plain(mark): index for index, mark in enumerate(named)},
        letters={plain(letter): code for letter, code in letters},
        lettered=bool(marks) and not marks[0].isdecimal(),
        signed=any(option.code < 0 for item in shown.items for option in item.options),
        names=_names(shown, anchors),
        codes=tuple(tuple(sorted(option.code for option in item.options)) for item in shown.items),
    )


def _names(shown: Shown, anchors: Iterable[str]) -> dict[str, int]:
    labels = [plain(item.text) for item in shown.items]
    if len(labels) < 2 or any(DIGIT.search(text) for text in (*labels, *anchors)):
        return {}
    counts = Counter(_name(label) for label in labels)
    return {label: index for index, label in enumerate(labels) if counts[_name(label)] == 1}


def _anchors(shown: Shown) -> Iterator[str]:
    for item in shown.items:
        for option in item.options:
            if option.anchor and _name(option.anchor):
                yield _name(option.anchor)


@lru_cache(maxsize=1024)
def _name(anchor: str | None) -> str:
    return " ".join(token.text for token in tokens(plain(anchor or ""), 0) if token.kind != "mark")
