"""What a test server did, as JSON lines in a file, and the judgement on it: was anything paid for twice?

Events: `request` came in; `answered` went out whole; `lost` was made, and paid for, but the connection broke
before it was delivered; `refused` went out with an error. Each has `hash` (of the body's bytes), `key` (of the
model and the messages' texts, whatever parameters were left out), `number` (of the request, from 0), and
`choices`, `tokens_in`, `tokens_out` (0 where nothing was made), `status`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True):
    """A line of the log."""

    event: str
    hash: str
    key: str
    number: int
    status: int | None = None
    choices: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Log:
    """Appends events, each by one write; None keeps them in `events` only."""

    def __init__(self, path: Path | None) -> None:
        self.events: list[Event] = []
        self._file = None if path is None else os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o644)

    def note(self, event: Event) -> None:
        """Adds one event."""
        self.events.append(event)
        if self._file is not None:
            os.write(self._file, msgspec.json.encode(event) + b"\n")

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)


def request_hash(raw: bytes) -> str:
    """What stands for a body, byte for byte."""
    return hashlib.blake2b(raw, digest_size=16).hexdigest()


def request_key(body: Mapping[str, Any]) -> str:
    """What stands for a question: the model and all texts, in whatever messages they stand."""
    text = "\n\n".join(str(message["content"]) for message in body["messages"])
    return request_hash(json.dumps([body["model"], text]).encode())


class Tally(msgspec.Struct, frozen=True):
    """What became of one question, in replies (a request with n choices is n of them). `repeated`: replies that
    were made for requests which came after `wanted` replies had been delivered."""

    requests: int
    answered: int
    lost: int
    repeated: int


def read_events(log: Path) -> list[Event]:
    """The log's events, in order; a last line that is not whole is left out."""
    lines = log.read_bytes().splitlines(keepends=True)
    return [msgspec.json.decode(line, type=Event) for line in lines if line.endswith(b"\n")]


def tallies(events: list[Event], wanted: int = 1) -> dict[str, Tally]:
    """For each question, what became of it, where `wanted` replies (repeats) were needed."""
    counts: dict[str, Counter[str]] = {}
    late: dict[int, str] = {}
    for event in events:
        count = counts.setdefault(event.key, Counter())
        if event.event == "request":
            count["requests"] += 1
            if count["answered"] >= wanted:
                late[event.number] = event.key
        elif event.event in ("answered", "lost"):
            count[event.event] += event.choices
            count["repeated"] += event.choices if event.number in late else 0
    names = Tally.__struct_fields__
    return {key: Tally(*(count[name] for name in names)) for key, count in counts.items()}


def paid_twice(events: list[Event], wanted: int = 1) -> dict[str, Tally]:
    """The questions that were answered more often than `wanted`, or asked again when they had their answers:
    empty where every reply was paid for exactly once, but for those that were lost on their way."""
    return {
        key: tally
        for key, tally in tallies(events, wanted).items()
        if tally.repeated or tally.answered > wanted
    }


def answered_twice(log: Path) -> list[str]:
    """Hashes of requests that came again after they had been answered."""
    answered: set[str] = set()
    twice = []
    for event in read_events(log):
        if event.event == "answered":
            answered.add(event.hash)
        elif event.event == "request" and event.hash in answered:
            twice.append(event.hash)
    return twice
