"""Statements to lines: what shares a line, where long ones break, where comments and blank lines go."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from compiler import ast
from compiler.format.words import quoted, text_block
from compiler.source import Span

WIDTH = 100
STEP = "  "
HANG = STEP * 2

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True)
class Prose:
    """A word and a text that may have lines of its own: `user "..."`; `lead` may be empty."""

    lead: str
    text: str


@dataclass(frozen=True)
class Block:
    """Statements in braces. `start` and `end`: the part of the file that they stand in, braces included."""

    start: int
    end: int
    lines: tuple[Line, ...]


Part = str | Prose | Block


@dataclass(frozen=True)
class Line:
    """One statement. A line may break between any two parts, but within none that is a str. A blank line stands
    between statements of different `group`s."""

    span: Span
    parts: tuple[Part, ...]
    group: str = ""

    @property
    def head_end(self) -> int:
        """Where its first block starts, or its end."""
        return next((part.start for part in self.parts if isinstance(part, Block)), self.span.end)


class Printer:
    """Lays out one file. Comments are taken from the front of a queue as the lines go by, so none is lost and
    their order stays; one that stands inside a statement goes above it."""

    def __init__(self, text: str, comments: Sequence[ast.Comment]) -> None:
        self._text = text
        self._comments = deque(comments)

    def file(self, lines: Sequence[Line]) -> str:
        rows = self._statements(lines, "", len(self._text))
        return "".join(row + "\n" for row in rows)

    def _statements(self, lines: Sequence[Line], indent: str, end: int) -> list[str]:
        """The lines, with the comments around them, up to the place `end`."""
        rows: list[str] = []
        last, last_group, last_is_long = 0, "", False
        limits = [*(line.span.start for line in lines[1:]), end]
        for line, limit in zip(lines, limits, strict=True) if lines else ():
            start = line.span.start
            above = self._take(line.head_end)
            laid_out = self._line(line, indent)
            is_long = len(laid_out) > 1
            first = min([start, *(comment.span.start for comment in above)])
            apart = line.group != last_group or (not indent and (is_long or last_is_long))
            if rows and (apart or self._is_blank(last, first)):
                rows.append("")
            below = [*self._take(line.span.end), *self._trailing(limit)]
            rows += self._own_lines(above, indent, start)
            rows += [*laid_out[:-1], laid_out[-1] + "".join(STEP + comment.text for comment in below[:1])]
            rows += [indent + comment.text for comment in below[1:]]
            last = max([line.span.end, *(comment.span.end for comment in below)])
            last_group, last_is_long = line.group, is_long
        left = self._take(end)
        if left and rows and self._is_blank(last, left[0].span.start):
            rows.append("")
        return rows + self._own_lines(left, indent, left[-1].span.end if left else end)

    def _own_lines(self, comments: Sequence[ast.Comment], indent: str, before: int) -> list[str]:
        """Comments on lines of their own, each with the blank line behind it that the author left there; what
        follows starts at `before`, and comments from inside it stand close above it."""
        rows: list[str] = []
        nexts = [*(comment.span.start for comment in comments[1:]), before]
        for comment, following in zip(comments, nexts, strict=False):
            rows.append(indent + comment.text)
            if self._is_blank(comment.span.end, min(following, before)):
                rows.append("")
        return rows

    def _take(self, end: int) -> list[ast.Comment]:
        """The next comments that start before `end`."""
        taken = []
        while self._comments and self._comments[0].span.start < end:
            taken.append(self._comments.popleft())
        return taken

    def _trailing(self, end: int) -> list[ast.Comment]:
        """The next comment, if it stands behind something on its line, before `end`."""
        if self._comments and self._comments[0].trailing and self._comments[0].span.start < end:
            return [self._comments.popleft()]
        return []

    def _is_blank(self, start: int, end: int) -> bool:
        """Whether the author left a line blank between two places."""
        return _BLANK_LINE.search(self._text, start, end) is not None

    def _line(self, line: Line, indent: str) -> list[str]:
        rows: list[str] = []
        current = ""

        def put(word: str) -> None:
            nonlocal current
            if not current:
                current = indent + word
            elif len(current) + 1 + len(word) <= WIDTH:
                current += " " + word
            else:
                rows.append(current)
                current = indent + HANG + word

        for part in line.parts:
            match part:
                case str():
                    put(part)
                case Prose(lead=lead, text=text):
                    block = text_block(text, indent) if "\n" in text else None
                    put(_lead(lead, quoted(text) if block is None else '"""'))
                    if block is not None:
                        rows += [current, *block[:-1]]
                        current = block[-1]
                case Block():
                    flat = self._flat(part)
                    if flat is not None and len(current) + 1 + len(flat) <= WIDTH:
                        current += " " + flat
                    else:
                        rows += self._open_block(part, current, indent)
                        current = indent + "}"
        return [*rows, current]

    def _open_block(self, block: Block, before: str, indent: str) -> list[str]:
        first = block.lines[0].span.start if block.lines else block.end
        behind = "".join(STEP + comment.text for comment in self._trailing(first))
        return [f"{before} {{{behind}", *self._statements(block.lines, indent + STEP, block.end)]

    def _flat(self, block: Block) -> str | None:
        """The block on one line, if its author wrote it so."""
        if "\n" in self._text[block.start : block.end]:
            return None
        if self._comments and self._comments[0].span.start < block.end:
            return None
        statements: list[str] = []
        for line in block.lines:
            words = [self._flat_part(part) for part in line.parts]
            if None in words:
                return None
            statements.append(" ".join(word for word in words if word))
        return f"{{ {STEP.join(statements)} }}" if statements else "{ }"

    def _flat_part(self, part: Part) -> str | None:
        match part:
            case str():
                return part
            case Prose(lead=lead, text=text):
                return None if "\n" in text else _lead(lead, quoted(text))
            case Block():
                return self._flat(part)


def _lead(word: str, text: str) -> str:
    return f"{word} {text}" if word else text
