"""The requests under way: how many, since when, and what they hold of the account and the budget."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from runtime.account import Account
from runtime.batch.settings import BatchSettings
from runtime.budget import Budget
from runtime.folding import Pending
from runtime.retry import RetryPolicy
from runtime.sizes import Take
from runtime.transport import ConnectionFault, Folding, Reply, Request, Transport, TransportError
from schemas.plan import Model

NEVER = float("inf")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Settings(msgspec.Struct, frozen=True):
    """How a run asks. `limit`: at most so many trials now. `deadline`: seconds a try may take in all; `grace`:
    how many more until one that cannot be ended is given up. `silent_trials`: after so many trials in a row
    that reached no provider the run stops. `fold_after`: records a journal segment. `batch`: how it goes about
    batches."""

    max_connections: int = 64
    limit: int | None = None
    retry: RetryPolicy = RetryPolicy()
    deadline: float = 600.0
    grace: float = 5.0
    silent_trials: int = 10
    fold_after: int = 20_000
    batch: BatchSettings = BatchSettings()
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _utc_now
    chance: Callable[[], float] = random.random


def settings_for(model: Model, settings: Settings) -> Settings:
    """The settings with what a model's declaration says of its requests."""
    if model.provider == "local":  # a request waits until those before it are done, however long that takes
        return msgspec.structs.replace(settings, deadline=NEVER)
    timeout = model.settings.get("timeout")
    if not isinstance(timeout, int | float):
        return settings
    return msgspec.structs.replace(settings, deadline=float(timeout))


class Flight(msgspec.Struct, frozen=True):
    """A request that is ready to go, or under way since `started` (clock seconds); `dollars`: the most that it
    may cost."""

    pending: Pending
    request: Request
    take: Take = Take(0.0, 0.0, 0.0)
    dollars: float = 0.0
    started: float = 0.0


async def outcome_of(flight: Flight, transport: Transport, deadline: float) -> list[Reply] | TransportError:
    """What a request comes to, within so many seconds."""
    choices = len(flight.pending.due)
    try:
        async with asyncio.timeout(deadline):
            if choices > 1 and isinstance(transport, Folding):
                return await transport.answer_many(flight.request, choices)
            return [await transport.answer(flight.request)]
    except TimeoutError:
        return ConnectionFault(f"no reply within {deadline:g} s")
    except TransportError as failure:
        return failure


class Flights:
    """What is in flight. A request that does not end although it was told to is given up after a while: its
    reply then counts for nothing."""

    def __init__(self, account: Account, budget: Budget, settings: Settings) -> None:
        self._account = account
        self._budget = budget
        self._settings = settings
        self._under_way: dict[asyncio.Task[None], Flight] = {}
        self._drop_by = NEVER

    def __len__(self) -> int:
        return len(self._under_way)

    def take_off(self, flight: Flight, task: asyncio.Task[None]) -> None:
        """`task` has sent a request."""
        self._account.sent(flight.take.likely, flight.started)
        self._budget.reserve(flight.dollars)
        self._under_way[task] = flight

    def land(self, task: asyncio.Task[None]) -> bool:
        """The task has its outcome, which must be settled with the budget; False where it had been given up."""
        flight = self._under_way.pop(task, None)
        if flight is not None:
            self._account.ended(flight.take.likely)
        return flight is not None

    def lose(self, task: asyncio.Task[None]) -> None:
        """The task ended without an outcome, if it was not given up before: the request may have been paid."""
        flight = self._under_way.get(task)
        if flight is not None:
            self.land(task)
            self._budget.settle(flight.dollars, flight.dollars, 0)

    def drop(self) -> None:
        """Ends all; those that do not end are given up soon."""
        self._drop_by = min(self._drop_by, self._settings.clock() + self._settings.grace)
        for task in self._under_way:
            task.cancel()

    def overdue_at(self) -> float:
        """When the oldest is given up at the latest (clock seconds)."""
        oldest = next(iter(self._under_way.values()), None)
        if oldest is None:
            return NEVER
        return min(self._drop_by, oldest.started + self._settings.deadline + self._settings.grace)

    def give_up(self) -> list[tuple[Flight, ConnectionFault]]:
        """Leaves alone what should have ended: the requests that failed so. Those that were dropped did not."""
        late = ConnectionFault(f"no reply within {self._settings.deadline:g} s, and no way to end the request")
        failed = []
        now = self._settings.clock()
        while now >= self.overdue_at():
            task, flight = next(iter(self._under_way.items()))
            if self._drop_by < NEVER:
                self.lose(task)
            else:
                self.land(task)
                failed.append((flight, late))
        return failed
