"""Templates against the texts of a file: what stands in each hole, and the other way round."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, assert_never

from runtime.recorded.faults import Fault
from schemas.plan import Hole, Template, Text

NUMBERED = frozenset({"situation", "repeat", "order"})
DIGITS = re.compile("[0-9]+")


class Found(NamedTuple):
    """What stood in a hole. A number there is a position counted from `counting_from`."""

    text: str
    counting_from: int = 1


Fields = Mapping[str, Found]


class Pattern:
    """A template that whole texts are matched with; a hole takes as little as it can, numbered ones digits. A
    hole that stands twice takes the same text twice."""

    def __init__(self, template: Template, counting_from: int) -> None:
        self.spelled = spelled(template)
        self._parts = template
        self._counting_from = counting_from
        holes = [part.name for part in template if isinstance(part, Hole)]
        self.names = frozenset(holes)
        self._repeats = len(self.names) < len(holes)
        self._constant = None if holes else self.spelled

    def match(self, text: str) -> dict[str, Found] | None:
        """What stands in the holes, or None where the text does not fit."""
        if self._constant is not None:
            return {} if text == self._constant else None
        walk = _Walk(self._parts, text, not self._repeats)
        if not walk.fits(0, 0):
            return None
        return {name: Found(found.strip(), self._counting_from) for name, found in walk.found.items()}


class _Walk:
    """One text along the parts of a template. With `memory`, no part is tried at two places where the second
    can only fail as the first did: the steps are at most parts times characters."""

    def __init__(self, parts: Template, text: str, memory: bool) -> None:
        self._parts = parts
        self._text = text
        self._memory = memory
        self._digits = (0, -1)
        self._failed: dict[tuple[int, int], int] = {}
        self.found: dict[str, str] = {}

    def fits(self, number: int, at: int) -> bool:
        """Whether the parts from `number` on fit the text from `at` on, to its end."""
        if number == len(self._parts):
            return at == len(self._text)
        part = self._parts[number]
        match part:
            case Text(text):
                return self._text.startswith(text, at) and self.fits(number + 1, at + len(text))
            case Hole(name) if name in self.found:
                known = self.found[name]
                return self._text.startswith(known, at) and self.fits(number + 1, at + len(known))
            case Hole(name):
                return self._fills(number, name, at)
            case _:
                assert_never(part)

    def _fills(self, number: int, name: str, at: int) -> bool:
        end = self._run(at) if name in NUMBERED else len(self._text)
        # whatever ends a hole from `at` on also ends one that begins before, in the same run
        key = (number, end)
        if self._memory and at >= self._failed.get(key, end):
            return False
        for stop in self._stops(number, at, end):
            self.found[name] = self._text[at:stop]
            behind = dict(self.found) if not self._memory else None
            if self.fits(number + 1, stop):
                return True
            if behind is not None:
                self.found = behind
        self.found.pop(name, None)
        self._failed[key] = min(at, self._failed.get(key, end))
        return False

    def _run(self, at: int) -> int:
        """Where the digits that begin at `at` end."""
        first, end = self._digits
        if not first <= at <= end:
            run = DIGITS.match(self._text, at)
            end = at if run is None else run.end()
            self._digits = (at, end)
        return end

    def _stops(self, number: int, at: int, end: int) -> Iterator[int]:
        """Where a hole may end, nearest first: before the next text, or anywhere up to `end`."""
        behind = self._parts[number + 1] if number + 1 < len(self._parts) else None
        if behind is None:
            if end == len(self._text) > at:
                yield end
        elif isinstance(behind, Text):
            within = end + len(behind.text)
            stop = self._text.find(behind.text, at + 1, within)
            while stop != -1:
                yield stop
                stop = self._text.find(behind.text, stop + 1, within)
        else:
            yield from range(at + 1, end + 1)


def spelled(template: Template) -> str:
    """The template as a spec writes it."""
    return "".join(part.text if isinstance(part, Text) else f"{{{part.name}}}" for part in template)


def filled(template: Template, fields: Fields) -> str:
    """The template's text. Raises Fault for a hole that nothing fills."""
    parts = []
    for part in template:
        match part:
            case Text(text):
                parts.append(text)
            case Hole(name):
                if name not in fields:
                    raise Fault(
                        f'"{spelled(template)}": nothing says what {{{name}}} is; a match pattern must.'
                    )
                parts.append(fields[name].text)
            case _:
                assert_never(part)
    return "".join(parts)


def as_glob(template: Template) -> str:
    """The pattern of the files that a path with holes means: a hole is a part of one name."""
    return "".join(glob.escape(part.text) if isinstance(part, Text) else "*" for part in template)


def has_holes(template: Template) -> bool:
    """Whether anything in it is to be filled."""
    return any(isinstance(part, Hole) for part in template)
