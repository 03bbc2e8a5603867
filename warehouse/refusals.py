"""How many replies there are in each group of an analysis, and how many of them refuse to answer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from schemas.report import ReportRow
from warehouse.cells import CellTable
from warehouse.groups import Analysis, Key, group_columns, key_columns, keyed, label

Counted = dict[str, tuple[int, int]]
"""By side: replies, and how many of them are refusals."""


def replies(table: CellTable, analysis: Analysis, fields: Sequence[str]) -> dict[Key, Counted]:
    """The replies of each group, side by side: those of the newest attempts, without failures. A side that is
    not cut by the group, as a baseline is not by emotions, belongs to no group; nor has one replies that is a
    norm, a field or a contrast."""
    columns = group_columns(fields)
    found: dict[Key, Counted] = {}
    for side in analysis.sides:
        foreign = (side.norm, side.field, side.contrast) != (None, None, None)
        if foreign or table.own_columns(analysis, side, fields) != columns:
            continue
        values = ["c.answered AS answered", "c.refused AS refused"]
        source = table.rows(analysis, side, fields, table.row_panels(analysis), values)
        keys = ", ".join(key_columns(fields))
        sql = (
            f"SELECT {keys}, count(*), count(*) FILTER (refused) FROM ({source}) WHERE answered GROUP BY {keys}"
        )
        for row in table.fetch(sql):
            key, (total, refused) = keyed(row, fields)
            found.setdefault(key, {})[label(side)] = (total, refused)
    return found


def with_replies(row: ReportRow, sides: Counted) -> ReportRow:
    """A row with the replies of its group."""
    return msgspec.structs.replace(
        row,
        replies={name: total for name, (total, _) in sides.items()},
        refused={name: refused for name, (_, refused) in sides.items()},
    )
