"""Ctrl-C: the first waits for the requests under way, the second drops them."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Stop:
    """How urgently the user wants the run to end."""

    def __init__(self) -> None:
        self._asked = 0
        self._listeners: list[Callable[[], None]] = []

    @property
    def draining(self) -> bool:
        """Whether nothing new is to be asked."""
        return self._asked >= 1

    @property
    def dropping(self) -> bool:
        """Whether what is in flight is to be dropped."""
        return self._asked >= 2

    def ask(self) -> None:
        """Once more; called in the loop's thread."""
        self._asked += 1
        for listener in self._listeners:
            listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` at every `ask`."""
        self._listeners.append(listener)


@contextmanager
def on_interrupt(stop: Stop) -> Iterator[None]:
    """Turns SIGINT, and what ends a process politely, into `stop.ask()` in the running loop; outside the main
    thread it changes nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        loop.call_soon_threadsafe(stop.ask)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_to_end(
    main: Coroutine[Any, Any, T],
    grace: float,
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
) -> T:
    """Runs `main` in a loop of its own. Unlike `asyncio.run` it ends even if a task does not let itself be
    cancelled: such a task is left behind after `grace` seconds."""
    loop = new_loop()
    try:
        return loop.run_until_complete(main)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=grace))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.set_exception_handler(lambda *_: None)  # what is left behind is destroyed in silence
        loop.close()
