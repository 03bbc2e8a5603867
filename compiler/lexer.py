"""Text to tokens, for the parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr
from lark.parsers.lalr_analysis import Shift

# What walks a score goes one call deeper with every operator.
MAX_OPERATORS = 60

_TOKEN = re.compile(
    r"""
    (?P<skip>[ \r\n\ufeff]+|\#[^\n]*)
  | (?P<TEXT_BLOCK>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3})
  | (?P<STRING>"(?:[^"\\\n]|\\[^\n])*")
  | (?P<word>[^\W\d]\w*)
  | (?P<NUMBER>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<sign>\.\.|->|<=|>=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class LongScore(Exception):
    """A score has more than MAX_OPERATORS; `token` is the first too many."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class WordLexer(Lexer):
    """Splits text into tokens. A word is a keyword only where the parser can take that keyword: whether it
    can is seen by following the parse table through the reductions that the keyword would bring."""

    __future_interface__ = 2

    def __init__(self, conf: LexerConf) -> None:
        fixed = {str(t.pattern.value): t.name for t in conf.terminals if isinstance(t.pattern, PatternStr)}
        self._keywords = {word: name for word, name in fixed.items() if word.isidentifier()}
        self._signs = {sign: name for sign, name in fixed.items() if not sign.isidentifier()}

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        operators, in_score, name = 0, False, False
        for token in self._tokens(lexer_state, parser_state):
            if token.type in ("SUBSCALE", "DERIVE") or token == "}":
                operators, in_score = 0, token != "}"
            elif in_score and (token in ("+", "-", "*", "/") or (name and token == "(")):
                operators += 1
            name = token.type == "NAME"
            if operators > MAX_OPERATORS:
                raise LongScore(token)
            yield token

    def _tokens(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        text = lexer_state.text.text
        for piece in _TOKEN.finditer(text):
            kind, value = piece.lastgroup or "", piece.group()
            if kind == "skip":
                continue
            if kind == "word":
                kind = self._keywords.get(value, "NAME")
                if kind != "NAME" and not _takes(parser_state, kind):
                    kind = "NAME"
            elif kind == "sign":
                kind = self._signs.get(value, "UNKNOWN")
            yield Token(kind, value, piece.start(), 0, 0, 0, 0, piece.end())


def _takes(parser_state: Any, terminal: str) -> bool:
    """Whether an LALR parser in this state can shift `terminal`, after any reductions."""
    states, stack = parser_state.parse_conf.states, list(parser_state.state_stack)
    while terminal in states[stack[-1]]:
        action, rule = states[stack[-1]][terminal]
        if action is Shift:
            return True
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        stack.append(states[stack[-1]][rule.origin.name][1])
    return False
