"""Text and where things stand in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a file: `start` to `end`, counted in characters from 0, `end` not included."""

    path: str
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """From the start of this to the end of `other`."""
        return Span(self.path, self.start, max(self.end, other.end))


@dataclass(frozen=True)
class Source:
    """A file's text with an index of its lines."""

    path: str
    text: str
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]
        object.__setattr__(self, "_starts", starts)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self._starts, min(offset, len(self.text)))
        return line, min(offset, len(self.text)) - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")
