"""The warehouse as DuckDB sees it, and what is known of each run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from schemas.columns import record_batch
from schemas.derive import arrow_schema
from schemas.plan import Plan
from schemas.rows import ResponseRow, RunRow, Status
from warehouse.errors import StorageError, WarehouseError
from warehouse.layout import RUN_TABLES, parts, plan_folder
from warehouse.parquet import schemas
from warehouse.register import plan_rows
from warehouse.views import create_statements

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

CLOSED = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "python_scan_all_frames": "false",
}


class RunProgress(msgspec.Struct, frozen=True):
    """A run and how far it is. `statuses`: planned trials by their newest attempt's status. `cost` (US dollars)
    and tokens are those of every response of the run; None: not known."""

    run: RunRow
    statuses: Mapping[Status, int]
    cost: float | None
    tokens_in: int | None
    tokens_out: int | None

    @property
    def answered(self) -> int:
        """Trials with an attempt of any status but error."""
        return sum(count for status, count in self.statuses.items() if status != "error")


def connect(
    results: Path,
    runs: Collection[str] | None = None,
    settings: Mapping[str, str] | None = None,
    plan: Plan | None = None,
) -> duckdb.DuckDBPyConnection:
    """A connection in memory with the tables and views, over all runs or some; with `plan`, what plans name is
    what it names. DuckDB itself opens no file: pyarrow reads them, each as its own schema says. Raises
    WarehouseError where there is no warehouse."""
    import duckdb
    import pyarrow as pa
    import pyarrow.dataset as ds

    if not (results / "runs").is_dir():
        raise WarehouseError(
            f"there is no warehouse at {results}. Run a study or import responses first, "
            "or name another folder with --results."
        )
    connection = duckdb.connect(":memory:", config={**CLOSED, **(settings or {})})
    named = {} if plan is None else plan_rows(plan)
    for table, schema in schemas().items():
        if table in named:
            connection.register(table, pa.Table.from_batches([record_batch(named[table], schema)]))
            continue
        owners = runs if table in RUN_TABLES else None
        files = [str(path) for path in parts(results, table, owners)]
        connection.register(table, ds.dataset(files, schema=schema, format="parquet"))
    try:
        for statement in create_statements(_formulas(connection, results)):
            connection.execute(statement)
    except duckdb.Error as error:
        connection.close()
        why = str(error).splitlines()[0]
        raise WarehouseError(
            f"the scores in {results} cannot be calculated: {why}. Shorten the longest score of its studies, "
            "or install a newer duckdb."
        ) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _formulas(connection: duckdb.DuckDBPyConnection, results: Path) -> list[str]:
    """The formulas that `subscales` holds. Raises StorageError."""
    sql = "SELECT DISTINCT formula FROM subscales WHERE formula IS NOT NULL"
    return [formula for (formula,) in fetch(connection, results, sql)]


def fetch(
    connection: duckdb.DuckDBPyConnection, results: Path, sql: str, parameters: object = None
) -> list[tuple[Any, ...]]:
    """All rows of our own SQL. Raises StorageError that names the part which cannot be read."""
    import duckdb
    import pyarrow as pa

    try:
        return connection.execute(sql, parameters).fetchall()
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise unreadable(results) or error from error


def unreadable(results: Path) -> StorageError | None:
    """The message for the first part that is not a Parquet file of its table, if there is one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for table, schema in schemas().items():
        for path in parts(results, table):
            try:
                found = pq.read_schema(path)
            except (OSError, pa.ArrowException) as error:
                why = str(error).splitlines()[0]
                return StorageError(f"{path} cannot be read: {why}. Restore it from a copy, or remove it.")
            for field in found:
                index = schema.get_field_index(field.name)
                if index >= 0 and schema.field(index).type != field.type:
                    return StorageError(
                        f"{path} is no part of {table}: its column {field.name} is {field.type}, "
                        f"not {schema.field(index).type}. Remove it."
                    )
    return None


def answered(results: Path, run: str) -> dict[str, tuple[Status, int]]:
    """The status and number of the newest attempt of each trial of a run that has one. Raises StorageError."""
    newest: dict[str, tuple[Status, int]] = {}
    for batch in _batches(results, run, ["trial", "status", "attempt"]):
        trials, statuses, attempts = (_values(column) for column in batch.columns)
        for trial, status, attempt in zip(trials, statuses, attempts, strict=True):
            if trial not in newest or newest[trial][1] < attempt:
                newest[trial] = (status, attempt)
    return newest


