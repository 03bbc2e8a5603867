"""Templates against the texts of a file: what stands in each hole, and the other way round."""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from runtime.recorded.faults import Fault
from schemas.plan import Hole, Template, Text

NUMBERED = frozenset({"situation", "repeat", "order"})
LONGEST = 500
"""No label is longer (characters); longer texts are not matched, so that no pattern takes long."""


class Found(NamedTuple):
    """What stood in a hole. A number there is a position counted from `counting_from`."""

    text: str
    counting_from: int = 1


Fields = Mapping[str, Found]


class Pattern:
    """A template that whole texts are matched with; a hole takes as little as it can, numbered ones digits."""

    def __init__(self, template: Template, counting_from: int) -> None:
        self.spelled = spelled(template)
        self._counting_from = counting_from
        self._names = list(dict.fromkeys(part.name for part in template if isinstance(part, Hole)))
        self._regex = re.compile(self._expression(template), re.DOTALL)

    def match(self, text: str) -> dict[str, Found] | None:
        """What stands in the holes, or None where the text does not fit."""
        if len(text) > LONGEST:
            return None
        hit = self._regex.fullmatch(text)
        if hit is None:
            return None
        return {
            name: Found(hit[number].strip(), self._counting_from)
            for number, name in enumerate(self._names, start=1)
        }

    def _expression(self, template: Template) -> str:
        expression = ""
        seen: set[str] = set()
        for part in template:
            match part:
                case Text(text):
                    expression += re.escape(text)
                case Hole(name) if name in seen:
                    expression += f"(?:\\{self._names.index(name) + 1})"
                case Hole(name):
                    seen.add(name)
                    expression += "([0-9]+)" if name in NUMBERED else "(.+?)"
                case _:
                    assert_never(part)
        return expression


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
