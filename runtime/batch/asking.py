"""Asks by way of batches: finds those that are out, puts what is left into new ones, waits, and collects.

A trial is in one batch at most. Its batch's ledger stands from before the batch can exist until its answer is
durable; only then is the trial, where it has none, put into another.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from runtime.asking import Fault
from runtime.batch.calls import Calls, Stopped
from runtime.batch.collecting import Collecting, is_line, lines_of
from runtime.batch.handing import Handing
from runtime.batch.ledger import Ledger, Ledgers
from runtime.batch.provider import Batch, Batches, Gone
from runtime.batch.telling import BatchStanding, collected, ending, full_price, handed, refusal, standing
from runtime.batch.writing import AT_A_TIME, Writer
from runtime.budget import Budget
from runtime.flights import Settings
from runtime.folding import Due, Pending, Queue
from runtime.interrupt import Stop
from runtime.journal import JournalFault
from runtime.keeping import Keeper
from runtime.left import Newest
from runtime.panel import Panel, Timing
from runtime.progress import Progress
from runtime.sizes import Sizes
from runtime.transport import ConnectionFault, ServerFault, StopRun, TransportError
from schemas.plan import PlannedTrial

LATE = 10
"""How often a batch is looked at again that has answers by its count, but no file of them."""

PanelOf = Callable[[str], tuple[Panel, Collection[PlannedTrial]]]
"""The panel and the trials of a plan, by its id: the plan that is run, or an earlier one of the same run."""


class Batching:
    """Asks `work` until it is done, or the run must stop. `before`: what had rows when it began. `beside`:
    answers to trials that are no longer planned; `followed`: those that asked for a follow-up."""

    tick = 60.0

    def __init__(
        self,
        work: Iterator[Due],
        before: Newest,
        plan_id: str,
        panel_of: PanelOf,
        batches: Batches,
        ledgers: Ledgers,
        settings: Settings,
        budget: Budget,
        keeper: Keeper,
        told: Progress,
        stop: Stop,
    ) -> None:
        self.fault: Fault | None = None
        self.out_of_budget = False
        self.beside = 0
        self.followed = 0
        self._work = work
        self._before = before
        self._plan_id = plan_id
        self._panel_of = panel_of
        self._panel, self._planned = panel_of(plan_id)
        self._batches = batches
        self._settings = settings
        self._budget = budget
        self._keeper = keeper
        self._ledgers = ledgers
        self._told = told
        self._stop = stop
        self._sizes = Sizes()
        self._calls = Calls(settings, stop, told.note)
        self._handing = Handing(ledgers, batches, self._calls, settings, told.note)
        self._writer = Writer(self._panel, batches, budget, self._sizes, settings.batch)
        self._out: dict[str, Ledger] = {}
        self._seen: dict[str, Batch] = {}
        self._late: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        stop.listen(self._stop_asked)

    async def run(self) -> None:
        """Returns when nothing is out, or nobody waits for it any longer; `fault` or `out_of_budget` then says
        why it stopped early, if it did."""
        self._task = asyncio.create_task(self._through())
        try:
            await self._task
        except Stopped:
            return
        except asyncio.CancelledError:
            if not self._stop.dropping and self.fault is None:
                raise
        except JournalFault as fault:
            self.fail(fault)
        except TransportError as failure:
            known = isinstance(failure, StopRun | ConnectionFault)
            self.fail(failure if known else StopRun(failure.message, status=failure.status))  # type: ignore[arg-type]

    def fail(self, fault: Fault) -> None:
        """Ends the run; what is out stays out."""
        self.fault = self.fault or fault
        if self._task is not None and not self._task.done():
            self._task.cancel()

    def standing(self) -> BatchStanding:
        """How far the provider is with what is out."""
        return standing(self._out.values(), self._seen)

    @property
    def likely_dollars(self) -> float:
        """What a trial may cost at most, where the budget did not bear the next one."""
        return self._writer.likely

    def waiting(self) -> str | None:
        """What is said of batches that are still out."""
        return ending([ledger for ledger in self._ledgers.open() if ledger.file_id is not None])

    def _stop_asked(self) -> None:
        if self._stop.dropping and self._task is not None:
            self._task.cancel()
        elif self._out:
            self._told.note("No longer waiting: what is out goes on at the provider.")

    async def _through(self) -> None:
        for ledger in await self._handing.recover():
            self._take_up(ledger)
        self._queue = Queue(self._not_out())
        price = self._panel.model.price
        if price is not None and price.batch is None:
            self._told.note(full_price(self._panel.model.id))
        while True:
            await self._put()
            if not self._out or not self._settings.batch.wait:
                return
            await self._until_some_are_done()

    def _take_up(self, ledger: Ledger) -> None:
        """Takes up a batch that was handed over before."""
        self._out[ledger.nonce] = ledger
        self._batches.remember(ledger.lessons)
        if ledger.nonce not in self._budget.batches:  # an earlier process handed it over
            self._budget.batches.add(ledger.nonce)
            for entry in ledger.entries.values():
                self._budget.reserve(entry.dollars)
            self._told.note(handed(ledger, again=True))

    def _not_out(self) -> Iterator[Due]:
        """The work that is in no batch, as much as the limit leaves: what is out counts."""
        out = {key for ledger in self._out.values() for key, _ in _trials(ledger)}
        limit = self._settings.limit
        room = None if limit is None else max(0, limit - len(out))
        return islice((due for due in self._work if due.trial.trial_key not in out), room)

    async def _put(self) -> None:
        """Puts what is to be asked into batches, as far as the budget goes."""
        while not self._stop.draining:
            nonce = secrets.token_hex(16)
            path = self._ledgers.scratch(nonce, "input")
            try:
                entries = await self._writer.write(self._queue, path)
                if not entries:
                    self.out_of_budget = self._writer.held and not self._out
                    return
                ledger = await self._handing.hand_over(nonce, self._plan_id, self._panel.run, path, entries)
            finally:
                path.unlink(missing_ok=True)
            self._out[nonce] = ledger
            self._budget.batches.add(nonce)
            self._told.note(handed(ledger))
        raise Stopped

    async def _until_some_are_done(self) -> None:
        wait, found = self._settings.batch.first, False
        while True:
            for ledger in list(self._out.values()):
                batch = await self._look(ledger)
                self._late[ledger.nonce] += batch.late
                if batch.done and (not batch.late or self._late[ledger.nonce] > LATE):
                    await self._collect(ledger, batch)
                    found = True
            if found:
                return
            self._told.tick()
            await self._calls.sleep(wait)
            wait = min(self._settings.batch.longest, 1.5 * wait)

    async def _look(self, ledger: Ledger) -> Batch:
        batch_id = ledger.batch_id
        assert batch_id is not None
        patience = self._settings.batch.patience
        try:
            batch = await self._calls.patiently(lambda: self._batches.look(batch_id), patience)
        except Gone as gone:
            raise self._gone(ledger, gone) from gone
        self._seen[ledger.nonce] = batch
        return batch

    async def _collect(self, ledger: Ledger, batch: Batch) -> None:
        """Keeps what came of a batch, durably; then its trials are no longer out. Raises StopRun where it shows
        that no other batch would be answered."""
        panel, planned = self._panel_of(ledger.plan_id)
        keys = {key for key, _ in _trials(ledger)}
        same = ledger.plan_id == self._plan_id
        still = keys if same else {one.trial_key for one in self._possible() if one.trial_key in keys}
        collecting = Collecting(
            ledger,
            {one.trial_key: one for one in panel.follow_ups.among(planned) if one.trial_key in keys},
            still,
            panel,
            self._batches,
            self._budget,
            self._sizes,
            self._before,
            Timing(ledger.begun, self._settings.now(), None),
            self._keeper.keep,
            self._settings.retry.tries,
        )
        paths = await self._download(ledger, batch)
        for number, line in enumerate(lines_of(paths), start=1):
            collecting.line(line)
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)
        collecting.end()
        self._keeper.flush()
        for path in paths:
            path.unlink(missing_ok=True)
        self.beside += collecting.beside
        self.followed += collecting.followed
        self._told.more(collecting.followed)
        self._ledgers.remove(ledger)
        del self._out[ledger.nonce]
        for note in (*self._batches.notes(), *collected(batch, collecting)):
            self._told.note(note)
        fault = collecting.fault or refusal(batch)
        if fault is not None:
            raise fault
        self._put_back(collecting.again, ledger.plan_id)

    async def _download(self, ledger: Ledger, batch: Batch) -> list[Path]:
        """What came, in files: first the answers, then what was not answered."""
        paths = []
        for kind, file_id in (("output", batch.output_file_id), ("errors", batch.error_file_id)):
            if not file_id:
                continue
            path = self._ledgers.scratch(ledger.nonce, kind)
            counts = batch.request_counts
            answers = kind == "output" and (counts is None or counts.completed > 0)
            download = partial(self._download_one, file_id, path, answers)
            try:
                await self._calls.patiently(download, self._settings.batch.patience)
            except Gone as gone:
                raise self._gone(ledger, gone) from gone
            paths.append(path)
        return paths

    async def _download_one(self, file_id: str, path: Path, answers: bool) -> None:
        """Downloads a file. A web page in place of one with `answers` is a fault: to take it for the file would
        be to ask again what was paid."""
        await self._batches.download(file_id, path)
        if answers and not any(map(is_line, lines_of([path]))):
            raise ServerFault(
                f"{self._batches.address} sent something that is no output of a batch", status=200
            )

    def _gone(self, ledger: Ledger, gone: Gone) -> StopRun:
        return StopRun(
            f"The provider no longer has {ledger.name}, or what came of it ({gone.message}). If that is so, "
            f"remove {self._ledgers.path(ledger)}: its trials are then asked again.",
            status=gone.status,
        )

    def _put_back(self, again: Iterable[Pending], plan_id: str) -> None:
        """Asks these once more; those of an earlier plan where this one has them still."""
        if plan_id == self._plan_id:
            for pending in again:
                self._queue.put_back(pending)
            return
        attempts = {due.trial.trial_key: due.attempt for pending in again for due in pending.due}
        for trial in self._possible() if attempts else ():
            if trial.trial_key in attempts:
                self._queue.put_back(Pending((Due(trial, attempts[trial.trial_key]),)))

    def _possible(self) -> Iterator[PlannedTrial]:
        """The plan's trials and the follow-ups that they may have."""
        return self._panel.follow_ups.among(self._planned)


def _trials(ledger: Ledger) -> Iterator[tuple[str, int]]:
    """The trials of a batch: key and attempt."""
    for entry in ledger.entries.values():
        yield from entry.trials