def versions(results: Path, run: str) -> set[str]:
    """The versions of the model that answered a run, where they are known. Raises StorageError."""
    found: set[str] = set()
    for batch in _batches(results, run, ["model_version"]):
        found |= {version for version in _values(batch.columns[0]) if version is not None}
    return found


def _values(column: pa.Array[Any]) -> list[Any]:
    return column.to_pylist()


def _batches(results: Path, run: str, columns: list[str]) -> Collection[pa.RecordBatch]:
    import pyarrow as pa
    import pyarrow.dataset as ds

    files = [str(path) for path in parts(results, "responses", [run])]
    dataset = ds.dataset(files, schema=arrow_schema(ResponseRow), format="parquet")
    try:
        return list(dataset.to_batches(columns=columns))
    except (pa.ArrowException, OSError) as error:
        raise unreadable(results) or StorageError(f"cannot read {results}: {error}") from error


def runs(results: Path) -> list[RunProgress]:
    """Every run, by study and panel, oldest first. Raises WarehouseError."""
    with connect(results) as connection:
        statuses: dict[str, list[tuple[Status, int]]] = {}
        for run, status, count in fetch(
            connection, results, "SELECT run, status, responses FROM progress ORDER BY ALL"
        ):
            statuses.setdefault(run, []).append((status, count))
        costs = fetch(
            connection,
            results,
            "SELECT run, sum(cost), sum(tokens_in)::BIGINT, sum(tokens_out)::BIGINT FROM responses GROUP BY 1",
        )
        rows = run_rows(connection, results, "SELECT * FROM runs ORDER BY study, panel, started, run")
    paid = {run: totals for run, *totals in costs}
    return [
        RunProgress(row, dict(statuses.get(row.run, ())), *paid.get(row.run, (None, None, None)))
        for row in rows
    ]


def commonest_error(results: Path, run: str) -> tuple[str, int]:
    """What most failures of a run said, and how many did. Raises WarehouseError."""
    with connect(results, [run]) as connection:
        found = fetch(
            connection,
            results,
            "SELECT coalesce(error, 'no reason given'), count(*) FROM responses WHERE status = 'error' "
            "GROUP BY 1 ORDER BY 2 DESC, 1",
        )
    return found[0] if found else ("no reason given", 0)


def run_rows(
    connection: duckdb.DuckDBPyConnection, results: Path, sql: str, parameters: object = None
) -> list[RunRow]:
    """Rows of `runs`, or of a view with its columns, as records."""
    return [RunRow(*row) for row in fetch(connection, results, sql, parameters)]


def stored_runs(results: Path) -> list[RunRow]:
    """Every run's row, without DuckDB. Raises StorageError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(RunRow)
    rows: list[RunRow] = []
    for path in parts(results, "runs"):
        try:
            rows += msgspec.convert(pq.read_table(path, schema=schema).to_pylist(), list[RunRow])
        except (pa.ArrowException, OSError, msgspec.ValidationError) as error:
            raise unreadable(results) or StorageError(f"{path} cannot be read: {error}") from error
    return rows


def newest_runs(results: Path, study: str) -> dict[str, RunRow]:
    """The newest run of each panel of a study, by panel. Raises WarehouseError."""
    with connect(results) as connection:
        found = run_rows(
            connection, results, "SELECT * FROM newest_runs WHERE study = ? ORDER BY started, run", [study]
        )
    return {run.panel: run for run in found}


def registered_plans(results: Path) -> dict[str, Plan]:
    """The newest plan of each study, by study; studies whose plan was not kept are left out."""
    with connect(results) as connection:
        found = fetch(connection, results, "SELECT study, plan_id FROM studies ORDER BY study")
    plans = {study: _kept_plan(results, plan_id) for study, plan_id in found}
    return {study: plan for study, plan in plans.items() if plan is not None}


def _kept_plan(results: Path, plan_id: str) -> Plan | None:
    path = plan_folder(results, plan_id) / "plan.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Plan)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise StorageError(f"{path} cannot be read: {error}. Compile and run the study again.") from error
