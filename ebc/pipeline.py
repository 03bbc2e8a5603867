"""The table of contents: what each command does, in the order in which the rooms do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import compiler
from compiler import Checked
from ebc.asked import distinct, library, named_model, refuse_namesakes, shipped_models
from ebc.errors import Failure, UserError
from ebc.tables import DiskFiles
from schemas.plan import Model, Plan
from schemas.planfile import PlanError, PlannedTrials, holds_others, read_plan, write_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from compiler.lower.draft import Draft, Estimate
    from runtime.budget import Budget
    from runtime.outcome import Outcome
    from runtime.progress import Progress
    from schemas.rows import Status


@dataclass(frozen=True)
class Compiled:
    """A study's plan with its trials. `steps` is what each pass made of it; empty for a plan that was read."""

    plan: Plan
    trials: pa.Table
    estimates: tuple[Estimate, ...]
    steps: tuple[tuple[str, Draft], ...] = ()


def load_spec(path: str) -> Checked:
    """A spec with everything that there is to say about it."""
    return compiler.load(Path(path).as_posix(), DiskFiles(Path()), library())


def compile_spec(checked: Checked, study: str | None = None, models: Sequence[str] = ()) -> list[Compiled]:
    """The plans of the spec's studies, or of the one named. Raises UserError."""
    program = checked.program
    studies = (
        program.own_studies() if study is None else [program.studies[study]] if study in program.studies else []
    )
    if not studies:
        named = f"no study `{study}`" if study is not None else "no study"
        known = ", ".join(program.studies) or "none"
        raise UserError(f"{program.main} declares {named}. Studies in use: {known}.")
    chosen = distinct([named_model(checked, name) for name in models]) or None
    compiled = [_compiled(compiler.compile_study(checked, one, chosen)) for one in studies]
    for one in compiled if chosen else ():
        refuse_namesakes(one.plan)
    return compiled


def _compiled(steps: list[tuple[str, Draft]]) -> Compiled:
    last = steps[-1][1]
    return Compiled(last.plan, last.planned(), last.estimates, tuple(steps))


def open_plan(folder: Path, models: Sequence[str] = ()) -> Compiled:
    """A compiled plan; with `models`, its trials are made anew for them. Raises UserError."""
    try:
        plan, trials = read_plan(folder)
    except PlanError as error:
        raise UserError(str(error)) from error
    if not models:
        return Compiled(plan, trials, ())
    chosen = distinct([named_model(shipped_models(), name) for name in models])
    compiled = _compiled(compiler.compile_models(plan, chosen))
    refuse_namesakes(compiled.plan)
    return compiled


def save_plan(folder: Path, compiled: Compiled) -> None:
    """Writes the plan. Raises Failure, and UserError where the folder holds other things than a plan."""
    if folder.is_dir() and holds_others(folder):
        raise UserError(f"{folder} is a folder with other things in it: name another for the plan.")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file: name a folder for the plan.")
    try:
        write_plan(folder, compiled.plan, compiled.trials)
    except OSError as error:
        raise Failure(f"cannot write the plan {folder}: {error.strerror or error}.") from error


@dataclass(frozen=True)
class PanelRun:
    """How the run of one panel ended."""

    run: str
    panel: str
    planned: int
    outcome: Outcome


