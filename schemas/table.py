"""A data file as a grid of cells, however it was stored."""

from __future__ import annotations

import re
from typing import Protocol

import msgspec

Cell = str | int | float | bool | None

_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]{1,15},[0-9]{1,20}")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")


class Merged(msgspec.Struct, frozen=True):
    """Cells that a spreadsheet shows as one, as in `B3:B7`: the first has the value, the others are blank. Rows
    and columns count from 0, both ends included."""

    cells: str
    first_row: int
    last_row: int
    first_column: int
    last_column: int


class Table(msgspec.Struct, frozen=True):
    """`rows` are all rows of the file, its header (if it has one) first; ragged rows are kept as they are.
    `name` is what messages call it. `decimal_comma`: no comma stands between cells, so that one in a number is
    its decimal one."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    merged: tuple[Merged, ...] = ()
    decimal_comma: bool = False


class TableError(Exception):
    """A data file that cannot be read: the message says which, where, why and what to do."""


def pointed(written: str) -> str:
    """A number with a decimal comma, `2,5`, as `2.5`; any other text as it is. `1,234` is none: it could be a
    thousand."""
    is_decimal = _DECIMAL_COMMA.fullmatch(written) and not _THOUSANDS.fullmatch(written)
    return written.replace(",", ".") if is_decimal else written


class Files(Protocol):
    """Where a room gets the content of files from. Paths are as the spec writes them, with `/`."""

    def read_text(self, path: str) -> str:
        """The file's text. Raises FileNotFoundError, UnicodeDecodeError, TableError (cannot be read)."""
        ...

    def read_table(self, path: str, sheet: str | None = None) -> Table:
        """The file as a grid. Raises FileNotFoundError, TableError."""
        ...

    def glob(self, pattern: str) -> list[str]:
        """The paths that fit, sorted."""
        ...
