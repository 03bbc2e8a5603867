"""How many requests are in flight, and how many a minute are sent: a window that grows while the provider keeps
up and is cut when it does not, and token buckets.

Pure: every function takes a window or a bucket and the time, and gives the next one.
"""

from __future__ import annotations

import msgspec

from runtime.stated import Quota

ROUNDING = 1e-6
"""So much less in a bucket than is wanted is an error of rounding."""


class Window(msgspec.Struct, frozen=True):
    """`size` requests may be in flight, at most `most`. Below `threshold` the window doubles a round trip
    (slow start), above it grows by one. Nothing is sent before `opens_at`; `cut_at` is when it was last
    cut (clock seconds)."""

    most: int
    size: float
    threshold: float = float("inf")
    opens_at: float = float("-inf")
    cut_at: float = float("-inf")


def opened(most: int, start: int = 4) -> Window:
    """A new window."""
    return Window(most=max(1, most), size=float(max(1, min(start, most))))


def may_start(window: Window, in_flight: int, now: float) -> bool:
    """Whether one more request may be sent."""
    return now >= window.opens_at and in_flight < int(window.size)


def after_answer(window: Window, in_flight: int) -> Window:
    """The window after an answer came while `in_flight` requests (that one included) were out. It grows
    only if it was full: a window that is not used says nothing about what the provider bears."""
    if in_flight < int(window.size) or window.size >= window.most:
        return window
    step = 1.0 if window.size < window.threshold else 1.0 / window.size
    return msgspec.structs.replace(window, size=min(float(window.most), window.size + step))


def after_throttle(window: Window, started: float, now: float, wait: float) -> Window:
    """The window after a 429 or 503 to a request that was sent at `started`, with `wait` seconds asked for.

    It is halved once a round: requests that were sent before the last cut were sent too many already then.
    """
    opens_at = max(window.opens_at, now + wait)
    if started < window.cut_at:
        return msgspec.structs.replace(window, opens_at=opens_at)
    half = max(1.0, window.size / 2)
    return msgspec.structs.replace(window, size=half, threshold=half, opens_at=opens_at, cut_at=now)


class Bucket(msgspec.Struct, frozen=True):
    """A token bucket: at the time `at` (clock seconds) `level` may be taken; `rate` a second come back, up to
    `capacity`. A level below 0: more was taken than there was."""

    capacity: float
    rate: float
    level: float
    at: float


def a_minute(amount: float, now: float) -> Bucket:
    """`amount` a minute, spread evenly: no more at once than a second's share, so that it holds however the
    provider counts its minutes."""
    burst = max(1.0, amount / 60)
    return Bucket(burst, amount / 60, burst, now)


def wait_for(bucket: Bucket, amount: float, now: float) -> float:
    """Seconds until `amount` may be taken; 0: now. For more than the bucket holds it must be full."""
    lacks = min(amount, bucket.capacity) - _level(bucket, now)
    return lacks / bucket.rate if lacks > ROUNDING else 0.0


def taken(bucket: Bucket, amount: float, now: float) -> Bucket:
    """The bucket after `amount` was taken (below 0: given back)."""
    level = min(bucket.capacity, _level(bucket, now) - amount)
    return msgspec.structs.replace(bucket, level=level, at=now)


def as_stated(before: Bucket | None, quota: Quota, out: float, now: float) -> Bucket:
    """The bucket after a reply stated `quota`, while `out` more was in flight.

    What returns in a second follows from when everything is back: minutes, or days (Groq's requests), are told
    apart by nothing else. The level is our own count, which knows what was sent since the reply was made, but
    at most what the provider says is left, and at least that less all that is in flight.
    """
    used = quota.limit - quota.remaining
    if quota.reset and used > 0:
        rate = used / quota.reset
    else:
        rate = quota.limit / 60 if before is None else before.rate
    least = quota.remaining - out
    level = least if before is None else min(max(_level(before, now), least), quota.remaining)
    return Bucket(quota.limit, rate, level, now)


def _level(bucket: Bucket, now: float) -> float:
    return min(bucket.capacity, bucket.level + bucket.rate * max(0.0, now - bucket.at))
