"""Correlations, agreement and reliability as a report's rows: one a coefficient, panel, subscale and group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from schemas.plan import Association, Plan
from schemas.report import ReportRow
from warehouse.cells import CellTable
from warehouse.contrasts import direction_of
from warehouse.couples import couples
from warehouse.errors import WarehouseError
from warehouse.groups import Key, Subjects, label
from warehouse.raters import item_sets, ratings
from warehouse.refusals import replies, with_replies
from warehouse.samples import Count, stimuli_answered
from warehouse.statistics import Comparison, Sample, cronbach_alpha, of_raters, of_two, sample_of


class _Found(msgspec.Struct, frozen=True):
    """One coefficient of one group. `a`: the first side's units; `b`: the second's, or how many respondents (of
    reliability: items) there are."""

    key: Key
    comparison: Comparison
    a: Sample
    b: Sample
    count: Count
    found: int


def association_rows(
    table: CellTable, plan: Plan, subjects: Subjects, association: Association, panels: Sequence[str]
) -> list[ReportRow]:
    """The rows of an association: by panel (as given), subscale, group kind, group and coefficient, each in the
    order of declaration. A contrast whose estimates are all of one panel stands for that panel. Raises
    WarehouseError."""
    rows: dict[tuple[str, str, str], list[ReportRow]] = {}
    for fields in association.by:
        found = sorted(
            _findings(table, plan, subjects, association, fields),
            key=lambda one: subjects.position(fields, one.key),
        )
        answered = stimuli_answered(table, association, fields, table.row_panels(association))
        stimuli = subjects.stimuli(association, fields)
        told = replies(table, association, fields)
        families: dict[tuple[str, str, str, str], int] = {}
        for one in found:
            family = (one.key.panel, one.key.scale, one.key.subscale, one.comparison.test)
            families[family] = families.get(family, 0) + (one.comparison.p is not None)
        for one in found:
            key = one.key
            owner = (key.panel, key.scale, key.subscale)
            row = _row(subjects, association, fields, one, families[(*owner, one.comparison.test)])
            row = with_replies(row, told.get(key, {}))
            if key in answered:
                row = msgspec.structs.replace(row, stimuli=stimuli(key), stimuli_answered=answered[key])
            rows.setdefault(owner, []).append(row)
    owners = ((panel, o.scale, o.subscale) for panel in panels for o in subjects.outcomes(association))
    return [row for owner in owners for row in rows.get(owner, [])]


def _findings(
    table: CellTable, plan: Plan, subjects: Subjects, association: Association, fields: Sequence[str]
) -> Iterator[_Found]:
    if len(association.sides) > 2 or not association.sides:
        raise WarehouseError(f"{association.name} is of {len(association.sides)} sides. Give it one or two.")
    if association.kind == "reliability":
        return _reliability(table, association, fields)
    if len(association.sides) == 2:
        return _of_two(table, plan, subjects, association, fields)
    return _of_respondents(table, association, fields)


def _of_two(
    table: CellTable, plan: Plan, subjects: Subjects, association: Association, fields: Sequence[str]
) -> Iterator[_Found]:
    for key, (a, b, count) in couples(table, plan, subjects, association, fields).items():
        for coefficient in association.coefficients:
            comparison = of_two(coefficient, a, b, association.cut)
            yield _Found(key, comparison, sample_of(a), sample_of(b), count, len(a))


def _of_respondents(table: CellTable, association: Association, fields: Sequence[str]) -> Iterator[_Found]:
    for key, (matrix, values, count) in ratings(table, association, fields).items():
        shared = count.expected - sum(count.left_out.values())
        for coefficient in association.coefficients:
            comparison = of_raters(coefficient, matrix)
            units = Sample(shared, values.mean, values.sd)
            yield _Found(key, comparison, units, Sample(len(matrix), None, None), count, shared)


def _reliability(table: CellTable, association: Association, fields: Sequence[str]) -> Iterator[_Found]:
    for key, (items, variances, scores, count) in item_sets(table, association, fields).items():
        variance = None if scores.sd is None else scores.sd**2
        for coefficient in association.coefficients:
            comparison = Comparison(coefficient, note="no coefficient: it is none of a scale's items")
            if coefficient == "cronbach_alpha":
                comparison = cronbach_alpha(scores.n, items, variances, variance)
            yield _Found(key, comparison, scores, Sample(items, None, None), count, scores.n)


def _row(
    subjects: Subjects, association: Association, fields: Sequence[str], found: _Found, family: int
) -> ReportRow:
    key, comparison, count = found.key, found.comparison, found.count
    group = subjects.group(fields, key)
    names = [label(side) for side in association.sides]
    return ReportRow(
        contrast=association.name,
        kind=association.kind,
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
        a_label=names[0],
        a_n=found.a.n,
        a_mean=found.a.mean,
        a_sd=found.a.sd,
        b_label=names[1] if len(names) > 1 else "",
        b_n=found.b.n,
        b_mean=found.b.mean,
        b_sd=found.b.sd,
        estimate=comparison.estimate,
        unit=association.unit,
        paired=len(names) > 1,
        test=comparison.test,
        statistic=comparison.statistic,
        df=comparison.df,
        p=comparison.p,
        p_adjusted=None,
        family=family,
        effect="none",
        effect_size=None,
        ci_low=comparison.low,
        ci_high=comparison.high,
        direction=direction_of(comparison.p, association.alpha, comparison.estimate),
        n_missing=count.missing,
        coverage=found.found / count.expected if count.expected else None,
        expected=count.expected,
        found=found.found,
        left_out=count.left_out,
        note=comparison.note,
    )
