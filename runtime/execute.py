"""Runs one panel of a plan: every planned trial that has no answer yet is asked once, and its answer kept.

`run_panel` is the table of contents: lock, fold what a crash left, ask, fold, close.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Literal, assert_never

import msgspec

from runtime.account import Account, declared_limits
from runtime.asking import Asking, Fault
from runtime.budget import Budget
from runtime.flights import Settings, settings_for
from runtime.folding import Due
from runtime.interrupt import Stop, on_interrupt, run_to_end
from runtime.journal import JournalFault, fold, segments
from runtime.keeping import Keeper, not_folded
from runtime.lock import held
from runtime.panel import Panel
from runtime.progress import Progress, Silent
from runtime.runs import trial_id
from runtime.sink import Sink
from runtime.transport import ConnectionFault, KeyMissing, StopRun, Transport, Unauthorized
from schemas.plan import Model, Plan, PlannedTrial
from schemas.rows import RunRow, State, Status

FaultKind = Literal["key", "provider", "disk"]

TICK = 0.5
DEFAULT = Settings()


class Outcome(msgspec.Struct, frozen=True):
    """How a run ended. `asked`: responses that this call made durable, `counts` by status; `kept`: trials
    that were answered before; `left`: planned trials without an answer. `fault`: what a failed run failed
    on."""

    state: State
    counts: dict[Status, int]
    asked: int
    kept: int
    left: int
    message: str
    fault: FaultKind | None = None


def run_panel(
    plan: Plan,
    planned: Collection[PlannedTrial],
    model: Model,
    transport: Transport,
    sink: Sink,
    journal_dir: Path,
    run_id: str,
    answered: Callable[[], Mapping[str, tuple[Status, int]]],
    settings: Settings = DEFAULT,
    progress: Progress | None = None,
    started: datetime | None = None,
    account: Account | None = None,
    budget: Budget | None = None,
) -> Outcome:
    """Asks what is left of `planned` (the model's trials), and closes `transport`.

    `answered` gives for the ids of answered trials the newest (status, attempt); it is called when
    everything that an earlier process left has reached the sink. A trial counts as answered unless its
    status is `error`. `started`: when the run began, if it goes on. `account` and `budget`: what it shares with
    other runs of one call. Ctrl-C waits for the requests under way, a
    second one drops it. Raises RunBusy.
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
            )

    return run_to_end(main(), settings.grace)


async def run_panel_async(
    plan: Plan,
    planned: Collection[PlannedTrial],
    model: Model,
    transport: Transport,
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
) -> Outcome:
    """As `run_panel`, in a running loop; `stop` takes the place of Ctrl-C."""
    told = progress or Silent()
    panel = Panel(plan, model, run_id)
    settings = settings_for(model, settings)
    account = account or Account(settings.max_connections)
    account.declare(declared_limits(model), settings.clock())
    began = started or datetime.now(UTC)
    try:
        with held(journal_dir, run_id):
            run = _Run(panel, planned, transport, sink, journal_dir, settings, told, began, stop)
            return await run.through(answered, account, budget or Budget())
    except OSError as error:
        return _outcome(_Asked(fault=JournalFault(not_folded(error))), 0, len(planned), stop.draining)
    except JournalFault as fault:
        return _outcome(_Asked(fault=fault), 0, len(planned), stop.draining)
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
        planned: Collection[PlannedTrial],
        transport: Transport,
        sink: Sink,
        folder: Path,
        settings: Settings,
        told: Progress,
        began: datetime,
        stop: Stop,
    ) -> None:
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
        """From what a crash left to the run's row in its final state. Raises OSError."""
        panel = self._panel
        self._sink.open(self._row("running", None), [panel.respondent_row()], panel.trial_rows(self._planned))
        for segment in segments(self._folder, panel.run):
            fold(segment, self._sink, self._told.note)
        before = answered()
        kept = _kept(panel.run, self._planned, before)
        left = len(self._planned) - kept
        self._told.begin(panel.model.id, len(self._planned), kept)
        work = _work(panel.run, self._planned, before)
        asked = await self._ask(work, left, account, budget) if left else _Asked()
        self._told.end()
        outcome = _outcome(asked, kept, left, self._stop.draining)
        self._close(outcome)
        return outcome

    async def _ask(self, work: Iterator[Due], count: int, account: Account, budget: Budget) -> _Asked:
        keeper = Keeper(
            self._folder,
            self._panel.run,
            self._sink,
            self._told,
            self._settings.fold_after,
            fault=lambda fault: asking.fail(fault),
        )
        asking = Asking(
            islice(work, self._settings.limit),
            self._panel,
            self._transport,
            self._settings,
            account,
            budget,
            keeper.keep,
            self._told,
            self._stop,
        )
        self._told.watch(asking.standing)
        ticking = asyncio.create_task(_tick(self._told))
        try:
            await asking.run()
        finally:
            ticking.cancel()
            try:
                await keeper.close()
            except OSError as error:
                asking.fail(JournalFault(not_folded(error)))
        left = count - keeper.counts.total() + keeper.counts["error"]
        spent = budget.why_spent(left, asking.likely_dollars) if asking.out_of_budget else None
        return _Asked(keeper.counts, asking.fault, spent)

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


class _Asked(msgspec.Struct, frozen=True):
    """What asking came to: durable responses by status, and why it stopped early, if it did."""

    counts: Counter[Status] = msgspec.field(default_factory=Counter)
    fault: Fault | None = None
    spent: str | None = None


async def _tick(told: Progress) -> None:
    while True:
        await asyncio.sleep(TICK)
        told.tick()


def _work(
    run: str, planned: Collection[PlannedTrial], before: Mapping[str, tuple[Status, int]]
) -> Iterator[Due]:
    """What has no answer: trials never asked, and those whose newest attempt failed."""
    for trial in planned:
        found = before.get(trial_id(run, trial.trial_key))
        if found is None:
            yield Due(trial, attempt=0)
        elif found[0] == "error":
            yield Due(trial, attempt=found[1] + 1)


def _kept(run: str, planned: Collection[PlannedTrial], before: Mapping[str, tuple[Status, int]]) -> int:
    """How many planned trials have an answer."""
    if not before:
        return 0
    return len(planned) - sum(1 for _ in _work(run, planned, before))


def _outcome(asked: _Asked, kept: int, work: int, interrupted: bool) -> Outcome:
    counts = asked.counts
    left = work - (counts.total() - counts["error"])
    state, message = _ending(asked, left, interrupted)
    return Outcome(state, dict(counts), counts.total(), kept, left, message, _kind(asked.fault))


def _ending(asked: _Asked, left: int, interrupted: bool) -> tuple[State, str]:
    if asked.fault is not None:
        return "failed", str(asked.fault)
    if left == 0:
        return "finished", "Every planned trial has its answer."
    go_on = f"{left} trials have no answer yet; run the same command again to go on."
    if interrupted:
        return "interrupted", f"Interrupted: {go_on}"
    if asked.spent is not None:
        return "incomplete", f"Incomplete: {asked.spent}"
    errors = asked.counts["error"]
    failed = f" {errors} ended in an error." if errors else ""
    return "incomplete", f"Incomplete:{failed} {go_on}"


def _kind(fault: Fault | None) -> FaultKind | None:
    match fault:
        case None:
            return None
        case KeyMissing() | Unauthorized():
            return "key"
        case StopRun() | ConnectionFault():
            return "provider"
        case JournalFault():
            return "disk"
        case _:
            assert_never(fault)
