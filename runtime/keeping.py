"""Keeps what was answered: into the journal at once, from there into the sink, a segment at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from runtime.journal import Journal, JournalFault, Segment, fold
from runtime.progress import Progress
from runtime.sink import Sink
from schemas.rows import Answered, Status

T = TypeVar("T")


class Keeper:
    """One run's journal and its way into the sink. `counts`: durable responses by status. `fault` is
    called, in the loop, when something can no longer be kept. Made and used in the loop's thread. Raises
    JournalFault."""

    def __init__(
        self,
        folder: Path,
        run: str,
        sink: Sink,
        told: Progress,
        fold_after: int,
        fault: Callable[[JournalFault], None],
    ) -> None:
        self.counts: Counter[Status] = Counter()
        self._loop = asyncio.get_running_loop()
        self._sink = sink
        self._told = told
        self._fold_after = fold_after
        self._fault = fault
        self._since_fold = 0
        self._folding: asyncio.Task[None] | None = None
        self._broken = False
        self._journal = Journal(
            folder,
            run,
            after=max(sink.parts(), default=0),
            durable=lambda group: self._in_loop(self._count, group),
            fault=lambda fault: self._in_loop(self._fail, fault),
        )

    def keep(self, records: Sequence[Answered]) -> None:
        """Writes the records of one reply to the journal, all or none; starts folding where a segment is
        full. Raises JournalFault."""
        self._journal.append(*records)
        self._since_fold += len(records)
        if self._since_fold >= self._fold_after and (self._folding is None or self._folding.done()):
            self._since_fold = 0
            self._folding = asyncio.create_task(self._fold_behind(self._journal.roll()))

    def flush(self) -> None:
        """Returns when everything that was kept is durable. Raises JournalFault."""
        self._journal.flush()

    async def close(self) -> None:
        """Makes everything durable and folds the rest. Raises OSError, and what the sink raises; what
        was not folded stays in the journal for the next run."""
        last = self._journal.close()
        await asyncio.sleep(0)  # what the journal's thread reported is counted
        if self._folding is not None:
            await self._folding
        if not self._broken:
            fold(last, self._sink, self._told.note)

    async def _fold_behind(self, segment: Segment) -> None:
        def note(text: str) -> None:
            self._in_loop(self._told.note, text)

        try:
            await asyncio.to_thread(fold, segment, self._sink, note)
        except OSError as error:
            self._fail(JournalFault(not_folded(error)))

    def _fail(self, fault: JournalFault) -> None:
        self._broken = True
        self._fault(fault)

    def _count(self, group: list[Answered]) -> None:
        for record in group:
            self.counts[record.response.status] += 1
            self._told.durable(record.response)

    def _in_loop(self, call: Callable[[T], None], argument: T) -> None:
        self._loop.call_soon_threadsafe(call, argument)


def not_folded(error: OSError) -> str:
    """What is said when answers are safe in the journal but did not reach the results. An error without a
    number is a sink's, and says itself what to do."""
    if error.errno is None:
        return f"{error} What was answered is kept in the journal."
    return (
        f"The results cannot be written: {error.strerror or error}"
        f"{f' ({error.filename})' if error.filename else ''}. What was answered is kept in the journal; "
        "make room or give access, then run the same command again."
    )
