"""sql, report."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ebc.cli.planning import plans_of
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.pipeline import storage

if TYPE_CHECKING:
    from schemas.plan import Plan
    from schemas.report import Report
    from warehouse.report import StudyReport


def sql(options: Namespace) -> int:
    """Answers one SELECT. The process ends by itself where a query ignores its time limit."""
    from warehouse.query import guard, query
    from warehouse.render import write_result

    if options.format == "parquet" and sys.stdout.isatty():
        raise UserError("Parquet is no text: send it to a file, with `> answer.parquet`.")
    with guard(), storage():
        result = query(results_folder(options), options.query)
        note = write_result(result, options.format, sys.stdout, sys.stdout.buffer)
    if note is not None:
        print(note, file=sys.stderr)
    return 0


CHANGED = """\
note: {file} says of study {study} other things than when it was last run or imported. Scores and analyses
follow the file as it is now in this report alone; run or import it again to take the change in."""


def report(options: Namespace) -> int:
    """Prints the table of each study that is named, over the newest run of each panel."""
    from warehouse.report import build_report, render

    results = results_folder(options)
    with storage():
        plans = _plans(options.study, results)
        if len(plans) > 1 and options.format in ("csv", "json"):
            names = ", ".join(plan.study.id for plan in plans)
            raise UserError(f"{options.study} declares several studies ({names}): name one of them.")
        named = _named_runs(results, [plan.study.id for plan in plans], options.run)
        for plan in plans:
            built = build_report(results, plan, named[plan.study.id])
            if not built.panels:
                raise UserError(
                    f"nobody has answered study {plan.study.id} in {results} yet. "
                    "Run it, or import its responses."
                )
            sys.stdout.write(render(built, options.format))
            _note_broken_off(results, built)
            _keep(results, built.report)
    return 0


BROKEN_OFF = """\
note: `ebc rescore` was broken off in run {run} of {panel}: some of its new readings stand already.
`ebc rescore {study}` ends what it began."""


def _note_broken_off(results: Path, built: StudyReport) -> None:
    """Says where old readings still stand beside new ones."""
    from warehouse.layout import is_replacing

    for panel in built.panels:
        if is_replacing(results, panel.run.run):
            said = BROKEN_OFF.format(run=panel.run.run, panel=panel.run.panel, study=panel.run.study)
            print(said, file=sys.stderr)


def _keep(results: Path, rows: Report) -> None:
    """Keeps the rows for programs that cannot compute them, where the folder can be written."""
    from warehouse.errors import StorageError
    from warehouse.report import keep_contrasts

    try:
        keep_contrasts(results, rows)
    except StorageError as error:
        print(f"note: the rows are not kept for other programs: {error}", file=sys.stderr)


def _plans(name: str, results: Path) -> list[Plan]:
    """The plan of a study by its name, or those of a spec or a plan's folder. Raises UserError."""
    from warehouse.catalog import registered_plans

    if name.endswith(".eb") or (Path(name) / "plan.json").exists():
        plans = plans_of(name, None, [])
        known = registered_plans(results)
        for compiled in plans:
            _note_change(compiled.plan, known.get(compiled.plan.study.id), name)
        return [compiled.plan for compiled in plans]
    return [known_plan(name, results)]


def known_plan(study: str, results: Path) -> Plan:
    """The newest plan that the warehouse keeps of a study. Raises UserError."""
    from warehouse.catalog import registered_plans

    known = registered_plans(results)
    if study not in known:
        studies = ", ".join(known) or "none"
        raise UserError(f"there is no study {study} in {results}. Studies there: {studies}.")
    return known[study]


def _note_change(plan: Plan, kept: Plan | None, name: str) -> None:
    if kept is not None and _apart_from_panels(kept) != _apart_from_panels(plan):
        print(CHANGED.format(study=plan.study.id, file=name), file=sys.stderr)


def _apart_from_panels(plan: Plan) -> Plan:
    """What a plan says, whoever answers it."""
    study = replace(plan.study, panels=())
    return replace(plan, study=study, models=(), plan_id="", compiler="")


def _named_runs(results: Path, studies: list[str], runs: list[str]) -> dict[str, dict[str, str]]:
    """The runs that the user names, by study and panel. Raises UserError."""
    from warehouse.catalog import runs as all_runs

    named: dict[str, dict[str, str]] = {study: {} for study in studies}
    known = {one.run.run: one.run for one in all_runs(results)} if runs else {}
    for run in runs:
        if run not in known or known[run].study not in named:
            raise UserError(f"{' and '.join(studies)} has no run {run}. `ebc runs` lists the runs there are.")
        named[known[run].study][known[run].panel] = run
    return named
