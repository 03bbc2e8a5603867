"""What is said about mistakes of form: the likely cause, where a text shows it."""

from __future__ import annotations

import re

from compiler.diagnostics import nearest
from compiler.scan import pieces

_HABITS = (
    (r"(?<=\d)\s*-\s*(?=\d)", "a range is written with two dots: `1..5`"),
    (r"(?<=\.\.)\.|…", "a range is written with two dots: `1..5`"),
    (r"(?<=\d),(?=\d)", "a decimal number is written with a point: `1.5`"),
    (r"(?<=\d)\.(?=\s)", 'a number stands without a full stop: `1 "calm"`'),
    (r"'", 'texts stand in straight double quotes: `"like this"`'),
    (r"//|/\*", "a comment begins with `#`"),
    (r";", "nothing stands between statements: take it out"),
    (r"(?<=\w)-(?=[^\W\d])", "a name has letters, digits and `_`, no hyphen"),
)
"""How other languages, and people, write what is written otherwise here."""

_HABIT = [(re.compile(pattern), said) for pattern, said in _HABITS]


def habit(text: str, at: int) -> str | None:
    """What is meant by the sign at `at`, if it is one that people are used to."""
    return next((said for pattern, said in _HABIT if pattern.match(text, at)), None)


def unclosed(text: str) -> int | None:
    """Where the innermost brace stands that nothing closes."""
    open_at: list[int] = []
    for kind, start, end in pieces(text):
        if kind == "brace":
            if text[start:end] in "{(":
                open_at.append(start)
            elif open_at:
                open_at.pop()
    return open_at[-1] if open_at else None


def statement_without(text: str, at: int) -> str | None:
    """The text with the line of `at` blanked, so that the rest can be read; None where that line opens or
    closes a brace of other lines, or is all there is."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    end = len(text) if end < 0 else end
    depth = 0
    for kind, first, _ in pieces(text[start:end]):
        if kind in ("open", "block"):
            return None
        if kind == "brace":
            depth += 1 if text[start + first] in "{(" else -1
            if depth < 0:
                return None
    if depth or not text[:start].strip():
        return None
    return text[:start] + " " * (end - start) + text[end:]


def choices(found: str, keywords: list[str], others: set[str]) -> str:
    """What could stand there; a keyword of nearly the same spelling comes first."""
    close = nearest(found, keywords) if found and keywords else None
    if close and close.startswith("did you mean"):
        return close
    listed = [*(f"`{word}`" for word in sorted(keywords)), *sorted(others)]
    if not listed:
        return "take it out"
    return "here can stand " + (listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " or " + listed[-1])
