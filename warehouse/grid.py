"""Tables of strings: widths on a terminal, and Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNSEEN = ("Mn", "Me", "Cf")
"""Categories of characters that take no column: marks above letters, joiners."""


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in GitHub's Markdown."""
    yield "| " + " | ".join(map(_escaped, columns)) + " |"
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(cell: str) -> str:
    return one_line(cell).replace("|", "\\|")


def one_line(text: str) -> str:
    """`text` with a blank for each run of blanks and line breaks, and U+FFFD for what would steer a terminal:
    control characters, and those that turn the direction of writing."""
    return STEERING.sub("\ufffd", " ".join(text.split()))


def display_width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(
        0 if unicodedata.category(c) in UNSEEN else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def pad(text: str, width: int) -> str:
    """`text` filled up to `width` columns."""
    return text + " " * (width - display_width(text))
