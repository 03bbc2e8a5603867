"""How far a report agrees with what was published: a summary, and every cell that does not."""

from __future__ import annotations

from collections.abc import Iterator

from schemas.report import ExpectationCell, Expectations
from warehouse.report.structure import Block, Column, Section
from warehouse.report.titles import Titles
from warehouse.report.words import ARROWS, signed

NAMED = frozenset({"panel", "emotion", "factor", "factor_index", "scale", "subscale", "group_kind"})
"""Columns that a cell's label says in words of its own."""


def published_sections(expectations: Expectations, titles: Titles) -> Iterator[Section]:
    """Nothing where the study expects nothing."""
    if not expectations.cells:
        return
    total = expectations.within + expectations.outside
    summary = f"{expectations.within:,} of {total:,} published cells agree."
    yield Section(2, "Against published values", (summary, *_by_source(expectations)))
    outside: dict[tuple[str, str | None], list[ExpectationCell]] = {}
    for cell in expectations.cells:
        if not cell.agrees:
            outside.setdefault((cell.source, cell.erratum), []).append(cell)
    for (source, erratum), cells in outside.items():
        reason = "no erratum known" if erratum is None else erratum
        yield Section(3, f"{source}, outside: {reason}", (), _block(cells, titles))


def _by_source(expectations: Expectations) -> Iterator[str]:
    counts: dict[str, list[bool]] = {}
    for cell in expectations.cells:
        counts.setdefault(cell.source, []).append(cell.agrees)
    if len(counts) > 1:
        for source, agree in counts.items():
            yield f"{source}: {sum(agree):,} of {len(agree):,}."


def _block(cells: list[ExpectationCell], titles: Titles) -> Block:
    columns = tuple(Column("", name) for name in ("cell", "column", "print", "data"))
    rows = []
    for cell in cells:
        label = _label(cell, titles)
        for column in cell.published:
            printed, ours = cell.published[column], cell.observed[column]
            if column == "direction" and printed == ours:
                continue
            decimals = _decimals(printed)
            rows.append((label, column, _value(column, printed, decimals), _value(column, ours, decimals)))
            label = ""
    return Block(columns, tuple(rows))


def _label(cell: ExpectationCell, titles: Titles) -> str:
    row = cell.row
    emotion, index = row.get("emotion"), row.get("factor_index")
    parts = [str(row["panel"])] if row.get("panel") else []
    if isinstance(emotion, str):
        parts.append(titles.emotion(emotion))
        if isinstance(index, int):
            parts.append(titles.factor_at(emotion, index))
    elif row.get("factor"):
        parts.append(str(row["factor"]))
    if row.get("subscale"):
        scale = row.get("scale")
        parts.append(titles.subscale(str(row["subscale"]), scale if isinstance(scale, str) else None))
    parts += [f"{name} {value}" for name, value in row.items() if name not in NAMED and value is not None]
    return ", ".join(parts) or "every row"


def _decimals(printed: float | str) -> int:
    """How many decimals a published number has: at least one, as it is read."""
    return 0 if isinstance(printed, str) else len(f"{printed!r}".partition(".")[2])


def _value(column: str, value: float | str | None, decimals: int) -> str:
    """A cell's value; ours as exact as the print."""
    match value:
        case None:
            return "no such row"
        case "up" | "down" | "none":
            return ARROWS[value]
        case str():
            return value
        case _ if column == "estimate":
            return signed(value, max(1, decimals))
        case _:
            return f"{value:.0f}" if value == int(value) else f"{value:.{max(2, decimals)}f}"
