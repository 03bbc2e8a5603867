"""Data files on disk, as text or as a grid: CSV, TSV, JSON, JSONL, Excel and Parquet.

A blank cell is None in every format, and a row's number is the one that a spreadsheet shows.
"""

from __future__ import annotations

import csv
import glob
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

from ebc.documents import MAX_CELLS, Rows, file_text, json_rows, jsonl_rows, parquet_rows
from schemas.table import Cell, Files, Merged, Table, TableError

MAX_BYTES = 1 << 30
"""A larger file, packed or unpacked, is refused: a grid is held in memory."""


class DiskFiles:
    """The files below a folder (`schemas.table.Files`). What is not there is looked up in `fallback`. Paths may
    be absolute, or lead out of the folder with `..`."""

    def __init__(self, root: Path, fallback: Files | None = None) -> None:
        self._root = root
        self._fallback = fallback

    def read_text(self, path: str) -> str:
        """The file's text, without its byte order mark. Raises FileNotFoundError, TableError, and
        UnicodeDecodeError where it is not UTF-8."""
        try:
            return self._read(path).decode("utf-8-sig")
        except FileNotFoundError:
            if self._fallback is None:
                raise
        return self._fallback.read_text(path)

    def read_table(self, path: str, sheet: str | None = None) -> Table:
        """The file as a grid; its kind is told by its ending. Raises FileNotFoundError, TableError."""
        try:
            self._size(path)
        except FileNotFoundError:
            if self._fallback is None:
                raise
            return self._fallback.read_table(path, sheet)
        ending = Path(path).suffix.lower()
        if ending in (".xlsx", ".xlsm"):
            from ebc.workbook import read_sheet

            found = read_sheet(path, self._read(path), sheet, MAX_BYTES)
            return _table(f"{path}, sheet {found.name}", found.rows, found.merged)
        if sheet is not None:
            raise TableError(f'{path} has no sheets: take `sheet "{sheet}"` away, or name an .xlsx file.')
        if ending in SEPARATED:
            content = self._read(path)
            text = file_text(path, content)
            delimiter = SEPARATED[ending] or _delimiter(text)
            return _table(path, _separated(path, content, delimiter), decimal_comma=delimiter != ",")
        if ending not in READERS:
            known = ", ".join([*sorted([*SEPARATED, *READERS]), ".xlsx"])
            save = SAVE_AS.get(ending, "")
            raise TableError(f"{path} is of no known kind. A data file ends in one of {known}.{save}")
        return _table(path, READERS[ending](path, self._read(path)))

    def glob(self, pattern: str) -> list[str]:
        """The files that fit, sorted, as paths like the pattern: `*` within a name, `**` across folders."""
        try:
            # Path.glob refuses absolute patterns
            hits = glob.glob(pattern, root_dir=self._root, recursive=True)  # noqa: PTH207
        except (OSError, ValueError):
            hits = []
        found = sorted(hit.replace(os.sep, "/") for hit in hits if (self._root / hit).is_file())
        if not found and self._fallback is not None:
            return self._fallback.glob(pattern)
        return found

    def _size(self, path: str) -> int:
        where = self._root / path
        try:
            if where.is_dir():
                raise TableError(f"{path} is a folder: name a file in it.")
            size = where.stat().st_size
            if not where.is_file():
                raise TableError(f"{path} is a device or a pipe: copy what it gives into a file.")
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            raise TableError(f"{path} cannot be opened: {_reason(error)}.") from error
        if size > MAX_BYTES:
            raise TableError(f"{path} has {size >> 20} MB; at most {MAX_BYTES >> 20} are read. Split it.")
        return size

    def _read(self, path: str) -> bytes:
        self._size(path)
        try:
            return (self._root / path).read_bytes()
        except OSError as error:
            raise TableError(f"{path} cannot be read: {_reason(error)}.") from error


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _table(path: str, rows: Rows, merged: tuple[Merged, ...] = (), *, decimal_comma: bool = False) -> Table:
    """The grid, without the blank rows at its end."""
    kept = [tuple(row) for row in rows]
    while kept and all(cell is None for cell in kept[-1]):
        kept.pop()
    if not kept:
        raise TableError(f"{path} is empty: there is nothing to read in it.")
    if sum(map(len, kept)) > MAX_CELLS:
        raise TableError(f"{path} has over {MAX_CELLS} cells. Split it.")
    return Table(path, tuple(kept), merged, decimal_comma)


# --- CSV --------------------------------------------------------------------------------------


def _delimiter(text: str) -> str:
    """The one of comma, semicolon and tab that stands in the first line outside quotes; else a comma."""
    quoted = False
    seen = set()
    for character in text.lstrip("\r\n"):
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "\r\n":
            break
        elif not quoted and character in ",;\t":
            seen.add(character)
    return seen.pop() if len(seen) == 1 else ","


def _separated(path: str, content: bytes, delimiter: str) -> Rows:
    """The rows of a file. Cells that say the same are one object: most say little."""
    lines = io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", newline="")
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    known: Callable[[str, Cell], Cell] = cast(dict[str, Cell], {"": None}).setdefault
    try:
        return [tuple(map(known, row, row)) for row in reader]
    except csv.Error as error:
        raise TableError(
            f"{path}, line {reader.line_num}: {error}. A cell that holds a quote is quoted as a whole, and "
            "each quote in it is doubled."
        ) from error


SEPARATED = {".csv": "", ".txt": "", ".tsv": "\t"}
"""What stands between cells; empty: that of its first line."""
READERS: dict[str, Callable[[str, bytes], Rows]] = {
    ".json": json_rows,
    ".jsonl": jsonl_rows,
    ".ndjson": jsonl_rows,
    ".parquet": parquet_rows,
}

SAVE_AS = {
    ".sav": " SPSS saves it as CSV or as Excel: File, Save as.",
    ".xls": " Save it as .xlsx.",
    ".ods": " Save it as .xlsx.",
}
"""What to do with files of programs that save such a kind too."""
