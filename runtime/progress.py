"""How a run tells what it does: one live line, plain lines, or JSON events."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol, TextIO

import msgspec

from runtime.pace import Counts, Pace
from schemas.rows import ResponseRow

Form = Literal["live", "plain", "json"]
SECONDS_BETWEEN: dict[Form, float] = {"live": 0.1, "plain": 5.0, "json": 1.0}


class Standing(msgspec.Struct, frozen=True):
    """How many requests are in flight, how many may be, and why."""

    in_flight: int
    limit: int
    why: str


class Progress(Protocol):
    """Told of a run's course, from the thread of the run's loop."""

    def begin(self, panel: str, planned: int, kept: int) -> None:
        """`planned` trials, `kept` of them answered before."""
        ...

    def watch(self, standing: Callable[[], Standing]) -> None:
        """Requests are sent from now on; `standing` tells of them at any time."""
        ...

    def durable(self, response: ResponseRow) -> None:
        """A response is on disk."""
        ...

    def more(self, trials: int) -> None:
        """So many more trials are to be asked, as follow-ups."""
        ...

    def tick(self) -> None:
        """Time went by."""
        ...

    def note(self, text: str) -> None:
        """Something that the user should know."""
        ...

    def end(self) -> None:
        """The run has ended."""
        ...


class Silent:
    """Tells nothing."""

    def begin(self, panel: str, planned: int, kept: int) -> None: ...

    def watch(self, standing: Callable[[], Standing]) -> None: ...

    def durable(self, response: ResponseRow) -> None: ...

    def more(self, trials: int) -> None: ...

    def tick(self) -> None: ...

    def note(self, text: str) -> None: ...

    def end(self) -> None: ...


class Reporter:
    """Writes a run's course to a stream, at most once in the form's time. `columns`: how many the terminal
    has."""

    def __init__(
        self,
        stream: TextIO,
        form: Form,
        clock: Callable[[], float] = time.monotonic,
        columns: Callable[[], int] | None = None,
    ) -> None:
        self._stream = stream
        self._form: Form = form
        self._clock = clock
        self._columns = columns or (lambda: columns_of(stream))
        self._counts = Counts()
        self._began = self._written = clock()
        self._pace = Pace(self._began)
        self._standing: Callable[[], Standing] | None = None
        self._width = 0

    def begin(self, panel: str, planned: int, kept: int) -> None:
        """Starts counting."""
        self._counts = Counts(panel=panel, planned=planned, kept=kept)
        self._began = self._written = self._clock()
        self._pace = Pace(self._began)
        self._standing = None
        if self._form == "json":
            self._event("begin", self._began)

    def watch(self, standing: Callable[[], Standing]) -> None:
        """Shows also what is in flight."""
        self._standing = standing

    def durable(self, response: ResponseRow) -> None:
        """Counts a response, and writes where it is time."""
        self._counts.add(response)
        now = self._clock()
        self._pace.add(now)
        self._write_if_due(now)

    def more(self, trials: int) -> None:
        """Counts them as planned."""
        self._counts.planned += trials

    def tick(self) -> None:
        """Writes where it is time."""
        self._write_if_due(self._clock())

    def note(self, text: str) -> None:
        """Writes a note on a line of its own."""
        if self._form == "json":
            self._event("note", self._clock(), text)
            return
        self._clear()
        self._line(text + "\n")

    def end(self) -> None:
        """Writes the last state."""
        self._standing = None
        if self._form == "json":
            self._event("end", self._clock())
        elif self._counts.done:
            self._write(self._clock())
            if self._form == "live":
                self._line("\n")
        else:
            self._clear()
        self._width = 0

    def _write_if_due(self, now: float) -> None:
        if now - self._written >= SECONDS_BETWEEN[self._form]:
            self._write(now)

    def _write(self, now: float) -> None:
        self._written = now
        if self._form == "json":
            self._event("progress", now)
            return
        text = line(
            self._counts,
            self._pace.rate(now),
            self._standing() if self._standing else None,
            self._columns() if self._form == "live" else None,
        )
        if self._form == "live":
            self._line("\r" + text + " " * max(0, self._width - width(text)))
            self._width = width(text)
        else:
            self._line(text + "\n")

    def _clear(self) -> None:
        if self._form == "live" and self._width:
            self._line("\r" + " " * self._width + "\r")
            self._width = 0

    def _event(self, kind: str, now: float, text: str | None = None) -> None:
        event = {"event": kind, **msgspec.structs.asdict(self._counts), "seconds": now - self._began}
        event["rate"] = self._pace.rate(now)
        event["seconds_left"] = seconds_left(self._counts, event["rate"])
        if self._standing is not None:
            event |= msgspec.structs.asdict(self._standing())
        if text is not None:
            event["text"] = text
        self._line(msgspec.json.encode(event).decode() + "\n")

    def _line(self, text: str) -> None:
        with suppress(OSError, ValueError):  # who no longer listens does not stop the run
            self._stream.write(text)
            self._stream.flush()


def line(counts: Counts, rate: float, standing: Standing | None = None, columns: int | None = None) -> str:
    """The state in one line. Where it is wider than `columns`, what matters least goes first."""
    left = seconds_left(counts, rate)
    statuses = [f"{counts.statuses[one]} {one}" for one in sorted(counts.statuses) if one != "complete"]
    cached = f", {short(counts.tokens_cached)} cached" if counts.tokens_cached else ""
    tokens = f"{short(counts.tokens_in)} tokens in{cached}, {short(counts.tokens_out)} out"
    parts = [  # with the place of each in the order in which they go
        (0, f"{counts.panel} {counts.kept + counts.done}/{counts.planned}"),
        (2, f"{rate:.1f}/s" if rate < 100 else f"{rate:.0f}/s"),
        (1, f"{duration(left)} left" if left else ""),
        (6, tokens if counts.tokens_in or counts.tokens_out else ""),
        (3, f"${counts.money:.2f}" if counts.money is not None else ""),
        (4, ", ".join(statuses)),
        (7, f"{standing.in_flight} in flight" if standing else ""),
        (5, standing.why if standing else ""),
    ]
    while columns is not None and width(_joined(parts)) >= columns and len(parts) > 1:
        parts.remove(max(parts))
    text = _joined(parts)
    return text if columns is None else _cut(text, columns - 1)


def seconds_left(counts: Counts, rate: float) -> float | None:
    """Seconds until all is done at this rate; None where nothing is left, or nothing moves."""
    left = counts.planned - counts.kept - counts.done
    return left / rate if rate > 0 and left > 0 else None


def short(count: int) -> str:
    """A count in at most five characters: 999, 1.2k, 34k, 5.6M."""
    if count < 1000:
        return str(count)
    unit, size = ("k", 1000) if count < 999_500 else ("M", 1_000_000)
    return f"{count / size:.1f}{unit}" if count < 9.95 * size else f"{count / size:.0f}{unit}"


def duration(seconds: float) -> str:
    """A span of time for a reader."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def columns_of(stream: TextIO) -> int:
    """The columns of the terminal behind a stream; 80 where there is none."""
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80


def _joined(parts: list[tuple[int, str]]) -> str:
    return "  ".join(part for _, part in parts if part)


def _cut(text: str, columns: int) -> str:
    while width(text) > max(1, columns):
        text = text[:-2] + "…"
    return text
