"""A query's answer as text or bytes."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Literal, TextIO, assert_never, cast, get_args

from warehouse.errors import QueryError
from warehouse.grid import display_width, markdown_table, one_line, pad
from warehouse.query import Result

if TYPE_CHECKING:
    import pyarrow as pa

QueryFormat = Literal["table", "csv", "json", "parquet", "markdown"]
FORMATS: tuple[QueryFormat, ...] = get_args(QueryFormat)
SHOWN_ROWS = 1_000
SHOWN_WIDTH = 60


def write_result(
    result: Result, form: QueryFormat, text: TextIO, binary: IO[bytes] | None = None
) -> str | None:
    """Writes an answer; returns what a person should be told besides (rows left out), or None. `table` and
    `markdown` show the first 1,000 rows; the others give all, and hold a batch of them at a time. `binary` is
    for `parquet` alone. What is not finite is missing in every format.

    Raises what reading the answer raises, QueryError where a format cannot hold a column, ValueError where
    `parquet` has no binary stream.
    """
    match form:
        case "table":
            return _shown(result, text, _table)
        case "markdown":
            return _shown(result, text, _markdown)
        case "csv":
            _csv(result, text)
        case "json":
            _json(result, text)
        case "parquet":
            if binary is None:
                raise ValueError("parquet needs a binary stream")
            _parquet(result, binary)
        case _:
            assert_never(form)
    return None


def _rows(result: Result) -> Iterator[tuple[Any, ...]]:
    for batch in result.batches:
        columns = map(_values, result.columns, batch.columns)
        for row in zip(*columns, strict=True):
            yield tuple(_plain(value) for value in row)


def _values(name: str, column: pa.Array[Any]) -> list[Any]:
    try:
        return column.to_pylist(maps_as_pydicts="lossy")
    except (OverflowError, ValueError) as error:
        raise QueryError(
            f"column {name} holds a date or time beyond what can be written here: {error}. "
            "Cast it, to VARCHAR say."
        ) from None


def _plain(value: Any) -> Any:
    """A value as number, text, list or object: moments as ISO 8601, bytes as hexadecimal, spans of time in
    words; what is not finite is null."""
    if hasattr(value, "nanoseconds"):
        seconds = Decimal(value.nanoseconds).scaleb(-9).normalize()
        return f"{value.months} months {value.days} days {seconds:f} s"
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case dict():
            return {str(key): _plain(part) for key, part in value.items()}
        case list() | tuple():
            return [_plain(part) for part in value]
        case _:
            return str(value)


def _names(result: Result) -> list[str]:
    """The columns' names; a second `a` is `a_1`, so that none hides another."""
    names: list[str] = []
    for column in result.columns:
        name, number = column, 0
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def _shown(result: Result, text: TextIO, layout: Any) -> str | None:
    rows = _rows(result)
    first = [[_cell(value) for value in row] for row in islice(rows, SHOWN_ROWS)]
    layout(_names(result), first, text)
    if next(rows, None) is None:
        return None
    return f"the first {SHOWN_ROWS} rows; --format csv, json or parquet gives all"


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.10g}"
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], text: TextIO) -> None:
    lines = [[_short(cell) for cell in row] for row in [columns, *rows]]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    for number, line in enumerate(lines):
        text.write("  ".join(pad(c, w) for c, w in zip(line, widths, strict=True)).rstrip() + "\n")
        if number == 0:
            text.write("  ".join("-" * width for width in widths) + "\n")


def _short(cell: str) -> str:
    flat = one_line(cell)
    return flat if len(flat) <= SHOWN_WIDTH else f"{flat[: SHOWN_WIDTH - 1]}…"


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], text: TextIO) -> None:
    for line in markdown_table(columns, rows):
        text.write(line + "\n")


def _csv(result: Result, text: TextIO) -> None:
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_names(result))
    for row in _rows(result):
        writer.writerow([repr(value) if isinstance(value, float) else _cell(value) for value in row])


def _json(result: Result, text: TextIO) -> None:
    """An array of objects, one row a line."""
    names = _names(result)
    text.write("[")
    for number, row in enumerate(_rows(result)):
        text.write(",\n " if number else "\n ")
        values = dict(zip(names, row, strict=True))
        text.write(json.dumps(values, ensure_ascii=False, allow_nan=False))
    text.write("\n]\n")


def _parquet(result: Result, binary: IO[bytes]) -> None:
    """Written as it is read. An answer that breaks off has no footer, so that nobody takes it for whole."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(map(pa.Field.with_name, result.schema, _names(result)))
    for field in schema:
        _require_parquet(field)
    sink = _Sink(binary)
    with pq.ParquetWriter(cast("IO[bytes]", sink), schema, compression="zstd", compression_level=3) as file:
        try:
            for batch in result.batches:
                columns = [_finite_column(column) for column in batch.columns]
                file.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
        except BaseException:
            sink.cut()
            raise


def _require_parquet(field: pa.Field[Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.ParquetWriter(io.BytesIO(), pa.schema([field])).close()
    except pa.ArrowNotImplementedError:
        raise QueryError(
            f"Parquet cannot hold column {field.name}, of type {field.type}. Cast the column, to VARCHAR say."
        ) from None


class _Sink(io.RawIOBase):
    """A stream, be it a pipe, that says how many bytes it took, as a Parquet writer asks; once cut it drops all
    that comes."""

    def __init__(self, binary: IO[bytes]) -> None:
        super().__init__()
        self._binary = binary
        self._taken = 0
        self._cut = False

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._taken

    def write(self, data: Any, /) -> int:
        if not self._cut:
            self._binary.write(data)
        self._taken += len(data)
        return len(data)

    def cut(self) -> None:
        self._cut = True


def _finite_column(column: pa.Array[Any]) -> Any:
    """A column without NaN and infinity, wherever its type has a place for them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(column.type):
        return pc.if_else(pc.is_finite(column), column, pa.scalar(None, column.type))
    if "double" in str(column.type) or "float" in str(column.type):
        return pa.array([_finite(value) for value in column.to_pylist()], column.type)
    return column


def _finite(value: Any) -> Any:
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: _finite(part) for key, part in value.items()}
        case list():
            return [_finite(part) for part in value]
        case tuple():
            return tuple(_finite(part) for part in value)
        case _:
            return value
