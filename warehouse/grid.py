"""Tables of strings: widths on a terminal, and Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in GitHub's Markdown."""
    yield "| " + " | ".join(map(_escaped, columns)) + " |"
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def display_width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def pad(text: str, width: int) -> str:
    """`text` filled up to `width` columns."""
    return text + " " * (width - display_width(text))
