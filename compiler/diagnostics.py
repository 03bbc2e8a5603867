"""What the compiler has to say about a spec: each kind once, with its code and its wording.

A user's mistake is a value, collected; nothing here is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import islice
from typing import Literal

from compiler.source import Source, Span

Severity = Literal["error", "warning", "note"]


class Code(Enum):
    """A kind of diagnostic: its number, severity and wording. The names in braces are its arguments."""

    # the text
    NOT_UTF8 = ("E001", "error", "{path} is not UTF-8 text: byte {byte} cannot be read")
    SYNTAX = ("E002", "error", "{found} cannot stand here")
    OPEN_STRING = ("E003", "error", "this string is not closed{where}")
    FOREIGN_CHARACTER = ("E004", "error", "{found} where {meant} is meant")
    TOO_DEEP = ("E005", "error", "more than {limit} {what}")
    NO_FILE = ("E006", "error", "there is no file {path}")
    IMPORT_CYCLE = ("E007", "error", "{path} uses itself, by way of {way}")
    TWICE = ("E008", "error", "`{what}` is said twice in {where}")
    LACKS = ("E009", "error", "{where} says no `{what}`")
    # names
    UNKNOWN = ("E010", "error", "there is no {kind} `{name}`{where}")
    DUPLICATE = ("E011", "error", "{kind} `{name}` is declared twice")
    AMBIGUOUS = ("E012", "error", "`{name}` could mean {first} or {second}")
    UNKNOWN_KEY = ("E013", "error", "{where} has no setting `{name}`")
    WRONG_TYPE = ("E014", "error", "`{what}` takes {wanted}, not {found}")
    OUT_OF_RANGE = ("E015", "error", "`{what}` is {found}; it must be {wanted}")
    SECRET = ("E016", "error", "`base_url` holds a name, a password or a key")
    # scales
    ITEM_GAP = ("E020", "error", "item {number} is missing: items are numbered from 1 without a gap")
    ITEM_TWICE = ("E021", "error", "item {number} stands twice in scale `{scale}`")
    NO_ITEM = ("E022", "error", "{what} names item {number}, which scale `{scale}` does not have")
    ITEM_UNUSED = ("W023", "warning", "{items} of scale `{scale}` {verb} in no subscale and no filler")
    ANCHOR_OUTSIDE = ("E024", "error", "the anchor at {option} stands outside the options {first} to {last}")
    OPTION_TWICE = ("E025", "error", "option {option} stands twice")
    NO_ANCHORS = ("N026", "note", "the options of scale `{scale}` have no anchors")
    REVERSE_UNKNOWN = ("E027", "error", "reverse-keyed item {number} does not exist in scale `{scale}`")
    REVERSE_NO_NUMBERS = ("E028", "error", "item {number} cannot be reverse-keyed: it has a single option")
    NO_OPTIONS = ("E029", "error", "{what} has no options to answer with")
    NO_ITEMS = ("E030", "error", "scale `{scale}` has no items")
    EMPTY_RANGE = ("E031", "error", "the range {first}..{last} holds nothing")
    ITEM_IN_SUM_TWICE = ("E032", "error", "item {number} is counted twice in subscale `{subscale}`")
    BAD_SCORE = ("E033", "error", "a score may not {what}")
    NO_KEY = ("E034", "error", "item {number} of scale `{scale}` has no key")
    SAME_EITHER_WAY = ("E035", "error", "this comparison {outcome}: {what} can only be {values}")
    SAME_SCORE = ("W036", "warning", "`{subscale}` is {value} whatever is answered")
    DERIVE_UNUSED = ("W037", "warning", "no score uses the derived value `{name}`")
    # prompts
    NO_HOLE = ("E040", "error", "there is no placeholder {{{name}}}")
    HOLE_NOT_FILLED = ("E041", "error", "{{{name}}} has no value in condition `{condition}`")
    ARGUMENT_UNUSED = ("E042", "error", "prompt `{prompt}` has no placeholder {{{name}}}")
    BROKEN_TEMPLATE = ("E043", "error", "this brace does not belong to a placeholder")
    NO_MESSAGES = ("E044", "error", "prompt `{prompt}` has no message to the model")
    NO_ITEMS_SHOWN = ("E045", "error", "prompt `{prompt}` measures a scale, but does not show its items")
    PRESENTED_ROLE = ("E046", "error", "prompt `{prompt}` is presented, and has a {role} message")
    # stimuli
    EMPTY_FACTOR = ("E050", "error", "{what} holds no {kind}")
    SITUATION_TWICE = (
        "W051",
        "warning",
        "this situation stands twice: also in factor `{factor}` of `{emotion}`",
    )
    FIELD_LACKING = (
        "E052",
        "error",
        "{count} of {total} stimuli lack the field `{field}`: the first is in {first}",
    )
    DATA_FILE = ("E053", "error", "{message}")
    NO_COLUMN = ("E054", "error", "{path} has no column {column}")
    EMPTY_CELL = ("E055", "error", "{path}, row {row}, column {column}: nothing stands there")
    LONG_ROW = ("E056", "error", "{path}, row {row}: {cells} cells stand under {columns} columns")
    # protocols and studies
    NO_QUESTION = ("E060", "error", "condition `{condition}` asks nothing")
    NO_STIMULI = (
        "E061",
        "error",
        "condition `{condition}` wants a situation, but study `{study}` has no stimuli",
    )
    SCALE_FOR_NOBODY = ("E062", "error", "scale `{scale}` is for `{emotion}`, which study `{study}` has not")
    EFFECT_UNUSED = (
        "W064",
        "warning",
        "the {key} of `{model}` is on `{scale}`, which `{study}` does not measure",
    )
    SINGLE_BASELINE = ("W065", "warning", "`{condition}` is asked once: a single answer allows no test")
    NOT_PAIRED = ("W066", "warning", "contrast `{contrast}` takes the same people of `{panel}` for two groups")
    COUNTED_AGAIN = (
        "W067",
        "warning",
        "contrast `{contrast}` counts each person of `{panel}` more than once: {why}",
    )
    REPEATS_COUNTED = (
        "W068",
        "warning",
        "contrast `{contrast}` takes {count} answers to one situation for independent observations",
    )
    REPEATED_FOR_NOTHING = ("W069", "warning", "`repeats {repeats}` asks `{model}` the same again: {why}")
    # analyses
    SAME_LEVEL = ("E070", "error", "{analysis} compares `{level}` with itself")
    NO_LEVEL = ("E071", "error", "no {kinds} of study `{study}` is called `{name}`")
    TEST_UNPAIRED = ("E072", "error", "`{test}` is for pairs, but contrast `{contrast}` pairs nothing")
    TEST_PAIRED = (
        "E073",
        "error",
        "`{test}` is for independent groups, but contrast `{contrast}` is paired",
    )
    NO_FIELD = ("E074", "error", "observations have no field `{name}`")
    WHERE_NOTHING = ("E075", "error", "no {field} of study `{study}` is `{value}`")
    UNLIKE = ("E076", "error", "the sides of {analysis} cannot be compared: {why}")
    UNFIT = ("E077", "error", "`{what}` does not fit {analysis}: {why}")
    # published values and mappings
    NO_ROW = ("E080", "error", "no analysis of study `{study}` makes a row for {row}")
    RECODE_NOTHING = ("W081", "warning", 'no {field} in {path} is spelt "{spelling}"')
    NO_COLUMN_WORD = ("E082", "error", '"{text}" is neither a place in the file nor a constant')
    PATTERN_HOLE = ("E083", "error", "a pattern has no hole {{{name}}}")
    NOT_A_NUMBER = ("E084", "error", '{path}, row {row}, column {column}: "{text}" is not {wanted}')
    MAPS_NOTHING = ("E085", "error", "{what}")

    def __init__(self, number: str, severity: Severity, wording: str) -> None:
        self.number = number
        self.severity = severity
        self.wording = wording


@dataclass(frozen=True)
class Note:
    """A second place that belongs to a diagnostic."""

    span: Span
    text: str


@dataclass(frozen=True)
class Diagnostic:
    code: Code
    span: Span
    message: str
    suggestion: str | None = None
    notes: tuple[Note, ...] = ()

    @property
    def is_error(self) -> bool:
        return self.code.severity == "error"


def diagnostic(
    code: Code, span: Span, *, help: str | None = None, notes: tuple[Note, ...] = (), **arguments: object
) -> Diagnostic:
    """A diagnostic in its code's wording."""
    return Diagnostic(code, span, code.wording.format(**arguments), help, notes)


