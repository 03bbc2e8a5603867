"""Scores of one study, and their means and spreads by group: SQL does the counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from schemas.plan import Contrast, Plan, Predicate
from warehouse.catalog import fetch
from warehouse.statistics import Pairs, Sample

if TYPE_CHECKING:
    import duckdb

STIMULUS_FIELDS = ("emotion", "factor", "situation")
"""What a situation has and a baseline lacks."""

Group = tuple[Any, ...]
V = TypeVar("V")


class Key(msgspec.Struct, frozen=True):
    """What a comparison is about: `group` holds the values of the group kind's columns, in their order."""

    panel: str
    scale: str
    subscale: str
    group: Group


class Count(msgspec.Struct, frozen=True):
    """Trials of one side. `missing`: answered without this score."""

    planned: int = 0
    missing: int = 0


class Side(msgspec.Struct, frozen=True):
    sample: Sample = Sample(0, None, None)
    count: Count = Count()


class Paired(msgspec.Struct, frozen=True):
    pairs: Pairs
    count: Count


class Scores:
    """The scored trials of some runs of a study, in a table `cells` of the connection. A factor has the place
    that the study gives it now, also where a run was planned when it had another."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, results: Path, plan: Plan) -> None:
        self._connection = connection
        self._results = results
        self._baselines = {c.name for c in plan.protocol.conditions if not c.each_stimulus}
        self._fetch(
            """
            CREATE OR REPLACE TEMP TABLE cells AS
            SELECT t.panel, p.kind, p.covariates, t.subject, t.condition, t.emotion, t.factor,
                   coalesce(f.factor_index, t.factor_index) AS factor_index, t.situation, t.scale, s.subscale,
                   x.score, coalesce(x.status <> 'error', false) AS answered
            FROM trials AS t
            LEFT JOIN (SELECT DISTINCT study, emotion, factor, factor_index FROM stimuli) AS f
                ON f.study = t.study AND f.emotion = t.emotion AND f.factor = t.factor
            JOIN subscales AS s ON s.study = t.study AND s.scale = t.scale
            JOIN respondents AS p ON p.run = t.run AND p.respondent = t.respondent
            LEFT JOIN scores AS x ON x.trial = t.trial AND x.subscale = s.subscale
            """
        )

    def kinds(self) -> dict[str, str]:
        """The kind of each panel that has trials."""
        return dict(self._fetch("SELECT panel, min(kind) FROM cells GROUP BY panel"))

    def is_baseline(self, condition: str) -> bool:
        """Whether `condition` has no stimuli, and so is everybody's baseline."""
        return condition in self._baselines

    def sides(self, contrast: Contrast, condition: str, fields: Sequence[str]) -> dict[Key, Side]:
        """Each group's sample of one condition. A baseline is not cut by what only a situation has."""
        columns = group_columns(self.own_fields(condition, fields))
        found = self._fetch(
            f"""
            SELECT {_keys(columns)}, count(score), avg(score), stddev_samp(score),
                   count(*), count(*) FILTER (answered AND score IS NULL)
            FROM cells WHERE {self._where(contrast, condition, columns)}
            GROUP BY ALL
            """
        )
        return _by_key(found, len(columns), lambda row: Side(Sample(*row[:3]), Count(*row[3:])))

    def paired(self, contrast: Contrast, fields: Sequence[str]) -> dict[Key, Paired]:
        """Each group's pairs: the subjects with scores in both conditions, repeats averaged within a subject.
        The group is that of the condition with stimuli; `missing` counts subjects that lack a side."""
        anchor, other = contrast.a, contrast.b
        if self.is_baseline(anchor) and not self.is_baseline(other):
            anchor, other = other, anchor
        columns = group_columns(fields)
        # Who was never in a situation belongs to no group of situations: a lone baseline is missing elsewhere.
        of_situations = {*columns, *(p.field for p in contrast.where)} & {*STIMULUS_FIELDS, "factor_index"}
        uneven = self.is_baseline(other) and not self.is_baseline(anchor)
        shared = [] if uneven and of_situations else columns
        join = "LEFT" if uneven and of_situations else "FULL"
        a, b = ("x.score", "y.score") if anchor == contrast.a else ("y.score", "x.score")
        pair = "x.score IS NOT NULL AND y.score IS NOT NULL"
        answered = "coalesce(x.answered, false) OR coalesce(y.answered, false)"
        same = [f"x.{name} = y.{name}" for name in ("subject", *_names(shared))]
        found = self._fetch(
            f"""
            WITH x AS ({self._by_subject(contrast, anchor, columns)}),
                 y AS ({self._by_subject(contrast, other, shared)})
            SELECT {", ".join(_either(name, join) for name in _names(columns))},
                   {", ".join(_summary(value, pair) for value in (a, b, f"{a} - {b}"))},
                   count(*), count(*) FILTER (NOT ({pair}) AND ({answered}))
            FROM x {join} JOIN y ON {" AND ".join(same)}
            GROUP BY ALL
            """
        )
        return _by_key(
            found,
            len(columns),
            lambda row: Paired(Pairs(Sample(*row[:3]), Sample(*row[3:6]), Sample(*row[6:9])), Count(*row[9:])),
        )

    def own_fields(self, condition: str, fields: Sequence[str]) -> list[str]:
        """The fields that cut `condition`."""
        return [f for f in fields if not (self.is_baseline(condition) and f in STIMULUS_FIELDS)]

    def _by_subject(self, contrast: Contrast, condition: str, columns: Sequence[str]) -> str:
        return (
            f"SELECT subject, {_keys(columns)}, avg(score) AS score, bool_or(answered) AS answered FROM cells "
            f"WHERE {self._where(contrast, condition, columns)} GROUP BY ALL"
        )

    def _where(self, contrast: Contrast, condition: str, columns: Sequence[str]) -> str:
        conditions = [f"condition = {_text(condition)}"]
        conditions += [f"{_column(name)} IS NOT NULL" for name in columns]
        for predicate in contrast.where:
            if not (self.is_baseline(condition) and predicate.field in STIMULUS_FIELDS):
                conditions.append(_predicate(predicate))
        if contrast.outcomes:
            outcomes = ", ".join(f"({_text(o.scale)}, {_text(o.subscale)})" for o in contrast.outcomes)
            conditions.append(f"(scale, subscale) IN ({outcomes})")
        return " AND ".join(conditions)

    def _fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return fetch(self._connection, self._results, sql)


