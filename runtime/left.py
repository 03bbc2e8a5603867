"""What of a plan is left to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from runtime.folding import Due
from runtime.followups import FollowUps
from runtime.runs import trial_id
from schemas.plan import PlannedTrial
from schemas.rows import Status

Newest = Mapping[str, tuple[Status, int]]
"""The status and the number of the newest attempt, by the ids of trials that have one."""


def work_of(
    run: str, planned: Collection[PlannedTrial], before: Newest, follow_ups: FollowUps
) -> Iterator[Due]:
    """What has no answer: trials never asked, and those whose newest attempt failed; or, of those whose answer
    asks for it, the follow-up."""
    for trial in planned:
        due = _due(run, trial, before, follow_ups)
        if due is not None:
            yield due


def kept_of(run: str, planned: Collection[PlannedTrial], before: Newest, follow_ups: FollowUps) -> int:
    """How many planned trials have an answer that asks for no follow-up."""
    if not before:
        return 0
    return len(planned) - sum(1 for _ in work_of(run, planned, before, follow_ups))


def _due(run: str, trial: PlannedTrial, before: Newest, follow_ups: FollowUps) -> Due | None:
    found = before.get(trial_id(run, trial.trial_key))
    if found is None:
        return Due(trial, attempt=0)
    status, attempt = found
    if status == "error":
        return Due(trial, attempt=attempt + 1)
    follow_up = follow_ups.after(trial, status)
    return None if follow_up is None else _due(run, follow_up, before, follow_ups)
