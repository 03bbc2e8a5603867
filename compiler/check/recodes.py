"""`recode`: that no spelling of the data has two meanings."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.model.grids import text
from compiler.model.recodes import spelled


def check_pairs(recode: ast.RecodeDecl) -> Iterator[Diagnostic]:
    """Spellings that stand twice, ranges that hold nothing or meet. A spelling goes before a range."""
    spellings = [pair.spelling for pair in recode.pairs]
    said = [(one.span, one.text) for one in spellings if isinstance(one, ast.Str)]
    yield from twice(said, "this recode")
    ranges = [one for one in spellings if isinstance(one, ast.NumberRange)]
    for one in ranges:
        first, last = one.first.value, one.last.value
        if first > last:
            help = "write the smaller number first"
            yield diagnostic(Code.EMPTY_RANGE, one.span, first=text(first), last=text(last), help=help)
    yield from _meeting(ranges)


def _meeting(ranges: list[ast.NumberRange]) -> Iterator[Diagnostic]:
    """Ranges that have a number in common, each with one that begins before it."""
    widest: ast.NumberRange | None = None
    for one in sorted(ranges, key=lambda one: one.first.value):
        if widest is not None and one.first.value <= widest.last.value:
            yield diagnostic(
                Code.AMBIGUOUS,
                one.span,
                name=text(one.first.value),
                first=spelled(widest),
                second=spelled(one),
                help="let a range end before the next begins: both its ends belong to it",
                notes=(Note(widest.span, "the other range"),),
            )
        if widest is None or one.last.value > widest.last.value:
            widest = one
