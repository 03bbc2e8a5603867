"""Sides and pairs as samples: SQL does the counting."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from schemas.plan import Cells, Contrast
from warehouse.cells import CellTable, Matched, unit_column
from warehouse.groups import Analysis, Key, group_columns, key_columns, keyed
from warehouse.statistics import NOBODY, Counts, Crossed, Nested, Pairs, Sample


class Count(msgspec.Struct, frozen=True):
    """Units that should be there; `missing`: answered without this score. `left_out`: those without a score,
    by reason."""

    expected: int = 0
    missing: int = 0
    left_out: dict[str, int] = {}

    def plus(self, other: Count) -> Count:
        reasons = dict.fromkeys((*self.left_out, *other.left_out))
        return Count(
            self.expected + other.expected,
            self.missing + other.missing,
            {reason: self.left_out.get(reason, 0) + other.left_out.get(reason, 0) for reason in reasons},
        )


class Side(msgspec.Struct, frozen=True):
    """`respondents`: how many answered, where some count more than once with the same stimulus, or in several
    conditions or levels. `partial`: units without scores in some of the conditions and levels in which others
    have them."""

    sample: Sample = NOBODY
    count: Count = Count()
    respondents: int | None = None
    partial: int = 0


class Paired(msgspec.Struct, frozen=True):
    pairs: Pairs
    count: Count


def sides(
    table: CellTable,
    analysis: Analysis,
    side: Cells,
    fields: Sequence[str],
    panels: Sequence[str],
    unit: Matched,
) -> dict[Key, Side]:
    """Each group's sample of one side, a unit an observation."""
    source = _observations(table, analysis, side, fields, panels, unit)
    answers = "count(DISTINCT {}) FILTER (score IS NOT NULL)"
    people = [answers.format(f"row(respondent{beside})") for beside in ("", ", stimulus", ", cell")]
    cells = ["len(list_distinct(flatten(list(cells))))", "histogram(len(cells))"]
    more = [*people, "0", "NULL"] if _is_single(table, analysis, side, unit) else ["0", "0", "0", *cells]
    found = table.fetch(
        f"SELECT {', '.join(key_columns(fields))}, count(score), avg(score), stddev_samp(score), count(*), "
        f"sum(missing)::BIGINT, histogram(reason), {', '.join(more)} FROM ({source}) "
        f"GROUP BY {_numbers(fields)}"
    )
    samples: dict[Key, Side] = {}
    for row in found:
        key, (n, mean, sd, expected, missing, reasons, *told) = keyed(row, fields)
        respondents, of_stimuli, of_cells, most, sizes = told
        again = of_stimuli < n or of_cells > respondents
        samples[key] = Side(
            Sample(n, mean, sd),
            Count(expected, missing, reasons or {}),
            respondents if unit == "response" and again else None,
            sum(units for size, units in (sizes or {}).items() if size < most),
        )
    return samples


def counts(
    table: CellTable,
    analysis: Analysis,
    side: Cells,
    fields: Sequence[str],
    panels: Sequence[str],
    unit: Matched,
) -> dict[Key, Counts]:
    """How often each value was found in each group of one side."""
    source = _observations(table, analysis, side, fields, panels, unit)
    found: dict[Key, dict[float, int]] = {}
    for row in table.fetch(
        f"SELECT {', '.join(key_columns(fields))}, score, count(*) FROM ({source}) WHERE score IS NOT NULL "
        "GROUP BY ALL ORDER BY ALL"
    ):
        key, (score, count) = keyed(row, fields)
        found.setdefault(key, {})[score] = count
    return dict(found)


def _observations(
    table: CellTable,
    analysis: Analysis,
    side: Cells,
    fields: Sequence[str],
    panels: Sequence[str],
    unit: Matched,
) -> str:
    """SQL of a side's units. A baseline has no stimuli, so each of its answers is one where they are units."""
    if _is_single(table, analysis, side, unit):
        missing = "CAST(c.answered AND c.score IS NULL AS INTEGER) AS missing"
        values = ["c.score", missing, "c.reason", "c.respondent", "c.stimulus", "c.cell"]
        return table.rows(analysis, side, fields, panels, values)
    return table.units(analysis, side, fields, panels, unit)


def _is_single(table: CellTable, analysis: Analysis, side: Cells, unit: Matched) -> bool:
    """Whether each answer of a side is an observation."""
    return unit == "response" or (unit in ("stimulus", "factor") and table.is_baseline(analysis, side))


def joined(
    table: CellTable,
    analysis: Analysis,
    relations: tuple[str, str],
    fields: Sequence[str],
) -> str:
    """SQL of units that the relations of both sides (as `CellTable.units` gives them) were matched on: their
    key, unit, a and b, `answered`, and `reason`, why one of these is null. A group is that of the side with
    stimuli, where the other is a baseline; then who was never in a situation belongs to no group of
    situations, and a lone baseline is missing elsewhere."""
    columns = group_columns(fields)
    baseline = [table.is_baseline(analysis, side) for side in analysis.sides]
    uneven = baseline[0] != baseline[1]
    named = {*columns, *(predicate.field for predicate in analysis.where)}
    left = uneven and any(table.of_stimuli(name) for name in named)
    own = [table.own_columns(analysis, side, fields) for side in analysis.sides]
    shared = [f"g{i}" for i, name in enumerate(columns) if all(name in names for names in own)]
    first, second = ("y", "x") if baseline[0] and uneven else ("x", "y")
    x, y = relations if first == "x" else reversed(relations)
    same = [f"x.{name} = y.{name}" for name in ("panel", "scale", "subscale", "unit", *shared)]
    keys = [
        f"x.{name} AS {name}" if left else f"coalesce(x.{name}, y.{name}) AS {name}"
        for name in (*key_columns(fields), "unit")
    ]
    return f"""
        WITH x AS ({x}), y AS ({y})
        SELECT {", ".join(keys)}, {first}.score AS a, {second}.score AS b,
               coalesce(x.answered, false) OR coalesce(y.answered, false) AS answered,
               CASE WHEN x.score IS NOT NULL AND y.score IS NOT NULL THEN NULL
                    WHEN x.unit IS NULL OR y.unit IS NULL THEN 'unpaired'
                    ELSE coalesce(x.reason, y.reason) END AS reason
        FROM x {"LEFT" if left else "FULL"} JOIN y ON {" AND ".join(same)}
    """


