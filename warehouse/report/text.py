"""A report for a terminal, at most 110 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from warehouse.grid import display_width, one_line, pad
from warehouse.report.build import StudyReport
from warehouse.report.sections import sections
from warehouse.report.structure import Block, Section

WIDTH = 110
UNDERLINES = {1: "=", 2: "-"}


def text(study: StudyReport) -> str:
    """The report as plain text."""
    lines = [line.rstrip() for section in sections(study) for line in _section(section)]
    return "\n".join(lines).strip() + "\n"


def _section(section: Section) -> Iterator[str]:
    if section.title or section.block is not None:
        yield ""
    if section.title:
        title = one_line(section.title)
        yield from textwrap.wrap(title, WIDTH)
        if section.level in UNDERLINES:
            yield UNDERLINES[section.level] * min(WIDTH, display_width(title))
    for paragraph in section.paragraphs:
        yield from textwrap.wrap(one_line(paragraph), WIDTH, subsequent_indent="  ")
    if section.block is not None:
        yield from _block(section.block)


def _block(block: Block) -> Iterator[str]:
    names = tuple(column.name for column in block.columns)
    limit = _label_limit(block)
    rows = [(_cut(label, limit), *cells) for label, *cells in block.rows]
    widths = [max(map(display_width, column)) for column in zip(names, *rows, strict=True)]
    if any(column.title for column in block.columns):
        widths = _room_for_titles(block, widths)
        yield _titles(block, widths)
    yield _line(names, widths)
    for row in rows:
        yield _line(row, widths)


def _label_limit(block: Block) -> int:
    """Labels get what the numbers leave."""
    cells = zip(*([c.name for c in block.columns], *block.rows), strict=True)
    numbers = sum(2 + max(map(display_width, column)) for column in list(cells)[1:])
    return max(20, WIDTH - numbers)


def _room_for_titles(block: Block, widths: Sequence[int]) -> list[int]:
    """Widens the first column under a title that is wider than its columns, while the line has room."""
    wider = list(widths)
    free = WIDTH - sum(widths) - 2 * (len(widths) - 1)
    for title, columns in _spans(block):
        lacking = display_width(title) - sum(wider[i] for i in columns) - 2 * (len(columns) - 1)
        given = max(0, min(lacking, free))
        wider[columns[0]] += given
        free -= given
    return wider


def _spans(block: Block) -> Iterator[tuple[str, list[int]]]:
    """Each title with the columns that stand under it."""
    for title, group in groupby(range(len(block.columns)), key=lambda i: block.columns[i].title):
        yield title, list(group)


def _titles(block: Block, widths: Sequence[int]) -> str:
    """Each title over the columns that share it, cut where it is wider than they are."""
    shown = []
    for title, columns in _spans(block):
        width = sum(widths[i] for i in columns) + 2 * (len(columns) - 1)
        shown.append(pad(_cut(title, width), width))
    return "  ".join(shown)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    label, *numbers = cells
    rest = (" " * (width - display_width(cell)) + cell for cell, width in zip(numbers, widths[1:], strict=True))
    return "  ".join([pad(label, widths[0]), *rest])


def _cut(label: str, limit: int) -> str:
    """A label or title on one line of at most `limit` columns, as far in as it was."""
    inwards = len(label) - len(label.lstrip(" "))
    shown = label[:inwards] + one_line(label)
    if display_width(shown) <= limit:
        return shown
    while display_width(shown) >= limit:
        shown = shown[:-1]
    return f"{shown}…"
