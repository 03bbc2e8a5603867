"""Declared contrasts as a report's rows: one a panel, subscale and group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from schemas.plan import Contrast
from schemas.report import Direction, ReportRow
from warehouse.cells import CellTable
from warehouse.errors import WarehouseError
from warehouse.groups import Key, Subjects, group_columns, label
from warehouse.refusals import replies, with_replies
from warehouse.samples import Count, Side, counts, pairs, sides, stimuli_answered
from warehouse.statistics import (
    NOBODY,
    Comparison,
    Counts,
    Pairs,
    Sample,
    adjusted,
    chi_squared,
    compare,
    compare_paired,
    effect_size,
    kruskal,
    no_effect_size,
    pooled,
)

OF_COUNTS = ("chi_squared", "kruskal")


class Finding(msgspec.Struct, frozen=True):
    """One comparison in one group, not yet seen beside the others of its family."""

    key: Key
    samples: tuple[Sample, ...]
    comparison: Comparison
    count: Count
    found: int
    pairs: Pairs | None = None
    counts: tuple[Counts, ...] = ()
    respondents: dict[str, int] = {}
    partial: int = 0


def report_rows(
    table: CellTable, subjects: Subjects, contrast: Contrast, panels: Sequence[str]
) -> list[ReportRow]:
    """The rows of a contrast: by panel (as given), subscale, group kind and group, each in the order of
    declaration.

    A contrast with `paired_by` is tested within pairs. Otherwise the sides are independent samples, and a
    condition without stimuli is everybody's baseline: no emotion, factor or field of a stimulus cuts it. A side
    that names its panel stands beside each panel in turn; where all do, the row is that of the first. The
    correction is over the groups of one kind, per panel and subscale; `family` is how many tests these are.
    """
    families: dict[tuple[str, str, str], list[list[ReportRow]]] = {}
    for fields in contrast.by:
        found = sorted(
            findings(table, subjects, contrast, fields), key=lambda f: subjects.position(fields, f.key)
        )
        answered = stimuli_answered(table, contrast, fields, table.row_panels(contrast))
        stimuli = subjects.stimuli(contrast, fields)
        told = replies(table, contrast, fields)
        of_this: dict[tuple[str, str, str], list[ReportRow]] = {}
        for finding in found:
            key = finding.key
            row = with_replies(_row(table, subjects, contrast, fields, finding), told.get(key, {}))
            if key in answered:
                row = msgspec.structs.replace(row, stimuli=stimuli(key), stimuli_answered=answered[key])
            of_this.setdefault((key.panel, key.scale, key.subscale), []).append(row)
        for owner, rows in of_this.items():
            families.setdefault(owner, []).append(_corrected(contrast, rows))
    owners = ((panel, o.scale, o.subscale) for panel in panels for o in subjects.outcomes(contrast))
    return [row for owner in owners for family in families.get(owner, []) for row in family]


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
    if contrast.paired_by is not None or contrast.test == "paired_t":
        return _paired(table, contrast, fields)
    return _independent(table, subjects, contrast, fields)


def _paired(table: CellTable, contrast: Contrast, fields: Sequence[str]) -> Iterator[Finding]:
    unit: Literal["subject", "stimulus"] = "stimulus" if contrast.paired_by == "stimulus" else "subject"
    if len(contrast.sides) != 2 or any(side.norm is not None for side in contrast.sides):
        raise WarehouseError(f"contrast {contrast.name} is paired, so it needs two sides of answers.")
    for key, paired in pairs(table, contrast, fields, table.row_panels(contrast), unit).items():
        both = paired.pairs
        comparison = compare_paired(both)
        if contrast.test in OF_COUNTS:
            note = f"no test: {contrast.test} is of independent answers, not of pairs"
            comparison = Comparison(contrast.test, both.difference.mean, note=note)
        yield Finding(key, (both.a, both.b), comparison, paired.count, both.a.n, both)


def _independent(
    table: CellTable, subjects: Subjects, contrast: Contrast, fields: Sequence[str]
) -> Iterator[Finding]:
    panels = table.row_panels(contrast)
    answers = [side for side in contrast.sides if side.norm is None]
    samples = {side: sides(table, contrast, side, fields, panels, contrast.unit) for side in answers}
    tables = {}
    if contrast.test in OF_COUNTS or contrast.effect == "cramers_v":
        tables = {side: counts(table, contrast, side, fields, panels, contrast.unit) for side in answers}
    own = {side: table.own_columns(contrast, side, fields) for side in contrast.sides}
    columns = group_columns(fields)
    for key in dict.fromkeys(key for side in answers if own[side] == columns for key in samples[side]):
        if not contrast.outcomes and any(subjects.norm(key, s.norm) is None for s in contrast.sides if s.norm):
            continue
        keys = [_restricted(key, columns, own[side]) for side in contrast.sides]
        found = [
            Side(subjects.norm(key, side.norm) or NOBODY) if side.norm else samples[side].get(its_key, Side())
            for side, its_key in zip(contrast.sides, keys, strict=True)
        ]
        counted = tuple(
            tables[side].get(its_key, {})
            for side, its_key in zip(contrast.sides, keys, strict=True)
            if side in tables
        )
        again = {
            label(side): its.respondents
            for side, its in zip(contrast.sides, found, strict=True)
            if its.respondents is not None and subjects.panel_kind(side.panel or key.panel) == "human"
        }
        finding = _tested(contrast, key, found, counted)
        yield msgspec.structs.replace(finding, respondents=again, partial=sum(its.partial for its in found))


def _tested(contrast: Contrast, key: Key, found: Sequence[Side], counted: tuple[Counts, ...]) -> Finding:
    samples = tuple(side.sample for side in found)
    a, b = samples[:2]
    estimate = None if contrast.omnibus or a.mean is None or b.mean is None else a.mean - b.mean
    if contrast.test in OF_COUNTS and len(counted) < len(samples):
        comparison = Comparison(contrast.test, estimate, note="no test: a norm has no single answers")
    elif contrast.test == "chi_squared":
        comparison = chi_squared(counted, contrast.yates, estimate)
    elif contrast.test == "kruskal":
        comparison = kruskal(counted, estimate)
    elif contrast.omnibus or len(samples) > 2:
        comparison = Comparison(contrast.test, note=f"no test: {contrast.test} is of two sides")
    else:
        comparison = compare(a, b, contrast.test)
    count = Count()
    for side in found:
        count = count.plus(side.count)
    answered = sum(
        side.sample.n for side, cells in zip(found, contrast.sides, strict=True) if cells.norm is None
    )
    return Finding(key, samples, comparison, count, answered, counts=counted)


def _restricted(key: Key, columns: Sequence[str], own: Sequence[str]) -> Key:
    """The key of a side that is not cut by all of a group's columns."""
    group = tuple(v if column in own else None for column, v in zip(columns, key.group, strict=True))
    return Key(key.panel, key.scale, key.subscale, group)


