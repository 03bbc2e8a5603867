"""What the runtime asks of a provider that takes batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from runtime.transport import Lessons, Reply, Request, TransportError

DONE = ("completed", "failed", "expired", "cancelled")


class Gone(TransportError):
    """The provider does not have what was asked of it: a batch, a file, or batches at all."""


class Counts(msgspec.Struct, frozen=True):
    """How many requests of a batch there are, and how many were dealt with."""

    total: int = 0
    completed: int = 0
    failed: int = 0


class Errors(msgspec.Struct, frozen=True):
    """Why a batch was refused; each with a `message`, and perhaps a `code` and a `line`."""

    data: list[dict[str, Any]] | None = None


class Batch(msgspec.Struct, frozen=True):
    """A batch as the provider describes it. Its `output_file_id` names a file of answers, its `error_file_id`
    one of requests that were not answered."""

    id: str
    status: str
    created_at: float = 0.0
    metadata: dict[str, Any] | None = None
    request_counts: Counts | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: Errors | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in DONE

    @property
    def late(self) -> bool:
        """Whether there are answers by its count, and no file of them."""
        answers = self.request_counts.completed if self.request_counts else 0
        return self.done and answers > 0 and not self.output_file_id


@runtime_checkable
class Batches(Protocol):
    """A way to one model by batches. Every call over the wire raises TransportError."""

    account: str
    address: str

    @property
    def lessons(self) -> Lessons:
        """What the model has taught so far about the requests that it takes."""
        ...

    def remember(self, lessons: Lessons) -> None:
        """Takes in what it had taught an earlier process."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What was learned and has not been told yet."""
        ...

    def most_choices(self) -> int:
        """How many replies may be asked for at once, as far as is known now."""
        ...

    def line(self, custom_id: str, request: Request, choices: int) -> bytes:
        """A request as a line of a batch's input."""
        ...

    def outcome(
        self, request: Request, choices: int, lessons: Lessons, status: int | None, content: bytes
    ) -> list[Reply] | None:
        """What became of a request that was written with those lessons, by the status (None: it was not sent
        on) and the body of its reply. None: it taught one more, and is to be asked again. Raises
        TransportError."""
        ...

    async def upload(self, path: Path, name: str) -> str:
        """The id of the uploaded file."""
        ...

    async def create(self, file_id: str, nonce: str) -> Batch:
        """Sets a batch going."""
        ...

    async def find(self, nonce: str) -> list[Batch]:
        """The batches with that nonce, oldest first."""
        ...

    async def look(self, batch_id: str) -> Batch:
        """A batch as it is now."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Stops a batch."""
        ...

    async def download(self, file_id: str, path: Path) -> None:
        """Writes a file's content to `path`."""
        ...

    async def discard(self, name: str, keep: str | None) -> None:
        """Removes uploaded files of that name, but for the one with the id `keep`."""
        ...

    async def close(self) -> None:
        """Ends its connections; called once, in the loop that asked."""
        ...
