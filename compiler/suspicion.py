"""Second thoughts about diagnostics: which are certain where some text could not be read, and whether the
library has what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler import ast
from compiler.diagnostics import Code, Diagnostic
from compiler.parse import parse
from compiler.resolve import Program
from schemas.table import Files

SAID = frozenset(
    {
        Code.TWICE,
        Code.UNKNOWN_KEY,
        Code.WRONG_TYPE,
        Code.OUT_OF_RANGE,
        Code.AMBIGUOUS,
        Code.ITEM_TWICE,
        Code.ANCHOR_OUTSIDE,
        Code.OPTION_TWICE,
        Code.EMPTY_RANGE,
        Code.ITEM_IN_SUM_TWICE,
        Code.BAD_SCORE,
        Code.BROKEN_TEMPLATE,
        Code.SITUATION_TWICE,
        Code.DATA_FILE,
        Code.NO_COLUMN,
        Code.EMPTY_CELL,
        Code.SAME_LEVEL,
        Code.NO_COLUMN_WORD,
        Code.PATTERN_HOLE,
        Code.NOT_A_NUMBER,
    }
)
"""About what a spec does say, whatever else it may say."""

NAMED = frozenset({Code.UNKNOWN, Code.NO_HOLE, Code.NO_LEVEL, Code.NO_FIELD, Code.WHERE_NOTHING})
"""About a name that something else may declare."""

OF_STIMULI = frozenset(
    {
        Code.NO_HOLE,
        Code.HOLE_NOT_FILLED,
        Code.FIELD_LACKING,
        Code.NO_STIMULI,
        Code.SCALE_FOR_NOBODY,
        Code.NO_FIELD,
        Code.WHERE_NOTHING,
        Code.NO_ROW,
    }
)
"""About what the stimuli of a study have."""

UNREAD = frozenset(
    {Code.DATA_FILE, Code.NO_COLUMN, Code.AMBIGUOUS, Code.WRONG_TYPE, Code.OUT_OF_RANGE, Code.EMPTY_FACTOR}
)
"""About a file or a column that stimuli are taken from."""

USABLE = ("lib/*.eb", "emotions/*.eb")

_QUOTED = re.compile(r"[`{]([^`{}]+)[`}]")
_MISSING = re.compile(r"there is no (\w+) `([^`]+)`")


def certain(meant: Iterable[Diagnostic], program: Program, unread: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What stays true whatever the unread text says: nothing about what is missing, unless no unread word has
    its name. Where a whole file is missing, its names are not known, and nothing about names is certain."""
    names = {word for file in program.files.values() for word in re.findall(r"\w+", file.unread)}
    files_missing = any(one.code in (Code.NO_FILE, Code.NOT_UTF8, Code.TOO_DEEP) for one in unread)
    return [
        one
        for one in meant
        if one.code in SAID
        or (one.code in NAMED and not files_missing and not names & set(_QUOTED.findall(one.message)))
    ]


def of_read_stimuli(meant: Iterable[Diagnostic], program: Program) -> list[Diagnostic]:
    """What does not follow from stimuli that could not be read from their file, or not whole."""
    found = list(meant)
    decls = [decl.span for decl in program.stimuli.values()]
    unread = [one.span for one in found if one.code in UNREAD]
    if not any(
        span.path == decl.path and decl.start <= span.start < decl.end for span in unread for decl in decls
    ):
        return found
    return [one for one in found if one.code not in OF_STIMULI and not _names_field(one)]


def _names_field(one: Diagnostic) -> bool:
    return one.code is Code.UNKNOWN and one.message.startswith("there is no field")


def with_library(found: Iterable[Diagnostic], library: Files) -> list[Diagnostic]:
    """The diagnostics; where the library declares what is missing, the suggestion is to use it."""
    declared: dict[tuple[str, str], str] = {}
    better: list[Diagnostic] = []
    for one in found:
        missing = _MISSING.match(one.message) if one.code is Code.UNKNOWN else None
        if missing is not None:
            declared = declared or dict(_declared(library))
            place = declared.get((missing[1], missing[2]))
            if place is not None:
                one = replace(one, suggestion=f'the library has it: add `use "{place}"`')
        better.append(one)
    return better


def _declared(library: Files) -> Iterator[tuple[tuple[str, str], str]]:
    kinds = {
        ast.ScaleDecl: ("scale",),
        ast.EmotionDecl: ("emotion",),
        ast.PromptDecl: ("prompt",),
        ast.ProtocolDecl: ("protocol",),
        ast.ModelDecl: ("model", "panel"),
    }
    for pattern in USABLE:
        for path in library.glob(pattern):
            for declaration in parse(path, library.read_text(path))[0].declarations:
                for kind in kinds.get(type(declaration), ()):
                    yield (kind, declaration.name.text), path.removesuffix(".eb")
