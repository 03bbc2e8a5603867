"""Texts with placeholders: `{situation}`, `{scale.items}`; `{{` and `}}` are plain braces."""

from __future__ import annotations

import re

from compiler import ast
from compiler.source import Span
from schemas.plan import Hole, Template, Text

_PIECE = re.compile(r"(?P<plain>[^{}]+|\{\{|\}\})|\{\s*(?P<hole>[^\W\d]\w*(?:\.\w+)?)\s*\}|(?P<broken>[{}])")


def template(text: str) -> Template:
    """The text's parts. A brace that belongs to nothing is plain text here; see `broken_braces`."""
    parts: list[Text | Hole] = []
    plain = ""
    for piece in _PIECE.finditer(text):
        if piece["hole"] is None:
            plain += {"{{": "{", "}}": "}"}.get(piece.group(), piece.group())
            continue
        if plain:
            parts.append(Text(plain))
            plain = ""
        parts.append(Hole(piece["hole"]))
    if plain:
        parts.append(Text(plain))
    return tuple(parts)


def holes(text: str) -> list[str]:
    """The names of the placeholders, in order."""
    return [piece["hole"] for piece in _PIECE.finditer(text) if piece["hole"] is not None]


def broken_braces(written: ast.Str) -> list[Span]:
    """Where braces stand that belong to no placeholder."""
    offsets = [piece.start() for piece in _PIECE.finditer(written.text) if piece["broken"]]
    return [_within(written, offset, 1) for offset in offsets]


def hole_span(written: ast.Str, name: str) -> Span:
    """Where the placeholder `name` stands in the spec."""
    for piece in _PIECE.finditer(written.text):
        if piece["hole"] == name:
            return _within(written, piece.start(), len(piece.group()))
    return written.span


def _within(written: ast.Str, offset: int, length: int) -> Span:
    """The span of a part of a string; the whole string's where escapes or a text block shift it."""
    span = written.span
    if span.end - span.start != len(written.text) + 2:
        return span
    return Span(span.path, span.start + 1 + offset, span.start + 1 + offset + length)
