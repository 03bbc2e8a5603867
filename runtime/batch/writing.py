"""The input of a batch: as many requests as fit into a file and into the budget, written as they are
rendered."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from runtime.batch.ledger import Entry
from runtime.batch.provider import Batches
from runtime.batch.settings import BatchSettings
from runtime.budget import Budget, most
from runtime.folding import Queue
from runtime.panel import Panel
from runtime.sizes import Sizes

AT_A_TIME = 200
"""Requests between two looks at what else happens."""


class Writer:
    """Writes the requests of one panel. `held`: the budget did not bear the last one; `likely`: what a trial of
    it may cost at most (US dollars)."""

    def __init__(
        self, panel: Panel, batches: Batches, budget: Budget, sizes: Sizes, settings: BatchSettings
    ) -> None:
        self.held = False
        self.likely = 0.0
        self._panel = panel
        self._batches = batches
        self._budget = budget
        self._sizes = sizes
        self._settings = settings

    async def write(self, queue: Queue, path: Path) -> dict[str, Entry]:
        """Moves requests from the queue into a file, durably, and reserves what they may cost; gives them by
        their custom_id. Raises OSError."""
        entries: dict[str, Entry] = {}
        size = 0
        self.held = False
        with path.open("wb") as file:
            while len(entries) < self._settings.requests:
                pending = queue.take(self._batches.most_choices())
                if pending is None:
                    break
                due = pending.due
                request = self._panel.request(due[0].trial)
                dollars = most(self._panel.price, self._sizes.take(request, len(due)))
                custom_id = str(len(entries) + 1)
                line = self._batches.line(custom_id, request, len(due))
                self.held = not self._budget.bears(dollars)
                self.likely = dollars / len(due)
                if self.held or (entries and size + len(line) > self._settings.size):
                    queue.put_back(pending)
                    break
                self._budget.reserve(dollars)
                file.write(line)
                size += len(line)
                trials = tuple((one.trial.trial_key, one.attempt) for one in due)
                entries[custom_id] = Entry(trials, pending.tries, dollars)
                if len(entries) % AT_A_TIME == 0:
                    await asyncio.sleep(0)
            file.flush()
            os.fsync(file.fileno())
        return entries
