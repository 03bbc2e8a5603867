"""Items' marks: "1.", "(a)", "Item 3", and what else opens a line."""

from __future__ import annotations

import msgspec

from runtime.reading.form import Form
from runtime.reading.tokens import Token

BULLETS = frozenset("-*•·#>+~◦▪●\"'{[(,|")
ITEM_WORDS = frozenset(
    ("item", "question", "statement", "q", "no", "nr", "number", "frage", "pregunta", "第", "项目")
)


class Mark(msgspec.Struct, frozen=True, gc=False):
    """An item's mark at the start of a line, and the token behind it."""

    index: int
    end: int


def first_token(line: list[Token]) -> int:
    """The first token behind bullets and a tick box."""
    texts = [token.text for token in line[:3]]
    at = 3 if texts[:1] == ["["] and texts[2:] == ["]"] and texts[1] in ("x", "✓", "✔") else 0
    while at < len(line) and line[at].text in BULLETS and not (line[at].text in "([" and _encloses(line, at)):
        at += 1
    return at


def _encloses(line: list[Token], at: int) -> bool:
    return at + 2 < len(line) and line[at + 2].text in (")", "]")


def mark_at(line: list[Token], start: int, form: Form, *, anything: bool) -> Mark | None:
    """An item's mark at `start`: "1.", "1)", "(a)", "1:", "Item 1", "1 - " before a number. With
    `anything` also one that no item has (index -1)."""
    at, named = start, False
    if at < len(line) and line[at].text in ITEM_WORDS:
        at, named = at + 1, True
        if at < len(line) and line[at].text in "#.":
            at += 1
    opened = at < len(line) and line[at].text in ("(", "[")
    at += opened
    if at >= len(line) or line[at].kind == "mark":
        return None
    key = line[at].text
    known = form.marks.get(key)
    if (known is None and not (anything or line[at].kind == "number")) or line[at].kind == "anchor":
        return None
    if known is None and line[at].kind != "number":
        return None
    end = _mark_end(line, at + 1, opened, named)
    return None if end is None else Mark(-1 if known is None else known, end)


def _mark_end(line: list[Token], at: int, opened: bool, named: bool) -> int | None:
    behind = line[at] if at < len(line) else None
    if opened:
        closed = behind is not None and behind.text in (")", "]")
        return at + 1 + (at + 1 < len(line) and line[at + 1].text in ".:") if closed else None
    if behind is None:
        return None
    glued = behind.start == line[at - 1].end
    if behind.text in (")", ":", "=", ">", "|") or (behind.text == "." and glued):
        return at + 1
    if behind.text == "-" and not glued and at + 1 < len(line) and line[at + 1].start > behind.end:
        return at + 1
    return at if named else None