def run_plan(
    compiled: Compiled,
    results: Path,
    progress: Callable[[], Progress],
    *,
    limit: int | None = None,
    connections: int | None = None,
    budget: Budget | None = None,
    fresh: bool = False,
    batch: bool = False,
    wait: bool = True,
) -> Iterator[PanelRun]:
    """Has each model of the plan answer what it has not answered yet. Models of one account share its limits.
    `batch`: by way of batches; without `wait`, these are handed over only. Raises UserError, Failure."""
    from ebc.batches import batches_to, kept_plan, refuse_while_out
    from runtime.account import Account
    from runtime.batch.settings import BatchSettings
    from runtime.execute import run_panel
    from runtime.flights import Settings
    from runtime.journal import segments
    from runtime.transports import transport_for
    from warehouse.layout import require_pairs
    from warehouse.parquet import ParquetSink

    plan = compiled.plan
    if not plan.models:
        raise UserError(
            f"study {plan.study.id} names no model that could be asked. Name one with --model, "
            "or read its recorded answers with `ebc import responses`."
        )
    settings = Settings(limit=limit, batch=BatchSettings(wait=wait))
    if connections is not None:
        settings = Settings(limit=limit, max_connections=connections)
    environment = read_environment()
    transports = [
        (
            model,
            batches_to(model, environment)
            if batch
            else transport_for(model, environment, settings.max_connections),
        )
        for model in plan.models
    ]
    with storage():
        if fresh or not batch:
            refuse_while_out(results, plan)
        keep_plan(results, compiled)
    accounts: dict[str, Account] = {}
    for model, transport in transports:
        with storage():
            run, started = run_to_go_on(results, plan, model.id, fresh)
            refuse_other_version(results, run, model, transport)
            unfinished = [segment.part for segment in segments(results / "journal", run)]
            require_pairs(results, run, unfinished)
        trials = PlannedTrials(compiled.trials).of_model(model.id)
        outcome = run_panel(
            plan,
            trials,
            model,
            transport,
            ParquetSink(results),
            results / "journal",
            run,
            partial(_answered, results, run, model, transport),
            settings,
            progress(),
            started,
            accounts.setdefault(transport.account, Account(settings.max_connections)),
            budget,
            lambda plan_id: kept_plan(results, plan_id),
        )
        yield PanelRun(run, model.id, len(trials), outcome)


def _answered(results: Path, run: str, model: Model, transport: object) -> dict[str, tuple[Status, int]]:
    """What of a run is answered, by what would answer the rest. Raises UserError."""
    from warehouse import catalog

    refuse_other_version(results, run, model, transport)
    return catalog.answered(results, run)


def refuse_other_version(results: Path, run: str, model: Model, transport: object) -> None:
    """Raises UserError where a run has answers of other weights than those that would answer it now: no key
    tells them apart, since a plan is made where no weights are."""
    from runtime.transport import Versioned
    from warehouse import catalog

    if not isinstance(transport, Versioned):
        return
    others = catalog.versions(results, run) - {transport.version()}
    if others:
        raise UserError(
            f"model {model.id} ({model.name}) is no longer the one that answered run {run}: its files were "
            f"{', '.join(sorted(others))}, and are {transport.version()}. Put the earlier files back, or "
            "start a new run beside the old one with --fresh."
        )


def keep_plan(results: Path, compiled: Compiled) -> None:
    """Registers the plan's study and keeps the plan beside the results."""
    from warehouse.layout import plan_folder
    from warehouse.parquet import prepare
    from warehouse.register import register_plan

    prepare(results)
    folder = plan_folder(results, compiled.plan.plan_id)
    if not (folder / "plan.json").exists():
        write_plan(folder, compiled.plan, compiled.trials)
    register_plan(results, compiled.plan)


def run_to_go_on(results: Path, plan: Plan, panel: str, fresh: bool) -> tuple[str, datetime | None]:
    """The id of the run to go on with, and when it began; with `fresh`, a new one's."""
    from runtime.runs import run_id
    from warehouse import catalog

    started = {row.run: row.started for row in catalog.stored_runs(results)}
    generation = 0
    while run_id(plan.study.id, panel, generation + 1) in started:
        generation += 1
    newest = run_id(plan.study.id, panel, generation)
    if fresh and newest in started:
        newest = run_id(plan.study.id, panel, generation + 1)
    return newest, started.get(newest)


def read_environment() -> dict[str, str]:
    """The environment, over what a file .env in the current folder says."""
    import os

    from dotenv import dotenv_values

    try:
        said = dotenv_values(".env", encoding="utf-8") if Path(".env").is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f".env cannot be read: {error}. Save it as UTF-8 text.") from error
    return {**{key: value for key, value in said.items() if value is not None}, **os.environ}


@contextmanager
def storage() -> Iterator[None]:
    """Turns what the disk refuses into a Failure, and what the warehouse does not have into a UserError."""
    from warehouse.errors import StorageError, WarehouseError

    try:
        yield
    except BrokenPipeError:
        raise
    except StorageError as error:
        raise Failure(str(error)) from error
    except WarehouseError as error:
        raise UserError(str(error)) from error
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        raise Failure(f"cannot read or write{where}: {error.strerror or error}.") from error
