"""What a user is told of batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from runtime.batch.collecting import Collecting
from runtime.batch.ledger import Ledger
from runtime.batch.provider import Batch
from runtime.progress import Standing
from runtime.transport import StopRun

SHOWN = 3
"""Complaints about one batch that are told."""


class BatchStanding(Standing, frozen=True):
    """`total` requests are in the `batches` that are out; the provider has dealt with `completed` of them."""

    batches: tuple[str, ...] = ()
    completed: int = 0
    total: int = 0


def standing(out: Collection[Ledger], seen: Mapping[str, Batch]) -> BatchStanding:
    """How far the provider is, by what was last seen of each batch (by nonce)."""
    total = sum(len(ledger.entries) for ledger in out)
    counts = [seen[ledger.nonce].request_counts for ledger in out if ledger.nonce in seen]
    completed = sum(count.completed + count.failed for count in counts if count is not None)
    names = tuple(ledger.name for ledger in out)
    states = sorted({seen[ledger.nonce].status for ledger in out if ledger.nonce in seen})
    which = names[0] if len(names) == 1 else f"{len(names)} batches"
    how = f" {', '.join(states)}" if states else ""
    why = f"{which}{how}: {completed:,} of {total:,} done" if names else ""
    return BatchStanding(total - completed, total - completed, why, names, completed, total)


def handed(ledger: Ledger, again: bool = False) -> str:
    """What is said of a batch that is with the provider."""
    counts = f"{_many(len(ledger.entries), 'request')} for {_many(ledger.trials, 'trial')}"
    if again:
        return f"{ledger.name} is with the provider since {ledger.begun:%Y-%m-%d %H:%M} UTC: {counts}."
    return f"{ledger.name} is with the provider: {counts}. It has 24 hours."


def full_price(model: str) -> str:
    """What is said where a price names no share for batches."""
    return (
        f"The price of {model} does not say what share of it a batch costs (batch 0.5, in "
        "usd_per_million_tokens): all of it is counted."
    )


def collected(batch: Batch, collecting: Collecting) -> Iterator[str]:
    """What is said of a batch from which more, or less, came than was asked for."""
    if collecting.missing and batch.status != "failed":
        missing = _many(collecting.missing, "request")
        yield f"{batch.id} is {batch.status}: {missing} of it came back without an answer."
    if collecting.strange:
        strange = _many(collecting.strange, "line")
        yield f"{strange} of what came of {batch.id} cannot be read, or answer nothing that was asked."


def refusal(batch: Batch) -> StopRun | None:
    """Why no other batch follows one that ended so."""
    if batch.status == "cancelled":
        return StopRun(
            f"{batch.id} was cancelled at the provider; what it had answered is kept. The same command puts "
            "the rest into another."
        )
    if batch.status != "failed":
        return None
    errors = list((batch.errors.data if batch.errors else None) or ())
    said = "; ".join(_complaint(error) for error in errors[:SHOWN]) or "it does not say why"
    more = f" (and {len(errors) - SHOWN:,} more)" if len(errors) > SHOWN else ""
    hint = ""
    if any(error.get("code") == "token_limit_exceeded" for error in errors):
        hint = " Put fewer trials into a batch, with --limit."
    return StopRun(
        f"The provider refuses the batch {batch.id}: {said}{more}. Nothing of it was answered.{hint}"
    )


def ending(out: Sequence[Ledger]) -> str | None:
    """What is said at the end of a run that leaves batches with the provider."""
    if not out:
        return None
    trials = _many(sum(ledger.trials for ledger in out), "trial")
    names = ", ".join(ledger.name for ledger in out)
    which = f"the batch {names} goes" if len(out) == 1 else f"the batches {names} go"
    return f"{which} on at the provider, with {trials}; the same command collects what comes."


def _complaint(error: Mapping[str, object]) -> str:
    line = f"line {error['line']}: " if error.get("line") is not None else ""
    return f"{line}{str(error.get('message') or error.get('code') or 'an error').rstrip('.')}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
