"""Asks a transport, many requests at a time, and hands every outcome on as rows.

One loop fills the window with first tries and due retries, then waits for whatever comes first; a place whose
reply has come is filled again at once. A try that waits, for its backoff or for the disk, holds no place.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import msgspec

from runtime.account import Account
from runtime.budget import Budget, most
from runtime.flights import NEVER, Flight, Flights, Settings, outcome_of
from runtime.folding import Due, Pending, Queue, split
from runtime.interrupt import Stop
from runtime.journal import JournalFault
from runtime.panel import Panel, Timing
from runtime.progress import Progress, Standing
from runtime.retry import may_try_again, no_way, too_long, wait_before
from runtime.sizes import Sizes
from runtime.transport import (
    ConnectionFault,
    Folding,
    RateLimited,
    Rejected,
    Reply,
    StopRun,
    Transport,
    TransportError,
)
from schemas.rows import Answered

WORTH_A_NOTE = 5.0

Fault = StopRun | JournalFault | ConnectionFault


class Asking:
    """Asks `work` until it is done, or the run must stop. `keep` takes the rows of every outcome; `followed` of
    them asked for a follow-up. Raises JournalFault."""

    tick = 0.5

    def __init__(
        self,
        work: Iterator[Due],
        panel: Panel,
        transport: Transport,
        settings: Settings,
        account: Account,
        budget: Budget,
        keep: Callable[[Sequence[Answered]], None],
        told: Progress,
        stop: Stop,
    ) -> None:
        self.fault: Fault | None = None
        self.out_of_budget = False
        self.followed = 0
        self._sizes = Sizes()
        self._bug: BaseException | None = None
        self._queue = Queue(itertools.islice(work, settings.limit))
        self._panel = panel
        self._transport = transport
        self._settings = settings
        self._account = account
        self._budget = budget
        self._keep = keep
        self._told = told
        self._stop = stop
        self._next: Flight | None = None
        self._flights = Flights(account, budget, settings)
        self._retries: list[tuple[float, int, Pending]] = []
        self._numbers = itertools.count()
        self._done = False
        self._silent = 0
        self._wake = asyncio.Event()
        stop.listen(self._stop_asked)

    async def run(self) -> None:
        """Returns when nothing is in flight; `fault` or `out_of_budget` then says why it stopped early, if it
        did. An error that is not the provider's is raised."""
        while True:
            self._wake.clear()
            for flight, failure in self._flights.give_up():
                self._settle(flight, failure, self._settings.now())
            self._fill()
            if not len(self._flights) and (self._stopping or self._done):
                break
            await self._until_something_happens()
        if self._bug is not None:
            raise self._bug

    def fail(self, fault: Fault) -> None:
        """Ends the run: nothing new is asked, and what is in flight is dropped where it could not be kept."""
        self.fault = self.fault or fault
        if isinstance(fault, JournalFault):
            self._flights.drop()
        self._wake.set()

    def standing(self) -> Standing:
        """How many requests are in flight, how many may be, and why."""
        now, in_flight = self._settings.clock(), len(self._flights)
        tokens = self._next.take.likely if self._next else 0.0
        return Standing(in_flight, self._account.size, self._account.why(in_flight, tokens, now))

    @property
    def likely_dollars(self) -> float:
        """What a trial may cost at most, where the budget did not bear the next one."""
        return self._next.dollars / len(self._next.pending.due) if self._next else 0.0

    @property
    def _stopping(self) -> bool:
        return self._stop.draining or self.out_of_budget or self.fault is not None or self._bug is not None

    def _stop_asked(self) -> None:
        if self._stop.dropping:
            self._flights.drop()
        elif len(self._flights):
            self._told.note(f"Finishing {len(self._flights)} requests in flight; Ctrl-C again drops them.")
        self._wake.set()

    def _fill(self) -> None:
        """Sends what may be sent now."""
        while (flight := self._ready()) is not None:
            task = asyncio.create_task(self._try(flight))
            self._flights.take_off(flight, task)
            task.add_done_callback(self._ended)

    def _ready(self) -> Flight | None:
        """What may be sent now, if anything. What the limits hold back is sent first when they allow it."""
        if self._stopping or not self._account.has_room(len(self._flights)):
            return None
        now = self._settings.clock()
        self._next = self._priced(self._next) if self._next else self._prepared(now)
        self._done = self._next is None and not self._retries
        if self._next is None:
            return None
        wait = self._account.wait(self._next.take.likely, now)
        if wait > self._settings.retry.patience:
            self.fail(too_long("its limits allow nothing more before", wait))
        if wait > 0:
            return None
        if not self._budget.bears(self._next.dollars):
            self.out_of_budget = not len(self._flights)
            return None
        ready, self._next = msgspec.structs.replace(self._next, started=now), None
        return ready

    def _prepared(self, now: float) -> Flight | None:
        """What is to be sent next."""
        pending = self._pending(now)
        if pending is None:
            return None
        return self._priced(Flight(pending, self._panel.request(pending.due[0].trial)))

    def _priced(self, flight: Flight) -> Flight:
        take = self._sizes.take(flight.request, len(flight.pending.due))
        return msgspec.structs.replace(flight, take=take, dollars=most(self._panel.price, take))

    def _pending(self, now: float) -> Pending | None:
        """A retry that is due, or the next trials; no new ones while very many wait to be tried again."""
        choices = self._transport.most_choices() if isinstance(self._transport, Folding) else 1
        if self._retries and self._retries[0][0] <= now:
            self._queue.put_back(heapq.heappop(self._retries)[2])
        elif len(self._retries) >= 2 * self._settings.max_connections:
            return None
        return self._queue.take(choices)

    async def _until_something_happens(self) -> None:
        try:
            async with asyncio.timeout(self._longest_wait(self._settings.clock())):
                await self._wake.wait()
        except TimeoutError:
            return

    def _longest_wait(self, now: float) -> float | None:
        """Seconds until there is something to do even if nothing comes."""
        times = [self._flights.overdue_at()]
        if not self._stopping and self._account.has_room(len(self._flights)):
            if self._next is not None:
                wait = self._account.wait(self._next.take.likely, now)
                for_money = wait == 0 and len(self._flights) and not self._budget.bears(self._next.dollars)
                times += [] if for_money else [now + wait]
            elif self._retries:
                times.append(self._retries[0][0])
        first = min(times)
        return None if first == NEVER else max(0.0, first - now)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._flights.lose(task)
        if not task.cancelled() and task.exception() is not None:
            self._bug = self._bug or task.exception()
        self._wake.set()

    async def _try(self, first: Flight) -> None:
        """Asks, keeps what comes, and asks what is next in the same place at once: replies come in bunches, and
        a place that waited until all of a bunch are kept would stand empty."""
        task = asyncio.current_task()
        assert task is not None
        flight: Flight | None = first
        while flight is not None:
            asked = self._settings.now()
            outcome = await outcome_of(flight, self._transport, self._settings.deadline)
            if not self._flights.land(task):
                return
            self._settle(flight, outcome, asked)
            flight = self._ready()
            if flight is not None:
                self._flights.take_off(flight, task)
                if self._account.has_room(len(self._flights)):
                    self._wake.set()

    def _settle(self, flight: Flight, outcome: list[Reply] | TransportError, asked: datetime) -> None:
        timing = Timing(asked, self._settings.now(), self._settings.clock() - flight.started)
        try:
            if isinstance(outcome, TransportError):
                self._failed(flight, outcome, timing)
            else:
                self._answered(flight, outcome, timing)
        except JournalFault as fault:
            self.fail(fault)

    def _answered(self, flight: Flight, replies: list[Reply], timing: Timing) -> None:
        """Keeps the replies, each as the answer to one trial; trials without one are asked next."""
        self._silent = 0
        now, due = self._settings.clock(), flight.pending.due
        tokens = self._sizes.learn(flight.request, replies)
        more = 0.0 if tokens is None else tokens - flight.take.likely
        self._account.answered(len(self._flights) + 1, more, now)
        for reply in replies:
            if reply.limits:
                self._account.told(reply.limits, now)
            for note in reply.notes:
                self._told.note(note)
        rows = [
            self._panel.answered(flight.request.of(one.trial), one.attempt, reply, timing)
            for one, reply in zip(due, replies, strict=False)
        ]
        costs = [row.response.cost for row in rows if row.response.cost is not None]
        dollars = sum(costs) if len(costs) == len(rows) else flight.dollars
        self._budget.settle(flight.dollars, dollars, len(rows))
        if len(replies) < len(due):
            self._queue.put_back(Pending(due[len(replies) :]))
        self._keep(rows)
        for follow_up in self._panel.follow_ups.wanted(zip(due, rows, strict=False)):
            self.followed += 1
            self._told.more(1)
            self._queue.put_back(Pending((follow_up,)))

    def _failed(self, flight: Flight, failure: TransportError, timing: Timing) -> None:
        lost = isinstance(failure, ConnectionFault)
        self._budget.settle(flight.dollars, flight.dollars if lost else 0.0, 0)
        now, policy, pending = self._settings.clock(), self._settings.retry, flight.pending
        if failure.limits:
            self._account.told(failure.limits, now)
        if isinstance(failure, StopRun):
            self.fail(failure)
            return
        if failure.retry_after is not None and failure.retry_after > policy.patience:
            self.fail(too_long(failure.message, failure.retry_after, failure.status))
            return
        held = self._throttle(failure, flight.started)
        tries, since = pending.tries + 1, now if pending.since is None else pending.since
        again = may_try_again(policy, failure, tries, now - since)
        if again and held:
            self._queue.put_back(Pending(pending.due, tries, since))
        elif again:
            due = now + wait_before(policy, tries, failure, self._settings.chance())
            heapq.heappush(self._retries, (due, next(self._numbers), Pending(pending.due, tries, since)))
        elif isinstance(failure, Rejected) and len(pending.due) > 1:
            for one in split(pending, 1):  # it may be the choices that were refused
                self._queue.put_back(one)
        else:
            self._give_up(flight, failure, timing)

    def _give_up(self, flight: Flight, failure: TransportError, timing: Timing) -> None:
        due = flight.pending.due
        self._silent = self._silent + len(due) if isinstance(failure, ConnectionFault | RateLimited) else 0
        self._keep(
            [self._panel.failed(flight.request.of(one.trial), one.attempt, failure, timing) for one in due]
        )
        if self._silent >= self._settings.silent_trials:
            self.fail(no_way(self._silent, failure, self._settings.retry.patience))

    def _throttle(self, failure: TransportError, started: float) -> bool:
        """Whether the provider holds all requests up for a while: what met it is then asked first, before the
        requests that would use up what it allows."""
        if not isinstance(failure, RateLimited) and failure.status != 503:
            return False
        now, wait = self._settings.clock(), failure.retry_after or 0.0
        longer = self._account.throttled(failure.status, started, wait, now)
        if wait >= WORTH_A_NOTE and longer:
            self._told.note(f"The provider asks to wait {wait:.0f} s.")
        return wait > 0
