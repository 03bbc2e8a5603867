"""A line as words, numbers and marks."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import msgspec

from runtime.reading.text import UNSEEN

COMBINING = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
    rf"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e{UNSEEN}"
)
LETTER = rf"(?:[^\W\d_]|[{COMBINING}])"
SIGN = r"(?<![\w)\]}+\-])[+\-]"
NUMBER = r"\d+(?:\.\d+|,\d+(?![\d:=]))*"
TOKEN = re.compile(rf"((?:{SIGN})?{NUMBER})|([^\W\d_]{LETTER}*(?:'{LETTER}+)*)|[^\s{UNSEEN}]")

Kind = Literal["number", "word", "mark", "label", "anchor"]
KINDS: tuple[Kind, ...] = ("mark", "number", "word")
"""By the group of `TOKEN` that they are."""


class Token(msgspec.Struct, frozen=True, gc=False):
    """`start` and `end` are places in the reply; `ref` says which item or anchor a label or anchor is. A number
    has its sign, if one stands right before it and nothing right before that."""

    kind: Kind
    text: str
    start: int
    end: int
    ref: int = -1


def tokens(line: str, offset: int) -> list[Token]:
    """The tokens of a line that begins at `offset` of the reply."""
    found = []
    unseen = UNSEEN in line
    for match in TOKEN.finditer(line):
        start, end = match.span()
        text = match[0].replace(UNSEEN, "") if unseen else match[0]
        found.append(Token(KINDS[match.lastindex or 0], text, offset + start, offset + end))
    return found


def whole(text: str) -> float | None:
    """A number as people write whole ones: "4", "-4", "+4", "4.0", "4,0"; None for other decimals and for
    dates, versions, thousands, ..."""
    digits = text[1:] if text[0] in "+-" else text
    before, stop, behind = digits.replace(",", ".").partition(".")
    if not before.isdecimal() or len(before) > 9 or (stop and behind not in ("0", "00")):
        return None
    return -float(before) if text[0] == "-" else float(before)


def number_of(text: str, codes: Collection[float]) -> float | None:
    """A whole number, or a decimal one that is among some codes."""
    value = whole(text)
    if value is None and len(text) < 10 and text.count(".") + text.count(",") == 1:
        decimal = float(text.replace(",", "."))
        return decimal if decimal in codes else None
    return value
