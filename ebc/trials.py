"""One trial of a results folder: what was asked, what came back, and what was made of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ebc.errors import UserError
from ebc.pipeline import storage
from ebc.standing import kept_plans
from schemas.plan import Model, Plan, PlannedTrial
from schemas.render import Renderer, Shown
from schemas.rows import Answered, RunRow, TrialRow

if TYPE_CHECKING:
    from runtime.reading import Reading

NAMED = 5
"""Trials that a message names."""

TRIALS = """
SELECT trial, trial, min(run) FROM (SELECT trial, run FROM trials UNION ALL SELECT trial, run FROM responses)
WHERE starts_with(trial, ?) GROUP BY trial ORDER BY trial
"""
RESPONSES = "SELECT response, trial, run FROM responses WHERE starts_with(response, ?) ORDER BY response"


class Attempt(msgspec.Struct, frozen=True):
    """A response with its answers, and how its reply is read today; None where it is no reply."""

    kept: Answered
    today: Reading | None

    @property
    def differs(self) -> bool:
        """Whether today's reader makes something else of it than what is stored."""
        stored = [(one.item, one.value) for one in self.kept.answers]
        return self.today is not None and (
            self.today.status != self.kept.response.status
            or [(one.number, one.value) for one in self.today.values] != stored
        )


class Score(msgspec.Struct, frozen=True):
    subscale: str
    score: float | None
    n_items: int
    n_missing: int


class Trial(msgspec.Struct, frozen=True):
    """A trial with all that is known of it. `row`: None where the study no longer plans it. `plan`, `planned`,
    `shown`: as it was asked, as far as its plan is kept; nothing was `planned` of recorded answers."""

    id: str
    run: RunRow
    row: TrialRow | None
    plan: Plan | None
    planned: PlannedTrial | None
    shown: Shown | None
    attempts: tuple[Attempt, ...]
    scores: tuple[Score, ...]

    @property
    def recorded(self) -> bool:
        """Whether its values were imported."""
        return self.run.source in ("recorded", "human")

    @property
    def model(self) -> Model | None:
        """Who was asked."""
        if self.plan is None or self.planned is None:
            return None
        return next(model for model in self.plan.models if model.id == self.planned.model)


def find_trial(results: Path, name: str) -> Trial:
    """The trial whose id begins with `name`; where there is none, that of the response whose id does. Raises
    UserError, Failure."""
    from warehouse import catalog

    with storage():
        with catalog.connect(results) as connection:
            found = catalog.fetch(connection, results, TRIALS, [name.lower()])
            found = found or catalog.fetch(connection, results, RESPONSES, [name.lower()])
        if not found:
            raise UserError(
                f"no trial and no response in {results} begins with {name}. "
                '`ebc sql "SELECT trial, condition, stimulus FROM trials LIMIT 5"` lists some trials.'
            )
        if len(found) > 1:
            ids = ", ".join(one for one, *_ in found[:NAMED]) + (" and others" if len(found) > NAMED else "")
            raise UserError(f"{len(found):,} ids begin with {name}: {ids}. Give more letters.")
        [(_, trial, run)] = found
        return _trial(results, trial, run)


def _trial(results: Path, trial: str, run: str) -> Trial:
    from warehouse import catalog
    from warehouse.rewriting import of_trial

    with catalog.connect(results, [run]) as connection:
        [of_run] = catalog.run_rows(connection, results, "SELECT * FROM runs WHERE run = ?", [run])
        rows = catalog.fetch(connection, results, "SELECT * FROM trials WHERE trial = ?", [trial])
        kept = of_trial(connection, results, trial)
        sql = "SELECT subscale, score, n_items, n_missing FROM scores WHERE trial = ? ORDER BY subscale"
        scores = tuple(Score(*row) for row in catalog.fetch(connection, results, sql, [trial]))
    kept += _in_the_journal(results, run, trial, {one.response.response for one in kept})
    row = TrialRow(*rows[0]) if rows else None
    plan, planned = _planned(results, of_run, trial, row)
    shown = _shown(plan, planned, row)
    attempts = tuple(Attempt(one, _today(one, of_run, shown)) for one in kept)
    return Trial(trial, of_run, row, plan, planned, shown, attempts, scores)


def _in_the_journal(results: Path, run: str, trial: str, known: set[str]) -> list[Answered]:
    """Responses that have not reached the tables yet."""
    from runtime.journal import records, segments

    every = (one for segment in segments(results / "journal", run) for one in records(segment, []))
    found = {one.response.response: one for one in every if one.response.trial == trial}
    return sorted(
        (one for response, one in found.items() if response not in known), key=lambda one: one.response.attempt
    )


def _planned(
    results: Path, run: RunRow, trial: str, row: TrialRow | None
) -> tuple[Plan | None, PlannedTrial | None]:
    """The trial as its plan has it, and the plan: the newest that does. Of recorded answers, the plan alone."""
    from runtime.followups import FollowUps
    from runtime.runs import trial_id

    for kept in kept_plans(results, run.study, [run.plan_id]):
        if run.source in ("recorded", "human"):
            return kept.plan, None
        planned = kept.trials.of_model(run.panel)
        if row is not None and row.request_key is not None:
            planned = planned.where("request_key", row.request_key)
        for one in FollowUps(kept.plan).among(planned):
            if trial_id(run.run, one.trial_key) == trial:
                return kept.plan, one
    return None, None


def _shown(plan: Plan | None, planned: PlannedTrial | None, row: TrialRow | None) -> Shown | None:
    """The scale as it was shown, as far as that is known."""
    if plan is None:
        return None
    if planned is not None:
        return Renderer(plan).shown(planned)
    if row is None or row.scale not in {scale.id for scale in plan.scales}:
        return None
    return Renderer(plan).shown_in(str(row.scale), row.item_order)


def _today(one: Answered, run: RunRow, shown: Shown | None) -> Reading | None:
    from runtime.panel import reading_of
    from runtime.transport import Reply

    response = one.response
    read_from_text = all(answer.probabilities is None for answer in one.answers)
    if shown is None or response.status == "error" or run.source in ("recorded", "human") or not read_from_text:
        return None
    return reading_of(Reply(response.text, finish_reason=response.finish_reason), shown)
