"""Asks a transport, many requests at a time, and hands every outcome on as rows.

One loop fills the window with first tries and due retries, then waits for whatever comes first. A try that
waits, for its backoff or for the disk, holds no place in the window.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import msgspec

from runtime.interrupt import Stop
from runtime.journal import JournalFault
from runtime.limits import after_answer, after_throttle, may_start, opened
from runtime.panel import Panel, Timing
from runtime.progress import Progress
from runtime.retry import RetryPolicy, wait_before
from runtime.transport import (
    ConnectionFault,
    QuotaExhausted,
    RateLimited,
    Reply,
    Request,
    StopRun,
    Transport,
    TransportError,
)
from schemas.plan import PlannedTrial
from schemas.rows import Answered

WORTH_A_NOTE = 5.0


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Settings(msgspec.Struct, frozen=True):
    """How a run asks. `limit`: at most so many trials now. `deadline`: seconds a try may take in all.
    `silent_trials`: after so many trials in a row that reached no provider the run stops. `fold_after`:
    records a journal segment."""

    max_connections: int = 64
    limit: int | None = None
    retry: RetryPolicy = RetryPolicy()
    deadline: float = 600.0
    silent_trials: int = 10
    fold_after: int = 20_000
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _utc_now
    chance: Callable[[], float] = random.random


class Pending(msgspec.Struct, frozen=True):
    """A trial to ask: `attempt` is the number of its row, `tries` how often it failed in this run."""

    trial: PlannedTrial
    attempt: int
    tries: int = 0


Fault = StopRun | JournalFault | ConnectionFault


class Asking:
    """Asks `work` until it is done, or the run must stop. `keep` takes every outcome. Raises JournalFault."""

    def __init__(
        self,
        work: Iterator[Pending],
        panel: Panel,
        transport: Transport,
        settings: Settings,
        keep: Callable[[Answered], None],
        told: Progress,
        stop: Stop,
    ) -> None:
        self.fault: Fault | None = None
        self._bug: BaseException | None = None
        self._work = work
        self._panel = panel
        self._transport = transport
        self._settings = settings
        self._keep = keep
        self._told = told
        self._stop = stop
        self._window = opened(settings.max_connections)
        self._tasks: set[asyncio.Task[None]] = set()
        self._retries: list[tuple[float, int, Pending]] = []
        self._numbers = itertools.count()
        self._exhausted = False
        self._silent = 0
        self._wake = asyncio.Event()
        stop.listen(self._stop_asked)

    async def run(self) -> None:
        """Returns when nothing is in flight; `fault` then says why it stopped early, if it did. An
        error that is not the provider's is raised."""
        while True:
            self._wake.clear()
            self._fill()
            if not self._tasks and (self._stopping or (self._exhausted and not self._retries)):
                break
            await self._until_something_happens()
        if self._bug is not None:
            raise self._bug

    def fail(self, fault: Fault) -> None:
        """Ends the run: nothing new is asked, and what is in flight is dropped where it could not be kept."""
        self.fault = self.fault or fault
        if isinstance(fault, JournalFault):
            self._drop()
        self._wake.set()

    @property
    def _stopping(self) -> bool:
        return self._stop.draining or self.fault is not None or self._bug is not None

    def _stop_asked(self) -> None:
        if self._stop.dropping:
            self._drop()
        elif self._tasks:
            self._told.note(f"Finishing {len(self._tasks)} requests in flight; Ctrl-C again drops them.")
        self._wake.set()

    def _drop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _fill(self) -> None:
        now = self._settings.clock()
        while not self._stopping and may_start(self._window, len(self._tasks), now):
            pending = self._next(now)
            if pending is None:
                return
            task = asyncio.create_task(self._try(pending))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _next(self, now: float) -> Pending | None:
        """A retry that is due, or the next trial; no new trial while very many wait to be tried again."""
        if self._retries and self._retries[0][0] <= now:
            return heapq.heappop(self._retries)[2]
        if self._exhausted or len(self._retries) >= 2 * self._settings.max_connections:
            return None
        pending = next(self._work, None)
        self._exhausted = pending is None
        return pending

    async def _until_something_happens(self) -> None:
        now = self._settings.clock()
        wait: float | None = None
        if not self._stopping:
            if now < self._window.opens_at:
                wait = self._window.opens_at - now
            elif self._retries and may_start(self._window, len(self._tasks), now):
                wait = max(0.0, self._retries[0][0] - now)
        try:
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            return

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._bug = self._bug or task.exception()
        self._wake.set()

    async def _try(self, pending: Pending) -> None:
        request = self._panel.request(pending.trial)
        started, asked = self._settings.clock(), self._settings.now()
        try:
            async with asyncio.timeout(self._settings.deadline):
                outcome: Reply | TransportError = await self._transport.answer(request)
        except TimeoutError:
            outcome = ConnectionFault(f"no reply within {self._settings.deadline:g} s")
        except TransportError as failure:
            outcome = failure
        timing = Timing(asked, self._settings.now(), self._settings.clock() - started)
        try:
            if isinstance(outcome, Reply):
                self._answered(pending, request, outcome, timing)
            else:
                self._failed(pending, request, outcome, timing, started)
        except JournalFault as fault:
            self.fail(fault)

    def _answered(self, pending: Pending, request: Request, reply: Reply, timing: Timing) -> None:
        self._silent = 0
        self._window = after_answer(self._window, len(self._tasks))
        for note in reply.notes:
            self._told.note(note)
        self._keep(self._panel.answered(request, pending.attempt, reply, timing))

    def _failed(
        self, pending: Pending, request: Request, failure: TransportError, timing: Timing, started: float
    ) -> None:
        if isinstance(failure, StopRun):
            self.fail(failure)
            return
        policy = self._settings.retry
        if failure.retry_after is not None and failure.retry_after > policy.patience:
            self.fail(_too_long(failure, failure.retry_after))
            return
        self._throttle(failure, started)
        tries = pending.tries + 1
        if failure.retryable and tries < policy.tries:
            due = self._settings.clock() + wait_before(policy, tries, failure, self._settings.chance())
            again = Pending(pending.trial, pending.attempt, tries)
            heapq.heappush(self._retries, (due, next(self._numbers), again))
            return
        self._silent = self._silent + 1 if isinstance(failure, ConnectionFault) else 0
        self._keep(self._panel.failed(request, pending.attempt, failure, timing))
        if self._silent >= self._settings.silent_trials:
            self.fail(ConnectionFault(f"{self._silent} trials in a row reached no provider: {failure.message}"))

    def _throttle(self, failure: TransportError, started: float) -> None:
        if not isinstance(failure, RateLimited) and failure.status != 503:
            return
        now, wait = self._settings.clock(), failure.retry_after or 0.0
        if wait >= WORTH_A_NOTE and now + wait > self._window.opens_at + 1:
            self._told.note(f"The provider asks to wait {wait:.0f} s.")
        self._window = after_throttle(self._window, started, now, wait)


def _too_long(failure: TransportError, wait: float) -> QuotaExhausted:
    return QuotaExhausted(
        f"The provider asks to wait {wait / 60:.0f} minutes ({failure.message}). "
        "Run the same command again then.",
        status=failure.status,
        retry_after=wait,
    )
