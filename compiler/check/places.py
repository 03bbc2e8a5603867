"""Places in a data file, and patterns of what stands there."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from compiler import ast
from compiler.check.wording import whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.template import broken_braces, hole_span, holes


def check_pattern(pattern: ast.Str, known: Collection[str]) -> Iterator[Diagnostic]:
    """A text with holes, which are named after what stands there."""
    for span in broken_braces(pattern):
        yield diagnostic(Code.BROKEN_TEMPLATE, span, help="write {{ or }} for a brace that is only text")
    for name in holes(pattern.text):
        if name not in known:
            span = hole_span(pattern, name)
            yield diagnostic(Code.PATTERN_HOLE, span, name=name, help=nearest(name, known))


def check_at(at: ast.Num | ast.Str, axis: str, known: Collection[str]) -> Iterator[Diagnostic]:
    """The number or the label of a row or column."""
    if isinstance(at, ast.Num):
        yield from whole(at, axis, 1)
    else:
        yield from check_pattern(at, known)


def check_place(place: ast.PlaceNode, what: str, axis: str, known: Collection[str]) -> Iterator[Diagnostic]:
    """A place that must be on `axis`."""
    yield from check_axis(place, what, axis)
    yield from check_at(place.at, place.axis, known)


def check_axis(place: ast.PlaceNode | ast.CellsNode, what: str, axis: str) -> Iterator[Diagnostic]:
    """Where an observation is a row, its cells are columns; where it is a column, they are rows."""
    if place.axis != axis:
        wanted = f"a {axis} (an observation is a {place.axis})"
        help = "say `transposed` behind the file if an observation is a column"
        if axis == "row":
            help = "take `transposed` out if an observation is a row"
        found = f"a {place.axis}"
        yield diagnostic(Code.WRONG_TYPE, place.span, what=what, wanted=wanted, found=found, help=help)


def no_word(source: ast.Str, axis: str) -> Diagnostic:
    """A text where a place is meant, or a constant."""
    help = f'write `{axis} "{source.text}"` for what stands there, or `constant "{source.text}"`'
    return diagnostic(Code.NO_COLUMN_WORD, source.span, text=source.text, help=help)
