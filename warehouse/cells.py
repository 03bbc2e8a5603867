"""The scored trials of a study as one table, and the SQL that picks an analysis's side from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, assert_never

from schemas.plan import Cells, Expression, KeyValue, Outcome, Plan, Predicate, Scale, Unit
from warehouse.catalog import fetch
from warehouse.groups import KEYS, PLACES, Analysis, group_columns, key_columns
from warehouse.scoring import children

if TYPE_CHECKING:
    import duckdb

Matched = Unit | Literal["subject"]
"""What is one observation; a subject is what pairs respondents."""

PLAIN = frozenset({*KEYS, *PLACES, "kind", "condition", "respondent"})
APART = "chr(31)"

_CREATE = """
CREATE OR REPLACE TEMP TABLE cells AS
SELECT t.trial, x.response, t.panel, p.kind, t.respondent, t.subject, t.condition,
       coalesce(t.emotion, n.emotion) AS emotion, t.factor,
       coalesce(f.factor_index, t.factor_index) AS factor_index, t.situation, t.stimulus, {cell} AS cell,
       n.name AS stimulus_name, t.scale, s.subscale, x.score, coalesce(x.status <> 'error', false) AS answered,
       coalesce(x.status = 'refused', false) AS refused,
       CASE
           WHEN x.score IS NOT NULL THEN NULL
           WHEN x.response IS NULL THEN 'not answered'
           WHEN x.status = 'unparseable' AND x.source IN ('human', 'recorded') THEN 'nothing answered'
           WHEN x.status NOT IN ('complete', 'partial') THEN x.status
           WHEN x.n_missing > 0 THEN 'missing answers'
           WHEN {lacking} THEN 'no key'
           ELSE 'score not defined'
       END AS reason{columns}
FROM trials AS t
LEFT JOIN (SELECT DISTINCT study, emotion, factor, factor_index FROM stimuli) AS f
    ON f.study = t.study AND f.emotion = t.emotion AND f.factor = t.factor
