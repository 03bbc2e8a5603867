"""Declared contrasts as comparisons: what each group's sides give, not yet seen beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from schemas.plan import Cells, Contrast
from warehouse.cells import CellTable
from warehouse.errors import WarehouseError
from warehouse.groups import Key, Subjects, group_columns, label
from warehouse.samples import Count, Side, counts, crossed, nested, pairs, sides
from warehouse.statistics import (
    LEVEL,
    NOBODY,
    Comparison,
    Counts,
    Crossed,
    Nested,
    Pair,
    Pairs,
    Sample,
    Size,
    anova,
    bootstrap,
    chi_squared,
    clustered,
    compare,
    compare_paired,
    differences,
    effect_size,
    equivalence,
    fisher,
    kruskal,
    mann_whitney,
    mcnemar,
    mixed,
    no_effect_size,
    non_inferiority,
    of_independent,
    of_pairs,
    ordinal,
    post_hoc,
    welch_anova,
    wilcoxon,
)

OF_COUNTS = ("mann_whitney", "kruskal", "chi_squared", "fisher")
"""Tests of how often each value was found on each side."""
OF_CLUSTERS = ("clustered", "mixed", "ordinal")
"""Tests of answers that nest in clusters."""
OF_PAIRED_COUNTS = ("wilcoxon", "mcnemar")
OF_MARGINS = ("equivalence", "non_inferiority")


class Finding(msgspec.Struct, frozen=True):
    """One comparison in one group, not yet seen beside the others of its family; `post_hoc`: its pairs of
    sides, where it is of several."""

    key: Key
    samples: tuple[Sample, ...]
    comparison: Comparison
    size: Size
    count: Count
    found: int
    paired: bool = False
    post_hoc: tuple[Pair, ...] = ()
    respondents: dict[str, int] = {}
    partial: int = 0


def findings(
    table: CellTable, subjects: Subjects, contrast: Contrast, fields: Sequence[str]
) -> Iterator[Finding]:
    """The comparisons of the groups of one kind, in no order. Raises WarehouseError."""
    foreign = [side for side in contrast.sides if side.field is not None or side.contrast is not None]
    if foreign or len(contrast.sides) < 2:
        raise WarehouseError(
            f"contrast {contrast.name} is no comparison of answers or norms. Give it two sides of these, "
            "or correlate what is no answer."
        )
    if contrast.test in OF_MARGINS and (contrast.margin is None or contrast.margin <= 0):
        raise WarehouseError(f"contrast {contrast.name} has no margin, so {contrast.test} cannot be tested.")
    if contrast.paired_by is not None or contrast.test == "paired_t":
        return _paired(table, subjects, contrast, fields)
    return _Independent(table, subjects, contrast, fields).findings()


def _paired(
    table: CellTable, subjects: Subjects, contrast: Contrast, fields: Sequence[str]
) -> Iterator[Finding]:
    unit: Literal["subject", "stimulus"] = "stimulus" if contrast.paired_by == "stimulus" else "subject"
    if len(contrast.sides) != 2 or any(side.norm is not None for side in contrast.sides):
        raise WarehouseError(f"contrast {contrast.name} is paired, so it needs two sides of answers.")
    panels = table.row_panels(contrast)
    tables: Mapping[Key, Crossed] = {}
    if contrast.test in OF_PAIRED_COUNTS or contrast.effect == "odds_ratio" or contrast.interval == "bootstrap":
        tables = crossed(table, contrast, fields, panels, unit)
    for key, paired in pairs(table, contrast, fields, panels, unit).items():
        both, its = paired.pairs, tables.get(key, {})
        comparison = _of_pairs(contrast, both, its)
        if contrast.interval == "bootstrap":
            drawn = bootstrap([differences(its)], of_pairs(both), _level(contrast), subjects.seed)
            comparison = _with_interval(comparison, drawn)
        size = effect_size(contrast.effect, (both.a, both.b), both, crossed=its)
        yield Finding(
            key, (both.a, both.b), comparison, _told(contrast, size), paired.count, both.a.n, paired=True
        )


def _of_pairs(contrast: Contrast, both: Pairs, its: Crossed) -> Comparison:
    estimate = both.difference.mean
    match contrast.test:
        case "wilcoxon":
            return wilcoxon(differences(its), estimate)
        case "mcnemar":
            return mcnemar(its, contrast.yates, estimate)
        case "equivalence":
            return equivalence(of_pairs(both), contrast.margin or 0.0, contrast.alpha)
        case "non_inferiority":
            return non_inferiority(
                of_pairs(both), contrast.margin or 0.0, contrast.worse or "lower", contrast.alpha
            )
        case "welch" | "student" | "f_then_t" | "paired_t":
            return compare_paired(both)
        case _:
            note = f"no test: {contrast.test} is of independent answers, not of pairs"
            return Comparison(contrast.test, estimate, note=note)


class _Independent:
    """The comparisons of sides that are independent samples."""

    def __init__(self, table: CellTable, subjects: Subjects, contrast: Contrast, fields: Sequence[str]) -> None:
        self._table, self._subjects, self._contrast, self._fields = table, subjects, contrast, fields
        self._columns = group_columns(fields)
        self._own = {side: table.own_columns(contrast, side, fields) for side in contrast.sides}
        self._answers = [side for side in contrast.sides if side.norm is None]
        panels = table.row_panels(contrast)
        self._samples = {
            side: sides(table, contrast, side, fields, panels, contrast.unit) for side in self._answers
        }
        self._tables: dict[Cells, dict[Key, Counts]] = {}
        if (
            contrast.test in OF_COUNTS
            or contrast.effect in ("cliffs_delta", "cramers_v", "odds_ratio")
            or contrast.interval == "bootstrap"
            or contrast.post_hoc is not None
        ):
            self._tables = {
                side: counts(table, contrast, side, fields, panels, contrast.unit) for side in self._answers
            }
        self._nested: dict[Cells, dict[Key, Nested]] = {}
        if contrast.test in OF_CLUSTERS:
            self._nested = {side: nested(table, contrast, side, fields, panels) for side in self._answers}

    def findings(self) -> Iterator[Finding]:
        contrast, subjects = self._contrast, self._subjects
        keys = (
            key for side in self._answers if self._own[side] == self._columns for key in self._samples[side]
        )
        for key in dict.fromkeys(keys):
            if not contrast.outcomes and any(
                subjects.norm(key, s.norm) is None for s in contrast.sides if s.norm
            ):
                continue
            found = [self._side(key, side) for side in contrast.sides]
            again = {
                label(side): its.respondents
                for side, its in zip(contrast.sides, found, strict=True)
                if its.respondents is not None and subjects.panel_kind(side.panel or key.panel) == "human"
            }
            partial = sum(its.partial for its in found)
            yield msgspec.structs.replace(self._finding(key, found), respondents=again, partial=partial)

    def _side(self, key: Key, side: Cells) -> Side:
        if side.norm is not None:
            return Side(self._subjects.norm(key, side.norm) or NOBODY)
        return self._samples[side].get(self._restricted(key, side), Side())

    def _restricted(self, key: Key, side: Cells) -> Key:
        """The key of a side that is not cut by all of a group's columns."""
        own = self._own[side]
        group = tuple(v if column in own else None for column, v in zip(self._columns, key.group, strict=True))
        return Key(key.panel, key.scale, key.subscale, group)

    def _finding(self, key: Key, found: Sequence[Side]) -> Finding:
        contrast = self._contrast
        samples = tuple(side.sample for side in found)
        counted = [
            self._tables[side].get(self._restricted(key, side), {})
            for side in contrast.sides
            if side in self._tables
        ]
        comparison, size = self._compared(key, samples, counted)
        if contrast.interval == "bootstrap" and len(counted) == 2:
            analytic = of_independent(samples[0], samples[1], "welch")
            drawn = bootstrap(counted, analytic, _level(contrast), self._subjects.seed)
            comparison = _with_interval(comparison, drawn)
        count = Count()
        for side in found:
            count = count.plus(side.count)
        answered = sum(s.n for s, cells in zip(samples, contrast.sides, strict=True) if cells.norm is None)
        pairs_of_sides: tuple[Pair, ...] = ()
        if contrast.post_hoc is not None and contrast.omnibus and len(counted) == len(samples):
            pairs_of_sides = tuple(post_hoc(contrast.post_hoc, counted, self._subjects.seed))
        return Finding(key, samples, comparison, size, count, answered, post_hoc=pairs_of_sides)

    def _compared(
        self, key: Key, samples: Sequence[Sample], counted: Sequence[Counts]
    ) -> tuple[Comparison, Size]:
        contrast = self._contrast
        a, b = samples[:2]
        estimate = None if contrast.omnibus or a.mean is None or b.mean is None else a.mean - b.mean
        if contrast.test in OF_CLUSTERS and len(self._nested) == len(samples):
            its = [self._nested[side].get(self._restricted(key, side), Nested({})) for side in contrast.sides]
            comparison, ratio = _of_clusters(contrast, its, estimate)
            if ratio is not None and contrast.effect == "odds_ratio":
                return comparison, ratio
        elif contrast.test in (*OF_COUNTS, *OF_CLUSTERS) and len(counted) < len(samples):
            comparison = Comparison(contrast.test, estimate, note="no test: a norm has no single answers")
        else:
            comparison = _of_samples(contrast, samples, counted, estimate)
        return comparison, _told(contrast, effect_size(contrast.effect, samples, None, counted))


