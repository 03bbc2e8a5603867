"""Hands batches to a provider, each once, whatever breaks in between."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from runtime.batch.calls import Calls, Stopped
from runtime.batch.ledger import Entry, Ledger, Ledgers
from runtime.batch.provider import Batch, Batches, Gone
from runtime.flights import Settings
from runtime.transport import Rejected, StopRun, TransportError


class Refused(StopRun):
    """The provider said that it will not have this batch; there is none."""


class Handing:
    """The way of one run's batches to the provider; `note` hears what the user should know."""

    def __init__(
        self, ledgers: Ledgers, batches: Batches, calls: Calls, settings: Settings, note: Callable[[str], None]
    ) -> None:
        self._ledgers = ledgers
        self._batches = batches
        self._calls = calls
        self._settings = settings
        self._note = note

    async def recover(self) -> list[Ledger]:
        """The batches that earlier processes left with the provider. An input of which none can have been made
        is forgotten. Raises StopRun where one is at another address, TransportError, OSError, JournalFault,
        Stopped."""
        out = []
        for ledger in self._ledgers.open():
            if ledger.file_id is None:
                with suppress(TransportError):
                    await self._batches.discard(ledger.file_name, keep=None)
                self._ledgers.remove(ledger)
                continue
            if ledger.address != self._batches.address:
                raise StopRun(
                    f"{ledger.name} is at {ledger.address}, not at {self._batches.address}: set the address "
                    "back until it is collected."
                )
            if ledger.batch_id is None:
                try:
                    ledger = await self._create(ledger, unsure=True)
                except Refused as refused:
                    self._note(f"{refused.message} Its trials are asked in another.")
                    continue
            out.append(ledger)
        return out

    async def hand_over(
        self, nonce: str, plan_id: str, run: str, path: Path, entries: dict[str, Entry]
    ) -> Ledger:
        """Makes a batch of an input. Its ledger is durable before anything is sent. Raises StopRun,
        TransportError, OSError, Stopped."""
        batches = self._batches
        ledger = Ledger(run, nonce, plan_id, batches.address, batches.lessons, self._settings.now(), entries)
        self._ledgers.save(ledger)
        tries = 0

        async def upload() -> str:
            nonlocal tries
            tries += 1
            return await batches.upload(path, ledger.file_name)

        try:
            file_id = await self._calls.patiently(upload)
        except Gone as gone:
            raise StopRun(
                f"There are no batches at this address: {gone.message}. Run without --batch."
            ) from gone
        ledger = msgspec.structs.replace(ledger, file_id=file_id)
        self._ledgers.save(ledger)
        if tries > 1:  # one whose reply was lost may be there too
            with suppress(TransportError):
                await batches.discard(ledger.file_name, keep=file_id)
        return await self._create(ledger, unsure=False)

    async def _create(self, ledger: Ledger, unsure: bool) -> Ledger:
        """The ledger with its batch's id; `unsure`: the batch may be there already."""
        tries = 0
        while True:
            try:
                batch = await self._found_or_made(ledger, unsure)
                break
            except TransportError as failure:
                tries += 1
                if not failure.retryable or tries >= self._settings.retry.tries:
                    raise
                unsure = True
                await self._calls.back_off(failure, tries)
        ledger = msgspec.structs.replace(ledger, batch_id=batch.id)
        self._ledgers.save(ledger)
        if unsure:
            with suppress(TransportError, Stopped):
                await self._cancel_others(ledger)
        return ledger

    async def _found_or_made(self, ledger: Ledger, unsure: bool) -> Batch:
        if unsure:
            await self._calls.sleep(self._settings.batch.first)  # a list may lag behind
            found = await self._calls.in_time(self._batches.find(ledger.nonce))
            if found:
                return found[0]
        assert ledger.file_id is not None
        try:
            return await self._calls.in_time(self._batches.create(ledger.file_id, ledger.nonce))
        except (Rejected, Gone) as failure:
            self._ledgers.remove(ledger)
            raise Refused(f"The provider refuses the batch {ledger.name}: {failure.message}.") from failure

    async def _cancel_others(self, ledger: Ledger) -> None:
        """Where a list of batches lags behind, one of them may have been made twice: the others are stopped."""
        await self._calls.sleep(self._settings.batch.first)
        for batch in await self._batches.find(ledger.nonce):
            if batch.id != ledger.batch_id and not batch.done:
                await self._batches.cancel(batch.id)
                self._note(f"{batch.id} was made of the same requests as {ledger.batch_id}, and is cancelled.")
