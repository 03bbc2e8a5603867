"""A reply for a reader, with marks where its values stand: `\u27e6text|position\u2192value\u27e7`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from runtime.reading import ReadValue
from schemas.render import number
from warehouse.grid import STEERING

OPEN, CLOSE, TO = "\u27e6", "\u27e7", "\u2192"
OWN = str.maketrans({OPEN: "\\u27e6", CLOSE: "\\u27e7"})
"""The marks, where a reply has them: they are written as their numbers."""

NOT_SHOWN = "\ufffd"


class Mark(NamedTuple):
    """A part of a reply, and the values that were read from it."""

    start: int
    end: int
    values: list[ReadValue]


def shown_lines(text: str) -> list[str]:
    """`text` in lines, with U+FFFD for what would steer a terminal."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return [STEERING.sub(NOT_SHOWN, line) for line in lines]


def marked_lines(text: str, values: Sequence[ReadValue], style: Callable[[str], str]) -> list[str]:
    """A reply in lines with its marks, each in a `style`."""
    out, at = "", 0
    for mark in _marks(values):
        out += _shown(text[at : mark.start])
        read: dict[float, list[str]] = {}
        for one in mark.values:
            if one.value is not None:
                read.setdefault(one.value, []).append(str(one.position))
        said = ", ".join(f"{'+'.join(where)}{TO}{number(value)}" for value, where in read.items())
        out += style(f"{OPEN}{_shown(text[mark.start : mark.end])}|{said}{CLOSE}")
        at = mark.end
    return (out + _shown(text[at:])).split("\n")


def _shown(text: str) -> str:
    return "\n".join(shown_lines(text)).translate(OWN)


def _marks(values: Sequence[ReadValue]) -> Iterator[Mark]:
    """Where values stand, in the order of the reply; what overlaps is one mark."""
    placed = sorted((one.span, one.position, one) for one in values if one.span is not None)
    mark: Mark | None = None
    for (start, end), _, one in placed:
        if mark is None:
            mark = Mark(start, end, [one])
        elif start < mark.end:
            mark = Mark(mark.start, max(end, mark.end), [*mark.values, one])
        else:
            yield mark
            mark = Mark(start, end, [one])
    if mark is not None:
        yield mark
