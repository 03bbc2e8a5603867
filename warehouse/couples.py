"""Two sides of an association, unit by unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from schemas.plan import Association, Cells, Contrast, Plan
from warehouse.cells import CellTable, text, unit_column
from warehouse.errors import WarehouseError
from warehouse.findings import findings
from warehouse.groups import Analysis, Key, Subjects, group_columns, key_columns, keyed
from warehouse.samples import Count, joined

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.float64]

NO_NUMBER = "no number in the field"


def couples(
    table: CellTable, plan: Plan, subjects: Subjects, association: Association, fields: Sequence[str]
) -> dict[Key, tuple[Values, Values, Count]]:
    """For each group, the values of both sides (shape: units) of the units that have both, in one order, and
    all units. Raises WarehouseError."""
    import numpy as np

    if all(side.field is not None for side in association.sides):
        raise WarehouseError(
            f"{association.name} is of two fields of stimuli, and of no answers. Name a panel on one side."
        )
    pairs = _Couples(table, plan, subjects, association, fields).sql()
    keys = ", ".join(key_columns(fields))
    found = table.fetch(
        f"SELECT {keys}, list(a ORDER BY unit) FILTER (reason IS NULL), "
        "list(b ORDER BY unit) FILTER (reason IS NULL), count(*), "
        f"count(*) FILTER (reason IS NOT NULL AND answered), histogram(reason) FROM ({pairs}) GROUP BY {keys}"
    )
    groups: dict[Key, tuple[Values, Values, Count]] = {}
    for row in found:
        key, (a, b, expected, missing, reasons) = keyed(row, fields)
        count = Count(expected, missing, reasons or {})
        groups[key] = (np.array(a or [], dtype=float), np.array(b or [], dtype=float), count)
    return groups


class _Couples:
    """The SQL of both sides, matched."""

    def __init__(
        self,
        table: CellTable,
        plan: Plan,
        subjects: Subjects,
        association: Association,
        fields: Sequence[str],
    ) -> None:
        self._table = table
        self._subjects = subjects
        self._contrasts = {contrast.name: contrast for contrast in plan.contrasts}
        self._fields = fields
        self._unit = association.unit
        self._of: dict[int, set[str]] = {}
        sides = tuple(self._resolved(association, i) for i in range(2))
        self._association = msgspec.structs.replace(association, sides=sides)
        in_turn = [self._of[i] for i, side in enumerate(sides) if i in self._of and side.panel is None]
        self._panels = [
            panel for panel in table.row_panels(self._association) if all(panel in of for of in in_turn)
        ]

    def sql(self) -> str:
        sides = self._association.sides
        fields = [side.field for side in sides]
        if fields == [None, None]:
            a, b = (self._relation(i) for i in range(2))
            return joined(self._table, self._association, (a, b), self._fields)
        i = 0 if fields[1] is not None else 1
        a, b = ("score", "field") if i == 0 else ("field", "score")
        keys = ", ".join(key_columns(self._fields))
        return (
            f"SELECT {keys}, unit, {a} AS a, {b} AS b, answered, CASE WHEN score IS NULL THEN reason "
            f"WHEN field IS NULL THEN {text(NO_NUMBER)} END AS reason "
            f"FROM ({self._with_field(i, fields[1 - i] or '')})"
        )

    def _resolved(self, association: Association, i: int) -> Cells:
        """The side; a contrast's estimates are kept as a table, and if they are of one panel, it names that."""
        side = association.sides[i]
        if side.contrast is None:
            return side
        self._of[i] = self._keep_estimates(association, side.contrast, i)
        if side.panel is None and len(self._of[i]) == 1:
            return msgspec.structs.replace(side, panel=next(iter(self._of[i])))
        return side

    def _keep_estimates(self, association: Association, name: str, i: int) -> set[str]:
        """Keeps a contrast's estimates for each unit within each group; returns the panels they are of."""
        import pyarrow as pa

        contrast = self._contrasts.get(name)
        if contrast is None or self._unit == "response":
            raise WarehouseError(
                f"{association.name} is of the contrast {name}, "
                + ("which there is not." if contrast is None else "which has no estimate for each answer.")
                + " Name a contrast, and respondent, stimulus or factor as the unit."
            )
        cut = (*self._fields, self._unit)
        columns = group_columns(cut)
        rows = []
        for one in findings(self._table, self._subjects, _narrowed(contrast, association), cut):
            values = dict(zip(columns, one.key.group, strict=True))
            unit = (
                f"{values['emotion']}\x1f{values['factor']}" if self._unit == "factor" else values[self._unit]
            )
            group = [values[column] for column in group_columns(self._fields)]
            estimate = one.comparison.estimate
            reason = None if estimate is not None else "no estimate"
            rows.append((one.key.panel, one.key.scale, one.key.subscale, *group, unit, estimate, True, reason))
        names = [*key_columns(self._fields), "unit", "score", "answered", "reason"]
        table = pa.table({name: [row[k] for row in rows] for k, name in enumerate(names)})
        self._table.keep(f"estimates{i}", table)
        return {row[0] for row in rows}

    def _relation(self, i: int) -> str:
        side = self._association.sides[i]
        if side.contrast is None:
            return self._table.units(self._association, side, self._fields, self._panels, self._unit)
        rest = ", ".join([*key_columns(self._fields)[1:], "unit", "score", "answered", "reason"])
        panels = ", ".join(map(text, self._panels)) or "NULL"
        if side.panel is None:
            return f"SELECT panel, {rest} FROM estimates{i} WHERE panel IN ({panels})"
        return (
            f"SELECT r.panel AS panel, {rest} FROM estimates{i} AS e "
            f"CROSS JOIN (SELECT unnest([{panels}]) AS panel) AS r WHERE e.panel = {text(side.panel)}"
        )

    def _with_field(self, i: int, field: str) -> str:
        """The units of side `i` with the mean of a field over their stimuli, each of which counts once."""
        analysis, side = self._with_stimuli(i)
        number = f"TRY_CAST({self._table.column(field)} AS DOUBLE)"
        values = [f"{unit_column(self._unit)} AS unit", "c.stimulus AS stimulus", f"{number} AS field"]
        rows = self._table.rows(analysis, side, self._fields, self._panels, values)
        keys = ", ".join([*key_columns(self._fields), "unit"])
        return f"""
            SELECT e.*, f.field FROM ({self._relation(i)}) AS e
            LEFT JOIN (
                SELECT {keys}, avg(field) AS field
                FROM (SELECT DISTINCT {keys}, stimulus, field FROM ({rows}) WHERE stimulus IS NOT NULL)
                GROUP BY {keys}
            ) AS f USING ({keys})
        """

    def _with_stimuli(self, i: int) -> tuple[Analysis, Cells]:
        """The answers that a side is made of, those of a contrast at the level that has stimuli."""
        side = self._association.sides[i]
        if side.contrast is None:
            return self._association, side
        contrast = _narrowed(self._contrasts[side.contrast], self._association)
        shown = next(
            (one for one in contrast.sides if not self._table.is_baseline(contrast, one)), contrast.sides[0]
        )
        return contrast, msgspec.structs.replace(shown, panel=shown.panel or side.panel)


def _narrowed(contrast: Contrast, association: Association) -> Contrast:
    """The contrast, of the outcomes and stimuli and people that the association is of."""
    where = tuple(p for p in association.where if p.field not in ("panel", "kind"))
    return msgspec.structs.replace(
        contrast, where=(*contrast.where, *where), outcomes=association.outcomes or contrast.outcomes
    )
