"""A plan in the making."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemas.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Estimate:
    """What one model's part of a plan comes to, where it gives the repeats of a question in one reply. Tokens
    are counted as characters / 4, a reply as one line an item with its number and a code (at most
    `max_tokens`); cost in US dollars, None where the model has no price."""

    model: str
    trials: int
    requests: int
    tokens_in: int
    tokens_out: int
    cost: float | None


@dataclass(frozen=True)
class Draft:
    """`trials` is the table of `PlannedTrial`s, from the pass `expand` on, and `lengths` the characters of each
    question that every model is asked, in the order of the trials, whatever their repeats."""

    plan: Plan
    trials: pa.Table | None = None
    lengths: Sequence[int] = ()
    estimates: tuple[Estimate, ...] = ()

    def planned(self) -> pa.Table:
        """The trials; call it after `expand`."""
        assert self.trials is not None, "the pass `expand` has not run"
        return self.trials
