"""A table turned so that an observation is a line of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from itertools import zip_longest
from typing import Literal

from runtime.recorded.faults import Fault, Spot
from runtime.recorded.numerals import Numerals
from runtime.recorded.pattern import Fields, filled
from schemas.plan import Place
from schemas.table import Cell, Table

Line = tuple[Cell, ...]
Axis = Literal["row", "column"]

LABELS: dict[Axis, int] = {"column": 1, "row": 3}
"""Columns are labelled in the first row; rows in the first of three columns that has the text."""


class Grid:
    """`lines` are the observations: rows, or where `transposed` columns. Indices count from 0, messages from 1.
    `headers`: how many lines hold labels; None: those that labels are found in gather in `label_lines`."""

    def __init__(self, table: Table, axis: Axis, headers: int | None = None) -> None:
        self.name = table.name
        self.numerals = Numerals(table.decimal_comma)
        self._merged = table.merged
        self.axis: Axis = axis
        self.along: Axis = "column" if axis == "row" else "row"
        self._headers = LABELS[self.along] if headers is None else headers
        self.label_lines = set(range(headers or 0))
        lengths = Counter(len(row) for row in table.rows if row)
        self._width = max(lengths, key=lambda length: (lengths[length], length))
        rows = [_plain(row) for row in table.rows]
        self._ragged = {number: len(row) for number, row in enumerate(rows) if row and len(row) != self._width}
        if axis == "row":
            self.lines: list[Line] = [row + (None,) * (self._width - len(row)) for row in rows]
        else:
            self.lines = list(zip_longest(*rows))
        self.length = self._width if axis == "row" else len(rows)
        if headers is not None and headers >= len(self.lines):
            raise Fault(
                f"{self.name} has {len(self.lines)} {axis}s, and `headers {headers}` takes them all for labels."
            )
        self._labels: dict[int, dict[str, list[int]]] = {}

    def index(self, place: Place, fields: Fields) -> int:
        """Where along every observation a place is. Raises Fault."""
        self._demand(place, self.along)
        if isinstance(place.at, int):
            return self._within(place.at, self.length, self.along)
        label = filled(place.at, fields)
        labels = self.lines[: self._headers]
        for number, line in enumerate(labels):
            hits = [index for index, cell in enumerate(line) if text(cell) == label]
            if hits:
                self.label_lines.update(range(number + 1))
                return self._only(hits, label, self.along)
        raise Fault(self._no_label(label, self.along, [cell for line in labels for cell in line]))

    def line(self, place: Place, fields: Fields) -> int:
        """Which line stands beside the observations at a place. Raises Fault."""
        self._demand(place, self.axis)
        if isinstance(place.at, int):
            return self._within(place.at, len(self.lines), self.axis)
        label = filled(place.at, fields)
        count = LABELS[self.axis]
        for index in range(count):
            hits = self._labels_at(index).get(label)
            if hits:
                return self._only(hits, label, self.axis)
        raise Fault(self._no_label(label, self.axis, [cell for line in self.lines for cell in line[:count]]))

    def mislabelled(self) -> Fault | None:
        """What is wrong where rows hold more cells than are labelled, or fewer; or None."""
        if self.axis == "column" or not self.label_lines:
            return None
        labelled = max(self._ragged.get(number, self._width) for number in self.label_lines)
        if labelled > self._width and any(
            _extent(self.lines[number]) > self._width for number in self.label_lines
        ):
            return Fault(
                f"{self.name}, row {max(self.label_lines) + 1} labels {labelled} columns, but the rows have "
                f"{self._width} cells: a value is missing in each of them."
            )
        for number, line in enumerate(self.lines):
            if number not in self._ragged and _extent(line[labelled:]):
                return Fault(
                    f"{self.name}, row {number + 1} has {self._width} cells, but row "
                    f"{max(self.label_lines) + 1} labels {labelled} columns: labels may stand over wrong "
                    "columns. Label the first column too, or take it out."
                )
        return None

    def ragged(self, line: int, indices: Sequence[int]) -> Fault | None:
        """What is wrong with the length of a row that an observation's cells stand in, or None."""
        if not self._ragged:
            return None
        for row in (line,) if self.axis == "row" else indices:
            length = self._ragged.get(row, self._width)
            if length != self._width and not (length > self._width and self._blank_behind(row)):
                return Fault(
                    f"{self.name}, row {row + 1} has {length} cells, other rows have {self._width}: a value "
                    "is missing or too many (a comma in a text that is not quoted?).",
                    alike=f"{length} cells",
                )
        return None

    def merged(self, beside: Container[int], used: Container[int]) -> Fault | None:
        """What is wrong where merged cells are read as an observation's, or None."""
        for area in self._merged:
            rows = range(area.first_row, area.last_row + 1)
            columns = range(area.first_column, area.last_column + 1)
            lines, indices = (rows, columns) if self.axis == "row" else (columns, rows)
            if any(index in used for index in indices) and any(line not in beside for line in lines):
                return Fault(
                    f"{self.name}, cells {area.cells} are merged: only the first holds their value, and the "
                    "mapping reads them. Unmerge them in the spreadsheet program, and fill in each."
                )
        return None

    def label(self, index: int) -> str:
        """What labels a place along the observations: the first header that says something there."""
        labels = (text(line[index]) for line in self.lines[: self._headers])
        return next((label for label in labels if label), "")

    def beside(self, index: int) -> str:
        """How messages call a place along the observations: its number, and its label."""
        label = self.label(index) if self.label_lines else ""
        named = f' ("{label[:60]}")' if label else ""
        return f"{self.along} {index + 1}{named}"

    def spot(self, line: int) -> Spot:
        """Where a line is."""
        return Spot(self.name, self.axis, line)

    def at(self, line: int, index: int) -> str:
        """How messages call a cell: its row and column, and the labels there."""
        row, column = (line, index) if self.axis == "row" else (index, line)
        label = self.label(index) if self.axis == "row" else text(self.lines[line][0])
        named = f' ("{label[:60]}")' if label and (index > 0 or self.axis == "row") else ""
        return f"{self.name}, row {row + 1}, column {column + 1}{named}"

    def headers_hint(self, line: int, cell: Cell) -> str:
        """What to say of a cell that is not what it should be: its line may be one of labels."""
        first = max(self.label_lines, default=-1) + 1
        if line != first or not any(map(str.isalpha, text(cell))):
            return ""
        too = " too" if first else ""
        return f" If {self.axis} {first + 1} holds labels{too}, say `headers {first + 1}`."

    def _labels_at(self, index: int) -> dict[str, list[int]]:
        if index not in self._labels:
            found: dict[str, list[int]] = {}
            for number, line in enumerate(self.lines):
                if index < len(line):
                    found.setdefault(text(line[index]), []).append(number)
            self._labels[index] = found
        return self._labels[index]

    def _blank_behind(self, row: int) -> bool:
        if self.axis == "row":
            cells: Sequence[Cell] = self.lines[row][self._width :]
        else:
            cells = [line[row] for line in self.lines[self._width :]]
        return all(cell is None for cell in cells)

    def _demand(self, place: Place, axis: Axis) -> None:
        if place.axis != axis:
            turned = "`transposed`: an observation is a column" if self.axis == "column" else "not `transposed`"
            raise Fault(
                f"{self.name}: `{place.axis}` cannot be used here, `{axis}` can: the mapping is {turned}."
            )

    def _within(self, number: int, count: int, axis: Axis) -> int:
        if not 1 <= number <= count:
            raise Fault(f"{self.name} has {count} {axis}s: there is no {axis} {number}.")
        return number - 1

    def _only(self, hits: list[int], label: str, axis: Axis) -> int:
        if len(hits) > 1:
            told = " and ".join(str(hit + 1) for hit in hits[:2])
            raise Fault(f'{self.name}: "{label}" labels the {axis}s {told}: name the {axis} by its number.')
        return hits[0]

    def _no_label(self, label: str, axis: Axis, there: Sequence[Cell]) -> str:
        import difflib

        labels = list(dict.fromkeys(text(cell) for cell in there if isinstance(cell, str)))
        near = difflib.get_close_matches(label, labels[:5000], n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"labels there: {_some(labels)}."
        return f'{self.name} has no {axis} "{label}"; {hint}'


def text(cell: Cell) -> str:
    """A cell as text: 3, not 3.0; a blank one is the empty text."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _plain(row: Line) -> Line:
    """The row with yes and no as spreadsheets show them, lest they pass for 1 and 0."""
    if bool in map(type, row):
        return tuple(str(cell).upper() if isinstance(cell, bool) else cell for cell in row)
    return row


def _extent(line: Line) -> int:
    """The number of the last cell that holds something."""
    return next((number for number in range(len(line), 0, -1) if line[number - 1] is not None), 0)


def _some(labels: list[str]) -> str:
    shown = ", ".join(f'"{label[:40]}"' for label in labels[:6])
    return shown + (", ..." if len(labels) > 6 else "")
