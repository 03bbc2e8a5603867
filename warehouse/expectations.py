"""Published values beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import msgspec

from schemas.plan import Expectation, Expected, ExpectedCell, Plan
from schemas.report import ExpectationCell, Expectations, ReportRow

SLACK = 1e-9
"""What rounding in binary may add to a tolerance."""


def expectations(plan: Plan, rows: Sequence[ReportRow]) -> Expectations:
    """Every published cell of the plan, in its order, with what the rows say and whether they agree."""
    found: list[ExpectationCell] = []
    for expectation in plan.expectations:
        candidates = _Candidates(
            row for row in rows if row.contrast == expectation.contrast and not row.post_hoc
        )
        found += [_cell(expectation, cell, candidates) for cell in expectation.cells]
    within = sum(cell.agrees for cell in found)
    return Expectations(within, len(found) - within, tuple(found))


class _Candidates:
    """Rows as dictionaries of their columns and groups, found by what most published cells name."""

    def __init__(self, rows: Iterable[ReportRow]) -> None:
        self._rows: dict[tuple[object, object], list[dict[str, Any]]] = {}
        for row in rows:
            columns = {**row.groups, **msgspec.structs.asdict(row)}
            for key in product((row.panel, None), (row.subscale, None)):
                self._rows.setdefault(key, []).append(columns)

    def like(self, wanted: dict[str, str | int | None]) -> list[dict[str, Any]]:
        """The rows with the panel and subscale that are wanted, if any are."""
        return self._rows.get((wanted.get("panel"), wanted.get("subscale")), [])


def _cell(expectation: Expectation, cell: ExpectedCell, candidates: _Candidates) -> ExpectationCell:
    row = _the_row(cell.row, candidates.like(cell.row))
    published: dict[str, float | str] = {expected.column: expected.value for expected in cell.numbers}
    observed = {expected.column: None if row is None else row[expected.column] for expected in cell.numbers}
    agrees = row is not None and all(_agrees(expected, observed[expected.column]) for expected in cell.numbers)
    if cell.direction is not None:
        published["direction"] = cell.direction
        observed["direction"] = None if row is None else row["direction"]
        agrees = agrees and observed["direction"] == cell.direction
    return ExpectationCell(
        contrast=expectation.contrast,
        source=expectation.source,
        row=cell.row,
        published=published,
        observed=observed,
        agrees=agrees,
        erratum=cell.erratum,
    )


def _the_row(
    wanted: dict[str, str | int | None], candidates: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """The row that fits; of several, the one cut by the fewest fields (what is published of an emotion is its
    own row, not one of its factors'). None where none fits or two fit equally."""
    fits = [row for row in candidates if all(row.get(column) == value for column, value in wanted.items())]
    fits.sort(key=_cuts)
    if len(fits) > 1 and _cuts(fits[0]) == _cuts(fits[1]):
        return None
    return fits[0] if fits else None


def _cuts(row: dict[str, Any]) -> int:
    return sum(row[column] is not None for column in ("emotion", "factor")) + len(row["groups"])


def _agrees(expected: Expected, observed: float | None) -> bool:
    """The value is rounded as the print is, then differs by no more than the tolerance."""
    if observed is None:
        return False
    rounded = observed if expected.decimals is None else round(observed, expected.decimals)
    return abs(rounded - expected.value) <= expected.within + SLACK
