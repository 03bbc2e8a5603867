"""The neutral form of a report, between its meaning and its layouts."""

from __future__ import annotations

import msgspec


class Column(msgspec.Struct, frozen=True):
    """A column's name, under the title of the subscale that it belongs to."""

    title: str
    name: str


class Block(msgspec.Struct, frozen=True):
    """A table: its first column holds labels, the others numbers."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(msgspec.Struct, frozen=True):
    """A heading (`level` 1 to 3; empty: none), paragraphs, and a table."""

    level: int
    title: str
    paragraphs: tuple[str, ...]
    block: Block | None = None
