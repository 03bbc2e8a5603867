"""Repeats of one question become one request with several choices, and its reply is split again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from schemas.plan import PlannedTrial


class Due(msgspec.Struct, frozen=True):
    """A trial to ask; `attempt` is the number of its row."""

    trial: PlannedTrial
    attempt: int


class Pending(msgspec.Struct, frozen=True):
    """A request to send: trials that differ in their repeat alone, in order. `tries`: how often it failed in
    this run, for the first time at `since` (clock seconds)."""

    due: tuple[Due, ...]
    tries: int = 0
    since: float | None = None


class Queue:
    """The requests of `work`, in its order: what shares a prefix stays together. `put_back` comes first."""

    def __init__(self, work: Iterator[Due]) -> None:
        self._work = work
        self._ahead = next(work, None)
        self._back: deque[Pending] = deque()

    def take(self, most: int) -> Pending | None:
        """The next request, of at most so many choices; None when there is none."""
        if self._back:
            first, *rest = split(self._back.popleft(), most)
            self._back.extendleft(reversed(rest))
            return first
        if self._ahead is None:
            return None
        due = [self._ahead]
        self._ahead = next(self._work, None)
        while self._ahead is not None and len(due) < most and _same(due[0].trial, self._ahead.trial):
            due.append(self._ahead)
            self._ahead = next(self._work, None)
        return Pending(tuple(due))

    def put_back(self, pending: Pending) -> None:
        """Asks these trials next: they were not answered."""
        self._back.append(pending)


def split(pending: Pending, most: int) -> list[Pending]:
    """A request as requests of at most `most` choices."""
    due = pending.due
    return [msgspec.structs.replace(pending, due=due[at : at + most]) for at in range(0, len(due), most)]


def shares(total: int | None, weights: Sequence[int]) -> list[int | None]:
    """`total` divided in proportion to `weights`, in whole numbers that add up to it (largest remainders; of
    equal ones the first). None is divided into None."""
    if total is None:
        return [None] * len(weights)
    parts = [weight if sum(weights) else 1 for weight in weights]
    whole = sum(parts)
    shared = [total * part // whole for part in parts]
    by_rest = sorted(range(len(parts)), key=lambda at: (-(total * parts[at] % whole), at))
    for at in by_rest[: total - sum(shared)]:
        shared[at] += 1
    return list(shared)


def _same(one: PlannedTrial, other: PlannedTrial) -> bool:
    """Whether two trials ask the same, at the same place of the study."""
    return (one.request_key, one.condition, one.stimulus, one.item_order) == (
        other.request_key,
        other.condition,
        other.stimulus,
        other.item_order,
    )
