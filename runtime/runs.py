"""Ids: the same things get the same id on every machine."""

from __future__ import annotations

from hashlib import blake2b


def run_id(study: str, panel: str, generation: int) -> str:
    """A run's id; `generation` counts the runs of one panel of one study from 0."""
    return _digest(study, panel, str(generation))


def trial_id(run: str, trial_key: str) -> str:
    """A trial's id in one run."""
    return _digest(run, trial_key)


def response_id(trial: str, attempt: int) -> str:
    """The id of one attempt at a trial; `attempt` counts from 0."""
    return _digest(trial, str(attempt))


def _digest(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()
