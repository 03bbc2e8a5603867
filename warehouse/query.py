"""SQL over the warehouse that can read its tables and nothing else, write nothing, and not run for ever.

What holds, layer by layer: one statement, a SELECT whose every node is one (DuckDB's own serialization says so;
its statement types do not, a COPY hides in a WITH); a connection in memory that pyarrow feeds, so that DuckDB
needs no file access and has none; a configuration that is locked. Time is limited by interrupts, and since some
functions ignore those, `guard` ends a process that runs on.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from warehouse.catalog import connect, unreadable
from warehouse.errors import LimitError, QueryError, WarehouseError
from warehouse.report.build import contrasts_table
from warehouse.statistics import f_p_column, t_p_column

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
NEEDING_CONTRASTS = frozenset({"contrasts", "query", "query_table"})  # functions that name a table in a text
BATCH = 10_000
EXIT_STOPPED = 124


class Limits(msgspec.Struct, frozen=True):
    """What one question may use. `seconds` until it is interrupted, `hard_seconds` until `guard` ends the
    process; `memory_mb` for DuckDB's data, `address_space_mb` for the process where the system can limit it."""

    seconds: float = 30.0
    hard_seconds: float = 40.0
    memory_mb: int = 4096
    address_space_mb: int = 8192
    threads: int = 2


class Result(msgspec.Struct, frozen=True):
    """An answer: its columns, and its rows as Arrow batches that come while they are read, once."""

    schema: Any
    batches: Iterator[pa.RecordBatch]

    @property
    def columns(self) -> list[str]:
        return list(self.schema.names)

    def table(self) -> pa.Table:
        """All rows at once. Raises what reading the batches raises."""
        import pyarrow as pa

        return pa.Table.from_batches(list(self.batches), self.schema)


def query(results: Path, sql: str, limits: Limits | None = None) -> Result:
    """Answers one SELECT over the tables and views of the warehouse, statistics `t_p(t, df)` and
    `f_p(f, df1, df2)` included. Raises QueryError (refused, or wrong: with DuckDB's words and position),
    LimitError, StorageError; also while the batches are read."""
    limits = limits or Limits()
    connection = _closed_connection(results, check(sql), limits)
    clock = _Clock(limits.seconds, connection.interrupt)
    try:
        reader: Any = connection.sql(sql).to_arrow_reader(BATCH)
    except BaseException as error:
        clock.stop()
        connection.close()
        raise _explained(error, results, limits) from None
    return Result(reader.schema, _batches(reader, connection, clock, results, limits))


def _batches(
    reader: pa.RecordBatchReader,
    connection: duckdb.DuckDBPyConnection,
    clock: _Clock,
    results: Path,
    limits: Limits,
) -> Iterator[pa.RecordBatch]:
    try:
        yield from reader
    except GeneratorExit:
        raise
    except BaseException as error:
        raise _explained(error, results, limits) from None
    finally:
        clock.stop()
        connection.close()


def check(sql: str) -> frozenset[str]:
    """The tables and functions that `sql` names, in small letters. Raises QueryError unless it is one statement
    that only selects."""
    import duckdb

    with duckdb.connect(":memory:") as judge:
        try:
            sql.encode()
            statements = judge.extract_statements(sql)
        except (duckdb.Error, UnicodeError) as error:
            raise QueryError(f"this is not SQL that DuckDB understands. {error}") from None
        if len(statements) != 1:
            raise QueryError(f"one SELECT statement is answered, not {len(statements)}. Send them one by one.")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise QueryError(_refusal(statements[0].type.name))
        try:
            found = judge.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
        except duckdb.Error as error:
            raise QueryError(f"this statement cannot be checked, so it is refused. {error}") from None
    tree = json.loads(found[0]) if found else {"error": True}
    if tree.get("error"):
        raise QueryError(_refusal(str(tree.get("error_message", "a statement that is no SELECT"))))
    parts = list(_mappings(tree))
    foreign = sorted({kind for kind in _texts(parts, "type") if kind.endswith("_NODE")} - NODES)
    if foreign:
        raise QueryError(_refusal(", ".join(foreign)))
    return frozenset(name.lower() for key in ("table_name", "function_name") for name in _texts(parts, key))


