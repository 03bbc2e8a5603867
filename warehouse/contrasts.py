"""Declared contrasts as a report's rows: one a panel, subscale and group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from schemas.plan import Contrast, Outcome, Plan
from schemas.report import Direction, ReportRow
from schemas.rows import Kind
from warehouse.samples import Count, Key, Scores, Side, group_columns
from warehouse.statistics import Comparison, Pairs, Sample, adjusted, compare, compare_paired, effect_size


class _Finding(msgspec.Struct, frozen=True):
    """One comparison in one group, not yet seen beside the others of its family."""

    key: Key
    a: Sample
    b: Sample
    pairs: Pairs | None
    comparison: Comparison
    missing: int
    coverage: float | None


def report_rows(scores: Scores, plan: Plan, panels: Sequence[str]) -> list[ReportRow]:
    """The rows of every contrast of the plan: by contrast, panel (as given), subscale, group kind and group,
    each in the order of declaration.

    A contrast with `paired_by` is tested within subjects. Otherwise the two sides are independent samples, and
    a condition without stimuli is everybody's baseline: no emotion or factor cuts it. The correction is over
    the groups of one kind, per panel and subscale; `family` is how many tests these are.
    """
    kinds = scores.kinds()
    return [row for contrast in plan.contrasts for row in _rows(_Study(scores, plan, kinds), contrast, panels)]


class _Study:
    """What a row is told apart from its numbers."""

    def __init__(self, scores: Scores, plan: Plan, kinds: dict[str, str]) -> None:
        self.scores = scores
        self._kinds = kinds
        self._emotions = {e: i for i, e in enumerate(dict.fromkeys(s.emotion for s in plan.stimuli))}
        self.titles = {
            Outcome(scale.id, subscale.id): subscale.title
            for scale in plan.scales
            for subscale in scale.subscales
        }

    def panel_kind(self, panel: str) -> Kind:
        kind: Any = self._kinds[panel]
        return kind if kind in ("human", "simulated") else "model"

    def position(self, columns: Sequence[str], key: Key) -> tuple[Any, ...]:
        """Sorts groups: emotions as declared, factors by their index, all else by its text."""
        return tuple(
            (self._emotions.get(value, len(self._emotions)), value)
            if column == "emotion"
            else (value, "")
            if isinstance(value, int)
            else (0, value)
            for column, value in zip(columns, key.group, strict=True)
        )


def _rows(study: _Study, contrast: Contrast, panels: Sequence[str]) -> Iterator[ReportRow]:
    families: list[tuple[tuple[str, ...], dict[tuple[str, Outcome], list[_Finding]]]] = []
    for fields in contrast.by:
        findings = list(_findings(study.scores, contrast, fields))
        columns = group_columns(fields)
        findings.sort(key=lambda finding: study.position(columns, finding.key))
        family: dict[tuple[str, Outcome], list[_Finding]] = {}
        for finding in findings:
            outcome = Outcome(finding.key.scale, finding.key.subscale)
            family.setdefault((finding.key.panel, outcome), []).append(finding)
        families.append((fields, family))
    for panel in panels:
        for outcome in contrast.outcomes or study.titles:
            for fields, family in families:
                yield from _family_rows(study, contrast, fields, family.get((panel, outcome), []))


def _findings(scores: Scores, contrast: Contrast, fields: Sequence[str]) -> Iterator[_Finding]:
    if contrast.paired_by is not None or contrast.test == "paired_t":
        for key, paired in scores.paired(contrast, fields).items():
            pairs, count = paired.pairs, paired.count
            comparison = compare_paired(pairs)
            yield _Finding(
                key, pairs.a, pairs.b, pairs, comparison, count.missing, _coverage(pairs.a.n, count.planned)
            )
        return
    for key, a, b in _sides(scores, contrast, fields):
        planned = a.count.planned + b.count.planned
        yield _Finding(
            key,
            a.sample,
            b.sample,
            None,
            compare(a.sample, b.sample, contrast.test),
            a.count.missing + b.count.missing,
            _coverage(a.sample.n + b.sample.n, planned),
        )


def _sides(scores: Scores, contrast: Contrast, fields: Sequence[str]) -> Iterator[tuple[Key, Side, Side]]:
    columns = group_columns(fields)
    sides = []
    for condition in (contrast.a, contrast.b):
        own = group_columns(scores.own_fields(condition, fields))
        sides.append((own, scores.sides(contrast, condition, fields)))
    keys = dict.fromkeys(key for own, found in sides if own == columns for key in found)
    for key in keys:
        a, b = (found.get(_restricted(key, columns, own), _NOBODY) for own, found in sides)
        yield key, a, b


_NOBODY = Side(Sample(0, None, None), Count(0, 0))


def _restricted(key: Key, columns: Sequence[str], own: Sequence[str]) -> Key:
    group = tuple(value for column, value in zip(columns, key.group, strict=True) if column in own)
    return Key(key.panel, key.scale, key.subscale, group)


def _coverage(n: int, planned: int) -> float | None:
    return n / planned if planned else None


def _family_rows(
    study: _Study, contrast: Contrast, fields: tuple[str, ...], findings: Sequence[_Finding]
) -> Iterator[ReportRow]:
    ps = [finding.comparison.p for finding in findings if finding.comparison.p is not None]
    corrected = adjusted(ps, contrast.adjust)
    remaining = iter(corrected or [])
    for finding in findings:
        tested = corrected is not None and finding.comparison.p is not None
        yield _row(study, contrast, fields, finding, next(remaining) if tested else None, len(ps))


def _row(
    study: _Study,
    contrast: Contrast,
    fields: tuple[str, ...],
    finding: _Finding,
    p_adjusted: float | None,
    family: int,
) -> ReportRow:
    key, comparison = finding.key, finding.comparison
    group = dict(zip(group_columns(fields), key.group, strict=True))
    decisive = p_adjusted if contrast.direction_by == "p_adjusted" and p_adjusted is not None else comparison.p
    return ReportRow(
        contrast=contrast.name,
        kind=_kind(study.scores, contrast),
        panel=key.panel,
        panel_kind=study.panel_kind(key.panel),
        scale=key.scale,
        subscale=key.subscale,
        subscale_title=study.titles.get(Outcome(key.scale, key.subscale), key.subscale),
        group_kind=" * ".join(fields) or "overall",
        emotion=group.pop("emotion", None),
        factor_index=group.pop("factor_index", None),
        factor=group.pop("factor", None),
        groups={name: str(value) for name, value in group.items()},
        a_label=contrast.a,
        a_n=finding.a.n,
        a_mean=finding.a.mean,
        a_sd=finding.a.sd,
        b_label=contrast.b,
        b_n=finding.b.n,
        b_mean=finding.b.mean,
        b_sd=finding.b.sd,
        estimate=comparison.estimate,
        unit="points",
        paired=finding.pairs is not None,
        test=comparison.test,
        statistic=comparison.statistic,
        df=comparison.df,
        p=comparison.p,
        p_adjusted=p_adjusted,
        family=family,
        effect=contrast.effect,
        effect_size=effect_size(contrast.effect, finding.a, finding.b, finding.pairs),
        ci_low=comparison.low,
        ci_high=comparison.high,
        direction=_direction(decisive, contrast.alpha, comparison.estimate),
        n_missing=finding.missing,
        coverage=finding.coverage,
        note=comparison.note,
    )


def _kind(scores: Scores, contrast: Contrast) -> Literal["change", "difference"]:
    """A change is measured against a baseline; two conditions of one sort differ."""
    return "change" if scores.is_baseline(contrast.b) and not scores.is_baseline(contrast.a) else "difference"


def _direction(p: float | None, alpha: float, estimate: float | None) -> Direction:
    if p is None or estimate is None or p >= alpha:
        return "none"
    return "up" if estimate > 0 else "down"
