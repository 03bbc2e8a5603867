"""A first look at a file's text, before its grammar: what no grammar can say well.

Finds strings that are not closed, tabs, quotes and braces of other alphabets, and braces nested too deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.source import Span

MAX_DEPTH = 40

_PIECE = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<block>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3})
  | (?P<string>(?!"{3})"(?:[^"\\\n]|\\[^\n])*")
  | (?P<open>"{3}.*|"[^\n]*)
  | (?P<smart>[“”„‟«»][^“”„‟«»"\n]*[“”„‟«»"]|‘[^‘’"\n]*’)
  | (?P<brace>[{}()])
  | (?P<foreign>\t+|[“”„‟«»‘’｛｝（）＝，．：＃＂–—−→\u00a0\u3000])
  | (?P<other>[^"\#“”„‟«»‘’{}()\t｛｝（）＝，．：＃＂–—−→\u00a0\u3000]+)
    """,
    re.VERBOSE | re.DOTALL,
)

_MEANT = {
    "\t": " ", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"', "‘": '"', "’": '"', "｛": "{",
    "｝": "}", "（": "(", "）": ")", "＝": "=", "，": ",", "．": ".", "：": ":", "＃": "#", "＂": '"',
    "–": "-", "—": "-", "−": "-", "→": "->", "\u00a0": " ", "\u3000": " ",
}  # fmt: skip

_NAMED = {"\t": "a tab", "\u00a0": "a no-break space", "\u3000": "a full-width space"}


@dataclass(frozen=True)
class Scanned:
    """`text` has the same length as the file's, with foreign characters replaced, so that parsing goes on.
    `tops` are where a line begins with a word, outside of strings; `outer` those of them outside of braces."""

    text: str
    diagnostics: tuple[Diagnostic, ...]
    tops: tuple[int, ...]
    outer: tuple[int, ...]
    too_deep: bool


def pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """The kinds of pieces of a text, each with its start and end."""
    for piece in _PIECE.finditer(text):
        yield piece.lastgroup or "", piece.start(), piece.end()


def scan(path: str, text: str) -> Scanned:
    """Scans a whole file."""
    found: list[Diagnostic] = []
    clean: list[str] = []
    tops: list[int] = []
    outer: list[int] = []
    depth, too_deep = 0, False
    for piece in _PIECE.finditer(text):
        kind, value, start = piece.lastgroup, piece.group(), piece.start()
        span = Span(path, start, piece.end())
        if kind == "open":
            found.append(_open_string(span, value))
        elif kind == "smart":
            found.append(_foreign(Span(path, start, start + 1), value[0]))
            value = f'"{value[1:-1]}"'
        elif kind == "foreign":
            found.append(_foreign(span, value[0]))
            value = _MEANT[value] if value in "｛｝（）＝，．–—−" else " " * len(value)
        elif kind == "brace":
            depth = depth + 1 if value in "{(" else max(0, depth - 1)
            if depth > MAX_DEPTH and not too_deep:
                too_deep = True
                found.append(diagnostic(Code.TOO_DEEP, span, limit=MAX_DEPTH, what="braces inside one another"))
        elif kind == "other":
            words = (start + word.start() for word in re.finditer(r"(?m)^[a-z]", value))
            begun = [at for at in words if at == 0 or text[at - 1] == "\n"]
            tops += begun
            outer += begun if depth == 0 else []
        clean.append(value)
    return Scanned("".join(clean), tuple(found), tuple(tops), tuple(outer), too_deep)


def _open_string(span: Span, value: str) -> Diagnostic:
    if value.startswith('"""'):
        opening = Span(span.path, span.start, span.start + 3)
        return diagnostic(Code.OPEN_STRING, opening, where="", help='put a `"""` at its end')
    return diagnostic(
        Code.OPEN_STRING, span, where=" on its line", help='put a `"` at its end, or write \\" inside it'
    )


def _foreign(span: Span, char: str) -> Diagnostic:
    meant = _MEANT[char]
    named = _NAMED.get(char, f"`{char}`")
    return diagnostic(
        Code.FOREIGN_CHARACTER,
        span,
        found=named,
        meant="a space" if meant == " " else f"`{meant}`",
        help=f"replace {named} by " + ("spaces" if meant == " " else f"`{meant}`"),
    )
