"""Rows to Parquet: the sink that a run writes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from schemas.columns import record_batch
from schemas.derive import arrow_schema
from schemas.report import ReportRow
from schemas.rows import TABLES, Answered, AnswerRow, RespondentRow, ResponseRow, RunRow, SubscaleRow, TrialRow
from warehouse.errors import StorageError
from warehouse.layout import APPENDED, EMPTY, part, part_numbers, parts, replacing, settle, sweep
from warehouse.views import standalone_script

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROW_GROUP = 10_000
PIECE = 500
"""Rows, or responses with some dozens of answers each, that are in memory as records at a time."""

R = TypeVar("R")


class ParquetSink:
    """Keeps the rows of runs below one results folder. Every verb raises StorageError, an OSError, where
    the disk refuses; what was stored before then stands as it was. `run`: one that is there, to add parts to
    before it is opened anew."""

    def __init__(self, results: Path, run: str = "") -> None:
        self._results = results
        self._run = run

    def open(self, run: RunRow, respondents: Sequence[RespondentRow], trials: Iterable[pa.RecordBatch]) -> None:
        """Replaces the run's trials, respondents and, last, its row; clears what a killed run left."""
        sweep(self._results, run.run)
        prepare(self._results)
        settle(self._results, run.run)
        write_batches(part(self._results, "trials", run.run), arrow_schema(TrialRow), trials)
        write_rows(part(self._results, "respondents", run.run), RespondentRow, respondents)
        write_rows(part(self._results, "runs", run.run), RunRow, [run])
        self._run = run.run

    def parts(self) -> set[int]:
        """The numbers of the run's parts that were stored whole."""
        return set.intersection(*(part_numbers(self._results, table, self._run) for table in APPENDED))

    def write(self, part: int, answered: Iterable[Answered]) -> None:
        """Stores one part durably: answers first, so that no response stands without its answers. The
        same part again replaces itself."""
        write_pair(self._part("responses", part), self._part("answers", part), answered)

    def write_columns(
        self, part: int, responses: Iterable[ResponseRow], answers: Iterable[pa.RecordBatch]
    ) -> None:
        """Stores one part durably, as `write` does; the answers come as columns of their table."""
        write_batches(self._part("answers", part), arrow_schema(AnswerRow), answers)
        write_rows(self._part("responses", part), ResponseRow, responses)

    def flush(self) -> None:
        """Nothing to do: each part is visible as soon as `write` returns."""

    def close(self, run: RunRow) -> None:
        """Stores the run's row in its final state."""
        write_rows(part(self._results, "runs", run.run), RunRow, [run])

    def _part(self, table: str, number: int) -> Path:
        return part(self._results, table, f"{self._run}.{number}")


def write_pair(responses: Path, answers: Path, answered: Iterable[Answered]) -> None:
    """Puts responses into one file and their answers into another; the answers are there first, and neither
    is there by half. Raises StorageError."""
    response_schema, answer_schema = arrow_schema(ResponseRow), arrow_schema(AnswerRow)
    with _writing(responses, response_schema) as of_responses, _writing(answers, answer_schema) as of_answers:
        for batch in _batches(answered, PIECE):
            of_responses.write_batch(record_batch([one.response for one in batch], response_schema))
            values = [row for one in batch for row in one.answers]
            if values:
                of_answers.write_batch(record_batch(values, answer_schema))


def prepare(results: Path) -> None:
    """Makes the folder a warehouse: every table has a part, if an empty one, and `warehouse.sql` stands."""
    for table, schema in schemas().items():
        empty = results / table / EMPTY
        if not _is_of(empty, schema):
            write_table(empty, schema.empty_table())
    script = results / "warehouse.sql"
    text = standalone_script(_formulas(results)).encode()
    if not script.is_file() or script.read_bytes() != text:
        with replacing(script) as scratch:
            scratch.write_bytes(text)


def _formulas(results: Path) -> list[str]:
    """The formulas that the results' subscales have. Raises StorageError."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    files = [str(path) for path in parts(results, "subscales")]
    dataset = ds.dataset(files, schema=arrow_schema(SubscaleRow), format="parquet")
    try:
        found = dataset.to_table(columns=["formula"]).column("formula")
    except (OSError, pa.ArrowException) as error:
        why = str(error).splitlines()[0]
        raise StorageError(
            f"a part of {results / 'subscales'} cannot be read: {why}. Restore it from a copy, or remove it."
        ) from error
    return [str(formula) for formula in found.drop_null().to_pylist()]


def _is_of(path: Path, schema: pa.Schema) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return bool(pq.read_schema(path).equals(schema))
    except (OSError, pa.ArrowException):
        return False


def schemas() -> dict[str, pa.Schema]:
    """The Arrow schema of every table of the warehouse, the kept contrasts among them."""
    return {
        **{table: arrow_schema(record) for table, record in TABLES.items()},
        "contrasts": contrasts_schema(),
    }


def contrasts_schema() -> pa.Schema:
    """A report's row, with the study that it belongs to."""
    import pyarrow as pa

    row = arrow_schema(ReportRow)
    return pa.schema([pa.field("study", pa.string(), nullable=False), *row])


def write_rows(path: Path, record: type[msgspec.Struct], rows: Iterable[msgspec.Struct]) -> None:
    """Puts rows of one type into a file, whole or not at all, few of them in memory at a time."""
    write_batches(path, arrow_schema(record), record_batches(record, rows))


def record_batches(record: type[msgspec.Struct], rows: Iterable[msgspec.Struct]) -> Iterator[pa.RecordBatch]:
    """Rows of one type as columns, `PIECE` at a time."""
    schema = arrow_schema(record)
    return (record_batch(batch, schema) for batch in _batches(rows, PIECE))


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Puts columns into a file, whole or not at all; `ROW_GROUP` rows or a batch are in memory at a time."""
    import pyarrow as pa

    with _writing(path, schema) as file:
        waiting: list[pa.RecordBatch] = []
        for batch in batches:
            waiting.append(batch)
            if sum(map(len, waiting)) >= ROW_GROUP:
                file.write_table(pa.Table.from_batches(waiting))
                waiting = []
        if waiting:
            file.write_table(pa.Table.from_batches(waiting))


def write_table(path: Path, table: pa.Table) -> None:
    """Puts a table into a file, whole or not at all."""
    with _writing(path, table.schema) as file:
        file.write_table(table)


@contextmanager
def _writing(path: Path, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    """A writer of a file that appears whole or not at all; what pyarrow has freed goes back to the system."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with (
        replacing(path) as scratch,
        pq.ParquetWriter(scratch, schema, compression="zstd", compression_level=3) as file,
    ):
        yield file
    pa.default_memory_pool().release_unused()


def _batches(rows: Iterable[R], most: int) -> Iterator[list[R]]:
    source = iter(rows)
    while batch := list(islice(source, most)):
        yield batch
