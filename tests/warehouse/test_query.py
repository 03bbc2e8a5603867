"""What `ebc sql` may do, and 60 statements that try to do more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from schemas.planfile import plan_bytes
from tests.warehouse.builder import Seen, contrast, plan, store
from warehouse.errors import LimitError, QueryError, StorageError, WarehouseError
from warehouse.layout import part, plan_folder
from warehouse.query import Limits, check, query
from warehouse.register import register_plan
from warehouse.statistics import f_p, t_p

SHORT = Limits(seconds=1.0)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    study = plan(contrast())
    register_plan(folder, study)
    seen = [Seen("default", [1.0, 5.0]), Seen("default", [2.0, 5.0])]
    seen += [Seen("evoked", [value, 1.0], ("joy", 0, 0)) for value in (4.0, 5.0)]
    store(folder, study.study, "m", seen, covariates={"m": {"gender": "x"}})
    return folder


def rows(results: Path, sql: str) -> list[tuple[object, ...]]:
    table = query(results, sql, SHORT).table()
    return [tuple(row.values()) for row in table.to_pylist()]


def tree(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in folder.rglob("*"):
        state = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (state.st_size, state.st_mtime_ns, content)
    return found


HARMLESS = {
    "SELECT 1": [(1,)],
    "FROM range(2)": [(0,), (1,)],
    "VALUES (1), (2)": [(1,), (2,)],
    "SELECT 1 UNION ALL SELECT 2 ORDER BY 1": [(1,), (2,)],
    "WITH z AS (SELECT count(*) AS n FROM trials) SELECT n FROM z": [(4,)],
    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT max(i) FROM r": [(3,)],
    "SELECT subscale, score FROM scores WHERE condition = 'default' AND score = 2 ORDER BY ALL": [
        ("first", 2.0),
        ("total", 2.0),
    ],
    "SELECT covariates['gender'] FROM respondents": [("x",)],
    "SELECT panel FROM newest_runs": [("m",)],
    "SELECT status, responses FROM progress": [("complete", 4)],
    "SELECT 'COPY x TO y' AS a, 'INSERT_NODE' AS b": [("COPY x TO y", "INSERT_NODE")],
    "SELECT name FROM (SHOW TABLES) WHERE name = 'scores'": [("scores",)],
    "SELECT count(*) FROM (SUMMARIZE answers) WHERE column_name = 'value'": [(1,)],
    "SELECT t_p(NULL, 3), f_p(1, 2, NULL)": [(None, None)],
    "SELECT t_p(1.0, 0), t_p(1, -1), t_p(0.0 / 0, 3), f_p(2, 0, 1)": [(None, None, None, None)],
    "SELECT t_p(t, 3) IS NULL FROM (VALUES (NULL), (0.0 / 0), (0)) v(t)": [(True,), (True,), (False,)],
    "SELECT contrast FROM contrasts": [],
    "SELECT 1;": [(1,)],
}


@pytest.mark.parametrize("sql", HARMLESS)
def test_questions_are_answered(results: Path, sql: str) -> None:
    assert rows(results, sql) == HARMLESS[sql]


def test_statistics_are_functions(results: Path) -> None:
    ((t, f),) = rows(results, "SELECT t_p(-2.5, 7), f_p(3.0, 4, 9)")
    assert (t, f) == (pytest.approx(t_p(2.5, 7)), pytest.approx(f_p(3.0, 4, 9)))


@pytest.mark.parametrize(
    "source",
    [
        "Contrasts",
        '"contrasts"',
        "main.contrasts",
        "query_table('con' || 'trasts')",
        "query('FROM con' || 'trasts')",
    ],
)
def test_contrasts_are_computed_from_the_kept_plan(results: Path, source: str) -> None:
    study = plan(contrast())
    folder = plan_folder(results, "plan")
    folder.mkdir(parents=True)
    (folder / "plan.json").write_bytes(plan_bytes(study))
    found = rows(
        results, f"SELECT study, contrast, panel, subscale, estimate, a_n FROM {source} ORDER BY subscale"
    )
    assert found == [("small", "shift", "m", "first", 3.0, 2), ("small", "shift", "m", "total", 7.0, 2)]


def test_contrasts_are_not_computed_for_a_word(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def computed(_results: Path) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr("warehouse.query.contrasts_table", computed)
    assert rows(results, "SELECT 'contrasts' AS contrasts -- contrasts") == [("contrasts",)]
    with pytest.raises(AssertionError, match="computed"):
        rows(results, "FROM (SUMMARIZE contrasts)")


def test_check_names_the_tables() -> None:
    assert check('SELECT abs(1) FROM Scores, main."trials" t') == {"scores", "trials", "abs"}


HOSTILE = [
    "COPY scores TO '{out}'",
    "COPY (SELECT 1) TO '{out}' (FORMAT parquet)",
    "COPY answers FROM '{secret}'",
    "WITH z AS (COPY (SELECT 1) TO '{out}') SELECT * FROM z",
    "WITH z AS MATERIALIZED (COPY (SELECT 1) TO '{out}' (FORMAT csv)) SELECT * FROM z",
    "SELECT * FROM (WITH z AS (COPY (SELECT 1) TO '{out}') SELECT * FROM z)",
    "SELECT (WITH z AS (COPY (SELECT 1) TO '{out}') SELECT count(*) FROM z)",
    "SELECT 1 WHERE EXISTS (WITH z AS (COPY (SELECT 1) TO '{out}') SELECT * FROM z)",
    "WITH z AS (INSERT INTO studies VALUES ('a', 'b', 'c') RETURNING *) SELECT * FROM z",
    "WITH z AS (DELETE FROM studies RETURNING *) SELECT * FROM z",
    "WITH z AS (UPDATE studies SET title = 'x' RETURNING *) SELECT * FROM z",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}'",
    "EXPLAIN COPY (SELECT 1) TO '{out}'",
    "EXPLAIN ANALYZE SELECT * FROM read_text('{secret}')",
    "ATTACH '{out}' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH '{part}' AS other",
    "DETACH memory",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '{folder}'",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv_auto('{secret}')",
    "SELECT * FROM read_json('{secret}')",
    "SELECT * FROM read_parquet('{part}')",
    "SELECT * FROM parquet_scan('{part}')",
    "SELECT * FROM parquet_metadata('{part}')",
    "SELECT * FROM parquet_schema('{part}')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM glob('{folder}/**')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM '{part}'",
    "FROM '/etc/passwd'",
    "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
    "SELECT * FROM read_csv('https://127.0.0.1:9/x.csv')",
    "SELECT * FROM read_text('file://{secret}')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_csv('/dev/stdin')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''{out}''')",
    "SELECT * FROM query_table(['{part}'])",
    "SELECT * FROM sqlite_scan('{secret}', 't')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{secret}'",
    "FORCE INSTALL json FROM '{folder}'",
    "PRAGMA database_list",
    "PRAGMA import_database('{folder}')",
    "PRAGMA enable_profiling",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET temp_directory = '{folder}'",
    "SET VARIABLE x = 1",
    "RESET ALL",
    "CALL enable_logging(storage_path = '{out}')",
    "CREATE TABLE t AS SELECT 1",
    "CREATE OR REPLACE VIEW scores AS SELECT 1",
    "CREATE SECRET s (TYPE http, BEARER_TOKEN 'x')",
    "CREATE MACRO f() AS TABLE SELECT * FROM read_text('{secret}')",
    "DROP VIEW scores",
    "INSERT INTO studies VALUES ('a', 'b', 'c')",
    "DELETE FROM studies",
    "USE memory",
    "VACUUM",
    "CHECKPOINT",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "SELECT 1; COPY (SELECT 1) TO '{out}'",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
    "selec 1",
    "SELECT nothing FROM scores",
    "SELECT * FROM nowhere",
    "SELECT no_such_function(1)",
    "SELECT 'a\x00b' FROM nowhere",
    "SELECT '\ud800'",
    "(" * 3000,
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_nothing_outside_is_read_or_written(results: Path, tmp_path: Path, sql: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("word\nswordfish\n", encoding="utf-8")
    places = {
        "{out}": tmp_path / "out.file",
        "{secret}": secret,
        "{part}": part(results, "answers", "run-m.0"),
        "{folder}": results,
    }
    for hole, path in places.items():
        sql = sql.replace(hole, path.as_posix())
    before = tree(tmp_path)
    with pytest.raises(WarehouseError) as caught:
        query(results, sql, SHORT).table()
    message = str(caught.value)
    assert isinstance(caught.value, QueryError)
    assert "swordfish" not in message
    assert "Traceback" not in message
    assert tree(tmp_path) == before


def test_the_engine_alone_holds_too(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check of the statement, the closed connection still reads and writes no file."""
    monkeypatch.setattr("warehouse.query.check", lambda _sql: frozenset())
    out = tmp_path / "out.file"
    before = tree(tmp_path)
    for sql in (
        f"COPY (SELECT 1) TO '{out.as_posix()}'",
        f"WITH z AS (COPY (SELECT 1) TO '{out.as_posix()}') SELECT * FROM z",
        f"ATTACH '{out.as_posix()}' AS other",
        f"EXPORT DATABASE '{out.as_posix()}'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
    ):
        with pytest.raises(WarehouseError):
            query(results, sql, SHORT).table()
    assert tree(tmp_path) == before


