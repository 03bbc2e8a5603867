"""Follow-ups: a question that is asked again because of what came, as a trial of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec

from runtime.folding import Due
from schemas.plan import AGAIN, Again, Plan, PlannedTrial, Present
from schemas.rows import Answered, Status

Asked = tuple[str, str, tuple[str, ...], str | None]
"""A step that measures: condition, prompt, the prompts presented before, and the scale, if it names one."""


class FollowUps:
    """What the protocol of a plan says of asking again. A follow-up sends what its trial sent; its `parent` is
    the trial that the plan lists, its `stage` counts the follow-ups from 1."""

    def __init__(self, plan: Plan) -> None:
        self._declared = dict(_declared(plan))

    def after(self, trial: PlannedTrial, status: Status) -> PlannedTrial | None:
        """What is asked once `trial`, or a follow-up of it, has an answer of this status; None for nothing."""
        again = self._of(trial)
        if again is None or status not in again.statuses or trial.stage >= again.times:
            return None
        return _next(trial)

    def wanted(self, answered: Iterable[tuple[Due, Answered]]) -> list[Due]:
        """What is asked because of these answers."""
        found = (self.after(due.trial, row.response.status) for due, row in answered)
        return [Due(trial, attempt=0) for trial in found if trial is not None]

    def among(self, trials: Iterable[PlannedTrial]) -> Iterator[PlannedTrial]:
        """The trials of a plan, each before all follow-ups that it may have."""
        for trial in trials:
            yield trial
            again = self._of(trial)
            for _ in range(again.times if again else 0):
                trial = _next(trial)
                yield trial

    def beyond(self, trials: Iterable[PlannedTrial]) -> Iterator[PlannedTrial]:
        """The follow-ups that trials of a plan may have."""
        return (trial for trial in self.among(trials) if trial.step == AGAIN) if self._declared else iter(())

    def _of(self, trial: PlannedTrial) -> Again | None:
        if not self._declared:
            return None
        asked = (trial.condition, trial.prompt, trial.presented)
        return self._declared.get((*asked, trial.scale)) or self._declared.get((*asked, None))


def _next(trial: PlannedTrial) -> PlannedTrial:
    root, stage = trial.parent or trial.trial_key, trial.stage + 1
    key = blake2b(f"{root}\x1f{AGAIN}\x1f{stage}".encode(), digest_size=16).hexdigest()
    return msgspec.structs.replace(trial, trial_key=key, conversation=key, parent=root, stage=stage, step=AGAIN)


def _declared(plan: Plan) -> Iterator[tuple[Asked, Again]]:
    for condition in plan.protocol.conditions:
        presented: tuple[str, ...] = ()
        for step in condition.steps:
            if isinstance(step, Present):
                presented = (*presented, step.prompt)
            elif step.again is not None:
                yield (condition.name, step.prompt, presented, step.scale), step.again