LEFT JOIN stimuli AS n ON n.study = t.study AND n.stimulus = t.stimulus
JOIN subscales AS s ON s.study = t.study AND s.scale = t.scale AND t.step <> 'again'
JOIN respondents AS p ON p.run = t.run AND p.respondent = t.respondent
LEFT JOIN scores AS x ON x.trial = t.trial AND x.subscale = s.subscale
"""


class CellTable:
    """The scored trials of some runs of a study, in a table `cells` of the connection, a row a trial and
    subscale of its scale. A stimulus has the place that the study gives it now, also where a run was planned
    when it had another. Any name beside the table's own columns is a variable, a field of the stimulus or a
    covariate."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, results: Path, plan: Plan) -> None:
        self._connection = connection
        self._results = results
        self._baselines = {c.name for c in plan.protocol.conditions if not c.each_stimulus}
        self._of_stimuli = {*PLACES, *(name for stimulus in plan.stimuli for name in stimulus.fields)}
        self._columns = {name: f"x{i}" for i, name in enumerate(sorted(_names(plan) - PLAIN))}
        self.outcomes = [
            Outcome(scale.id, subscale.id)
            for scale in plan.scales
            if scale.id in plan.study.scales
            for subscale in scale.subscales
        ]
        lacking = [
            f"(t.scale, s.subscale, TRY_CAST(n.fields[{text(field)}] AS DOUBLE) IS NULL) = "
            f"({text(scale.id)}, {text(subscale.id)}, true)"
            for scale in plan.scales
            for subscale in scale.subscales
            for field in sorted(_key_fields(scale, subscale.score))
        ]
        maps = ("t.levels", "n.fields", "p.covariates")
        columns = [
            f",\n       coalesce({', '.join(f'{of}[{text(name)}]' for of in maps)}) AS {column}"
            for name, column in self._columns.items()
        ]
        self.fetch(
            _CREATE.format(cell=_cell(plan), lacking=" OR ".join(lacking) or "false", columns="".join(columns))
        )

    def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of our own SQL. Raises StorageError."""
        return fetch(self._connection, self._results, sql)

    def keep(self, name: str, relation: object) -> None:
        """Makes an Arrow table one that `fetch` can name."""
        self._connection.register(name, relation)

    def kinds(self) -> dict[str, str]:
        """The kind of each panel that has trials."""
        return dict(self.fetch("SELECT panel, min(kind) FROM cells GROUP BY panel"))

    def is_baseline(self, analysis: Analysis, side: Cells) -> bool:
        """Whether a side's condition has no stimuli, and so is everybody's baseline."""
        return analysis.variable == "condition" and side.level in self._baselines

    def of_stimuli(self, name: str) -> bool:
        """Whether a stimulus has `name`, so that it cuts no baseline."""
        return name in self._of_stimuli

    def own_columns(self, analysis: Analysis, side: Cells, fields: Sequence[str]) -> list[str]:
        """The columns that cut a side."""
        columns = group_columns(fields)
        if side.norm is not None:
            return []
        return [c for c in columns if not (self.is_baseline(analysis, side) and self.of_stimuli(c))]

    def row_panels(self, analysis: Analysis) -> list[str]:
        """The panels that have a row: each that `where` lets in, where some side is of each in turn; else the
        first that a side names. None is compared with itself at the same level."""
        answers = [s for s in analysis.sides if s.norm is None and s.field is None]
        if all(side.panel is not None for side in answers):
            return [side.panel for side in answers[:1] if side.panel is not None]
        tests = [self._predicate(p) for p in analysis.where if p.field in ("panel", "kind")]
        where = " AND ".join(tests) or "true"
        rows = self.fetch(f"SELECT DISTINCT panel FROM cells AS c WHERE {where} ORDER BY 1")
        return [panel for (panel,) in rows if not _alike(answers, panel)]

    def rows(
        self,
        analysis: Analysis,
        side: Cells,
        fields: Sequence[str],
        panels: Sequence[str],
        values: Sequence[str],
    ) -> str:
        """SQL of a side's trials: panel (that of the report's row), scale, subscale, a column g0, g1, ... for
        each of the group, and `values`, which are of `c`. A baseline is not cut by what only a stimulus has, a
        side that names its panel not by what `where` says of panels."""
        own = self.own_columns(analysis, side, fields)
        groups = [
            f"{self.column(name) if name in own else 'NULL'} AS g{i}"
            for i, name in enumerate(group_columns(fields))
        ]
        named = ", ".join(map(text, panels)) or "NULL"
        source, panel, tests = "cells AS c", "c.panel", [f"c.panel IN ({named})"]
        if side.panel is not None:
            source += f" CROSS JOIN (SELECT unnest([{named}]) AS panel) AS r"
            panel, tests = "r.panel", [f"c.panel = {text(side.panel)}"]
        tests += self._tests(analysis, side)
        tests += [f"{self.column(name)} IS NOT NULL" for name in own]
        shown = [f"{panel} AS panel", "c.scale AS scale", "c.subscale AS subscale", *groups, *values]
        return f"SELECT {', '.join(shown)} FROM {source} WHERE {' AND '.join(tests)}"

    def _tests(self, analysis: Analysis, side: Cells) -> Iterator[str]:
        outcomes = analysis.outcomes or self.outcomes
        named = ", ".join(f"({text(o.scale)}, {text(o.subscale)})" for o in outcomes)
        yield f"(c.scale, c.subscale) IN ({named or '(NULL, NULL)'})"
        if side.level is not None:
            yield f"{self.column(analysis.variable)} = {text(side.level)}"
        for predicate in analysis.where:
            unheeded = self.is_baseline(analysis, side) and self.of_stimuli(predicate.field)
            if not unheeded and not (side.panel is not None and predicate.field in ("panel", "kind")):
                yield self._predicate(predicate)

    def units(
        self,
        analysis: Analysis,
        side: Cells,
        fields: Sequence[str],
        panels: Sequence[str],
        unit: Matched,
    ) -> str:
        """SQL of a side's units: their key as in `rows`, unit, score (the mean within the unit), missing
        (answered without a score), answered, reason (why it has no score), cells (the conditions and levels in
        which it has scores)."""
        values = [f"{unit_column(unit)} AS unit", "c.score", "c.answered", "c.reason", "c.cell"]
        rows = self.rows(analysis, side, fields, panels, values)
        keys = key_columns(fields)
        return (
            f"SELECT {', '.join(keys)}, unit, avg(score) AS score, "
            "count(*) FILTER (answered AND score IS NULL) AS missing, bool_or(answered) AS answered, "
            "CASE WHEN count(score) = 0 THEN min(reason) END AS reason, "
            f"list(DISTINCT cell) FILTER (score IS NOT NULL) AS cells FROM ({rows}) WHERE unit IS NOT NULL "
            f"GROUP BY {', '.join(keys)}, unit"
        )

    def column(self, name: str) -> str:
        """A column of `cells AS c`, by a name that the plan uses."""
        return f"c.{self._columns.get(name, name)}"

    def _predicate(self, predicate: Predicate) -> str:
        """A simulated respondent stands in for a model: `kind is model` holds for it too. A stimulus goes by
        its id or by the name that data call it."""
        values = set(predicate.values)
        if predicate.field == "kind" and "model" in values:
            values.add("simulated")
        named = ", ".join(map(text, sorted(values)))
        columns = ["c.stimulus", "c.stimulus_name"] if predicate.field == "stimulus" else []
        found = " OR ".join(
            f"coalesce(CAST({column} AS VARCHAR) IN ({named}), false)"
            for column in columns or [self.column(predicate.field)]
        )
        return f"NOT ({found})" if predicate.negated else f"({found})"


def _cell(plan: Plan) -> str:
    """SQL of the condition and levels in which a trial is, of the variables that are within respondents."""
    varied = {name for mapping in plan.responses for block in mapping.blocks for name in block.levels}
    columns = {"condition": "t.condition", **{name: f"t.levels[{text(name)}]" for name in sorted(varied)}}
    within = [f"coalesce({sql}, '')" for name, sql in columns.items() if name not in plan.study.between]
    return f" || {APART} || ".join(within) or "''"


def _names(plan: Plan) -> set[str]:
    """Every name that an analysis of the plan uses."""
    names: set[str] = set()
    analyses: list[Analysis] = [*plan.contrasts, *plan.associations]
    for analysis in analyses:
        names |= {name for fields in analysis.by for name in fields}
        names |= {predicate.field for predicate in analysis.where}
        names |= {analysis.variable, *(side.field for side in analysis.sides if side.field is not None)}
    return names


def _key_fields(scale: Scale, score: Expression) -> set[str]:
    """The fields of a stimulus that hold the keys which a score needs."""
    if isinstance(score, KeyValue):
        return {i.key for i in scale.items if i.number == score.item and isinstance(i.key, str)}
    return {field for part in children(score) for field in _key_fields(scale, part)}


def unit_column(unit: Matched) -> str:
    """SQL of what is one observation, of `cells AS c`."""
    match unit:
        case "response":
            return "c.trial"
        case "factor":
            return f"c.emotion || {APART} || c.factor"
        case "respondent" | "subject" | "stimulus":
            return f"c.{unit}"
        case _:
            assert_never(unit)


def _alike(sides: Sequence[Cells], panel: str) -> bool:
    """Whether two sides are the same answers in the row of `panel`."""
    cells = [(side.level, side.contrast, side.panel or panel) for side in sides]
    return len(set(cells)) < len(cells)


def text(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"
