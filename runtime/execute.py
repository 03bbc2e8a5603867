"""Runs one panel of a plan: every planned trial that has no answer yet is asked once, and its answer kept.

`run_panel` is the table of contents: lock, fold what a crash left, ask, fold, close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from runtime.account import Account, declared_limits
from runtime.asking import Asking
from runtime.batch.asking import Batching
from runtime.batch.ledger import Ledgers, require_none_out
from runtime.batch.provider import Batches
from runtime.budget import Budget
from runtime.flights import Settings, settings_for
from runtime.interrupt import Stop, on_interrupt, run_to_end
from runtime.journal import JournalFault, fold, segments
from runtime.keeping import Keeper, not_folded
from runtime.left import Newest, kept_of, work_of
from runtime.lock import held
from runtime.outcome import Asked, Outcome, how_it_ended
from runtime.panel import Panel
from runtime.progress import Progress, Silent
from runtime.sink import Sink
from runtime.transport import Transport
from schemas.plan import Model, Plan
from schemas.planfile import PlannedTrials
from schemas.rows import RunRow, State, Status

DEFAULT = Settings()
KeptPlan = Callable[[str], tuple[Plan, PlannedTrials]]
"""An earlier plan with its trials, by its id."""


def run_panel(
    plan: Plan,
    planned: PlannedTrials,
    model: Model,
    transport: Transport | Batches,
    sink: Sink,
    journal_dir: Path,
    run_id: str,
    answered: Callable[[], Mapping[str, tuple[Status, int]]],
    settings: Settings = DEFAULT,
    progress: Progress | None = None,
    started: datetime | None = None,
    account: Account | None = None,
    budget: Budget | None = None,
    kept_plan: KeptPlan | None = None,
) -> Outcome:
    """Asks what is left of `planned` (the model's trials), and closes `transport`.

    `answered` gives for the ids of answered trials the newest (status, attempt); it is called when
    everything that an earlier process left has reached the sink. A trial counts as answered unless its
    status is `error`. `started`: when the run began, if it goes on. `account` and `budget`: what it shares with
    other runs of one call. `kept_plan`: an earlier plan of the run, of which a batch may be out. Ctrl-C waits
    for the requests under way, but not for batches; a second one drops them. Raises RunBusy, and BatchOut where
    a batch is out and the model is to be asked without.
    """

    async def main() -> Outcome:
        stop = Stop()
        with on_interrupt(stop):
            return await run_panel_async(
                plan,
                planned,
                model,
                transport,
                sink,
                journal_dir,
                run_id,
                answered,
                settings,
                progress,
                started,
                stop,
                account,
                budget,
                kept_plan,
            )

    return run_to_end(main(), settings.grace)


async def run_panel_async(
    plan: Plan,
    planned: PlannedTrials,
    model: Model,
    transport: Transport | Batches,
    sink: Sink,
    journal_dir: Path,
    run_id: str,
    answered: Callable[[], Mapping[str, tuple[Status, int]]],
    settings: Settings,
    progress: Progress | None,
    started: datetime | None,
    stop: Stop,
    account: Account | None = None,
    budget: Budget | None = None,
    kept_plan: KeptPlan | None = None,
) -> Outcome:
    """As `run_panel`, in a running loop; `stop` takes the place of Ctrl-C."""
    told = progress or Silent()
    panel = Panel(plan, model, run_id, batch=isinstance(transport, Batches))
    settings = settings_for(model, settings)
    account = account or Account(settings.max_connections)
    account.declare(declared_limits(model), settings.clock())
    began = started or datetime.now(UTC)
    try:
        with held(journal_dir, run_id):
            run = _Run(
                panel,
                planned,
                transport,
                sink,
                journal_dir,
                settings,
                told,
                began,
                stop,
                plan.plan_id,
                kept_plan,
            )
            return await run.through(answered, account, budget or Budget())
    except OSError as error:
        return how_it_ended(Asked(fault=JournalFault(not_folded(error))), 0, len(planned), stop.draining)
    except JournalFault as fault:
        return how_it_ended(Asked(fault=fault), 0, len(planned), stop.draining)
    finally:
        closing = asyncio.ensure_future(transport.close())
        closed, _ = await asyncio.wait([closing], timeout=settings.grace)
        for done in closed:
            done.result()


class _Run:
    """One call of `run_panel`, while the lock is held."""

    def __init__(
        self,
        panel: Panel,
        planned: PlannedTrials,
        transport: Transport | Batches,
        sink: Sink,
        folder: Path,
        settings: Settings,
        told: Progress,
        began: datetime,
        stop: Stop,
        plan_id: str,
        kept_plan: KeptPlan | None,
    ) -> None:
        self._plan_id = plan_id
        self._kept_plan = kept_plan
        self._panel = panel
        self._planned = planned
        self._transport = transport
        self._sink = sink
        self._folder = folder
        self._settings = settings
        self._told = told
        self._began = began
        self._stop = stop

    async def through(
        self, answered: Callable[[], Mapping[str, tuple[Status, int]]], account: Account, budget: Budget
    ) -> Outcome:
        """From what a crash left to the run's row in its final state. Raises OSError, BatchOut."""
        panel = self._panel
        out = self._batches_out()
        self._sink.open(self._row("running", None), [panel.respondent_row()], panel.trials(self._planned))
        for segment in segments(self._folder, panel.run):
            fold(segment, self._sink, self._told.note)
        try:
            before = answered()
        except Exception as refused:
            self._sink.close(self._row("failed", str(refused)))
            raise
        kept = kept_of(panel.run, self._planned, before, panel.follow_ups)
        left = len(self._planned) - kept
        self._told.begin(panel.model.id, len(self._planned), kept)
        asked = await self._ask(before, left, account, budget) if left or out else Asked()
        self._told.end()
        outcome = how_it_ended(asked, kept, left, self._stop.draining)
        self._close(outcome)
        return outcome

    async def _ask(self, before: Newest, count: int, account: Account, budget: Budget) -> Asked:
        keeper = Keeper(
            self._folder,
            self._panel.run,
            self._sink,
            self._told,
            self._settings.fold_after,
            fault=lambda fault: asking.fail(fault),
        )
        asking = self._asking(before, account, budget, keeper)
        self._told.watch(asking.standing)
        ticking = asyncio.create_task(_tick(self._told, asking.tick))
        try:
            await asking.run()
        finally:
            ticking.cancel()
            try:
                await keeper.close()
            except OSError as error:
                asking.fail(JournalFault(not_folded(error)))
        left = count - keeper.counts.total() + keeper.counts["error"] + asking.followed
        spent = budget.why_spent(left, asking.likely_dollars) if asking.out_of_budget else None
        if isinstance(asking, Batching):
            waiting = asking.waiting()
            return Asked(keeper.counts, asking.fault, spent, asking.beside, asking.followed, waiting)
        return Asked(keeper.counts, asking.fault, spent, followed=asking.followed)

    def _asking(self, before: Newest, account: Account, budget: Budget, keeper: Keeper) -> Asking | Batching:
        work = work_of(self._panel.run, self._planned, before, self._panel.follow_ups)
        settings, told, stop = self._settings, self._told, self._stop
        if isinstance(self._transport, Batches):
            batches, ledgers = self._transport, Ledgers(self._folder, self._panel.run)
            return Batching(
                *(work, before, self._plan_id, self._panel_of, batches, ledgers),
                *(settings, budget, keeper, told, stop),
            )
        panel, transport, keep = self._panel, self._transport, keeper.keep
        return Asking(work, panel, transport, settings, account, budget, keep, told, stop)

    def _batches_out(self) -> bool:
        """Whether there are batches to collect. Raises BatchOut where they are in the way."""
        ledgers = Ledgers(self._folder, self._panel.run)
        ledgers.sweep()
        if isinstance(self._transport, Batches):
            return bool(ledgers.open())
        require_none_out(self._folder, self._panel.run, self._panel.model.id)
        return False

    def _panel_of(self, plan_id: str) -> tuple[Panel, PlannedTrials]:
        """The panel and the trials of the plan, or of an earlier one of this run. Raises JournalFault."""
        if plan_id == self._plan_id:
            return self._panel, self._planned
        if self._kept_plan is None:
            raise JournalFault(f"A batch of the plan {plan_id} is out, and that plan was not kept.")
        plan, planned = self._kept_plan(plan_id)
        model = next(model for model in plan.models if model.id == self._panel.model.id)
        return Panel(plan, model, self._panel.run, batch=True), planned

    def _close(self, outcome: Outcome) -> None:
        note = None if outcome.state == "finished" else outcome.message
        try:
            self._sink.flush()
            self._sink.close(self._row(outcome.state, note))
        except OSError:
            if outcome.fault != "disk":
                raise

    def _row(self, state: State, note: str | None) -> RunRow:
        finished = None if state == "running" else self._settings.now()
        return self._panel.run_row(state, len(self._planned), self._began, finished, note)


async def _tick(told: Progress, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        told.tick()