def group_columns(fields: Sequence[str]) -> list[str]:
    """The columns that a group kind is cut by: a factor stands under its emotion; scale and condition cut
    nothing more, since every row has one of each."""
    columns: list[str] = []
    for field in fields:
        if field == "factor":
            columns += ["emotion", "factor_index", "factor"]
        elif field not in ("scale", "condition"):
            columns.append(field)
    return list(dict.fromkeys(columns))


KEYS = ("panel", "scale", "subscale")


def _keys(columns: Sequence[str]) -> str:
    """The key's columns for a SELECT, under the names k0, k1, ...: a covariate may be called anything."""
    return ", ".join(f"{_column(name)} AS k{i}" for i, name in enumerate((*KEYS, *columns)))


def _names(columns: Sequence[str]) -> list[str]:
    """What each of the key's columns is called there. Both sides of a pair cut alike or not at all."""
    return [f"k{i}" for i in range(len(KEYS) + len(columns))]


def _either(name: str, join: str) -> str:
    return f"x.{name}" if join == "LEFT" else f"coalesce(x.{name}, y.{name})"


def _by_key(rows: list[tuple[Any, ...]], n_columns: int, value: Callable[[tuple[Any, ...]], V]) -> dict[Key, V]:
    end = len(KEYS) + n_columns
    return {Key(row[0], row[1], row[2], row[3:end]): value(row[end:]) for row in rows}


def _summary(value: str, pair: str) -> str:
    return ", ".join(f"{function}({value}) FILTER ({pair})" for function in ("count", "avg", "stddev_samp"))


_PLAIN = {*KEYS, "kind", "condition", "emotion", "factor", "factor_index", "situation"}


def _column(name: str) -> str:
    """A column of `cells`; any other name is a covariate."""
    return f'"{name}"' if name in _PLAIN else f"covariates[{_text(name)}]"


def _predicate(predicate: Predicate) -> str:
    """A simulated respondent stands in for a model: `kind is model` holds for it too."""
    values = set(predicate.values)
    if predicate.field == "kind" and "model" in values:
        values.add("simulated")
    found = f"coalesce({_column(predicate.field)} IN ({', '.join(map(_text, sorted(values)))}), false)"
    return f"NOT {found}" if predicate.negated else found


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
