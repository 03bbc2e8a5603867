"""How a run ended."""

from __future__ import annotations

from collections import Counter
from typing import Literal, assert_never

import msgspec

from runtime.asking import Fault
from runtime.journal import JournalFault
from runtime.transport import ConnectionFault, KeyMissing, StopRun, Unauthorized
from schemas.rows import State, Status

FaultKind = Literal["key", "provider", "disk"]


class Outcome(msgspec.Struct, frozen=True):
    """How a run ended, or that its batches are out and nobody waits (`running`). `asked`: responses that this
    call made durable, `counts` by status; `kept`: trials that were answered before; `left`: planned trials
    without an answer. `fault`: what a failed run failed on."""

    state: State
    counts: dict[Status, int]
    asked: int
    kept: int
    left: int
    message: str
    fault: FaultKind | None = None


class Asked(msgspec.Struct, frozen=True):
    """What asking came to: durable responses by status, and why it stopped early, if it did.
    `beside`: how many answers are to trials that are no longer planned, `followed`: how many asked for a
    follow-up; `waiting`: what is said of batches that are still out."""

    counts: Counter[Status] = msgspec.field(default_factory=Counter)
    fault: Fault | None = None
    spent: str | None = None
    beside: int = 0
    followed: int = 0
    waiting: str | None = None


def how_it_ended(asked: Asked, kept: int, work: int, interrupted: bool) -> Outcome:
    """The outcome of a run that had `work` trials to ask, and `kept` answers before."""
    counts = asked.counts
    left = work - (counts.total() - counts["error"] - asked.beside - asked.followed)
    state, message = _ending(asked, left, interrupted)
    return Outcome(state, dict(counts), counts.total(), kept, left, message, _kind(asked.fault))


def _ending(asked: Asked, left: int, interrupted: bool) -> tuple[State, str]:
    if asked.fault is not None:
        return "failed", " ".join(filter(None, (str(asked.fault), asked.waiting and f"Still, {asked.waiting}")))
    if asked.waiting is not None:
        return ("interrupted", f"Interrupted: {asked.waiting}") if interrupted else ("running", asked.waiting)
    if left == 0:
        return "finished", "Every planned trial has its answer."
    go_on = f"{left} trials have no answer yet; run the same command again to go on."
    if interrupted:
        return "interrupted", f"Interrupted: {go_on}"
    if asked.spent is not None:
        return "incomplete", f"Incomplete: {asked.spent}"
    errors = asked.counts["error"]
    failed = f" {errors} ended in an error." if errors else ""
    return "incomplete", f"Incomplete:{failed} {go_on}"


def _kind(fault: Fault | None) -> FaultKind | None:
    match fault:
        case None:
            return None
        case KeyMissing() | Unauthorized():
            return "key"
        case StopRun() | ConnectionFault():
            return "provider"
        case JournalFault():
            return "disk"
        case _:
            assert_never(fault)