SEARCHED = 2000
"""Among so many names a misspelt one is looked for."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A suggestion with the nearest spelling, or what there is where that is little, or None."""
    names = sorted(set(islice(known, SEARCHED)))
    folded = {candidate.casefold(): candidate for candidate in names}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    if close:
        return f"did you mean `{folded[close[0]]}`?"
    if 0 < len(names) <= 8:
        return "there " + ("is " if len(names) == 1 else "are ") + ", ".join(f"`{known}`" for known in names)
    return None


def frame(found: Diagnostic, sources: Mapping[str, Source]) -> str:
    """The diagnostic as text: what, where, the line with a caret below it, and what to do."""
    lines = [f"{found.code.severity}[{found.code.number}]: {found.message}", *_excerpt(found.span, sources)]
    for note in found.notes:
        lines += [f"note: {note.text}", *_excerpt(note.span, sources)]
    if found.suggestion:
        lines.append(f"help: {found.suggestion}")
    return "\n".join(lines)


def _excerpt(span: Span, sources: Mapping[str, Source]) -> list[str]:
    source = sources.get(span.path)
    if source is None:
        return [f"  --> {span.path}"]
    row, column = source.place(span.start)
    end_row, end_column = source.place(span.end)
    text = source.line(row)
    width = (end_column if end_row == row else len(text) + 1) - column
    shown = text.expandtabs(1)
    start = max(0, column - 1 - 80)
    shown = shown[start : start + 120]
    carets = " " * (column - 1 - start) + "^" * max(1, min(width, 120 - (column - 1 - start)))
    margin = " " * len(str(row))
    return [
        f"{margin}--> {span.path}:{row}:{column}",
        f"{margin} |",
        f"{row} | {shown}",
        f"{margin} | {carets}",
    ]
