"""What a report's rows are about: panel, outcome and group, in the study's order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from schemas.plan import (
    Association,
    Cells,
    Contrast,
    Outcome,
    Plan,
    Predicate,
    Stimulus,
)
from schemas.ranges import is_rate
from schemas.rows import Kind
from warehouse.statistics import Sample

Analysis = Contrast | Association

KEYS = ("panel", "scale", "subscale")
PLACES = ("emotion", "factor", "factor_index", "situation", "stimulus")
"""What a stimulus has, beside its fields, and a baseline lacks."""


class Key(msgspec.Struct, frozen=True):
    """What a row of a report is about: `group` holds the values of the group kind's columns, in their order;
    None where the side at hand is not cut by that column."""

    panel: str
    scale: str
    subscale: str
    group: tuple[Any, ...]


class Group(msgspec.Struct, frozen=True):
    """A group as a report's row has it."""

    kind: str
    emotion: str | None
    factor_index: int | None
    factor: str | None
    others: dict[str, str]


def group_columns(fields: Sequence[str]) -> list[str]:
    """The columns that a group kind is cut by: a factor stands under its emotion; panel and scale cut nothing
    more, since every row has one of each."""
    columns: list[str] = []
    for field in fields:
        if field == "factor":
            columns += ["emotion", "factor_index", "factor"]
        elif field not in KEYS:
            columns.append(field)
    return list(dict.fromkeys(columns))


def key_columns(fields: Sequence[str]) -> list[str]:
    """The columns of a key in SQL."""
    return [*KEYS, *(f"g{i}" for i in range(len(group_columns(fields))))]


def keyed(row: Sequence[Any], fields: Sequence[str]) -> tuple[Key, tuple[Any, ...]]:
    """A row of SQL whose first columns are a key's: the key, and what follows."""
    end = len(key_columns(fields))
    return Key(row[0], row[1], row[2], tuple(row[3:end])), tuple(row[end:])


def label(side: Cells) -> str:
    """What a side is called: its level, the norm's group, the field, the contrast; and its panel, where it
    names one."""
    name = side.level or side.norm or side.field or side.contrast
    if side.panel is None:
        return name or "all answers"
    return side.panel if name is None else f"{name} in {side.panel}"