def _of_clusters(
    contrast: Contrast, its: Sequence[Nested], estimate: float | None
) -> tuple[Comparison, Size | None]:
    match contrast.test:
        case "mixed":
            return mixed(its, estimate), None
        case "ordinal":
            return ordinal(its, estimate)
        case _:
            return clustered(its, estimate), None


def _of_samples(
    contrast: Contrast, samples: Sequence[Sample], counted: Sequence[Counts], estimate: float | None
) -> Comparison:
    margin, two = contrast.margin or 0.0, not contrast.omnibus and len(samples) == 2
    match contrast.test:
        case "chi_squared":
            return chi_squared(counted, contrast.yates, estimate)
        case "kruskal":
            return kruskal(counted, estimate)
        case "anova":
            return anova(samples, estimate)
        case "welch_anova":
            return welch_anova(samples, estimate)
        case "mann_whitney" if two:
            return mann_whitney(counted, estimate)
        case "fisher" if two:
            return fisher(counted, estimate)
        case "welch" | "student" | "f_then_t" if two:
            return compare(samples[0], samples[1], contrast.test)
        case "equivalence" if two:
            return equivalence(of_independent(samples[0], samples[1], "welch"), margin, contrast.alpha)
        case "non_inferiority" if two:
            found = of_independent(samples[0], samples[1], "welch")
            return non_inferiority(found, margin, contrast.worse or "lower", contrast.alpha)
        case "paired_t" | "wilcoxon" | "mcnemar":
            return Comparison(contrast.test, estimate, note=f"no test: {contrast.test} is of pairs")
        case _:
            return Comparison(contrast.test, note=f"no test: {contrast.test} is of two sides")


def _level(contrast: Contrast) -> float:
    """Of a test against a margin the interval is the one that decides it."""
    return 1 - 2 * contrast.alpha if contrast.test in OF_MARGINS else LEVEL


def _with_interval(comparison: Comparison, drawn: Size) -> Comparison:
    notes = [note for note in (comparison.note, drawn.note) if note is not None]
    return msgspec.structs.replace(
        comparison, low=drawn.low, high=drawn.high, note="; ".join(notes) if notes else None
    )


def _told(contrast: Contrast, size: Size) -> Size:
    """The size; where there is none, with the reason."""
    if contrast.effect == "none" or size.value is not None or size.note is not None:
        return size
    return msgspec.structs.replace(size, note=no_effect_size(contrast.effect))
