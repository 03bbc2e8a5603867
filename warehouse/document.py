"""`docs/warehouse.md`: its tables are written from the schemas, the prose around them by hand.

`python -m warehouse.document docs/warehouse.md` writes them anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.rows import TABLES
from warehouse.grid import markdown_table
from warehouse.meanings import MEANINGS, meaning
from warehouse.parquet import schemas
from warehouse.views import VIEWS, view_sql

if TYPE_CHECKING:
    import pyarrow as pa

ONE_ROW = {
    "studies": "a study, as its newest plan has it",
    "runs": "one panel's run of a study, live or imported",
    "scales": "a scale of a study",
    "items": "an item of a scale",
    "subscales": "a subscale of a scale, with its scoring key",
    "stimuli": "what a condition is asked about: a situation, or one of a set of stimuli",
    "respondents": "who answered: a person, or a model as it was set up",
    "trials": "a planned or recorded trial: one question of one conversation",
    "responses": "one attempt at a trial",
    "answers": "one value in a response",
    "contrasts": "a declared comparison or association in one group: a report's row, with its study",
}
BEGIN, END = "<!-- written from the schemas -->", "<!-- end -->"


def reference() -> str:
    """Every table with its columns, then every view with its SQL, as Markdown."""
    return "\n".join([*_tables(), *_views()])


def _tables() -> Iterator[str]:
    for table, schema in schemas().items():
        yield from ("", f"### {table}", "", f"One row is {ONE_ROW[table]}.", "")
        rows = [(f"`{field.name}`", _type(field), meaning(table, field.name)) for field in schema]
        yield from markdown_table(("column", "type", "meaning"), rows)


def _type(field: pa.Field[pa.DataType]) -> str:
    names = {"string": "text", "double": "double", "int64": "integer", "bool": "boolean"}
    text = str(field.type)
    if text.startswith("timestamp"):
        text = "timestamp"
    elif text.startswith("map"):
        text = "map of " + ("integers" if "int64" in text else "text")
    elif text.startswith("list"):
        text = f"list of {names[text.split(': ')[1].rstrip('>').split(' ')[0]]}"
    return names.get(text, text) + (", or null" if field.nullable else "")


def _views() -> Iterator[str]:
    for view in VIEWS:
        yield from ("", f"### {view} (view)", "", "```sql", view_sql(view), "```")


def rewritten(text: str) -> str:
    """The document with its written part anew. Raises ValueError where the marks are missing."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{reference()}\n\n{END}{after}"


def undescribed() -> list[str]:
    """Columns without a meaning, and meanings without a column."""
    columns = {(table, field.name) for table, schema in schemas().items() for field in schema}
    described = {(table, column) for table, its in MEANINGS.items() for column in its}
    lacking = [f"{table}.{column}" for table, column in columns if not _described(table, column)]
    surplus = [f"{table}.{column}" for table, column in described - columns]
    return sorted([*lacking, *surplus, *(set(TABLES) - set(ONE_ROW))])


def _described(table: str, column: str) -> bool:
    try:
        return bool(meaning(table, column))
    except KeyError:
        return False


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
