"""How a run goes about batches."""

from __future__ import annotations

import msgspec


class BatchSettings(msgspec.Struct, frozen=True):
    """`requests`, `size` (bytes): what fits into a batch's input (OpenAI's limits). Seconds: a batch is looked
    at `first` after it was handed over, then ever more seldom, up to every `longest`; a provider that cannot be
    reached for `patience` ends the run; a call takes at most `deadline`. `wait`: whether it waits for what is
    out at all."""

    requests: int = 50_000
    size: int = 200_000_000
    first: float = 5.0
    longest: float = 60.0
    patience: float = 3600.0
    deadline: float = 3600.0
    wait: bool = True
