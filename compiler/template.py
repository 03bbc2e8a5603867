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


def broken_braces(text: ast.Str) -> list[Span]:
    """Where braces stand that belong to no placeholder."""
    pieces = _PIECE.finditer(text.written)
    return [_within(text.span, piece) for piece in pieces if piece["broken"]]


def hole_span(text: ast.Str, name: str) -> Span:
    """Where the placeholder `name` stands in the spec."""
    for piece in _PIECE.finditer(text.written):
        if piece["hole"] == name:
            return _within(text.span, piece)
    return text.span


def _within(span: Span, piece: re.Match[str]) -> Span:
    return Span(span.path, span.start + piece.start(), span.start + piece.end())
