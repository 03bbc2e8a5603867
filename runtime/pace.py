"""How far a run is, and how fast: counts, and the rate of the last seconds."""

from __future__ import annotations

from collections import Counter, deque

import msgspec

from schemas.rows import ResponseRow, Status

WINDOW = 15.0
"""Seconds that the rate is taken over."""

STEP = 0.5


class Counts(msgspec.Struct):
    """A run so far: `done` responses of this call, by status. Money in US dollars, None while no response has a
    cost."""

    panel: str = ""
    planned: int = 0
    kept: int = 0
    done: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    money: float | None = None
    statuses: Counter[Status] = msgspec.field(default_factory=Counter)

    def add(self, response: ResponseRow) -> None:
        """Counts one response."""
        self.done += 1
        self.tokens_in += response.tokens_in or 0
        self.tokens_out += response.tokens_out or 0
        self.tokens_cached += response.tokens_cached or 0
        if response.cost is not None:
            self.money = (self.money or 0.0) + response.cost
        self.statuses[response.status] += 1


class Pace:
    """Responses a second over the last seconds, from `began` (clock seconds) on."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._steps: deque[tuple[float, int]] = deque()

    def add(self, now: float) -> None:
        """One more."""
        if self._steps and now - self._steps[-1][0] < STEP:
            at, count = self._steps.pop()
            self._steps.append((at, count + 1))
        else:
            self._steps.append((now, 1))
        while now - self._steps[0][0] > WINDOW:
            self._steps.popleft()

    def rate(self, now: float) -> float:
        """Responses a second."""
        recent = sum(count for at, count in self._steps if now - at <= WINDOW)
        span = min(WINDOW, now - self._began)
        return recent / span if span > 0 else 0.0
