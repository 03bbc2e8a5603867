"""sql, report."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ebc.cli.language import plans_of
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.pipeline import storage

if TYPE_CHECKING:
    from schemas.plan import Plan


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


def report(options: Namespace) -> int:
    """Prints the table of each study that is named, over the newest run of each panel."""
    from warehouse.report import build_report, keep_contrasts, render

    results = results_folder(options)
    with storage():
        for plan in _plans(options.study, results):
            built = build_report(results, plan, _named_runs(results, plan, options.run))
            if not built.panels:
                raise UserError(
                    f"nobody has answered study {plan.study.id} in {results} yet. "
                    "Run it, or import its responses."
                )
            keep_contrasts(results, built.report)
            sys.stdout.write(render(built, options.format))
    return 0


def _plans(name: str, results: Path) -> list[Plan]:
    """The plan of a study by its name, or those of a spec or a plan's folder. Raises UserError."""
    from warehouse.catalog import registered_plans

    if name.endswith(".eb") or Path(name).is_dir():
        return [compiled.plan for compiled in plans_of(name, None, [])]
    known = registered_plans(results)
    if name not in known:
        studies = ", ".join(known) or "none"
        raise UserError(f"there is no study {name} in {results}. Studies there: {studies}.")
    return [known[name]]


def _named_runs(results: Path, plan: Plan, runs: list[str]) -> dict[str, str]:
    """The runs that the user names, by panel. Raises UserError."""
    from warehouse.catalog import runs as all_runs

    if not runs:
        return {}
    panels = {one.run.run: one.run.panel for one in all_runs(results) if one.run.study == plan.study.id}
    for run in runs:
        if run not in panels:
            raise UserError(f"study {plan.study.id} has no run {run}. `ebc runs` lists the runs there are.")
    return {panels[run]: run for run in runs}
