"""How single words are written: texts, names, numbers, places, and lists of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from compiler import ast
from compiler.build.words import string_value

_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")

# `is not` negates, so a level of that name stands in quotes.
_NEVER_BARE = frozenset({"not"})


def quoted(text: str) -> str:
    """A text on one line, in quotes. A backslash is doubled only where it would escape what follows."""
    escaped = re.sub(r'\\(?=[nt"\\\n\t]|\Z)', r"\\\\", text)
    return '"' + escaped.replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def text_block(text: str, indent: str) -> list[str] | None:
    """The lines of a text between three quotes, the opening ones left out; None where that cannot say it."""
    escaped = re.sub(r'\\(?=[nt"\\\t])', r"\\\\", text)
    escaped = re.sub(r'"{2,}', lambda run: '\\"' * len(run[0]), escaped).replace("\t", "\\t")
    rows = [indent + "  " + row if row else "" for row in escaped.split("\n")]
    rows.append(indent + '"""')
    return rows if string_value("\n".join(['"""', *rows])) == text else None


def number(num: ast.Num) -> str:
    """Without an exponent, as people write it."""
    return str(num.whole) if num.is_whole else format(Decimal(repr(num.value)), "f")


def name(word: ast.Name) -> str:
    """A name, in quotes where the author put them or where it is no plain word."""
    bare = _WORD.fullmatch(word.text) and word.text not in _NEVER_BARE and not word.quoted
    return word.text if bare else quoted(word.text)


def value(word: ast.Name | ast.Str | ast.Num) -> str:
    match word:
        case ast.Name():
            return name(word)
        case ast.Str():
            return quoted(word.text)
        case ast.Num():
            return number(word)


def meaning(word: ast.Name) -> str:
    """What a spelling in the data stands for; here a number is a name too."""
    return word.text if not word.quoted and _is_number(word.text) else name(word)


def spelling(word: ast.Str | ast.NumberRange) -> str:
    """A spelling in the data, or a range of numbers."""
    if isinstance(word, ast.NumberRange):
        return f"{number(word.first)}..{number(word.last)}"
    return word.text if _is_number(word.text) else quoted(word.text)


def _is_number(text: str) -> bool:
    """Whether reading `text` as a number and writing that gives the same text."""
    if not _NUMBER.fullmatch(text):
        return False
    read = float(text)
    return text == (str(int(read)) if read.is_integer() else repr(read))


def titled(keyword: str, word: ast.Name, title: ast.Str | None) -> str:
    """`scale PANAS "Positive and Negative Affect Schedule"`."""
    return f"{keyword} {name(word)}" + ("" if title is None else f" {quoted(title.text)}")


def number_range(items: ast.NumberRange | ast.Name) -> str:
    match items:
        case ast.Name():
            return name(items)
        case ast.NumberRange(first=first, last=last):
            return number(first) if first == last else f"{number(first)}..{number(last)}"


def place(where: ast.PlaceNode) -> str:
    return f"{where.axis} {value(where.at)}"


def source(where: ast.FieldSource | ast.DifferenceNode) -> str:
    """Where one value stands, or what it is."""
    match where:
        case ast.PlaceNode():
            return place(where)
        case ast.ConstantNode(value=constant):
            return f"constant {quoted(constant.text)}"
        case ast.CountedNode():
            return "counted"
        case ast.DifferenceNode(minuend=minuend, place=taken):
            return f"{number(minuend)} - {place(taken)}"
        case ast.Str(text=text):
            return quoted(text)


def data_file(data: ast.DataFile) -> list[str]:
    return [
        *file_words(data.path, data.sheet),
        *([] if data.column is None else [f"column {value(data.column)}"]),
    ]


def file_words(path: ast.Str, sheet: ast.Str | None) -> list[str]:
    return [f"from {quoted(path.text)}", *([] if sheet is None else [f"sheet {quoted(sheet.text)}"])]


def commas(items: Iterable[str]) -> list[str]:
    """`a, b, c`, in pieces that a line may break between."""
    *others, last = items
    return [*(f"{item}," for item in others), last]


def listed(head: str, items: Iterable[str]) -> list[str]:
    """`head a, b, c`, in pieces that a line may break between."""
    first, *rest = commas(items)
    return [f"{head} {first}", *rest]


def enclosed(opening: str, pieces: list[str]) -> list[str]:
    """The pieces between an opening and a `)`."""
    *others, last = [opening + pieces[0], *pieces[1:]]
    return [*others, f"{last})"]


def reference(prompt: ast.PromptRef) -> str:
    given = [f"{name(argument.name)} = {value(argument.value)}" for argument in prompt.arguments]
    return prompt.prompt.text + (f"({', '.join(given)})" if given else "")
