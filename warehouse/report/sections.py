"""A report as headed sections with tables of strings: what text and Markdown lay out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from schemas.plan import Contrast, Outcome
from schemas.report import ReportRow
from warehouse.report.build import PanelState, StudyReport
from warehouse.report.published import published_sections
from warehouse.report.structure import Block, Column, Section
from warehouse.report.words import EFFECT_SYMBOLS, Titles, change, count, effect, p_value, settings, spread

SIDE_BY_SIDE = 2
NESTED = ("overall", "emotion", "factor")
SIMULATED = "[sim] "


def sections(study: StudyReport) -> Iterator[Section]:
    """The whole report in reading order."""
    titles = Titles(study.plan)
    yield Section(1, study.plan.study.title, _preamble(study))
    for contrast in study.plan.contrasts:
        rows = [row for row in study.report.rows if row.contrast == contrast.name]
        nothing = () if rows else ("No row: no answer fits this contrast and its `where`.",)
        yield Section(2, contrast.title or contrast.name, (settings(contrast), *nothing))
        for panel in study.panels:
            own = [row for row in rows if row.panel == panel.run.panel]
            if own:
                yield from _panel_sections(contrast, panel, own, titles)
    yield Section(2, "What this rests on", tuple(_basis(study)))
    yield from published_sections(study.report.expectations, titles)


def _preamble(study: StudyReport) -> tuple[str, ...]:
    lines = [f"Study {study.plan.study.id}; {count(len(study.panels), 'panel')}."]
    simulated = [panel.run.panel for panel in study.panels if panel.kind == "simulated"]
    if simulated:
        lines.append(
            f"SIMULATED: {', '.join(simulated)}. A program made these answers up; every row of them is marked "
            f"{SIMULATED.strip()}. They say nothing about any model or person."
        )
    unfinished = [panel.run.panel for panel in study.panels if not panel.complete]
    if unfinished:
        lines.append(f"INCOMPLETE: {', '.join(unfinished)}. Run the study again to go on; numbers may change.")
    if study.absent:
        lines.append(f"No answers yet: {', '.join(study.absent)}.")
    return tuple(lines)


def _panel_sections(
    contrast: Contrast, panel: PanelState, rows: Sequence[ReportRow], titles: Titles
) -> Iterator[Section]:
    outcomes = list(dict.fromkeys(Outcome(row.scale, row.subscale) for row in rows))
    for scale, of_scale in groupby(outcomes, key=lambda outcome: outcome.scale):
        subscales = list(of_scale)
        of_this = [row for row in rows if row.scale == scale]
        heading = f"{titles.panels.get(panel.run.panel, panel.run.panel)} ({_what(panel)}): {scale}"
        for start in range(0, len(subscales), SIDE_BY_SIDE):
            block = _block(contrast, of_this, subscales[start : start + SIDE_BY_SIDE], panel, titles)
            yield Section(3, heading if start == 0 else "", (), block)
        notes = tuple(_notes(of_this, titles))
        if notes:
            yield Section(3, "", notes)


def _what(panel: PanelState) -> str:
    if panel.kind == "simulated":
        return "SIMULATED respondent"
    if panel.kind == "human":
        return count(panel.respondents, "person", "people")
    return "model" if panel.run.source in ("live", "batch") else f"model, {panel.run.source}"


class _Line(msgspec.Struct, frozen=True):
    """A group's place in the table, apart from its numbers. `depth`: how far its label stands in."""

    kind: str
    label: str
    depth: int
    key: tuple[object, ...]


def _block(
    contrast: Contrast,
    rows: Sequence[ReportRow],
    outcomes: Sequence[Outcome],
    panel: PanelState,
    titles: Titles,
) -> Block:
    found = {(_key(row), Outcome(row.scale, row.subscale)): row for row in rows}
    mark = SIMULATED if panel.kind == "simulated" else ""
    lines: list[tuple[str, ...]] = []
    overall = [found.get((("overall", None, None, ()), outcome)) for outcome in outcomes]
    if any(overall):
        lines += [(mark + contrast.b, *_levels(overall, contrast, "b"))]
        lines += [(mark + contrast.a, *_levels(overall, contrast, "a"))]
    for line in _lines(rows, titles):
        cells = [cell for outcome in outcomes for cell in _cells(found.get((line.key, outcome)), contrast)]
        lines.append(("  " * line.depth + mark + line.label, *cells))
    columns = [Column("", "")]
    for outcome in outcomes:
        title = titles.subscale(outcome.subscale, outcome.scale)
        columns += [Column(title, name) for name in _column_names(contrast)]
    return Block(tuple(columns), tuple(lines))


