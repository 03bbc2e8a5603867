"""What of a plan is left to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from runtime.folding import Due
from runtime.runs import trial_id
from schemas.plan import PlannedTrial
from schemas.rows import Status

Newest = Mapping[str, tuple[Status, int]]
"""The status and the number of the newest attempt, by the ids of trials that have one."""


def work_of(run: str, planned: Collection[PlannedTrial], before: Newest) -> Iterator[Due]:
    """What has no answer: trials never asked, and those whose newest attempt failed."""
    for trial in planned:
        found = before.get(trial_id(run, trial.trial_key))
        if found is None:
            yield Due(trial, attempt=0)
        elif found[0] == "error":
            yield Due(trial, attempt=found[1] + 1)


def kept_of(run: str, planned: Collection[PlannedTrial], before: Newest) -> int:
    """How many planned trials have an answer."""
    if not before:
        return 0
    return len(planned) - sum(1 for _ in work_of(run, planned, before))
