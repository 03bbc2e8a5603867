"""The import of recorded answers: every file is read before anything is written, and none is stored by half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ebc.errors import UserError
from ebc.pipeline import Compiled, keep_plan, storage
from ebc.tables import DiskFiles
from schemas.plan import Plan
from schemas.rows import RunRow, State, TrialRow
from schemas.table import TableError

if TYPE_CHECKING:
    from runtime.recorded import Details, RecordedPanel
    from warehouse.changes import Changes


@dataclass(frozen=True)
class Recorded:
    """A study's recorded answers, read and not yet stored."""

    compiled: Compiled
    panels: tuple[RecordedPanel, ...]


@dataclass(frozen=True)
class Imported:
    """One panel's recorded answers: `new` where the warehouse did not have them yet; `changes` where an earlier
    import of the panel, with other content, made way for them."""

    study: str
    run: str
    panel: str
    details: Details
    new: bool
    changes: Changes | None


def read_recorded(compiled: Compiled, data: Path) -> Recorded:
    """Reads the study's recorded answers by their mappings. Raises UserError."""
    from runtime.recorded import RecordedError, read_responses

    plan = compiled.plan
    if not plan.responses:
        raise UserError(f"study {plan.study.id} has no responses among its panels.")
    panels: list[RecordedPanel] = []
    for mapping in plan.responses:
        try:
            panels += read_responses(plan, mapping, DiskFiles(data))
        except (RecordedError, TableError) as error:
            raise UserError(str(error)) from error
    for panel in panels:
        if not panel.planned:
            why = "\n  ".join(one.line() for one in panel.details.left_out) or "nothing fits the mapping"
            raise UserError(f"no response of {panel.panel} was taken in, so nothing was imported:\n  {why}")
    names = [panel.panel for panel in panels]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UserError(
            f"two `responses` of study {plan.study.id} fill the panel {twice}: one would take the place of the "
            "other. Give their panels names that differ, or read both files in one declaration."
        )
    return Recorded(compiled, tuple(panels))


def store_recorded(studies: Sequence[Recorded], results: Path) -> list[Imported]:
    """Stores what was read; the same answers again add nothing. All runs are whole before the first counts, and
    where one cannot be stored, all of them are removed. Imports into one folder wait for one another: the same
    answers are the same run, and one process would remove what another has written. Raises Failure."""
    from warehouse.layout import alone

    with storage(), alone(results):
        for one in studies:
            keep_plan(results, one.compiled)
        every = [(one.compiled.plan, panel) for one in studies for panel in one.panels]
        known = [_earlier(results, plan, panel) for plan, panel in every]
        fresh = [one for one, runs in zip(every, known, strict=True) if _is_new(one[1], runs)]
        _write(results, fresh)
        return [_settled(results, plan, panel, runs) for (plan, panel), runs in zip(every, known, strict=True)]


def _earlier(results: Path, plan: Plan, panel: RecordedPanel) -> list[RunRow]:
    """The imports of the panel, whole or broken off."""
    from warehouse import catalog

    return [
        one.run
        for one in catalog.runs(results)
        if (one.run.study, one.run.panel) == (plan.study.id, panel.panel)
        and one.run.source in ("recorded", "human")
    ]


def _write(results: Path, fresh: Sequence[tuple[Plan, RecordedPanel]]) -> None:
    """Writes runs, and only then says of each that it is finished."""
    from warehouse.layout import remove_run
    from warehouse.parquet import ParquetSink, record_batches

    started = datetime.now(UTC)
    sinks = []
    try:
        for plan, panel in fresh:
            sink = ParquetSink(results)
            trials = record_batches(TrialRow, panel.trials())
            sink.open(_run_row(plan, panel, "running", started), panel.respondents(), trials)
            sink.write_columns(0, panel.responses(), panel.answers())
            sinks.append((sink, _run_row(plan, panel, "finished", started)))
        for sink, row in sinks:
            sink.close(row)
    except BaseException:
        for _, panel in fresh:
            remove_run(results, panel.run)
        raise


def _run_row(plan: Plan, panel: RecordedPanel, state: State, started: datetime) -> RunRow:
    finished = datetime.now(UTC) if state == "finished" else None
    return RunRow(
        run=panel.run,
        study=plan.study.id,
        panel=panel.panel,
        plan_id=plan.plan_id,
        source=panel.source,
        state=state,
        planned=panel.planned,
        started=started,
        finished=finished,
    )


def _is_new(panel: RecordedPanel, earlier: Sequence[RunRow]) -> bool:
    return all(run.run != panel.run or run.state != "finished" for run in earlier)


def _settled(results: Path, plan: Plan, panel: RecordedPanel, earlier: Sequence[RunRow]) -> Imported:
    """What became of a panel; the imports that it replaces are removed."""
    from warehouse.changes import changes
    from warehouse.layout import remove_run

    others = [run for run in earlier if run.run != panel.run]
    whole = [run.run for run in others if run.state == "finished"]
    changed = changes(results, whole[-1], panel.run) if whole else None
    for run in others:
        remove_run(results, run.run)
    new = _is_new(panel, earlier)
    return Imported(plan.study.id, panel.run, panel.panel, panel.details, new, changed)
