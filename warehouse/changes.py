"""What an import changes of the one that it replaces."""

from __future__ import annotations

from pathlib import Path

import msgspec

from warehouse.catalog import connect, fetch

_SQL = """
WITH told AS (
  SELECT t.run, a.value,
    concat_ws(chr(31), t.respondent, coalesce(t.condition, ''), list_sort(map_entries(t.levels))::VARCHAR,
      coalesce(t.stimulus, ''), t.scale, t.item_order, t.repeat, a.item) AS place
  FROM answers a JOIN responses r ON r.response = a.response JOIN trials t ON t.trial = r.trial
),
before AS (SELECT place, value FROM told WHERE run = $before),
after AS (SELECT place, value FROM told WHERE run = $after)
SELECT
  count(*) FILTER (b.place IS NOT NULL AND a.place IS NOT NULL AND b.value IS DISTINCT FROM a.value),
  count(*) FILTER (b.place IS NULL),
  count(*) FILTER (a.place IS NULL)
FROM before b FULL JOIN after a ON a.place = b.place
"""


class Changes(msgspec.Struct, frozen=True):
    """Answers that another value stands for, that are new, and that are there no longer."""

    changed: int
    added: int
    gone: int


def changes(results: Path, before: str, after: str) -> Changes:
    """How the answers of two runs differ; an answer is known by respondent, condition, levels, stimulus, scale,
    item order, repeat and item. Raises StorageError."""
    connection = connect(results, {before, after})
    try:
        (numbers,) = fetch(connection, results, _SQL, {"before": before, "after": after})
    finally:
        connection.close()
    return Changes(*numbers)
