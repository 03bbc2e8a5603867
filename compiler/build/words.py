"""Names, texts, numbers and settings: the words of a file."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.source import Span

_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}

# Up to here every whole number is kept as it is written.
MAX_NUMBER = 2.0**53

Children = Sequence[Any]


def string_value(written: str) -> str:
    """The text that a string literal stands for. A text block loses its common indentation."""
    if written.startswith('"""'):
        body = textwrap.dedent(written[3:-3].replace("\r\n", "\n")).strip("\n").rstrip()
    else:
        body = written[1:-1]
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), body, flags=re.DOTALL)


def of_kind(children: Children, *kinds: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kinds))


def plain(number: ast.Num) -> str:
    """The number as a spec writes it."""
    return str(number.whole) if number.is_whole else repr(number.value)


class WordBuilder:
    """What is wrong with a single word is `found` on the way."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def name(self, span: Span, children: Children) -> ast.Name:
        return ast.Name(span=span, text=str(children[0]))

    def string(self, span: Span, children: Children) -> ast.Str:
        written = str(children[0])
        return ast.Str(span=span, text=string_value(written), written=written)

    def number(self, span: Span, children: Children) -> ast.Num:
        value = float(children[0])
        if max(value, int(children[0]) if children[0].isdigit() else 0) > MAX_NUMBER:
            written = str(children[0])[:40]
            wanted = f"at most {MAX_NUMBER:.0f}"
            self.found.append(
                diagnostic(Code.OUT_OF_RANGE, span, what=written, found="too large", wanted=wanted)
            )
            value = MAX_NUMBER
        return ast.Num(span=span, value=value)

    def signed(self, span: Span, children: Children) -> ast.Num:
        return ast.Num(span=span, value=-children[0].value)

    def quotable(self, span: Span, children: Children) -> ast.Name:
        word = children[0]
        return word if isinstance(word, ast.Name) else ast.Name(span=span, text=word.text, quoted=True)

    def dotted(self, span: Span, children: Children) -> ast.Dotted:
        return ast.Dotted(span=span, head=children[0], tail=children[1])

    def everything(self, span: Span, children: Children) -> ast.Everything:
        return ast.Everything(span=span)

    def setting_value(self, span: Span, children: Children) -> ast.Setting:
        return ast.Setting(span=span, key=children[0], value=children[1])

    def setting_values(self, span: Span, children: Children) -> ast.Setting:
        key, *values = children
        several = ast.Several(span=values[0].span.to(values[-1].span), values=tuple(values))
        return ast.Setting(span=span, key=key, value=several)

    def setting_block(self, span: Span, children: Children) -> ast.Setting:
        return ast.Setting(span=span, key=children[0], value=tuple(children[1:]))

    def keyword(self, span: Span, children: Children) -> str:
        return " ".join(map(str, children))

    role = axis = count = comparator = plus_minus = times_over = keyword