def pairs(
    table: CellTable, analysis: Analysis, fields: Sequence[str], panels: Sequence[str], unit: Matched
) -> dict[Key, Paired]:
    """Each group's pairs: the units with scores on both sides, averaged within a unit. `missing` counts units
    that were answered and lack a side."""
    a, b = (table.units(analysis, side, fields, panels, unit) for side in analysis.sides)
    summaries = ", ".join(
        f"{function}({value}) FILTER (reason IS NULL)"
        for value in ("a", "b", "a - b")
        for function in ("count", "avg", "stddev_samp")
    )
    found = table.fetch(
        f"SELECT {', '.join(key_columns(fields))}, {summaries}, count(*), "
        "count(*) FILTER (reason IS NOT NULL AND answered), histogram(reason) "
        f"FROM ({joined(table, analysis, (a, b), fields)}) GROUP BY {_numbers(fields)}"
    )
    paired: dict[Key, Paired] = {}
    for row in found:
        key, (*numbers, expected, missing, reasons) = keyed(row, fields)
        of_a, of_b, differences = (Sample(*numbers[i : i + 3]) for i in (0, 3, 6))
        paired[key] = Paired(Pairs(of_a, of_b, differences), Count(expected, missing, reasons or {}))
    return paired


def crossed(
    table: CellTable, analysis: Analysis, fields: Sequence[str], panels: Sequence[str], unit: Matched
) -> dict[Key, Crossed]:
    """How often each two values were found in one pair of each group, pairs as in `pairs`."""
    a, b = (table.units(analysis, side, fields, panels, unit) for side in analysis.sides)
    found: dict[Key, dict[tuple[float, float], int]] = {}
    for row in table.fetch(
        f"SELECT {', '.join(key_columns(fields))}, a, b, count(*) "
        f"FROM ({joined(table, analysis, (a, b), fields)}) WHERE reason IS NULL GROUP BY ALL ORDER BY ALL"
    ):
        key, (of_a, of_b, count) = keyed(row, fields)
        found.setdefault(key, {})[of_a, of_b] = count
    return dict(found)


def nested(
    table: CellTable, contrast: Contrast, side: Cells, fields: Sequence[str], panels: Sequence[str]
) -> dict[Key, Nested]:
    """How often each value was found in each cluster of each group of one side; answers are the units. An
    answer that no cluster has, such as a baseline where stimuli are the clusters, is a cluster of its own."""
    clusters = [f"coalesce({unit_column(unit)}, c.trial) AS k{i}" for i, unit in enumerate(contrast.cluster)]
    names = [f"k{i}" for i in range(len(clusters))]
    source = table.rows(contrast, side, fields, panels, ["c.score AS score", *clusters])
    found: dict[Key, dict[tuple[tuple[str, ...], float], int]] = {}
    for row in table.fetch(
        f"SELECT {', '.join([*key_columns(fields), *names])}, score, count(*) FROM ({source}) "
        "WHERE score IS NOT NULL GROUP BY ALL ORDER BY ALL"
    ):
        key, (*of, score, count) = keyed(row, fields)
        found.setdefault(key, {})[tuple(of), score] = count
    return {key: Nested(values) for key, values in found.items()}


def stimuli_answered(
    table: CellTable, analysis: Analysis, fields: Sequence[str], panels: Sequence[str]
) -> dict[Key, int]:
    """How many stimuli have a score in each group whose trials have stimuli. Where some side is of each panel
    in turn, those of sides that name another are not counted."""
    answers = [side for side in analysis.sides if (side.norm, side.field, side.contrast) == (None, None, None)]
    in_turn = [side for side in answers if side.panel is None] or answers
    shown = [side for side in in_turn if not table.is_baseline(analysis, side)]
    if not shown:
        return {}
    rows = " UNION ALL ".join(
        table.rows(analysis, side, fields, panels, ["c.stimulus AS stimulus", "c.score AS score"])
        for side in shown
    )
    found = table.fetch(
        f"SELECT {', '.join(key_columns(fields))}, count(DISTINCT stimulus) FILTER (score IS NOT NULL) "
        f"FROM ({rows}) WHERE stimulus IS NOT NULL GROUP BY {_numbers(fields)}"
    )
    return {key: n for key, (n,) in (keyed(row, fields) for row in found)}


def _numbers(fields: Sequence[str]) -> str:
    """GROUP BY the key's columns, by their place."""
    return ", ".join(str(i + 1) for i in range(len(key_columns(fields))))
