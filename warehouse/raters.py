"""What several respondents said of the same units, and what a scale's items say of the same respondents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemas.plan import Association
from warehouse.cells import CellTable, unit_column
from warehouse.groups import Key, key_columns, keyed
from warehouse.samples import Count
from warehouse.statistics import Sample, sample_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]


def ratings(
    table: CellTable, association: Association, fields: Sequence[str]
) -> dict[Key, tuple[Matrix, Sample, Count]]:
    """Each group's values of the one side (shape: respondents, units; NaN where there is none; repeats
    averaged), all values as a sample, and the units, left out where fewer than two respondents have a value."""
    import numpy as np

    keys = ", ".join(key_columns(fields))
    said = _said(table, association, fields)
    groups: dict[Key, tuple[Matrix, Sample, Count]] = {}
    counts = _shared_units(table, said, fields)
    for row in table.fetch(f"""
        SELECT {keys}, count(*) FILTER (score IS NULL AND answered), list(r) FILTER (score IS NOT NULL),
               list(u) FILTER (score IS NOT NULL), list(score) FILTER (score IS NOT NULL)
        FROM (
            SELECT *, dense_rank() OVER (PARTITION BY {keys} ORDER BY unit) - 1 AS u,
                   dense_rank() OVER (PARTITION BY {keys}, score IS NULL ORDER BY rater) - 1 AS r
            FROM ({said})
        ) GROUP BY {keys}"""):
        key, (missing, raters, units, scores) = keyed(row, fields)
        expected, reasons = counts[key]
        values = np.array(scores or [], dtype=float)
        matrix = np.full((max(raters or [-1]) + 1, expected), np.nan)
        matrix[np.array(raters or [], dtype=int), np.array(units or [], dtype=int)] = values
        groups[key] = (matrix, sample_of(values), Count(expected, missing, reasons))
    return groups


def _said(table: CellTable, association: Association, fields: Sequence[str]) -> str:
    """SQL of what each respondent said of each unit."""
    (side,) = association.sides
    unit = unit_column(association.unit)
    values = [f"{unit} AS unit", "c.respondent AS rater", "c.score AS score", "c.answered", "c.reason"]
    rows = table.rows(association, side, fields, table.row_panels(association), values)
    keys = ", ".join(key_columns(fields))
    return (
        f"SELECT {keys}, unit, rater, avg(score) AS score, min(reason) AS reason, "
        f"bool_or(answered) AS answered FROM ({rows}) WHERE unit IS NOT NULL GROUP BY {keys}, unit, rater"
    )


def _shared_units(table: CellTable, said: str, fields: Sequence[str]) -> dict[Key, tuple[int, dict[str, int]]]:
    """How many units each group has, and why some of them have no two respondents."""
    keys = ", ".join(key_columns(fields))
    rows = table.fetch(f"""
        SELECT {keys}, count(*), histogram(reason) FROM (
            SELECT {keys}, unit,
                   CASE count(score) WHEN 0 THEN min(reason) WHEN 1 THEN 'a single respondent' END AS reason
            FROM ({said}) GROUP BY {keys}, unit
        ) GROUP BY {keys}""")
    return {key: (n, reasons or {}) for key, (n, reasons) in (keyed(row, fields) for row in rows)}


def item_sets(
    table: CellTable, association: Association, fields: Sequence[str]
) -> dict[Key, tuple[int, float | None, Sample, Count]]:
    """For each group, of the units that answered all items of a subscale: how many items there are (as they
    enter the score: reverse-keyed, weighted; none where it is no weighted sum), the sum of their variances, and
    the scores."""
    keys = ", ".join(key_columns(fields))
    table.fetch(f"CREATE OR REPLACE TEMP TABLE item_values AS {_items(table, association, fields)}")
    variances = {
        key: variance
        for key, (variance,) in (
            keyed(row, fields)
            for row in table.fetch(f"""
                SELECT {keys}, sum(variance) FROM (
                    SELECT {keys}, item, var_samp(value) AS variance FROM item_values WHERE complete
                    GROUP BY {keys}, item
                ) GROUP BY {keys}""")
        )
    }
    groups: dict[Key, tuple[int, float | None, Sample, Count]] = {}
    for row in table.fetch(f"""
        SELECT {keys}, max(items), count(*) FILTER (complete), avg(total) FILTER (complete),
               stddev_samp(total) FILTER (complete), count(*),
               count(*) FILTER (answered AND items > 0 AND NOT complete),
               histogram(CASE WHEN items = 0 THEN 'no sum of items'
                              WHEN NOT complete THEN coalesce(reason, 'missing answers') END)
        FROM (
            SELECT {keys}, unit, count(item) AS items, bool_and(complete) AS complete,
                   sum(value) + any_value(constant) AS total, min(reason) AS reason,
                   bool_or(answered) AS answered
            FROM item_values GROUP BY {keys}, unit
        ) GROUP BY {keys}"""):
        key, (n_items, n, mean, sd, expected, missing, reasons) = keyed(row, fields)
        groups[key] = (
            n_items,
            variances.get(key),
            Sample(n, mean, sd),
            Count(expected, missing, reasons or {}),
        )
    return groups


def _items(table: CellTable, association: Association, fields: Sequence[str]) -> str:
    """SQL of what each item adds to each unit's score, and whether the unit is complete."""
    (side,) = association.sides
    values = [f"{unit_column(association.unit)} AS unit", "c.response AS response", "c.answered", "c.reason"]
    rows = table.rows(association, side, fields, table.row_panels(association), values)
    keys = key_columns(fields)
    return f"""
        WITH terms AS (
            SELECT scale, subscale, constant, unnest("items") AS item, unnest(weights) AS weight,
                   unnest(offsets) AS shift
            FROM subscales WHERE formula IS NULL
        ),
        added AS (
            SELECT {", ".join(f"r.{name}" for name in keys)}, r.unit, t.item,
                   avg(t.weight * a.value + t.shift) AS value, any_value(t.constant) AS constant,
                   min(r.reason) AS reason, bool_or(r.answered) AS answered
            FROM ({rows}) AS r
            LEFT JOIN terms AS t ON t.scale = r.scale AND t.subscale = r.subscale
            LEFT JOIN answers AS a ON a.response = r.response AND a.item = t.item
            WHERE r.unit IS NOT NULL
            GROUP BY ALL
        )
        SELECT *, count(item) OVER unit > 0 AND count(value) OVER unit = count(*) OVER unit AS complete
        FROM added WINDOW unit AS (PARTITION BY {", ".join(keys)}, unit)
    """