def _column_names(contrast: Contrast) -> list[str]:
    symbol = EFFECT_SYMBOLS[contrast.effect]
    p = "p" if contrast.adjust == "none" else "p corr."
    return ["change", *([symbol] if symbol else []), p, "n"]


def _cells(row: ReportRow | None, contrast: Contrast) -> list[str]:
    if row is None:
        return [""] * len(_column_names(contrast))
    sizes = [effect(row)] if contrast.effect != "none" else []
    return [change(row), *sizes, p_value(row), f"{row.a_n}"]


def _levels(overall: Sequence[ReportRow | None], contrast: Contrast, side: str) -> list[str]:
    blanks = [""] * (len(_column_names(contrast)) - 2)
    cells: list[str] = []
    for row in overall:
        if row is None:
            cells += ["", *blanks, ""]
        elif side == "a":
            cells += [spread(row.a_mean, row.a_sd), *blanks, f"{row.a_n}"]
        else:
            cells += [spread(row.b_mean, row.b_sd), *blanks, f"{row.b_n}"]
    return cells


def _key(row: ReportRow) -> tuple[object, ...]:
    return (row.group_kind, row.emotion, row.factor_index, tuple(row.groups.items()))


def _lines(rows: Sequence[ReportRow], titles: Titles) -> list[_Line]:
    """Overall, then each emotion with its factors under it, then the groups of every other kind."""
    distinct = {_key(row): row for row in rows}
    nested = [row for row in distinct.values() if row.group_kind in NESTED]
    emotions = list(dict.fromkeys(row.emotion for row in nested))
    nested.sort(key=lambda row: (emotions.index(row.emotion), row.factor_index is not None))
    lines: list[_Line] = []
    headed = {row.emotion for row in nested if row.group_kind != "factor"}
    for row in nested:
        if row.emotion is not None and row.emotion not in headed:
            headed.add(row.emotion)
            lines.append(_Line("heading", titles.emotion(row.emotion), 0, ("heading", row.emotion)))
        lines.append(_Line(row.group_kind, titles.group(row), int(row.group_kind == "factor"), _key(row)))
    other = [row for row in distinct.values() if row.group_kind not in NESTED]
    for kind, of_kind in groupby(other, key=lambda row: row.group_kind):
        lines.append(_Line("heading", f"by {kind}", 0, ("heading", kind)))
        lines += [_Line(kind, titles.group(row), 1, _key(row)) for row in of_kind]
    return lines


def _notes(rows: Sequence[ReportRow], titles: Titles) -> Iterator[str]:
    noted: dict[str, list[str]] = {}
    for row in rows:
        if row.note is not None:
            noted.setdefault(row.note, []).append(f"{titles.group(row)} ({row.subscale_title})")
    for note, groups in noted.items():
        shown = "; ".join(groups[:5]) + (f"; and {len(groups) - 5} more" if len(groups) > 5 else "")
        yield f"{note[0].upper()}{note[1:]}: {shown}."
    yield from _left_out(rows)


def _left_out(rows: Sequence[ReportRow]) -> Iterator[str]:
    """Who is in no pair, and who has no value of what a group is made by."""
    overall = {(row.scale, row.subscale): row for row in rows if row.group_kind == "overall"}
    pairs = {row.n_missing for row in overall.values() if row.paired and row.n_missing}
    if pairs:
        yield f"Left out: {count(max(pairs), 'respondent')} without a score on both sides of the pair."
    in_groups: dict[str, dict[tuple[str, str], int]] = {}
    for row in rows:
        if row.groups and set(row.group_kind.split(" * ")) == set(row.groups):
            sums = in_groups.setdefault(row.group_kind, {})
            sums[row.scale, row.subscale] = sums.get((row.scale, row.subscale), 0) + row.a_n
    for kind, sums in in_groups.items():
        without = max((overall[key].a_n - n for key, n in sums.items() if key in overall), default=0)
        if without > 0:
            yield f"Left out of the groups by {kind}: {count(without, 'answer')} without a value of it."


def _basis(study: StudyReport) -> Iterator[str]:
    """What was planned, answered and left out, panel by panel."""
    for panel in study.panels:
        run = panel.run
        statuses = ", ".join(f"{status} {n:,}" for status, n in sorted(panel.statuses.items()))
        trials = f"{panel.answered:,} of {count(run.planned, 'trial')} answered"
        text = f"{run.panel} ({run.source}, {run.state}): {trials}"
        text += f"; {statuses}." if statuses else "."
        if panel.missing:
            text += (
                f" {panel.missing:,} of {count(panel.scores, 'score')} could not be computed, because values "
                "are missing; they are left out, never counted as 0."
            )
        yield text
    yield "n counts answers. Repeated answers of one respondent are not independent observations."
