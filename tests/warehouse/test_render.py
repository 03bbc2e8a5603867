"""Answers of SQL as text: every type in every format, and no value hidden or quoted that should not be."""

from __future__ import annotations

import io
import json
import time
from collections import deque
from collections.abc import Iterator
from datetime import time as time_of_day
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warehouse.errors import LimitError, QueryError
from warehouse.parquet import prepare
from warehouse.query import Result, query
from warehouse.render import QueryFormat, write_result

SQL = """
SELECT sum(1::INT) AS whole, 1.5 AS tenth, t_p(1.0, 0) AS undefined, f_p(2, 0, 1) AS too, 0.0 / 0 AS nothing,
       [1.5, 'Infinity'::DOUBLE] AS list, TIME '10:00' AS at, INTERVAL 1 DAY AS span, 'ab'::BLOB AS bytes
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    prepare(tmp_path)
    return tmp_path


def written(results: Path, sql: str, form: QueryFormat) -> str:
    text = io.StringIO()
    write_result(query(results, sql), form, text, io.BytesIO())
    return text.getvalue()


def test_json_has_numbers_texts_and_nulls(results: Path) -> None:
    assert json.loads(written(results, SQL, "json")) == [
        {
            "whole": 1,
            "tenth": 1.5,
            "undefined": None,
            "too": None,
            "nothing": None,
            "list": [1.5, None],
            "at": "10:00:00",
            "span": "0 months 1 days 0 s",
            "bytes": "6162",
        }
    ]


def test_csv_and_table_quote_nothing_and_know_no_nan(results: Path) -> None:
    line = written(results, SQL, "csv").splitlines()[1]
    assert line == '1,1.5,,,,"[1.5, null]",10:00:00,0 months 1 days 0 s,6162'
    table = written(results, SQL, "table").splitlines()[2]
    assert table.split()[:2] == ["1", "1.5"]
    assert "nan" not in table.lower()


@pytest.mark.parametrize("form", ["json", "csv", "table", "markdown"])
def test_columns_of_one_name_are_told_apart(results: Path, form: QueryFormat) -> None:
    shown = written(results, "SELECT 1 AS a, 2 AS a, 3 AS a_1", form)
    assert "a_1" in shown
    assert "a_1_1" in shown
    assert all(number in shown for number in "123")


class Pipe:
    """A stream of bytes that only takes them, as a pipe does."""

    def __init__(self) -> None:
        self.content = b""

    def write(self, data: bytes) -> int:
        self.content += bytes(data)
        return len(data)


def piped(result: Result) -> Pipe:
    pipe = Pipe()
    write_result(result, "parquet", io.StringIO(), pipe)  # type: ignore[arg-type]
    return pipe


def test_parquet_goes_through_a_pipe_with_every_name_and_no_nan(results: Path) -> None:
    sql = """SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS d, '-inf'::FLOAT AS f, 1.5::DOUBLE AS x, NULL::DOUBLE AS n,
        [1.5::DOUBLE, 'inf'::DOUBLE] AS l, {'x': 'nan'::DOUBLE, 't': TIME '10:00'} AS s,
        MAP {'k': 'nan'::DOUBLE} AS m"""
    table = pq.read_table(pa.BufferReader(piped(query(results, sql)).content))
    row = {"a": 1, "a_1": 2, "d": None, "f": None, "x": 1.5, "n": None}
    nested = {"l": [1.5, None], "s": {"x": None, "t": time_of_day(10)}, "m": [("k", None)]}
    assert table.to_pylist() == [row | nested]
    assert table.schema.field("f").type == pa.float32()


def test_parquet_is_written_as_it_is_read(results: Path) -> None:
    pipe = Pipe()
    answer = query(results, "SELECT range AS i, hash(range) AS h FROM range(50000)")
    seen = []

    def watched() -> Iterator[pa.RecordBatch]:
        for batch in answer.batches:
            seen.append(len(pipe.content))
            yield batch

    write_result(Result(answer.schema, watched()), "parquet", io.StringIO(), pipe)  # type: ignore[arg-type]
    assert seen == sorted(set(seen))
    assert pq.read_table(pa.BufferReader(pipe.content)).num_rows == 50_000


def test_parquet_that_breaks_off_does_not_look_whole(results: Path) -> None:
    answer = query(results, "SELECT range AS i FROM range(50000)")

    def broken() -> Iterator[pa.RecordBatch]:
        yield next(answer.batches)
        raise LimitError("stopped")

    pipe = Pipe()
    with pytest.raises(LimitError, match="stopped"):
        write_result(Result(answer.schema, broken()), "parquet", io.StringIO(), pipe)  # type: ignore[arg-type]
    deque(answer.batches, maxlen=0)
    assert not pipe.content.endswith(b"PAR1")
    with pytest.raises(pa.ArrowInvalid):
        pq.read_table(pa.BufferReader(pipe.content))


@pytest.mark.parametrize("value", ["INTERVAL 1 DAY", "union_value(k := 1)", "[INTERVAL 1 DAY]"])
def test_what_parquet_cannot_hold_is_a_message(results: Path, value: str) -> None:
    with pytest.raises(QueryError, match=r"cannot hold column span, of type .*\. Cast the column"):
        written(results, f"SELECT 1 AS a, {value} AS span", "parquet")


@pytest.mark.parametrize("form", ["json", "csv", "table", "markdown"])
@pytest.mark.parametrize("value", ["DATE '20000-01-01'", "'infinity'::DATE", "'infinity'::TIMESTAMP"])
def test_moments_beyond_the_calendar_are_a_message(results: Path, form: QueryFormat, value: str) -> None:
    with pytest.raises(QueryError, match="column late holds a date or time beyond"):
        written(results, f"SELECT {value} AS late", form)


CELLS = {
    "sum(1::INT)": "1",
    "170141183460469231731687303715884105727::HUGEINT": "170141183460469231731687303715884105727",
    "1.5": "1.5",
    "2.00": "2",
    "TIME '10:01:02.5'": "10:01:02.500000",
    "INTERVAL '-1 month 2 days 123456.789 seconds'": "-1 months 2 days 123456.789 s",
    "INTERVAL 10 SECONDS": "0 months 0 days 10 s",
    "'ab'::BLOB": "6162",
    "DATE '2026-01-02'": "2026-01-02",
    "'nan'::DOUBLE": "",
    "'-inf'::FLOAT": "",
    "NULL": "",
    "true": "true",
}


@pytest.mark.parametrize("value", CELLS)
def test_a_cell_reads_the_same_everywhere(results: Path, value: str) -> None:
    sql = f"SELECT {value} AS v, 0 AS z"
    cell = CELLS[value]
    assert written(results, sql, "csv") == f"v,z\n{cell},0\n"
    assert written(results, sql, "markdown").splitlines()[2] == f"| {cell} | 0 |"
    assert written(results, sql, "table").splitlines()[2].split() == f"{cell} 0".split()
    (row,) = json.loads(written(results, sql, "json"))
    assert ("" if row["v"] is None else str(row["v"]).lower()) == cell.lower()


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
@pytest.mark.usefixtures("far_east")
def test_times_are_in_utc_wherever_they_are_asked_for(results: Path) -> None:
    shown = written(results, "SELECT TIMESTAMPTZ '2026-01-01 12:00:00+00' AS t, t::VARCHAR AS v", "csv")
    assert shown.splitlines()[1] == "2026-01-01T12:00:00+00:00,2026-01-01 12:00:00+00"
