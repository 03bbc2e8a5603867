"""Stored answers as records: of a trial, or of a run part by part, and other ones in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from schemas.derive import arrow_schema
from schemas.rows import Answered, AnswerRow, ResponseRow, Row
from warehouse.catalog import fetch
from warehouse.errors import StorageError
from warehouse.layout import APPENDED, new_part, part, part_numbers
from warehouse.parquet import PIECE, write_pair

if TYPE_CHECKING:
    import duckdb

R = TypeVar("R", bound=Row)


def stored(results: Path, run: str, number: int) -> Iterator[Answered]:
    """The responses of a part with their answers, in their order, few of them in memory at a time. Raises
    StorageError where the two files do not belong together."""
    responses, answers = (part(results, table, f"{run}.{number}") for table in APPENDED)
    groups = groupby(_rows(answers, AnswerRow), key=lambda row: row.response)
    ahead = next(groups, None)
    for response in _rows(responses, ResponseRow):
        if ahead is None or ahead[0] != response.response:
            yield Answered(response, ())
            continue
        yield Answered(response, tuple(ahead[1]))
        ahead = next(groups, None)
    if ahead is not None:
        raise StorageError(
            f"{answers} holds answers of the response {ahead[0]}, which {responses} does not have at that "
            "place. Restore both from a copy."
        )


def _rows(path: Path, record: type[R]) -> Iterator[R]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = arrow_schema(record).names
    try:
        with pq.ParquetFile(path) as file:
            there = [name for name in names if name in file.schema_arrow.names]
            for batch in file.iter_batches(PIECE, columns=there):
                yield from msgspec.convert(batch.to_pylist(), list[record])  # type: ignore[valid-type]
    except (pa.ArrowException, msgspec.ValidationError, OSError) as error:
        why = str(error).splitlines()[0]
        raise StorageError(f"{path} cannot be read: {why}. Restore it from a copy.") from error


def numbers(results: Path, run: str) -> list[int]:
    """The numbers of a run's parts, oldest first."""
    return sorted(part_numbers(results, "responses", run))


def write_new(results: Path, run: str, number: int, answered: Iterable[Answered]) -> None:
    """Writes what will take a part's place once `replace_parts` is called. Raises StorageError."""
    responses, answers = (new_part(results, table, run, number) for table in APPENDED)
    write_pair(responses, answers, answered)


def of_trial(connection: duckdb.DuckDBPyConnection, results: Path, trial: str) -> list[Answered]:
    """The responses to a trial with their answers, by attempt. Raises StorageError."""
    sql = "SELECT * FROM responses WHERE trial = ? ORDER BY attempt"
    responses = [ResponseRow(*row) for row in fetch(connection, results, sql, [trial])]
    sql = "SELECT a.* FROM answers AS a JOIN responses AS r USING (response) WHERE r.trial = ?"
    answers = [AnswerRow(*row) for row in fetch(connection, results, sql, [trial])]
    answers.sort(key=lambda one: (one.position, one.part))
    return [Answered(one, tuple(a for a in answers if a.response == one.response)) for one in responses]
