"""A report as headed sections with tables of strings: what text and Markdown lay out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from schemas.plan import Association, Contrast, Outcome, Unit
from schemas.report import ReportRow
from warehouse.report.build import PanelState, StudyReport
from warehouse.report.notes import notes
from warehouse.report.published import published_sections
from warehouse.report.structure import Section
from warehouse.report.tables import association_block, contrast_block, pairs_block, per_table
from warehouse.report.titles import Titles
from warehouse.report.words import association_settings, count, settings

SIMULATED = "[sim] "


def sections(study: StudyReport) -> Iterator[Section]:
    """The whole report in reading order."""
    titles = Titles(study.plan, study.report.rows)
    yield Section(1, study.plan.study.title, _preamble(study))
    for contrast in study.plan.contrasts:
        yield from _contrast_sections(contrast, study, titles)
    for association in study.plan.associations:
        yield from _association_sections(association, study, titles)
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
    if not study.plan.contrasts and not study.plan.associations:
        means = "SELECT panel, condition, scale, subscale, avg(score), stddev(score) FROM scores GROUP BY ALL"
        lines.append(f'No analysis is declared. Declare a `contrast`, or ask: ebc sql "{means}"')
    return tuple(lines)


def _contrast_sections(contrast: Contrast, study: StudyReport, titles: Titles) -> Iterator[Section]:
    rows = [row for row in study.report.rows if row.contrast == contrast.name]
    nothing = () if rows else ("No row: no answer fits this contrast and its `where`.",)
    rates = any(row.kind == "rate" for row in rows)
    yield Section(2, contrast.title or contrast.name, (settings(contrast, rates), *nothing))
    for panel in study.panels:
        for outcomes, of_scale in _by_scale(rows, panel):
            heading = _heading(panel, of_scale, titles)
            step = per_table(contrast)
            for start in range(0, len(outcomes), step):
                block = contrast_block(contrast, of_scale, outcomes[start : start + step], _mark(panel), titles)
                yield Section(3, heading if start == 0 else "", (), block)
            for outcome in outcomes:
                pairs = pairs_block(of_scale, outcome, _mark(panel), titles)
                if pairs is not None:
                    yield Section(3, "", (), pairs)
            yield from _noted(of_scale, contrast.unit, titles)


def _association_sections(association: Association, study: StudyReport, titles: Titles) -> Iterator[Section]:
    rows = [row for row in study.report.rows if row.contrast == association.name]
    nothing = () if rows else ("No row: no answer fits this analysis and its `where`.",)
    yield Section(2, association.title or association.name, (association_settings(association), *nothing))
    for panel in study.panels:
        for outcomes, of_scale in _by_scale(rows, panel):
            heading = _heading(panel, of_scale, titles)
            for number, outcome in enumerate(outcomes):
                of_this = [row for row in of_scale if row.subscale == outcome.subscale]
                block = association_block(association, of_this, outcome, _mark(panel), titles)
                yield Section(3, "" if number else heading, (), block)
            yield from _noted(of_scale, association.unit, titles)


def _by_scale(rows: Sequence[ReportRow], panel: PanelState) -> Iterator[tuple[list[Outcome], list[ReportRow]]]:
    own = [row for row in rows if row.panel == panel.run.panel]
    for _, of_scale in groupby(own, key=lambda row: row.scale):
        found = list(of_scale)
        yield list(dict.fromkeys(Outcome(row.scale, row.subscale) for row in found)), found


def _heading(panel: PanelState, rows: Sequence[ReportRow], titles: Titles) -> str:
    name = titles.panels.get(panel.run.panel, panel.run.panel)
    return f"{name} ({_what(panel)}): {rows[0].scale}"


def _mark(panel: PanelState) -> str:
    return SIMULATED if panel.kind == "simulated" else ""


def _noted(rows: Sequence[ReportRow], unit: Unit, titles: Titles) -> Iterator[Section]:
    found = tuple(notes(rows, unit, titles))
    if found:
        yield Section(3, "", found)


def _what(panel: PanelState) -> str:
    if panel.kind == "simulated":
        return "SIMULATED respondent"
    if panel.kind == "human":
        return count(panel.respondents, "person", "people")
    return "model" if panel.run.source in ("live", "batch") else f"model, {panel.run.source}"


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
    yield (
        "n counts answers, unless an analysis says otherwise. Repeated answers of one respondent are not "
        "independent observations."
    )