def _corrected(contrast: Contrast, rows: Sequence[ReportRow]) -> list[ReportRow]:
    """The rows of one family, with p corrected for how many they are, and the direction that follows."""
    ps = [row.p for row in rows if row.p is not None]
    corrected = adjusted(ps, contrast.adjust)
    remaining = iter(corrected or [])
    found = []
    for row in rows:
        p = next(remaining) if corrected is not None and row.p is not None else None
        decisive = p if contrast.direction_by == "p_adjusted" and p is not None else row.p
        direction = direction_of(decisive, contrast.alpha, row.estimate)
        found.append(msgspec.structs.replace(row, p_adjusted=p, family=len(ps), direction=direction))
    return found


def _row(
    table: CellTable, subjects: Subjects, contrast: Contrast, fields: Sequence[str], finding: Finding
) -> ReportRow:
    key, comparison, count = finding.key, finding.comparison, finding.count
    group = subjects.group(fields, key)
    names = [label(side) for side in contrast.sides]
    if contrast.omnibus:
        a, b, a_label, b_label = pooled(finding.samples), NOBODY, ", ".join(names), ""
    else:
        (a, b), (a_label, b_label) = finding.samples, names
    size = effect_size(contrast.effect, finding.samples, finding.pairs, finding.counts)
    note = comparison.note
    if note is None and size.value is None and contrast.effect != "none":
        note = no_effect_size(contrast.effect)
    rate = subjects.is_rate(key)
    return ReportRow(
        contrast=contrast.name,
        kind="rate" if rate else _kind(table, contrast),
        panel=key.panel,
        panel_kind=subjects.panel_kind(key.panel),
        scale=key.scale,
        subscale=key.subscale,
        subscale_title=subjects.title(key),
        group_kind=group.kind,
        emotion=group.emotion,
        factor_index=group.factor_index,
        factor=group.factor,
        groups=group.others,
        a_label=a_label,
        a_n=a.n,
        a_mean=a.mean,
        a_sd=a.sd,
        b_label=b_label,
        b_n=b.n,
        b_mean=b.mean,
        b_sd=b.sd,
        estimate=comparison.estimate,
        unit="rate" if rate else "points",
        paired=finding.pairs is not None,
        test=comparison.test,
        statistic=comparison.statistic,
        df=comparison.df,
        df_error=comparison.df_error,
        p=comparison.p,
        p_adjusted=None,
        family=0,
        effect=contrast.effect,
        effect_size=size.value,
        effect_low=size.low,
        effect_high=size.high,
        ci_low=comparison.low,
        ci_high=comparison.high,
        direction="none",
        n_missing=count.missing,
        coverage=finding.found / count.expected if count.expected else None,
        expected=count.expected,
        found=finding.found,
        left_out=count.left_out,
        respondents=finding.respondents,
        partial=finding.partial,
        means={n: s.mean for n, s in zip(names, finding.samples, strict=True) if s.mean is not None}
        if contrast.omnibus
        else {},
        note=note,
    )


def _kind(table: CellTable, contrast: Contrast) -> Literal["change", "difference"]:
    """A change is measured against a baseline; two conditions of one sort differ."""
    baseline = [table.is_baseline(contrast, side) for side in contrast.sides]
    return "change" if not contrast.omnibus and baseline == [False, True] else "difference"


def direction_of(p: float | None, alpha: float, estimate: float | None) -> Direction:
    if p is None or estimate is None or p >= alpha:
        return "none"
    return "up" if estimate > 0 else "down"
