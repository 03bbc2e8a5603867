"""What one account at a provider bears: one window and its token buckets, shared by the models of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from runtime.limits import (
    Bucket,
    Window,
    a_minute,
    after_answer,
    after_throttle,
    as_stated,
    may_start,
    opened,
    taken,
    wait_for,
)
from runtime.stated import KINDS, Kind, Stated
from schemas.plan import Model, Setting

Source = Literal["declared", "stated"]

SOURCES: dict[Source, str] = {"declared": "as the spec says", "stated": "as the provider says"}


def declared_limits(model: Model) -> dict[Kind, float]:
    """The limits a minute that a model's declaration states."""
    stated: dict[Kind, Setting | None] = {kind: model.settings.get(f"{kind}_per_minute") for kind in KINDS}
    return {kind: float(limit) for kind, limit in stated.items() if isinstance(limit, int | float)}


class Account:
    """Says when the next request may be sent, and why not now. Times are clock seconds."""

    def __init__(self, most: int) -> None:
        self._window: Window = opened(most)
        self._buckets: dict[tuple[Kind, Source], Bucket] = {}
        self._amounts: dict[tuple[Kind, Source], float] = {}
        self._out: dict[Kind, float] = dict.fromkeys(KINDS, 0.0)
        self._cut_by = ""

    def declare(self, amounts: Mapping[Kind, float], now: float) -> None:
        """Takes the limits a minute that the spec declares of the model that is asked from now on."""
        for kind in KINDS:
            known = self._amounts.get((kind, "declared"))
            if kind not in amounts:
                self._buckets.pop((kind, "declared"), None)
                self._amounts.pop((kind, "declared"), None)
            elif amounts[kind] != known:
                self._buckets[kind, "declared"] = a_minute(amounts[kind], now)
                self._amounts[kind, "declared"] = amounts[kind]

    def has_room(self, in_flight: int) -> bool:
        """Whether the window has a place for one more, whenever it may be sent."""
        return may_start(self._window, in_flight, float("inf"))

    def wait(self, tokens: float, now: float) -> float:
        """Seconds until a request of so many tokens may be sent; 0: now."""
        waits = (wait_for(bucket, self._one(kind, tokens), now) for (kind, _), bucket in self._buckets.items())
        return max(0.0, self._window.opens_at - now, *waits)

    def sent(self, tokens: float, now: float) -> None:
        """A request was sent that will take about so many tokens."""
        self._take({"requests": 1.0, "tokens": tokens}, now)
        self._out["requests"] += 1
        self._out["tokens"] += tokens

    def ended(self, tokens: float) -> None:
        """A request that was sent with this estimate is no longer in flight, however it ended."""
        self._out["requests"] -= 1
        self._out["tokens"] -= tokens

    def answered(self, in_flight: int, more_tokens: float, now: float) -> None:
        """An answer came while `in_flight` requests (that one included) were out, and took `more_tokens` than
        was estimated."""
        self._window = after_answer(self._window, in_flight)
        self._take({"tokens": more_tokens}, now)

    def told(self, stated: Stated, now: float) -> None:
        """A reply stated limits."""
        for kind, quota in stated.items():
            before = self._buckets.get((kind, "stated"))
            bucket = as_stated(before, quota, self._out[kind], now)
            self._buckets[kind, "stated"] = bucket
            self._amounts[kind, "stated"] = bucket.rate * 60

    def throttled(self, status: int | None, started: float, wait: float, now: float) -> bool:
        """A request that was sent at `started` met a 429 or 503, with `wait` seconds asked for. Whether that
        holds the account up for longer than was known."""
        longer = now + wait > self._window.opens_at + 1
        before = self._window
        self._window = after_throttle(self._window, started, now, wait)
        if self._window.cut_at != before.cut_at:
            self._cut_by = f"a {status}"
        return longer

    @property
    def size(self) -> int:
        """How many requests may be in flight."""
        return int(self._window.size)

    def why(self, in_flight: int, tokens: float, now: float) -> str:
        """What holds the next request (of so many tokens) back, or will: for a person who watches."""
        window = self._window
        if window.opens_at > now:
            return f"waiting {_seconds(window.opens_at - now)}: Retry-After"
        waits = {key: wait_for(bucket, self._one(key[0], tokens), now) for key, bucket in self._buckets.items()}
        slowest = max(waits, key=lambda key: waits[key], default=None)
        if slowest is not None and waits[slowest] > 0 and in_flight < self.size:
            return f"{slowest[0]} a minute: {self._amounts[slowest]:,.0f}, {SOURCES[slowest[1]]}"
        if window.size >= window.most:
            return f"window {self.size}, the most"
        if self._cut_by:
            return f"window {self.size}, cut by {self._cut_by} {_seconds(now - window.cut_at)} ago"
        return f"window {self.size}, growing"

    def _take(self, amounts: Mapping[Kind, float], now: float) -> None:
        for key, bucket in self._buckets.items():
            if key[0] in amounts:
                self._buckets[key] = taken(bucket, amounts[key[0]], now)

    @staticmethod
    def _one(kind: Kind, tokens: float) -> float:
        return 1.0 if kind == "requests" else tokens


def _seconds(span: float) -> str:
    return f"{max(1, round(span))} s"
