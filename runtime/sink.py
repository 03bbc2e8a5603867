"""Where answers go: five verbs, which know no format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from schemas.rows import Answered, RespondentRow, RunRow

if TYPE_CHECKING:
    import pyarrow as pa


class Sink(Protocol):
    """Keeps the rows of runs. Every verb raises OSError where the disk fails."""

    def open(self, run: RunRow, respondents: Sequence[RespondentRow], trials: Iterable[pa.RecordBatch]) -> None:
        """Replaces the run's row, respondents and trials, each whole or not at all; trials come as columns of
        their table."""
        ...

    def parts(self) -> set[int]:
        """The numbers of the run's parts that were stored whole."""
        ...

    def write(self, part: int, answered: Iterable[Answered]) -> None:
        """Stores one part durably. The same part number again holds the same content and replaces it."""
        ...

    def flush(self) -> None:
        """Makes everything written visible to readers."""
        ...

    def close(self, run: RunRow) -> None:
        """Stores the run's row in its final state."""
        ...
