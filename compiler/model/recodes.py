"""`recode`: what spellings in a data file mean."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.model.grids import as_number, text
from schemas.table import pointed

MISSING = "missing"


def spelled(spelling: ast.Str | ast.NumberRange) -> str:
    """What a pair is about, as specs write it."""
    match spelling:
        case ast.Str(text=written):
            return written
        case ast.NumberRange(first=first, last=last):
            return f"{text(first.value)}..{text(last.value)}"


def meaning_of(pair: ast.RecodePair) -> str | None:
    """What a pair says; None: a missing value."""
    is_missing = pair.meaning.text == MISSING and not pair.meaning.quoted
    return None if is_missing else pair.meaning.text


class Recoding:
    """A `recode` at work: a spelling goes before a range that holds it. Knows which pairs were of use."""

    def __init__(self, recode: ast.RecodeDecl) -> None:
        self._pairs = recode.pairs
        self._spellings: dict[str, ast.RecodePair] = {}
        self._ranges: list[tuple[float, float, ast.RecodePair]] = []
        self._used: set[int] = set()
        for pair in recode.pairs:
            match pair.spelling:
                case ast.Str(text=written):
                    self._spellings.setdefault(written, pair)
                case ast.NumberRange(first=first, last=last):
                    self._ranges.append((first.value, last.value, pair))

    def meaning(self, spelling: str, *, decimal_comma: bool = False) -> str | None:
        """What a spelling means: itself, where no pair says otherwise; None for a missing value.
        `decimal_comma`: whether a number may have one."""
        pair = self._spellings.get(spelling)
        if pair is None and self._ranges:
            pair = self._around(pointed(spelling) if decimal_comma else spelling)
        if pair is None:
            return spelling
        self._used.add(id(pair))
        return meaning_of(pair)

    def unused(self) -> Iterator[ast.RecodePair]:
        """The pairs that no spelling met."""
        return (pair for pair in self._pairs if id(pair) not in self._used)

    def _around(self, spelling: str) -> ast.RecodePair | None:
        value = as_number(spelling)
        within = (pair for first, last, pair in self._ranges if value is not None and first <= value <= last)
        return next(within, None)
