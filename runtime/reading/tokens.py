"""A line as words, numbers and marks."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

COMBINING = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
LETTER = rf"(?:[^\W\d_]|[{COMBINING}])"
TOKEN = re.compile(rf"(\d+(?:[.,]\d+)*)|({LETTER}+(?:'{LETTER}+)*)|[^\s]")

Kind = Literal["number", "word", "mark", "label", "anchor"]


class Token(NamedTuple):
    """`start` and `end` are places in the reply; `ref` says which item or anchor a label or anchor is."""

    kind: Kind
    text: str
    start: int
    end: int
    ref: int = -1


def tokens(line: str, offset: int) -> list[Token]:
    """The tokens of a line that begins at `offset` of the reply."""
    found = []
    for match in TOKEN.finditer(line):
        kind: Kind = "number" if match[1] else "word" if match[2] else "mark"
        found.append(Token(kind, match[0], offset + match.start(), offset + match.end()))
    return found
