"""How a run tells what it does: one live line, plain lines, or JSON events."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol, TextIO

import msgspec

from schemas.rows import ResponseRow

Form = Literal["live", "plain", "json"]
SECONDS_BETWEEN: dict[Form, float] = {"live": 0.1, "plain": 5.0, "json": 1.0}


class Progress(Protocol):
    """Told of a run's course, from the thread of the run's loop."""

    def begin(self, panel: str, planned: int, kept: int) -> None:
        """`planned` trials, `kept` of them answered before."""
        ...

    def durable(self, response: ResponseRow) -> None:
        """A response is on disk."""
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

    def durable(self, response: ResponseRow) -> None: ...

    def note(self, text: str) -> None: ...

    def end(self) -> None: ...


class Counts(msgspec.Struct):
    """A run so far. Money in US dollars, None while no response has a cost."""

    panel: str = ""
    planned: int = 0
    kept: int = 0
    done: int = 0
    tokens: int = 0
    money: float | None = None
    refused: int = 0
    errors: int = 0

    def add(self, response: ResponseRow) -> None:
        """Counts one response."""
        self.done += 1
        self.tokens += (response.tokens_in or 0) + (response.tokens_out or 0)
        if response.cost is not None:
            self.money = (self.money or 0.0) + response.cost
        self.refused += response.status == "refused"
        self.errors += response.status == "error"


class Reporter:
    """Writes a run's course to a stream, at most once in the form's time."""

    def __init__(self, stream: TextIO, form: Form, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._form: Form = form
        self._clock = clock
        self._counts = Counts()
        self._began = self._written = clock()
        self._width = 0

    def begin(self, panel: str, planned: int, kept: int) -> None:
        """Starts counting."""
        self._counts = Counts(panel=panel, planned=planned, kept=kept)
        self._began = self._written = self._clock()
        if self._form == "json":
            self._event("begin")

    def durable(self, response: ResponseRow) -> None:
        """Counts a response, and writes where it is time."""
        self._counts.add(response)
        if self._clock() - self._written >= SECONDS_BETWEEN[self._form]:
            self._write()

    def note(self, text: str) -> None:
        """Writes a note on a line of its own."""
        if self._form == "json":
            self._event("note", text)
            return
        self._clear()
        self._line(text + "\n")

    def end(self) -> None:
        """Writes the last state."""
        if self._form == "json":
            self._event("end")
        elif self._counts.done:
            self._write()
            if self._form == "live":
                self._line("\n")
        self._width = 0

    def _write(self) -> None:
        self._written = self._clock()
        if self._form == "json":
            self._event("progress")
            return
        text = line(self._counts, self._written - self._began)
        if self._form == "live":
            self._line("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._line(text + "\n")

    def _clear(self) -> None:
        if self._form == "live" and self._width:
            self._line("\r" + " " * self._width + "\r")
            self._width = 0

    def _event(self, kind: str, text: str | None = None) -> None:
        event = {"event": kind, **msgspec.structs.asdict(self._counts), "seconds": self._clock() - self._began}
        if text is not None:
            event["text"] = text
        self._line(msgspec.json.encode(event).decode() + "\n")

    def _line(self, text: str) -> None:
        with suppress(OSError, ValueError):  # who no longer listens does not stop the run
            self._stream.write(text)
            self._stream.flush()


def line(counts: Counts, seconds: float) -> str:
    """The state in one line; `seconds` since the beginning."""
    rate = counts.done / seconds if seconds > 0 else 0.0
    left = counts.planned - counts.kept - counts.done
    parts = [
        f"{counts.panel} {counts.kept + counts.done}/{counts.planned}",
        f"{rate:.1f}/s" if rate < 100 else f"{rate:.0f}/s",
        f"{_duration(left / rate)} left" if rate > 0 and left > 0 else "",
        f"{counts.tokens:,} tokens" if counts.tokens else "",
        f"${counts.money:.2f}" if counts.money is not None else "",
        f"{counts.refused} refused" if counts.refused else "",
        f"{counts.errors} errors" if counts.errors else "",
    ]
    return "  ".join(part for part in parts if part)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
