"""From a warehouse and a plan to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from schemas.columns import record_batch
from schemas.plan import Hole, Plan
from schemas.report import Report, ReportRow
from schemas.rows import Kind, RunRow, Status
from warehouse import catalog
from warehouse.associations import association_rows
from warehouse.cells import CellTable
from warehouse.contrasts import report_rows
from warehouse.errors import WarehouseError
from warehouse.expectations import expectations
from warehouse.groups import Subjects
from warehouse.layout import part
from warehouse.parquet import contrasts_schema, write_table

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


ONE_ORDER = {"threads": "1"}
"""So that numbers are added up in one order, and the same answers give the same digits."""


class PanelState(msgspec.Struct, frozen=True):
    """What a report rests on for one panel. `statuses`: planned trials by their newest answer's status;
    `scores`: subscale scores that these could give, `missing` of them without a value."""

    run: RunRow
    kind: Kind
    respondents: int
    statuses: Mapping[Status, int]
    scores: int
    missing: int

    @property
    def answered(self) -> int:
        return sum(count for status, count in self.statuses.items() if status != "error")

    @property
    def complete(self) -> bool:
        """Whether every planned trial was answered."""
        return self.answered >= self.run.planned and self.run.state == "finished"


class StudyReport(msgspec.Struct, frozen=True):
    """A report and what a reader must know beside its rows. `absent`: panels of the plan without a run."""

    plan: Plan
    report: Report
    panels: tuple[PanelState, ...]
    absent: tuple[str, ...]


def build_report(results: Path, plan: Plan, runs: Mapping[str, str] | None = None) -> StudyReport:
    """The report of the plan's study over the newest run of each panel, or the runs named by panel.
    Raises WarehouseError where a named run does not exist."""
    chosen = _chosen_runs(results, plan, runs)
    panels = sorted(chosen, key=lambda panel: _place(plan, chosen[panel]))
    named = [run.run for run in chosen.values()]
    with catalog.connect(results, named, ONE_ORDER, plan) as connection:
        rows = _rows(connection, results, plan, panels)
        states = _states(connection, results, [chosen[panel] for panel in panels])
    return StudyReport(
        plan=plan,
        report=Report(plan.study.id, tuple(rows), expectations(plan, rows)),
        panels=tuple(states),
        absent=tuple(panel for panel in plan.study.panels if panel not in {*chosen, *_many(plan)}),
    )


def _place(plan: Plan, run: RunRow) -> int:
    """Where the study names the run's panel. What it does not name stands where a mapping of many panels
    does, if it was imported, or else at the end."""
    names = plan.study.panels
    if run.panel in names:
        return names.index(run.panel)
    imported = run.source in ("recorded", "human")
    mappings = [names.index(name) for name in _many(plan) if imported and name in names]
    return min(mappings, default=len(names))


def _many(plan: Plan) -> set[str]:
    """Mappings that read one panel from each of many files, so that no panel has their name."""
    return {r.id for r in plan.responses if any(part == Hole("panel") for part in r.path)}


def _chosen_runs(results: Path, plan: Plan, runs: Mapping[str, str] | None) -> dict[str, RunRow]:
    newest = catalog.newest_runs(results, plan.study.id)
    if not runs:
        return newest
    known = {progress.run.run: progress.run for progress in catalog.runs(results)}
    for panel, run in runs.items():
        if run not in known or known[run].study != plan.study.id or known[run].panel != panel:
            raise WarehouseError(
                f"no run {run} of panel {panel} in study {plan.study.id}. `ebc runs` lists the runs there are."
            )
    return {**newest, **{panel: known[run] for panel, run in runs.items()}}


def _rows(
    connection: duckdb.DuckDBPyConnection, results: Path, plan: Plan, panels: Sequence[str]
) -> list[ReportRow]:
    table = CellTable(connection, results, plan)
    subjects = Subjects(plan, table.kinds())
    rows = [row for one in plan.contrasts for row in report_rows(table, subjects, one, panels)]
    for association in plan.associations:
        rows += association_rows(table, plan, subjects, association, panels)
    return rows


def _states(connection: duckdb.DuckDBPyConnection, results: Path, runs: Sequence[RunRow]) -> list[PanelState]:
    statuses: dict[str, dict[Status, int]] = {}
    for run, status, count in catalog.fetch(
        connection, results, "SELECT run, status, responses FROM progress ORDER BY ALL"
    ):
        statuses.setdefault(run, {})[status] = count
    people = {
        run: (kind, count)
        for run, kind, count in catalog.fetch(
            connection, results, "SELECT run, min(kind), count(*) FROM respondents GROUP BY run"
        )
    }
    scores = {
        panel: (planned, missing)
        for panel, planned, missing in catalog.fetch(
            connection,
            results,
            "SELECT panel, count(*) FILTER (answered), count(*) FILTER (answered AND score IS NULL) "
            "FROM cells GROUP BY panel",
        )
    }
    return [
        PanelState(
            run, *people.get(run.run, ("model", 0)), statuses.get(run.run, {}), *scores.get(run.panel, (0, 0))
        )
        for run in runs
    ]


def contrasts_table(results: Path) -> pa.Table:
    """The rows of every study whose plan was kept, over the newest runs: what SQL sees as `contrasts`."""
    import pyarrow as pa

    tables = [
        _as_table(study, build_report(results, plan).report.rows)
        for study, plan in catalog.registered_plans(results).items()
    ]
    return pa.concat_tables([contrasts_schema().empty_table(), *tables])


def keep_contrasts(results: Path, report: Report) -> None:
    """Keeps a report's rows as `contrasts/<study>.parquet`, for programs that cannot compute them. Raises
    StorageError."""
    write_table(part(results, "contrasts", report.study), _as_table(report.study, report.rows))


def _as_table(study: str, rows: Sequence[ReportRow]) -> pa.Table:
    import pyarrow as pa

    schema = contrasts_schema()
    if not rows:
        return schema.empty_table()
    batch = record_batch(rows, pa.schema(list(schema)[1:]))
    names = pa.array([study] * len(rows), pa.string())
    return pa.Table.from_arrays([names, *batch.columns], schema=schema)
