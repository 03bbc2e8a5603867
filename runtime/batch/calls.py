"""Calls to a provider that outlast its faults."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from runtime.flights import Settings
from runtime.interrupt import Stop
from runtime.retry import too_long, wait_before
from runtime.transport import ConnectionFault, TransportError

T = TypeVar("T")


class Stopped(Exception):
    """The user asked to stop while something was waited for."""


class Calls:
    """Repeats what failed for a time. `told` hears of the first failure of a row."""

    def __init__(self, settings: Settings, stop: Stop, told: Callable[[str], None]) -> None:
        self._settings = settings
        self._stop = stop
        self._told = told
        self._wake = asyncio.Event()
        stop.listen(self._wake.set)

    async def patiently(self, call: Callable[[], Awaitable[T]], patience: float | None = None) -> T:
        """What a call gives, which may be made again at will: until it succeeds, for `patience` seconds (None:
        as often as a request is tried). Raises TransportError, Stopped."""
        tries, began = 0, self._settings.clock()
        while True:
            try:
                return await self.in_time(call())
            except TransportError as failure:
                tries += 1
                over = tries >= self._settings.retry.tries
                if patience is not None:
                    over = self._settings.clock() - began > patience
                if over or not failure.retryable:
                    raise
                await self.back_off(failure, tries)

    async def in_time(self, call: Awaitable[T]) -> T:
        """What one call gives, within the deadline. Raises TransportError."""
        seconds = self._settings.batch.deadline
        try:
            async with asyncio.timeout(seconds):
                return await call
        except TimeoutError:
            raise ConnectionFault(f"no reply within {seconds:g} s") from None

    async def back_off(self, failure: TransportError, tries: int) -> None:
        """Waits before the next try. Raises QuotaExhausted where the provider asks to wait for too long, and
        Stopped."""
        policy = self._settings.retry
        if failure.retry_after is not None and failure.retry_after > policy.patience:
            raise too_long(failure.message, failure.retry_after, failure.status)
        if tries == 1:
            self._told(f"{failure.message}. It is tried again.")
        await self.sleep(wait_before(policy, tries, failure, self._settings.chance()))

    async def sleep(self, seconds: float) -> None:
        """Waits, but no longer than until the user asks to stop. Raises Stopped."""
        if not self._stop.draining:
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                return
        raise Stopped
