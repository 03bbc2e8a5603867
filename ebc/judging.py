"""Readings of replies beside what a person coded: what is right, left out and wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import msgspec

from ebc.replies import Expected, ReplyLine, values_of
from runtime.reading import Reading
from schemas.rows import Status
from warehouse.grid import display_width, one_line, pad

Verdict = Literal["right", "left_out", "wrong"]
WORDS: dict[Verdict, str] = {"right": "right", "left_out": "left out", "wrong": "wrong"}
FOUND_LESS: tuple[Status, ...] = ("partial", "unparseable", "out_of_range")
"""Statuses of a reading that leaves out what it may."""


class Value(msgspec.Struct, frozen=True):
    """An item on which the reading and the person differ; None: no value."""

    read: int | None
    expected: int | None
    reason: str | None


class Judged(msgspec.Struct, frozen=True):
    """One reply's reading, judged. Right: the status and every value, but those that may be left out. Wrong: a
    value that the person did not give, or another status beside the same values. Left out: all else, so that
    nothing untrue was read. `values`: how many of each kind there are; a value that may be left out counts as
    left out."""

    verdict: Verdict
    values: dict[Verdict, int]
    differing: dict[str, Value]


def judged(reading: Reading, expected: Expected) -> Judged:
    """`reading` beside what was expected."""
    read = values_of(reading)
    kinds: dict[Verdict, int] = {"right": 0, "left_out": 0, "wrong": 0}
    differing = {}
    for one in reading.values:
        key = str(one.position)
        got, due = read.get(key), expected.values.get(key)
        if got is None and due is None:
            continue
        kind: Verdict = "right" if got == due else "left_out" if got is None else "wrong"
        kinds[kind] += 1
        if kind != "right":
            differing[key] = Value(got, None if due is None else int(due), one.reason)
    return Judged(_verdict(kinds, reading.status, expected), kinds, differing)


def _verdict(kinds: dict[Verdict, int], status: Status, expected: Expected) -> Verdict:
    if kinds["wrong"]:
        return "wrong"
    if not kinds["left_out"]:
        return "right" if status in (expected.status, *expected.also_ok) else "wrong"
    if expected.leeway == "none":
        return "left_out"
    return "right" if status in (*FOUND_LESS, *expected.also_ok) else "wrong"


@dataclass
class Tally:
    """Replies and values by verdict."""

    replies: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(get_args(Verdict), 0))
    values: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(get_args(Verdict), 0))

    def add(self, one: Judged) -> None:
        """Counts a reply."""
        self.replies[one.verdict] += 1
        for kind, count in one.values.items():
            self.values[kind] += count

    def as_data(self) -> dict[str, Any]:
        """The counts as plain data."""
        replies = {str(kind): count for kind, count in self.replies.items()}
        return {"replies": sum(replies.values()), **replies, "values": self.values}


@dataclass
class Tallies:
    """Counts of all replies, and by expected status and by shape."""

    all: Tally = field(default_factory=Tally)
    status: dict[str, Tally] = field(default_factory=dict)
    shape: dict[str, Tally] = field(default_factory=dict)

    def add(self, line: ReplyLine, expected: Expected, one: Judged) -> None:
        """Counts a reply wherever it belongs."""
        self.all.add(one)
        self.status.setdefault(expected.status, Tally()).add(one)
        for shape in dict.fromkeys(line.shape):
            self.shape.setdefault(shape, Tally()).add(one)

    def as_data(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            **self.all.as_data(),
            "by_status": {name: self.status[name].as_data() for name in sorted(self.status)},
            "by_shape": {name: self.shape[name].as_data() for name in sorted(self.shape)},
        }


def differences(line: ReplyLine, reading: Reading, expected: Expected, one: Judged) -> dict[str, Any]:
    """A reply that is not right, as plain data."""
    return {
        "id": line.id,
        "verdict": one.verdict,
        "shape": line.shape,
        "status": {"read": reading.status, "expected": [expected.status, *expected.also_ok]},
        "values": msgspec.to_builtins(one.differing),
    }


def difference_text(found: dict[str, Any]) -> Iterator[str]:
    """The same for a reader, a line each."""
    shape = f" ({', '.join(found['shape'])})" if found["shape"] else ""
    yield one_line(f"{WORDS[found['verdict']]}: {found['id']}{shape}")
    status = found["status"]
    if status["read"] not in status["expected"]:
        yield f"  status: read {status['read']}, expected {' or '.join(status['expected'])}"
    for position, value in found["values"].items():
        read = value["read"] if value["read"] is not None else f"nothing ({value['reason']})"
        due = "nothing" if value["expected"] is None else value["expected"]
        yield "  " + one_line(f"item {position}: read {read}, expected {due}")


HEADER = ("", "replies", "right", "left out", "wrong", "values right", "left out", "wrong")


def tally_text(tallies: Tallies) -> Iterator[str]:
    """The table of counts, a line each."""
    rows = [HEADER, _cells("all", tallies.all)]
    rows += [_cells(f"status {name}", tallies.status[name]) for name in sorted(tallies.status)]
    rows += [_cells(one_line(f"shape {name}"), tallies.shape[name]) for name in sorted(tallies.shape)]
    widths = [max(display_width(row[i]) for row in rows) for i in range(len(HEADER))]
    for label, *numbers in rows:
        cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
        yield "  ".join([pad(label, widths[0]), *cells])


def _cells(label: str, tally: Tally) -> tuple[str, ...]:
    counts = [sum(tally.replies.values()), *tally.replies.values(), *tally.values.values()]
    return (label, *(f"{count:,}" for count in counts))