def _refusal(what: str) -> str:
    return (
        f"the warehouse answers SELECT alone; this is refused: {what}. "
        "To keep an answer, use --format csv or parquet and redirect it to a file."
    )


def _mappings(tree: object) -> Iterator[dict[str, Any]]:
    """Every object anywhere in a serialized statement."""
    pending = [tree]
    while pending:
        match pending.pop():
            case dict() as mapping:
                yield mapping
                pending.extend(mapping.values())
            case list() as values:
                pending.extend(values)
            case _:
                continue


def _texts(mappings: list[dict[str, Any]], key: str) -> Iterator[str]:
    return (value for mapping in mappings if isinstance(value := mapping.get(key), str))


def _closed_connection(results: Path, names: frozenset[str], limits: Limits) -> duckdb.DuckDBPyConnection:
    connection = connect(
        results,
        settings={
            "memory_limit": f"{limits.memory_mb}MB",
            "threads": str(limits.threads),
            "temp_directory": "",
        },
    )
    try:
        if not names.isdisjoint(NEEDING_CONTRASTS):
            connection.register("contrasts", contrasts_table(results))
        _add_statistics(connection)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection


def _add_statistics(connection: duckdb.DuckDBPyConnection) -> None:
    """Lambdas, since DuckDB evaluates a function's annotations, whose names load only when used."""
    functions: dict[str, tuple[Callable[..., Any], int]] = {
        "t_p": (lambda t, df: t_p_column(t, df), 2),
        "f_p": (lambda f, df1, df2: f_p_column(f, df1, df2), 3),
    }
    for name, (function, width) in functions.items():
        types = ["DOUBLE"] * width
        connection.create_function(  # type: ignore[call-overload]
            name, function, types, "DOUBLE", type="arrow", null_handling="special"
        )


def _explained(error: BaseException, results: Path, limits: Limits) -> BaseException:
    """What DuckDB or pyarrow raised, as one message; what is neither's stays what it is."""
    import duckdb
    import pyarrow as pa

    text = str(error).strip()
    match error:
        case WarehouseError():
            return error
        case duckdb.OutOfMemoryException() | MemoryError() | pa.ArrowMemoryError():
            return LimitError(
                f"stopped: this query needs more than the {limits.memory_mb} MB it may use. "
                "Select fewer rows or columns, or group before sorting."
            )
        case duckdb.InterruptException() | OSError() if "nterrupt" in text:
            return LimitError(
                f"stopped: this query took longer than {limits.seconds:g} s. "
                "Select fewer rows, or join on a key."
            )
        case duckdb.ParserException() | duckdb.BinderException() | duckdb.CatalogException():
            return QueryError(f"this SQL cannot be answered. {text}")
        case duckdb.PermissionException():
            return QueryError(f"SQL sees the warehouse's tables and views, no other file or address. {text}")
        case duckdb.Error() | pa.ArrowException() | OSError():
            return unreadable(results) or QueryError(f"this SQL cannot be answered. {text}")
        case _:
            return error


class _Clock:
    """Interrupts again and again once the time is over: a single interrupt may fall between two steps."""

    def __init__(self, seconds: float, interrupt: Callable[[], None]) -> None:
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(seconds, interrupt), daemon=True)
        self._thread.start()

    def _run(self, seconds: float, interrupt: Callable[[], None]) -> None:
        wait = seconds
        while not self._done.wait(wait):
            interrupt()
            wait = 0.05

    def stop(self) -> None:
        self._done.set()
        self._thread.join()


@contextmanager
def guard(limits: Limits | None = None) -> Iterator[None]:
    """Limits this whole process, which must be there for one query alone, while the context lasts: after
    `hard_seconds` it says why and exits with status 124, whatever it is doing."""
    limits = limits or Limits()
    timer = threading.Timer(limits.hard_seconds, _give_up, [limits.hard_seconds])
    timer.daemon = True
    timer.start()
    try:
        with _address_space(limits.address_space_mb * 1024 * 1024):
            yield
    finally:
        timer.cancel()


def _give_up(seconds: float) -> None:
    os.write(2, f"ebc: stopped: this query did not end within {seconds:g} s.\n".encode())
    os._exit(EXIT_STOPPED)


@contextmanager
def _address_space(size: int) -> Iterator[None]:
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    limited = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limited, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