def test_duckdb_s_position_is_kept() -> None:
    with pytest.raises(QueryError) as caught:
        check("SELECT a FRM b")
    assert "LINE 1: SELECT a FRM b\n" in str(caught.value)
    assert "^" in str(caught.value)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(10000000) a, range(10000000) b",
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r",
        "SELECT range FROM range(100000000000)",
    ],
)
def test_time_is_limited(results: Path, sql: str) -> None:
    with pytest.raises(LimitError, match=r"took longer than 0\.3 s"):
        deque(query(results, sql, Limits(seconds=0.3)).batches, maxlen=0)


def test_memory_is_limited(results: Path) -> None:
    with pytest.raises(LimitError, match="needs more than the 100 MB"):
        query(results, "SELECT list(range) FROM range(1000000000)", Limits(memory_mb=100)).table()


def test_a_broken_part_is_named(results: Path) -> None:
    part(results, "answers", "run-m.1").write_bytes(b"no Parquet")
    with pytest.raises(StorageError, match="cannot be read"):
        query(results, "SELECT sum(value) FROM answers").table()


def test_rows_come_in_batches(results: Path) -> None:
    result = query(results, "SELECT range AS i FROM range(25000)")
    assert result.columns == ["i"]
    assert sum(batch.num_rows for batch in result.batches) == 25_000


STUBBORN = """
import sys
from pathlib import Path
from warehouse.query import Limits, guard, query
limits = Limits(seconds=0.3, hard_seconds=1.0)
with guard(limits):
    query(Path(sys.argv[1]), sys.argv[2], limits).table()
"""


@pytest.mark.skipif(os.name == "nt", reason="measures a process the POSIX way")
@pytest.mark.parametrize("sql", ["SELECT repeat('x', 2000000000)", "SELECT len(range(1000000000))"])
def test_what_ignores_interrupts_ends_with_its_process(results: Path, tmp_path: Path, sql: str) -> None:
    before = tree(tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", STUBBORN, str(results), sql],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert ended.returncode == 124 or (ended.returncode == 1 and "LimitError" in ended.stderr)
    if ended.returncode == 124:
        assert ended.stderr == "ebc: stopped: this query did not end within 1 s.\n"
    assert tree(tmp_path) == before
