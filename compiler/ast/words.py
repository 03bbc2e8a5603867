"""The words of a file: names, texts, numbers, settings."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from compiler.source import Span


class Node(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Base of the nodes. Two are equal if they are of one kind and their fields are, but for where they stand
    and how they are written."""

    span: Span
    _unseen: ClassVar[frozenset[str]] = frozenset({"span"})

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = (name for name in self.__struct_fields__ if name not in self._unseen)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]


class Name(Node, frozen=True, kw_only=True, eq=False):
    """A name; `quoted` where the spec writes it as a string (a spelling that is not a plain word)."""

    text: str
    quoted: bool = False
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "quoted"})


class Str(Node, frozen=True, kw_only=True, eq=False):
    """A text; `written` is its literal, quotes and all."""

    text: str
    written: str = ""
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "written"})


class Num(Node, frozen=True, kw_only=True, eq=False):
    value: float

    @property
    def is_whole(self) -> bool:
        return self.value.is_integer()

    @property
    def whole(self) -> int:
        return int(self.value)


class Dotted(Node, frozen=True, kw_only=True, eq=False):
    """`a` or `a.b`."""

    head: Name
    tail: Name | None = None

    @property
    def text(self) -> str:
        return self.head.text if self.tail is None else f"{self.head.text}.{self.tail.text}"


class Everything(Node, frozen=True, kw_only=True, eq=False):
    """`*`: all there is in scope."""


class Several(Node, frozen=True, kw_only=True, eq=False):
    """`a, b, c`: the values of one setting."""

    values: tuple[Name | Num, ...]


class Setting(Node, frozen=True, kw_only=True, eq=False):
    """`key value`, `key value, value`, or `key { key value ... }`."""

    key: Dotted
    value: Name | Str | Num | Several | tuple[Setting, ...]
