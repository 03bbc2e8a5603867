"""Data files on disk, as text or as a grid: CSV, TSV, JSON, JSONL, Excel and Parquet.

A blank cell is None in every format, and a row's number is the one that a spreadsheet shows.
"""

from __future__ import annotations

import csv
import glob
import io
import json
import math
import os
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from schemas.table import Cell, Files, Table, TableError

MAX_BYTES = 1 << 30
"""A larger file, packed or unpacked, is refused: a grid is held in memory."""
MAX_CELLS = 50_000_000

Rows = Iterable[Iterable[Cell]]


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
            from ebc.workbook import workbook_rows

            return _table(path, workbook_rows(path, self._read(path), sheet, MAX_BYTES))
        if sheet is not None:
            raise TableError(f'{path} has no sheets: take `sheet "{sheet}"` away, or name an .xlsx file.')
        if ending not in READERS:
            known = ", ".join([*sorted(READERS), ".xlsx"])
            raise TableError(f"{path} is of no known kind. A data file ends in one of {known}.")
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


def _table(path: str, rows: Rows) -> Table:
    """The grid, without the blank rows at its end."""
    kept = [tuple(row) for row in rows]
    while kept and all(cell is None for cell in kept[-1]):
        kept.pop()
    if not kept:
        raise TableError(f"{path} is empty: there is nothing to read in it.")
    if sum(map(len, kept)) > MAX_CELLS:
        raise TableError(f"{path} has over {MAX_CELLS} cells. Split it.")
    return Table(path, tuple(kept))


def _text(path: str, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(f"{path} is UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{path} is not UTF-8: byte {error.start + 1}, in line {line}, is 0x{content[error.start]:02x}. "
            "Save the file as UTF-8."
        ) from error


# --- CSV --------------------------------------------------------------------------------------


def _csv_rows(path: str, content: bytes) -> Rows:
    text = _text(path, content)
    return _separated(path, text, _delimiter(text))


def _tsv_rows(path: str, content: bytes) -> Rows:
    return _separated(path, _text(path, content), "\t")


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


def _separated(path: str, text: str, delimiter: str) -> Rows:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [[cell or None for cell in row] for row in reader]
    except csv.Error as error:
        raise TableError(
            f"{path}, line {reader.line_num}: {error}. A cell that holds a quote is quoted as a whole, and "
            "each quote in it is doubled."
        ) from error


# --- JSON -------------------------------------------------------------------------------------


def _json_rows(path: str, content: bytes) -> Rows:
    document = _json(path, _text(path, content))
    if isinstance(document, dict) and document and all(isinstance(v, list) for v in document.values()):
        return _columns(path, document)
    if isinstance(document, list) and document and all(isinstance(row, list) for row in document):
        return [[_plain(path, n, i, v) for i, v in enumerate(row, 1)] for n, row in enumerate(document, 1)]
    if isinstance(document, list) and all(isinstance(row, dict) for row in document):
        return _records(path, document)
    raise TableError(
        f"{path} is no table: it must hold an array of objects, or one object of arrays (its columns)."
    )


def _jsonl_rows(path: str, content: bytes) -> Rows:
    records = []
    for number, line in enumerate(_text(path, content).split("\n"), start=1):
        if not line.strip():
            continue
        record = _json(f"{path}, line {number}", line)
        if not isinstance(record, dict):
            raise TableError(f"{path}, line {number} is no object: each line must be one, as in {{...}}.")
        records.append(record)
    return _records(path, records)


def _json(where: str, text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError as error:
        raise TableError(f"{where} is nested too deep for a table.") from error
    except ValueError as error:
        raise TableError(f"{where} is not JSON: {error}.") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key in made if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return made


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no number; a missing value is null")


def _records(path: str, records: list[dict[str, Any]]) -> Rows:
    header = list(dict.fromkeys(key for record in records for key in record))
    rows = [[_plain(path, n, key, record.get(key)) for key in header] for n, record in enumerate(records, 2)]
    return [header, *rows] if header else []


def _columns(path: str, columns: dict[str, list[Any]]) -> Rows:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in list(lengths.items())[:5])
        raise TableError(f"{path}: its columns are not of one length ({told}).")
    rows = enumerate(zip(*columns.values(), strict=True), start=2)
    return [
        list(columns),
        *([_plain(path, n, k, v) for k, v in zip(columns, row, strict=True)] for n, row in rows),
    ]


def _plain(path: str, row: int, column: str | int, value: Any) -> Cell:
    """A value as a cell: text, number, yes or no; a date as ISO text; not a number is missing."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return None
        raise TableError(f"{path}, row {row}, column {column}: {value} is no number that can be kept.")
    if value is None or isinstance(value, int | float):
        return value
    raise TableError(
        f"{path}, row {row}, column {column}: a cell must be a text or a number, not {_kind(value)}."
    )


def _kind(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
        case bytes():
            return "bytes"
        case _:
            return f"a {type(value).__name__}"


# --- Parquet ----------------------------------------------------------------------------------


def _parquet_rows(path: str, content: bytes) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        if file.metadata.num_rows * file.metadata.num_columns > MAX_CELLS:
            raise TableError(f"{path} has over {MAX_CELLS} cells. Split it.")
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path} is no Parquet file, or a damaged one: {error}.") from error
    names = table.column_names
    columns = [
        [_plain(path, n, name, value) for n, value in enumerate(column.to_pylist(), start=2)]
        for name, column in zip(names, table.columns, strict=True)
    ]
    return [names, *zip(*columns, strict=True)]


READERS: dict[str, Callable[[str, bytes], Rows]] = {
    ".csv": _csv_rows,
    ".tsv": _tsv_rows,
    ".json": _json_rows,
    ".jsonl": _jsonl_rows,
    ".ndjson": _jsonl_rows,
    ".parquet": _parquet_rows,
}
