"""Answers of SQL as text: every type in every format, and no value hidden or quoted that should not be."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.errors import QueryError
from warehouse.parquet import prepare
from warehouse.query import query
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


def test_what_parquet_cannot_hold_is_a_message(results: Path) -> None:
    with pytest.raises(QueryError, match="Cast the column"):
        written(results, "SELECT INTERVAL 1 DAY AS span", "parquet")


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
