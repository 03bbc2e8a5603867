"""The views, one SQL file each, over tables that stand under their own names.

`contrasts` is no file here: its tests need distributions that SQL lacks. `warehouse.query` computes it for a
question that names it; the plain `duckdb` program sees the rows that were kept last (`contrasts/*.parquet`).
"""

from __future__ import annotations

from importlib import resources

from schemas.rows import TABLES

VIEWS = ("newest_responses", "newest_runs", "progress", "scores")
"""In the order in which they can be created."""


def view_sql(view: str) -> str:
    """The view's SELECT, under a comment that says what it holds."""
    return resources.files("warehouse.views").joinpath(f"{view}.sql").read_text(encoding="utf-8").strip()


def create_statements() -> list[str]:
    """What creates every view, once the tables stand."""
    return [f"CREATE OR REPLACE VIEW {view} AS\n{view_sql(view)}" for view in VIEWS]


def standalone_script() -> str:
    """`warehouse.sql`: tables and views for the plain `duckdb` program, started in the results folder."""
    tables = [
        f"CREATE OR REPLACE VIEW {table} AS "
        f"SELECT * FROM read_parquet('{table}/*.parquet', union_by_name = true);"
        for table in (*TABLES, "contrasts")
    ]
    views = [f"{statement};" for statement in create_statements()]
    head = "-- Written by ebc. From this folder: duckdb -init warehouse.sql"
    return "\n\n".join([head, *tables, *views]) + "\n"
