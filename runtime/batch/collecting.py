"""What came of a batch: lines in any order, some of them missing, become rows and what is to be asked again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

import msgspec

from runtime.batch.ledger import Entry, Ledger
from runtime.batch.provider import Batches
from runtime.budget import Budget
from runtime.folding import Due, Pending, split
from runtime.left import Newest
from runtime.panel import Panel, Timing
from runtime.runs import trial_id
from runtime.sizes import Sizes
from runtime.transport import Rejected, Reply, Request, StopRun, TransportError
from schemas.plan import PlannedTrial
from schemas.rows import Answered


class _Response(msgspec.Struct, frozen=True):
    body: msgspec.Raw
    status_code: int


class _Line(msgspec.Struct, frozen=True):
    """A line of what came. Without a `response` the request was not sent on to the model, and `error` says
    why."""

    custom_id: str
    response: _Response | None = None
    error: msgspec.Raw = msgspec.Raw(b"null")


class Collecting:
    """Takes in the lines of one batch, whose trials are `trials`, by their keys; `planned`: the keys of those
    that the plan still has. `before`: what has rows already.

    `beside`: answers to trials that it no longer has; `again`: what is to be asked once more, `followed` of it
    as follow-ups; `fault`: why the run must stop, where a line said so; `missing`: requests without a line;
    `strange`: lines that are not of this batch, or not readable.
    """

    def __init__(
        self,
        ledger: Ledger,
        trials: dict[str, PlannedTrial],
        planned: Collection[str],
        panel: Panel,
        batches: Batches,
        budget: Budget,
        sizes: Sizes,
        before: Newest,
        timing: Timing,
        keep: Callable[[Sequence[Answered]], None],
        tries: int,
    ) -> None:
        self.beside = 0
        self.followed = 0
        self.again: list[Pending] = []
        self.fault: StopRun | None = None
        self.missing = 0
        self.strange = 0
        self._left = dict(ledger.entries)
        self._ledger = ledger
        self._trials = trials
        self._planned = planned
        self._panel = panel
        self._batches = batches
        self._budget = budget
        self._sizes = sizes
        self._before = before
        self._timing = timing
        self._keep = keep
        self._tries = tries

    def line(self, text: bytes) -> None:
        """Takes in a line; a second one of a request counts for nothing. Raises JournalFault."""
        try:
            line = msgspec.json.decode(text, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.strange += 1
            return
        entry = self._left.pop(line.custom_id, None)
        if entry is not None:
            self._settle(entry, line)
        elif line.custom_id not in self._ledger.entries:
            self.strange += 1

    def end(self) -> None:
        """No more lines come: what has none was not answered."""
        self.missing = len(self._left)
        for entry in self._left.values():
            self._budget.settle(entry.dollars, 0.0, 0)
            if entry.tries + 1 < self._tries:
                self._ask_again(self._due(entry), entry.tries + 1)
        self._left.clear()

    def _settle(self, entry: Entry, line: _Line) -> None:
        due = self._due(entry)
        request = self._panel.request(due[0].trial)
        status = None if line.response is None else line.response.status_code
        content = bytes(line.error if line.response is None else line.response.body)
        try:
            replies = self._batches.outcome(request, len(due), self._ledger.lessons, status, content)
        except TransportError as failure:
            self._failed(entry, due, request, failure)
            return
        if replies is None:
            self._budget.settle(entry.dollars, 0.0, 0)
            self._ask_again(due, entry.tries + 1)
            return
        self._answered(entry, due, request, replies)

    def _answered(self, entry: Entry, due: list[Due], request: Request, replies: list[Reply]) -> None:
        self._sizes.learn(request, replies)
        rows = [
            self._panel.answered(request.of(one.trial), one.attempt, reply, self._timing)
            for one, reply in zip(due, replies, strict=False)
        ]
        costs = [row.response.cost for row in rows if row.response.cost is not None]
        dollars = sum(costs) if len(costs) == len(rows) else entry.dollars
        self._budget.settle(entry.dollars, dollars, len(rows))
        self._keep_new(due, rows)
        if len(replies) < len(due):
            self._ask_again(due[len(replies) :], entry.tries)

    def _failed(self, entry: Entry, due: list[Due], request: Request, failure: TransportError) -> None:
        self._budget.settle(entry.dollars, 0.0, 0)
        tries = entry.tries + 1
        if isinstance(failure, StopRun):
            self.fault = self.fault or failure
        elif failure.retryable and tries < self._tries:
            self._ask_again(due, tries)
        elif isinstance(failure, Rejected) and len(due) > 1:
            self.again += split(Pending(tuple(self._unkept(due)), tries), 1)  # it may be the choices
        else:
            rows = [
                self._panel.failed(request.of(one.trial), one.attempt, failure, self._timing) for one in due
            ]
            self._keep_new(due, rows)

    def _keep_new(self, due: Iterable[Due], rows: Sequence[Answered]) -> None:
        """Keeps the rows of trials that have none of this attempt: a killed process may have kept some."""
        new = [(one, row) for one, row in zip(due, rows, strict=False) if not self._kept(one)]
        if not new:
            return
        self._keep([row for _, row in new])
        planned = [(one, row) for one, row in new if one.trial.trial_key in self._planned]
        others = [row for one, row in new if one.trial.trial_key not in self._planned]
        self.beside += sum(row.response.status != "error" for row in others)
        wanted = self._panel.follow_ups.wanted(planned)
        self.followed += len(wanted)
        self.again += [Pending((due,)) for due in wanted]

    def _ask_again(self, due: Iterable[Due], tries: int) -> None:
        left = self._unkept(due)
        if left:
            self.again.append(Pending(tuple(left), tries))

    def _unkept(self, due: Iterable[Due]) -> list[Due]:
        return [one for one in due if not self._kept(one)]

    def _kept(self, due: Due) -> bool:
        found = self._before.get(trial_id(self._panel.run, due.trial.trial_key))
        return found is not None and found[1] >= due.attempt

    def _due(self, entry: Entry) -> list[Due]:
        return [Due(self._trials[key], attempt) for key, attempt in entry.trials]


def is_line(text: bytes) -> bool:
    """Whether it is a line of a batch's output."""
    try:
        msgspec.json.decode(text, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def lines_of(paths: Iterable[Path]) -> Iterable[bytes]:
    """The lines of some files, one behind the other; empty ones are left out."""
    for path in paths:
        with path.open("rb") as file:
            yield from (line for line in file if line.strip())