class Subjects:
    """What a plan says of the things that rows are about."""

    def __init__(self, plan: Plan, kinds: dict[str, str]) -> None:
        self._plan = plan
        self._kinds = kinds
        self._emotions = _places(stimulus.emotion for stimulus in plan.stimuli)
        self._stimuli = _places(stimulus.id for stimulus in plan.stimuli)
        analyses: list[Analysis] = [*plan.contrasts, *plan.associations]
        declared = [condition.name for condition in plan.protocol.conditions]
        declared += [level for r in plan.responses for block in r.blocks for level in block.levels.values()]
        declared += [
            one.to for r in plan.responses for to in r.recodes for one in to.ranges if one.to is not None
        ]
        self._levels = _places([*declared, *(side.level for one in analyses for side in one.sides)])
        self._norms = {
            (scale.id, norm.subscale, norm.group): Sample(norm.n, norm.mean, norm.sd)
            for scale in plan.scales
            for norm in scale.norms
        }
        subscales = [(scale, subscale) for scale in plan.scales for subscale in scale.subscales]
        self._titles = {Outcome(scale.id, subscale.id): subscale.title for scale, subscale in subscales}
        self._rates = {
            Outcome(scale.id, subscale.id) for scale, subscale in subscales if is_rate(scale, subscale.score)
        }

    @property
    def seed(self) -> int:
        """The study's seed: what is drawn is drawn from it."""
        return self._plan.study.seed or 0

    def outcomes(self, analysis: Analysis) -> list[Outcome]:
        """Those that the analysis names, or every subscale of the study's scales."""
        return list(analysis.outcomes) or [o for o in self._titles if o.scale in self._plan.study.scales]

    def title(self, key: Key) -> str:
        return self._titles.get(Outcome(key.scale, key.subscale), key.subscale)

    def is_rate(self, key: Key) -> bool:
        """Whether the subscale's score is always 0 or 1, so that its mean is a rate."""
        return Outcome(key.scale, key.subscale) in self._rates

    def norm(self, key: Key, group: str) -> Sample | None:
        """The published norm of the subscale in a group of people."""
        return self._norms.get((key.scale, key.subscale, group))

    def panel_kind(self, panel: str) -> Kind:
        kind: Any = self._kinds.get(panel)
        return kind if kind in ("human", "simulated") else "model"

    def position(self, fields: Sequence[str], key: Key) -> tuple[tuple[int, float, str], ...]:
        """Sorts groups: emotions, stimuli and levels as declared, numbers by size, all else by its text."""
        columns = group_columns(fields)
        return tuple(self._rank(column, value) for column, value in zip(columns, key.group, strict=True))

    def _rank(self, column: str, value: str | int | None) -> tuple[int, float, str]:
        if value is None or isinstance(value, int):
            return 0, value or 0, ""
        order = {"emotion": self._emotions, "stimulus": self._stimuli}.get(column, self._levels)
        if value in order:
            return order[value], 0, ""
        try:
            return len(order), float(value), ""
        except ValueError:
            return len(order), math.inf, value

    def group(self, fields: Sequence[str], key: Key) -> Group:
        values = dict(zip(group_columns(fields), key.group, strict=True))
        return Group(
            kind=" * ".join(fields) or "overall",
            emotion=values.pop("emotion", None),
            factor_index=values.pop("factor_index", None),
            factor=values.pop("factor", None),
            others={name: str(value) for name, value in values.items()},
        )

    def stimuli(self, analysis: Analysis, fields: Sequence[str]) -> Callable[[Key], int]:
        """How many of the study's stimuli belong to a group: those that `where` lets in and after which the
        scale is measured."""
        columns = group_columns(fields)
        heeded = [predicate for predicate in analysis.where if self._of_stimuli(predicate.field)]
        let_in = [stimulus for stimulus in self._plan.stimuli if all(_fits(stimulus, p) for p in heeded)]
        counts: dict[tuple[int, ...], dict[tuple[Any, ...], Counter[str | None]]] = {}

        def counted(key: Key) -> int:
            cut = tuple(i for i, c in enumerate(columns) if self._of_stimuli(c) and key.group[i] is not None)
            if cut not in counts:
                counts[cut] = {}
                for stimulus in let_in:
                    values = tuple(_value(stimulus, columns[i]) for i in cut)
                    counts[cut].setdefault(values, Counter())[stimulus.emotion] += 1
            found = counts[cut].get(tuple(key.group[i] for i in cut), Counter())
            emotions = self._plan.study.scales_for.get(key.scale)
            return sum(n for emotion, n in found.items() if emotions is None or emotion in emotions)

        return counted

    def _of_stimuli(self, column: str) -> bool:
        return column in PLACES or any(column in stimulus.fields for stimulus in self._plan.stimuli)


def _places(names: Iterable[str | None]) -> dict[str, int]:
    """Each name's place, from 0."""
    return {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}


def _value(stimulus: Stimulus, column: str) -> Any:
    match column:
        case "stimulus":
            return stimulus.id
        case "emotion" | "factor" | "factor_index" | "situation":
            return getattr(stimulus, column)
        case _:
            return stimulus.fields.get(column)


def _fits(stimulus: Stimulus, predicate: Predicate) -> bool:
    """Whether a predicate lets a stimulus in; one goes by its id or its name."""
    values = (
        [stimulus.id, stimulus.name] if predicate.field == "stimulus" else [_value(stimulus, predicate.field)]
    )
    return predicate.negated != any(str(value) in predicate.values for value in values if value is not None)
