"""run, runs."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ebc.batches import batches_of
from ebc.cli.planning import plans_of
from ebc.errors import Failure, UserError
from ebc.pipeline import Compiled, PanelRun, run_plan, storage

if TYPE_CHECKING:
    from runtime.batch.ledger import Ledger
    from runtime.budget import Budget
    from runtime.progress import Progress
    from warehouse.catalog import RunProgress


FREE = ("local", "simulated", "fake")
"""Providers that cost nothing."""


def results_folder(options: Namespace) -> Path:
    """The warehouse: --results, or EBC_RESULTS, or `results`. Raises UserError where a file stands there."""
    folder = Path(options.results or os.environ.get("EBC_RESULTS") or "results")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file, not a folder of results. Name another with --results.")
    return folder


def run(options: Namespace) -> int:
    """Asks what is left to ask, and says how each run ended."""
    for name, most in (("limit", 1_000_000_000), ("max-requests", 1_000_000_000), ("connections", 4096)):
        value = getattr(options, name.replace("-", "_"))
        if value is not None and not 1 <= value <= most:
            raise UserError(f"--{name} is {value}; it must be from 1 to {most:,}.")
    if options.batch and options.connections is not None:
        raise UserError("--connections says nothing of batches: leave it out, or run without --batch.")
    plans = plans_of(options.spec, options.study, options.model)
    budget = _budget(options, plans)
    results = results_folder(options)
    if options.batch and sum(len(compiled.plan.models) for compiled in plans) > 1:
        for compiled in plans:  # all are handed over before any is waited for
            for one in _run_plan(compiled, results, options, budget, wait=False):
                if one.outcome.state == "interrupted":
                    print(f"{one.panel}: {one.outcome.message}", file=sys.stderr)
                    return 130
        options.fresh = False
    ended: list[PanelRun] = []
    for compiled in plans:
        for one in _run_plan(compiled, results, options, budget):
            ended.append(one)
            print(f"{one.panel}: {one.outcome.message}", file=sys.stderr)
            if one.outcome.counts.get("error"):
                print(f"{one.panel}: {_commonest_error(results, one.run)}", file=sys.stderr)
            if one.outcome.state == "interrupted":
                break
    if options.format == "json":
        print(json.dumps([_as_json(one) for one in ended], ensure_ascii=False, indent=1))
    return _status(ended)


def _budget(options: Namespace, plans: list[Compiled]) -> Budget:
    """What this call may spend. Raises UserError where money cannot be counted."""
    from runtime.budget import Budget

    dollars = options.max_cost
    if dollars is not None:
        if not 0 < dollars < float("inf"):
            raise UserError(f"--max-cost is {dollars}; it must be a number of US dollars above 0.")
        models = {model.id: model for compiled in plans for model in compiled.plan.models}
        unknown = [name for name, one in models.items() if one.price is None and one.provider not in FREE]
        if unknown:
            raise UserError(
                f"--max-cost needs the price of {', '.join(unknown)}: declare it in the spec, as in "
                "usd_per_million_tokens { input 0.15  output 0.6 }, or bound the run with --max-requests."
            )
    return Budget(dollars, options.max_requests)


def _run_plan(
    compiled: Compiled, results: Path, options: Namespace, budget: Budget, wait: bool = True
) -> Iterator[PanelRun]:
    from runtime.batch.ledger import BatchOut
    from runtime.lock import RunBusy
    from runtime.transport import TransportError

    def progress() -> Progress:
        from runtime.progress import Reporter

        if options.format == "json":
            return Reporter(sys.stderr, "json")
        return Reporter(sys.stderr, "live" if sys.stderr.isatty() else "plain")

    try:
        yield from run_plan(
            compiled,
            results,
            progress,
            limit=options.limit,
            connections=options.connections,
            budget=budget,
            fresh=options.fresh,
            batch=options.batch,
            wait=wait,
        )
    except RunBusy as busy:
        raise Failure(str(busy)) from busy
    except BatchOut as out:
        raise UserError(str(out)) from out
    except TransportError as error:
        raise UserError(error.message) from error


def _commonest_error(results: Path, run: str) -> str:
    from warehouse import catalog

    with storage():
        text, count = catalog.commonest_error(results, run)
    return f"{count:,} failed with: {text}"


def _status(ended: list[PanelRun]) -> int:
    if any(one.outcome.state == "interrupted" for one in ended):
        return 130
    if any(one.outcome.fault == "key" for one in ended):
        return 2
    return 0 if all(one.outcome.state == "finished" for one in ended) else 1


def _as_json(one: PanelRun) -> dict[str, Any]:
    outcome = one.outcome
    return {
        "run": one.run,
        "panel": one.panel,
        "state": outcome.state,
        "planned": one.planned,
        "asked": outcome.asked,
        "kept": outcome.kept,
        "left": outcome.left,
        "statuses": dict(outcome.counts),
        "message": outcome.message,
    }


def runs(options: Namespace) -> int:
    """Lists the runs of the warehouse."""
    from warehouse import catalog

    with storage():
        results = results_folder(options)
        found = catalog.runs(results)
        out = {one.run.run: batches_of(results, one.run.run) for one in found}
    if options.format == "json":
        print(json.dumps([_run_json(one, out[one.run.run]) for one in found], ensure_ascii=False, indent=1))
    elif not found:
        print("no runs yet.")
    else:
        print(_run_table(found, out))
    return 0


def _run_json(one: RunProgress, out: list[Ledger]) -> dict[str, Any]:
    row = one.run
    return {
        "run": row.run,
        "study": row.study,
        "panel": row.panel,
        "source": row.source,
        "state": row.state,
        "planned": row.planned,
        "answered": one.answered,
        "statuses": dict(one.statuses),
        "cost": one.cost,
        "tokens_in": one.tokens_in,
        "tokens_out": one.tokens_out,
        "started": row.started.isoformat(),
        "finished": None if row.finished is None else row.finished.isoformat(),
        "plan_id": row.plan_id,
        "batches": [
            {"batch": batch.name, "trials": batch.trials, "since": batch.begun.isoformat()} for batch in out
        ],
    }


def _run_table(found: list[RunProgress], out: Mapping[str, list[Ledger]]) -> str:
    header = ("study", "panel", "source", "state", "answered", "planned", "errors", "cost", "run")
    rows: list[tuple[str, ...]] = [header]
    for one in found:
        cost = "" if one.cost is None else f"${one.cost:.4f}"
        errors = one.statuses.get("error", 0)
        state = f"{one.run.state}, in a batch" if out[one.run.run] else one.run.state
        cells = (one.run.source, state, one.answered, one.run.planned, errors, cost, one.run.run)
        rows.append((one.run.study, one.run.panel, *(str(cell) for cell in cells)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    numbers = {4, 5, 6, 7}
    lines = [
        "  ".join(
            c.rjust(w) if i in numbers else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
