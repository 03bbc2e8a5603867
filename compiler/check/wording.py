"""Diagnostics that several checks share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic, nearest
from compiler.model.grids import text
from compiler.source import Span


def twice(said: Iterable[tuple[Span, str]], where: str) -> Iterator[Diagnostic]:
    """What is said more often than once."""
    first: dict[str, Span] = {}
    for span, what in said:
        if what in first:
            note = Note(first[what], "first said here")
            yield diagnostic(Code.TWICE, span, what=what, where=where, notes=(note,), help="keep one of them")
        else:
            first[what] = span


def whole(number: ast.Num, what: str, low: int, high: int | None = None) -> Iterator[Diagnostic]:
    """A number that must be whole and within bounds."""
    wanted = f"a whole number of at least {low}" if high is None else f"a whole number from {low} to {high}"
    if not number.is_whole or number.value < low or (high is not None and number.value > high):
        yield diagnostic(Code.OUT_OF_RANGE, number.span, what=what, found=text(number.value), wanted=wanted)


def unknown(name: ast.Name, kind: str, known: Iterable[str], where: str = "") -> Diagnostic:
    """A name that nothing has."""
    help = nearest(name.text, known)
    return diagnostic(Code.UNKNOWN, name.span, kind=kind, name=name.text, where=where, help=help)
