"""Replies that are kept, read again."""

from __future__ import annotations

import msgspec

from runtime.panel import answer_rows, reading_of
from runtime.transport import Reply
from schemas.render import Shown
from schemas.rows import Answered


def read_again(kept: Answered, shown: Shown) -> Answered:
    """A kept reply as it is read today. A failure was no reply, and probabilities of options are in no text:
    such a response stays as it is."""
    response = kept.response
    if response.status == "error" or any(one.probabilities is not None for one in kept.answers):
        return kept
    reading = reading_of(Reply(response.text, finish_reason=response.finish_reason), shown)
    read_now = msgspec.structs.replace(response, status=reading.status)
    return Answered(read_now, tuple(answer_rows(read_now, reading, shown)))
