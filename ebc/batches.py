"""Runs by way of batches: who can be asked so, and what is out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ebc.errors import Failure, UserError
from schemas.plan import Model, Plan
from schemas.planfile import PlanError, PlannedTrials, read_plan

if TYPE_CHECKING:
    from runtime.batch.ledger import Ledger
    from runtime.batch.provider import Batches


def batches_to(model: Model, environment: Mapping[str, str]) -> Batches:
    """The way to a model by batches. Raises UserError where it takes none, and KeyMissing, Unreachable."""
    from runtime.transports import batches_for

    try:
        return batches_for(model, environment)
    except LookupError as error:
        raise UserError(
            f"--batch: {error.args[0]}. Run it without --batch, or name with --model who is asked."
        ) from error


def refuse_while_out(results: Path, plan: Plan) -> None:
    """Raises UserError where a batch of one of the plan's models is out, and Failure where that cannot be
    known."""
    from ebc.pipeline import run_to_go_on
    from runtime.batch.ledger import BatchOut, require_none_out
    from runtime.journal import JournalFault

    try:
        for model in plan.models:
            run, _ = run_to_go_on(results, plan, model.id, fresh=False)
            require_none_out(results / "journal", run, model.id)
    except BatchOut as out:
        raise UserError(str(out)) from out
    except JournalFault as fault:
        raise Failure(str(fault)) from fault


def batches_of(results: Path, run: str) -> list[Ledger]:
    """The batches of a run that are out. Raises Failure."""
    from runtime.batch.ledger import batches_out
    from runtime.journal import JournalFault

    try:
        return batches_out(results / "journal", run)
    except JournalFault as fault:
        raise Failure(str(fault)) from fault


def kept_plan(results: Path, plan_id: str) -> tuple[Plan, PlannedTrials]:
    """An earlier plan of which a batch is out. Raises JournalFault."""
    from runtime.journal import JournalFault
    from warehouse.layout import plan_folder

    try:
        plan, trials = read_plan(plan_folder(results, plan_id))
    except PlanError as error:
        raise JournalFault(
            f"A batch of an earlier plan is out, and that plan is needed to read its answers: {error} Restore "
            "it from a copy."
        ) from error
    return plan, PlannedTrials(trials)
