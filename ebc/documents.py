"""Documents as rows of cells: JSON, JSONL and Parquet."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from schemas.table import Cell, TableError

MAX_CELLS = 50_000_000
MAX_DIGITS = 300
"""A longer whole number is no float."""

Rows = Iterable[Iterable[Cell]]


def file_text(path: str, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(f"{path} is UTF-16. Save it as UTF-8.")
    if (place := content.find(0)) >= 0:
        line = content.count(b"\n", 0, place) + 1
        raise TableError(f"{path}, line {line}: a byte 0 is no text. The file is damaged, or of another kind.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{path} is not UTF-8: byte {error.start + 1}, in line {line}, is 0x{content[error.start]:02x}. "
            "Save the file as UTF-8."
        ) from error


def json_rows(path: str, content: bytes) -> Rows:
    document = _json(path, file_text(path, content))
    if isinstance(document, dict) and document and all(isinstance(v, list) for v in document.values()):
        return _columns(path, document)
    if isinstance(document, list) and document and all(isinstance(row, list) for row in document):
        return [[_plain(path, n, i, v) for i, v in enumerate(row, 1)] for n, row in enumerate(document, 1)]
    if isinstance(document, list) and all(isinstance(row, dict) for row in document):
        return _records(path, document)
    raise TableError(
        f"{path} is no table: it must hold an array of objects, or one object of arrays (its columns)."
    )


def jsonl_rows(path: str, content: bytes) -> Rows:
    records = []
    for number, line in enumerate(file_text(path, content).split("\n"), start=1):
        if not line.strip():
            continue
        record = _json(f"{path}, line {number}", line)
        if not isinstance(record, dict):
            raise TableError(f"{path}, line {number} is no object: each line must be one, as in {{...}}.")
        records.append(record)
    return _records(path, records)


def _json(where: str, text: str) -> Any:
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_int=_whole)
        if "\\ud" in text.lower():
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise TableError(f"{where} holds half a character, \\u{ord(half):04x}, which is no text.") from error
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


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is too long; one that is a name stands in quotes")
    return int(digits)


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
    """A value as a cell: text, number, yes or no; a date as ISO text; not a number is missing; a list of texts
    and numbers as JSON."""
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
    if isinstance(value, list) and all(isinstance(one, str | int | float | None) for one in value):
        return json.dumps(value, ensure_ascii=False)
    raise TableError(
        f"{path}, row {row}, column {column}: a cell must be a text, a number, or a list of them, not "
        f"{_kind(value)}."
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


def parquet_rows(path: str, content: bytes) -> Rows:
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
