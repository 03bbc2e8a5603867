"""Text to syntax tree, with the grammar in grammar.lark (LALR). With `lexer`, the only module that knows lark.

A file with several mistakes reports each of them: after a syntax error, parsing goes on at the next line
that begins with a declaration.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import cache_from_source
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from compiler import ast
from compiler.build import Builder
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.lexer import MAX_OPERATORS, LongScore, WordLexer
from compiler.mistakes import choices, habit, statement_without, unclosed
from compiler.scan import Scanned, pieces, scan
from compiler.source import Span

DECLARATIONS = ("use", "scale", "emotion", "stimuli", "prompt", "protocol", "model", "responses", "study")

_WORDS = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "TEXT_BLOCK": "a text in quotes",
    "NUMBER": "a number",
    "$END": "the end of the file",
}


MAX_TEXT = 2_000_000
MAX_MISTAKES = 20


@cache
def _lark() -> Lark:
    """The parser. Its tables are kept where Python keeps bytecode, if that can be written, and made anew when
    the grammar, lark or Python is another: to make them takes longer than to read most specs."""
    path = Path(__file__).with_name("grammar.lark")
    tables = Path(cache_from_source(str(path)))
    with suppress(OSError):
        tables.parent.mkdir(exist_ok=True)
    return Lark(
        path.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=WordLexer,
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(tables),
    )


def parse(path: str, text: str) -> tuple[ast.File, list[Diagnostic]]:
    """The syntax tree of a file, as far as it can be read, and what is wrong with its text."""
    if len(text) > MAX_TEXT:
        wanted = f"at most {MAX_TEXT:,} characters; situations and items can stand in a data file"
        size = f"{len(text):,} characters long"
        too_long = diagnostic(Code.OUT_OF_RANGE, Span(path, 0, 1), what=path, found=size, wanted=wanted)
        return _file(path, "", [], ()), [too_long]
    scanned = scan(path, text)
    found = list(scanned.diagnostics)
    comments = _comments(path, scanned.text)
    if scanned.too_deep:
        return _file(path, text, [], comments), found
    broken = any(diagnostic.code is Code.OPEN_STRING for diagnostic in found)
    try:
        whole, wrong = _tree(path, scanned.text, 0)
    except (UnexpectedToken, LongScore) as error:
        readable = _piecewise(path, scanned)
        if not broken:
            found += readable.errors or [_syntax_error(path, scanned.text, 0, error)]
        file = _file(path, text, readable.pieces, comments)
        return msgspec.structs.replace(file, unread="\n".join(readable.unread)), found
    found += wrong
    return msgspec.structs.replace(whole, comments=comments, text=text, span=Span(path, 0, len(text))), found


def _file(path: str, text: str, pieces: list[ast.File], comments: tuple[ast.Comment, ...]) -> ast.File:
    return ast.File(
        span=Span(path, 0, len(text)),
        uses=tuple(use for piece in pieces for use in piece.uses),
        declarations=tuple(decl for piece in pieces for decl in piece.declarations),
        statements=tuple(statement for piece in pieces for statement in piece.statements),
        comments=comments,
        text=text,
    )


@dataclass
class Readable:
    """What of a file could be read, what is wrong with the rest, and the rest itself."""

    pieces: list[ast.File]
    errors: list[Diagnostic]
    unread: list[str]


def _piecewise(path: str, scanned: Scanned) -> Readable:
    """Parses each top-level declaration by itself; a line with a mistake is left out if the rest allows it."""
    text = scanned.text
    starts = [top for top in scanned.tops if _word_at(text, top) in DECLARATIONS]
    bounds = sorted({0, *starts, *scanned.outer, len(text)})
    found = Readable([], [], [])
    for start, end in pairwise(bounds):
        _read_piece(path, text[start:end], start, found)
    return found


def _read_piece(path: str, text: str, offset: int, found: Readable) -> None:
    for _ in range(MAX_MISTAKES):
        try:
            piece, wrong = _tree(path, text, offset)
        except (UnexpectedToken, LongScore) as error:
            found.errors.append(_syntax_error(path, text, offset, error))
            at = error.token.start_pos or 0
            without = None if error.token.type == "$END" else statement_without(text, at)
            if without is None:
                break
            start = text.rfind("\n", 0, at) + 1
            found.unread.append(text[start:].partition("\n")[0])
            text = without
        else:
            found.pieces.append(piece)
            found.errors += wrong
            return
    found.unread.append(text)


def _word_at(text: str, start: int) -> str:
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]


def _tree(path: str, text: str, offset: int) -> tuple[ast.File, list[Diagnostic]]:
    """Parses and builds; children before their parents, without recursion. Also what no node can say."""
    root = _lark().parse(text)
    builder = Builder()
    built: dict[int, Any] = {}
    for node in root.iter_subtrees():
        children = [built[id(child)] if isinstance(child, Tree) else child for child in node.children]
        meta = node.meta
        start = 0 if meta.empty else meta.start_pos
        end = 0 if meta.empty else meta.end_pos
        make = getattr(builder, str(node.data))
        built[id(node)] = make(Span(path, start + offset, end + offset), children)
    file = built[id(root)]
    assert isinstance(file, ast.File)
    return file, builder.found


def _comments(path: str, text: str) -> tuple[ast.Comment, ...]:
    found: list[ast.Comment] = []
    for kind, start, end in pieces(text):
        if kind != "comment":
            continue
        line_start = text.rfind("\n", 0, start) + 1
        trailing = bool(text[line_start:start].strip())
        written = text[start:end].rstrip()
        found.append(ast.Comment(span=Span(path, start, end), text=written, trailing=trailing))
    return tuple(found)


def _syntax_error(path: str, text: str, offset: int, error: UnexpectedToken | LongScore) -> Diagnostic:
    token = error.token
    if isinstance(error, LongScore):
        span = Span(path, offset + (token.start_pos or 0), offset + (token.end_pos or 0))
        return diagnostic(
            Code.TOO_DEEP,
            span,
            limit=MAX_OPERATORS,
            what="operators in one score",
            help="name the items in a sum: `sum(1..20, 30)`",
        )
    keywords, others = _expected(set(error.accepts or error.expected))
    if token.type == "$END":
        return _ends_early(path, text, offset, keywords, others)
    start = token.start_pos or 0
    help = habit(text, start) or choices(str(token), keywords, others)
    if not help.startswith("did you mean") and _closing_helps(error):
        help = "a `}` is missing before it"
    span = Span(path, offset + start, offset + (token.end_pos or 0))
    return diagnostic(Code.SYNTAX, span, found=_shown(token), help=help)


def _ends_early(path: str, text: str, offset: int, keywords: list[str], others: set[str]) -> Diagnostic:
    at = len(text.rstrip())
    span = Span(path, offset + max(0, at - 1), offset + max(at, 1))
    brace = unclosed(text)
    if brace is None:
        return diagnostic(Code.SYNTAX, span, found="the end", help=choices("", keywords, others))
    note = Note(Span(path, offset + brace, offset + brace + 1), "this is not closed")
    closing = "}" if text[brace] == "{" else ")"
    return diagnostic(Code.SYNTAX, span, found="the end", notes=(note,), help=f"a `{closing}` is missing")


def _closing_helps(error: UnexpectedToken) -> bool:
    """Whether what was found could stand behind a closing brace."""
    parser = error.interactive_parser
    if parser is None or "RBRACE" not in error.expected:
        return False
    parser = parser.copy()  # type: ignore[no-untyped-call]
    try:
        parser.feed_token(Token("RBRACE", "}"))
    except UnexpectedToken:
        return False
    words = {str(t.pattern.value): t.name for t in _lark().terminals if isinstance(t.pattern, PatternStr)}
    return words.get(str(error.token), error.token.type) in parser.accepts()


def _shown(token: Token) -> str:
    written = str(token)
    if token.type in ("STRING", "TEXT_BLOCK"):
        return "this text"
    return f"`{written if len(written) <= 40 else written[:37] + '...'}`"


def _expected(names: set[str]) -> tuple[list[str], set[str]]:
    """The keywords among the terminals, and what the others are called."""
    keywords, others = [], set()
    patterns = {t.name: str(t.pattern.value) for t in _lark().terminals}
    for name in names:
        pattern = None if name in _WORDS else patterns.get(name)
        if pattern is not None and pattern.replace("_", "").isalpha():
            keywords.append(pattern)
        elif pattern is not None:
            others.add(f"`{pattern.replace(chr(92), '')}`")
        else:
            others.add(_WORDS.get(name, name.lower()))
    return keywords, others
