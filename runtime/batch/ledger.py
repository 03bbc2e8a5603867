"""What a provider was given as batches: one file a batch, beside the journal.

`<run>.<nonce>.batch.json` is written before the batch's input is uploaded, and removed when all that came of
the batch is durable in the journal. While it stands its trials are out: nobody else asks them. How far the
batch is shows in what the ledger knows: nothing (the input is being uploaded), the uploaded file's id (the
batch is being created), the batch's id. The nonce stands in the uploaded file's name and in the batch's
metadata, so that either is found again when the reply which named it was lost.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import msgspec

from runtime.journal import JournalFault
from runtime.transport import Lessons

SUFFIX = ".batch.json"


class BatchOut(Exception):
    """A batch of the run is out: the message names it and says what to do."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A request of a batch: its trials (key, and number of the attempt), how often they were asked in vain, and
    the most US dollars that it may cost."""

    trials: tuple[tuple[str, int], ...]
    tries: int
    dollars: float


class Ledger(msgspec.Struct, frozen=True):
    """A batch that is out. `address`: where; `lessons`: the form in which its requests were written; `entries`:
    its requests by their custom_id."""

    run: str
    nonce: str
    plan_id: str
    address: str
    lessons: Lessons
    begun: datetime
    entries: dict[str, Entry]
    file_id: str | None = None
    batch_id: str | None = None

    @property
    def name(self) -> str:
        """What a reader calls it."""
        return self.batch_id or f"ebc-{self.nonce}"

    @property
    def file_name(self) -> str:
        """What its input is called at the provider."""
        return f"ebc-{self.nonce}.jsonl"

    @property
    def trials(self) -> int:
        """How many trials are in it."""
        return sum(len(entry.trials) for entry in self.entries.values())


class Ledgers:
    """The ledgers of one run. Every change is durable before the call returns. Raises OSError."""

    def __init__(self, folder: Path, run: str) -> None:
        self._folder = folder
        self._run = run

    def open(self) -> list[Ledger]:
        """Those that stand, oldest first. Raises JournalFault for one that cannot be read."""
        found = [_read(path) for path in self._folder.glob(f"{self._run}.*{SUFFIX}")]
        return sorted(found, key=lambda ledger: (ledger.begun, ledger.nonce))

    def path(self, ledger: Ledger) -> Path:
        """Where one stands."""
        return self._folder / f"{self._run}.{ledger.nonce}{SUFFIX}"

    def scratch(self, nonce: str, kind: str) -> Path:
        """A file of a batch that a crash may leave behind: `sweep` removes it."""
        return self._folder / f"{self._run}.{nonce}.batch.{kind}"

    def save(self, ledger: Ledger) -> None:
        """Writes one, or replaces it."""
        scratch = self.scratch(ledger.nonce, "tmp")
        with scratch.open("wb") as file:
            file.write(msgspec.json.encode(ledger))
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(self.path(ledger))
        self._sync()

    def remove(self, ledger: Ledger) -> None:
        """Its trials are no longer out."""
        self.path(ledger).unlink()
        self._sync()

    def sweep(self) -> None:
        """Removes what a killed process left beside the ledgers."""
        for path in self._folder.glob(f"{self._run}.*.batch.*"):
            if not path.name.endswith(SUFFIX):
                path.unlink(missing_ok=True)

    def _sync(self) -> None:
        if os.name != "posix":
            return
        file = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def batches_out(folder: Path, run: str) -> list[Ledger]:
    """The batches of a run that a provider may be working on. Raises JournalFault."""
    return [ledger for ledger in Ledgers(folder, run).open() if ledger.file_id is not None]


def require_none_out(folder: Path, run: str, panel: str) -> None:
    """Raises BatchOut where batches of a run are out, and JournalFault."""
    out = batches_out(folder, run)
    if out:
        names = ", ".join(ledger.name for ledger in out)
        raise BatchOut(
            f"{sum(ledger.trials for ledger in out):,} trials of {panel} are out in a batch ({names}): collect "
            "it first, by the same command with --batch and without --fresh. To give it up, cancel it at the "
            "provider before."
        )


def _read(path: Path) -> Ledger:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ledger)
    except (OSError, msgspec.MsgspecError) as error:
        raise JournalFault(
            f"{path} cannot be read ({error}), and it alone knows which trials are out in a batch. Restore it "
            "from a copy; or remove it, to ask its trials again whatever became of them."
        ) from error
