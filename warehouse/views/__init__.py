"""The views, one SQL file each, over tables that stand under their own names.

`contrasts` is no file here: its tests need distributions that SQL lacks. `warehouse.query` computes it for a
question that names it; the plain `duckdb` program sees the rows that were kept last (`contrasts/*.parquet`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

from schemas.rows import TABLES
from warehouse.formulas import Program, program

VIEWS = ("newest_responses", "newest_runs", "progress", "formula_scores", "scores")
"""In the order in which they can be created."""

NO_FORMULAS = """-- No score here is anything but a weighted sum.
SELECT ''::VARCHAR AS response, ''::VARCHAR AS subscale, 0::BIGINT AS n_missing, 0::DOUBLE AS score
WHERE false"""


def view_sql(view: str) -> str:
    """The view's SELECT, under a comment that says what it holds; that of formulas with marks in it."""
    return resources.files("warehouse.views").joinpath(f"{view}.sql").read_text(encoding="utf-8").strip()


def create_statements(formulas: Iterable[str]) -> list[str]:
    """What creates every view, once the tables stand; `formulas` are the JSON texts of those that `subscales`
    holds. Raises WarehouseError for one that cannot be read."""
    programs = [program(text) for text in sorted(set(formulas))]
    found = {view: view_sql(view) for view in VIEWS}
    found["formula_scores"] = _filled(found["formula_scores"], programs) if programs else NO_FORMULAS
    return [f"CREATE OR REPLACE VIEW {view} AS\n{sql}" for view, sql in found.items()]


def _filled(sql: str, programs: Sequence[Program]) -> str:
    items = sorted({item for one in programs for item in one.items})
    values = (f",\n           max(a.value) FILTER (a.item = {item}) AS v{item}" for item in items)
    for mark, lines in (
        ("values", values),
        ("complete", (_when(one.name, one.complete) for one in programs)),
        ("prorated", (_when(one.name, one.prorated) for one in programs)),
    ):
        sql = sql.replace(f"/* {mark} */", "".join(lines))
    return sql


def _when(name: str, sql: str) -> str:
    return f"\n               WHEN '{name}' THEN {sql}"


def standalone_script(formulas: Iterable[str]) -> str:
    """`warehouse.sql`: tables and views for the plain `duckdb` program, started in the results folder. Raises
    WarehouseError for a formula that cannot be read."""
    tables = [
        f"CREATE OR REPLACE VIEW {table} AS "
        f"SELECT * FROM read_parquet('{table}/*.parquet', union_by_name = true);"
        for table in (*TABLES, "contrasts")
    ]
    views = [f"{statement};" for statement in create_statements(formulas)]
    head = "-- Written by ebc. From this folder: duckdb -init warehouse.sql"
    return "\n\n".join([head, *tables, *views]) + "\n"
