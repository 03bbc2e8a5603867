"""A loop whose time is its own: where nothing but a timer is left to wait for, the clock jumps to it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from runtime.interrupt import run_to_end

T = TypeVar("T")


class Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    """Waits for no timer: `now` moves on in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; real waiting is left only where no timer would end it."""
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout is not None:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop on such a clock."""

    def __init__(self) -> None:
        self.jumping = Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        """Seconds of its own."""
        return self.jumping.now


def run_in_own_time(main: Coroutine[Any, Any, T]) -> T:
    """Runs `main`; hours of it pass at once."""
    return run_to_end(main, 5.0, JumpingLoop)
