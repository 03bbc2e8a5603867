"""Declared contrasts as a report's rows: one a panel, subscale and group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from schemas.plan import Contrast
from schemas.report import Direction, ReportRow, Verdict
from warehouse.cells import CellTable
from warehouse.findings import OF_MARGINS, Finding, findings
from warehouse.groups import Subjects, label
from warehouse.refusals import replies, with_replies
from warehouse.samples import stimuli_answered
from warehouse.statistics import NOBODY, adjusted, effect_size, pooled


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
        of_this: dict[tuple[str, str, str], list[tuple[Finding, ReportRow]]] = {}
        for finding in found:
            key = finding.key
            row = with_replies(_row(table, subjects, contrast, fields, finding), told.get(key, {}))
            if key in answered:
                row = msgspec.structs.replace(row, stimuli=stimuli(key), stimuli_answered=answered[key])
            of_this.setdefault((key.panel, key.scale, key.subscale), []).append((finding, row))
        for owner, rows in of_this.items():
            families.setdefault(owner, []).append(_corrected(contrast, rows))
    owners = ((panel, o.scale, o.subscale) for panel in panels for o in subjects.outcomes(contrast))
    return [row for owner in owners for family in families.get(owner, []) for row in family]


def _corrected(contrast: Contrast, rows: Sequence[tuple[Finding, ReportRow]]) -> list[ReportRow]:
    """The rows of one family, with p corrected for how many they are, and what follows; after each those
    of its pairs of sides."""
    ps = [row.p for _, row in rows if row.p is not None]
    corrected = adjusted(ps, contrast.adjust)
    remaining = iter(corrected or [])
    found: list[ReportRow] = []
    for finding, row in rows:
        p = next(remaining) if corrected is not None and row.p is not None else None
        decisive = p if contrast.direction_by == "p_adjusted" and p is not None else row.p
        leans = finding.comparison.leans
        direction = direction_of(decisive, contrast.alpha, row.estimate if leans is None else leans)
        verdict = _verdict(contrast, decisive)
        if contrast.test in OF_MARGINS:
            direction = "none"
        one = msgspec.structs.replace(row, p_adjusted=p, family=len(ps), direction=direction, verdict=verdict)
        found += [one, *_pairs_of_sides(contrast, finding, one)]
    return found


def _verdict(contrast: Contrast, p: float | None) -> Verdict | None:
    if p is None or contrast.test not in OF_MARGINS:
        return None
    if contrast.test == "equivalence":
        return "equivalent" if p < contrast.alpha else "not shown equivalent"
    return "not inferior" if p < contrast.alpha else "not shown not inferior"


def _pairs_of_sides(contrast: Contrast, finding: Finding, row: ReportRow) -> Iterator[ReportRow]:
    """A row for each pair of the sides of an omnibus contrast; what the group lacks is that of all sides."""
    for pair in finding.post_hoc:
        a, b = finding.samples[pair.first], finding.samples[pair.second]
        its, size = pair.comparison, effect_size("hedges_g", (a, b))
        yield msgspec.structs.replace(
            row,
            a_label=label(contrast.sides[pair.first]),
            a_n=a.n,
            a_mean=a.mean,
            a_sd=a.sd,
            b_label=label(contrast.sides[pair.second]),
            b_n=b.n,
            b_mean=b.mean,
            b_sd=b.sd,
            estimate=its.estimate,
            test=its.test,
            statistic=None,
            df=None,
            df_error=None,
            p=None,
            p_adjusted=its.p,
            family=len(finding.post_hoc),
            effect="hedges_g",
            effect_size=size.value,
            effect_low=size.low,
            effect_high=size.high,
            ci_low=its.low,
            ci_high=its.high,
            direction=direction_of(its.p, contrast.alpha, its.estimate),
            means={},
            note=its.note,
            post_hoc=True,
        )


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
    size = finding.size
    notes = [comparison.note, None if _is_untested(finding) else size.note]
    note = "; ".join(note for note in notes if note is not None) or None
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
        paired=finding.paired,
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


def _is_untested(finding: Finding) -> bool:
    """Whether a note already says why there is nothing to be had."""
    comparison = finding.comparison
    return comparison.p is None and comparison.note is not None and finding.size.value is None


def _kind(table: CellTable, contrast: Contrast) -> Literal["change", "difference"]:
    """A change is measured against a baseline; two conditions of one sort differ."""
    baseline = [table.is_baseline(contrast, side) for side in contrast.sides]
    return "change" if not contrast.omnibus and baseline == [False, True] else "difference"


def direction_of(p: float | None, alpha: float, estimate: float | None) -> Direction:
    if p is None or estimate is None or p >= alpha:
        return "none"
    return "up" if estimate > 0 else "down"
