"""How many requests are in flight: a window that grows while the provider keeps up, and is cut when it does
not.

Pure: every function takes a window and the time, and gives the next window.
"""

from __future__ import annotations

import msgspec


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
