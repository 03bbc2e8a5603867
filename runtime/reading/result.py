"""What reading a reply gives."""

from __future__ import annotations

import msgspec

from schemas.rows import Status


class ReadValue(msgspec.Struct, frozen=True):
    """One item's value, as the code of an option; None with a `reason`. `number` is the item's own,
    `position` where it was shown (from 1); `span` is where in the reply the value stands (characters, end
    exclusive)."""

    number: int
    position: int
    value: float | None
    reason: str | None = None
    span: tuple[int, int] | None = None


class Reading(msgspec.Struct, frozen=True):
    """A reply as it is read: a value or a reason for every item shown, in the order shown."""

    status: Status
    values: tuple[ReadValue, ...]


def without_values(reading: Reading, status: Status, reason: str) -> Reading:
    """`reading` with nothing that may pass for an answer."""
    return Reading(status, tuple(_missing(value, reason) for value in reading.values))


def cut_off(reading: Reading, end: int) -> Reading:
    """`reading` of a reply that was cut at character `end`: a value that reaches the cut may have gone on
    behind it."""
    kept = tuple(
        _missing(value, "the reply was cut off within it") if value.span and value.span[1] >= end else value
        for value in reading.values
    )
    return Reading("truncated", kept)


def _missing(value: ReadValue, reason: str) -> ReadValue:
    return ReadValue(value.number, value.position, None, reason)
