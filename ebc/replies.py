"""Replies as JSON lines, each with the scale that it answers: how they would be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec

from ebc.errors import UserError
from runtime.panel import reading_of
from runtime.reading import Reading
from runtime.transport import Reply
from schemas.plan import Option
from schemas.render import Shown, ShownItem
from schemas.rows import Status

MOST_OPTIONS = 10_000
ESCAPED = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""A backslash, a character of two surrogates, or a surrogate that stands alone."""


class ReplyScale(msgspec.Struct, frozen=True):
    """A scale as a line gives it: item labels in the order shown, and integers that answer them. `item_keys`:
    how the items were marked, where not 1, 2, 3; `option_letters`: the integer that a letter stands for."""

    items: tuple[str, ...]
    min: int
    max: int
    n_items: int | None = None
    labels: dict[str, str] | None = None
    item_keys: tuple[str, ...] | None = None
    option_letters: dict[str, int] | None = None


class Expected(msgspec.Struct, frozen=True):
    """What a person coded: values by position. With leeway `missing_ok` a reader may leave any of them out.
    `also_ok`: other statuses that are right."""

    status: Status
    values: dict[str, float]
    leeway: Literal["none", "missing_ok"] = "none"
    also_ok: tuple[Status, ...] = ()


class ReplyLine(msgspec.Struct, frozen=True):
    """One reply; `scale` is the JSON of a ReplyScale."""

    id: str | int
    scale: msgspec.Raw
    reply: str | None
    finish_reason: str | None = None
    shape: tuple[str, ...] = ()
    expected: Expected | None = None


class ShownScale(msgspec.Struct, frozen=True):
    """A line's scale as the reader takes it."""

    shown: Shown
    marks: tuple[str, ...]
    letters: dict[str, float]


def read_lines(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, ReplyLine, Reading]]:
    """Each reply with its line's number and how it is read, one in memory at a time. Blank lines are passed
    over. Raises UserError at the first line that holds no reply."""
    decoder = msgspec.json.Decoder(ReplyLine)
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if not text:
            continue
        try:
            found = _decoded(decoder, text)
            scale = shown_scale(bytes(found.scale))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            why = str(error).rstrip(".")
            raise UserError(
                f"{name}, line {number}: {why}. A line is a JSON object with `id`, `reply` and `scale`, "
                "and the scale has `items`, `min` and `max`."
            ) from error
        reply = Reply(found.reply, finish_reason=found.finish_reason)
        yield number, found, reading_of(reply, scale.shown, marks=scale.marks, letters=scale.letters)


def _decoded(decoder: msgspec.json.Decoder[ReplyLine], text: bytes) -> ReplyLine:
    """A line's reply; half a character, as programs write that cut a reply anywhere, is U+FFFD."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        whole = ESCAPED.sub(lambda found: rb"\ufffd" if len(found[0]) == 6 else found[0], text)
        if whole == text:
            raise
        return decoder.decode(whole)


@lru_cache(maxsize=256)
def shown_scale(text: bytes) -> ShownScale:
    """The JSON of a ReplyScale as the reader takes it. Raises ValueError, MsgspecError."""
    scale = msgspec.json.decode(text, type=ReplyScale)
    labels, keys, letters = scale.labels or {}, scale.item_keys or (), scale.option_letters or {}
    if not scale.items:
        raise ValueError("`scale.items` is empty")
    if scale.n_items not in (None, len(scale.items)):
        raise ValueError(f"`scale.n_items` is {scale.n_items}, but there are {len(scale.items)} items")
    if keys and len(keys) != len(scale.items):
        raise ValueError(f"`scale.item_keys` has {len(keys)} keys for {len(scale.items)} items")
    if not scale.min < scale.max < scale.min + MOST_OPTIONS:
        raise ValueError(
            f"`scale` goes from {scale.min} to {scale.max}; it may have 2 to {MOST_OPTIONS:,} options"
        )
    codes = range(scale.min, scale.max + 1)
    known = {str(code) for code in codes}
    for field, named in (("labels", labels), ("option_letters", dict.fromkeys(map(str, letters.values())))):
        strange = next((code for code in named if code not in known), None)
        if strange is not None:
            raise ValueError(f"`scale.{field}` names {strange}, which is not from {scale.min} to {scale.max}")
    options = tuple(Option(float(code), labels.get(str(code))) for code in codes)
    items = tuple(ShownItem(at, at, label, options) for at, label in enumerate(scale.items, start=1))
    return ShownScale(Shown("", items), keys, {letter: float(code) for letter, code in letters.items()})


def as_data(line: ReplyLine, reading: Reading) -> dict[str, Any]:
    """A reading as `ebc read` prints it, items by their position as a text; a span is two places in the reply,
    in characters."""
    return {
        "id": line.id,
        "status": reading.status,
        "values": values_of(reading),
        "spans": {str(one.position): one.span for one in reading.values if one.span is not None},
        "reasons": {
            str(one.position): one.reason or "no reason given" for one in reading.values if one.value is None
        },
    }


def values_of(reading: Reading) -> dict[str, int]:
    """The values that were read, by position as a text."""
    return {str(one.position): int(one.value) for one in reading.values if one.value is not None}
