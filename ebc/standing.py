"""Where a plan stands in a results folder: which of its trials are new, which have an answer, and which answers
are left behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ebc.batches import batches_of
from ebc.differences import Difference, Place, Side, differences, place_of
from ebc.pipeline import Compiled, run_to_go_on, storage
from schemas.plan import Plan, PlannedTrial
from schemas.planfile import PlanError, PlannedTrials, read_plan
from schemas.rows import RunRow, Status

WORDS = {
    "failed": "the last attempt failed, it is asked again",
    "waiting": "not asked yet",
    "out": "out in a batch that is not collected yet",
    "unknown": "asked by a plan that is not kept",
}
SHOWN = 3
"""Names that a line of text shows."""

Why = tuple[str, tuple[Difference, ...]]
"""A word (`new`, `changed`, `removed`, or one of `WORDS`), and what differs."""

Reasons = Counter[tuple[str, Why]]
"""Trials by condition and why."""


class KeptPlan:
    """An earlier plan of the study, with its trials."""

    def __init__(self, plan: Plan, trials: PlannedTrials) -> None:
        self.id = plan.plan_id
        self.plan = plan
        self.side = Side(plan)
        self.trials = trials

    @cached_property
    def keys(self) -> set[str]:
        """Its trials' keys."""
        return {trial.trial_key for trial in self.trials}

    @cached_property
    def by_place(self) -> dict[Place, PlannedTrial]:
        """Its trials by where they stand."""
        return {place_of(trial): trial for trial in self.trials}


def standing(compiled: Compiled, results: Path) -> list[dict[str, Any]]:
    """Of each model, and of each that the study no longer asks: how many trials are planned, and how many of
    which condition are new or stale, and why. Raises UserError, Failure."""
    from warehouse import catalog

    plan = compiled.plan
    with storage():
        with catalog.connect(results) as connection:
            rows = catalog.run_rows(
                connection, results, "SELECT * FROM runs WHERE study = ? ORDER BY started, run", [plan.study.id]
            )
        asked = {row.panel: row for row in rows if row.source not in ("recorded", "human")}
        kept = list(kept_plans(results, plan.study.id, [row.plan_id for row in reversed(asked.values())]))
        panels = [_panel(compiled, results, model.id, asked.get(model.id), kept) for model in plan.models]
        gone = [row for row in asked.values() if row.panel not in {model.id for model in plan.models}]
        return panels + [_left_behind(results, row, kept) for row in gone]


def kept_plans(results: Path, study: str, first: list[str]) -> Iterator[KeptPlan]:
    """The study's earlier plans that are kept, those of its runs first."""
    from warehouse.layout import plan_folder

    names = sorted(path.name.removesuffix(".plan") for path in (results / "plans").glob("*.plan"))
    for name in dict.fromkeys([*first, *names]):
        try:
            found, trials = read_plan(plan_folder(results, name))
        except PlanError:
            continue  # what was asked by it is told as of an unknown plan
        if found.study.id == study:
            yield KeptPlan(found, PlannedTrials(trials))


def _panel(
    compiled: Compiled, results: Path, model: str, row: RunRow | None, kept: list[KeptPlan]
) -> dict[str, Any]:
    from runtime.followups import FollowUps
    from runtime.runs import trial_id

    run, _ = run_to_go_on(results, compiled.plan, model, fresh=False)
    statuses = _statuses(results, run)
    planned = PlannedTrials(compiled.trials).of_model(model)
    kept = sorted(kept, key=lambda plan: row is None or plan.id != row.plan_id)
    side, keys = Side(compiled.plan), {trial.trial_key for trial in planned}
    out = _out(results, run)
    new: Reasons = Counter()
    places: dict[Place, PlannedTrial] = {}
    follow_ups = FollowUps(compiled.plan)
    for trial in planned:
        status = statuses.pop(trial_id(run, trial.trial_key), None)
        for follow_up in islice(follow_ups.among([trial]), 1, None):
            statuses.pop(trial_id(run, follow_up.trial_key), None)
        places[place_of(trial)] = trial
        if status is None or status == "error":
            why = ("out", ()) if trial.trial_key in out else _why_new(trial, status, side, kept, keys)
            new[trial.condition, why] += 1
    stale = _stale(run, statuses, kept, side, places)
    return _as_data(model, None if row is None else run, len(planned), new, stale)


def _statuses(results: Path, run: str) -> dict[str, Status]:
    """The status of each trial's newest attempt, in the results or still in the journal."""
    from runtime.journal import records, segments
    from warehouse import catalog

    found = catalog.answered(results, run)
    for segment in segments(results / "journal", run):
        for record in records(segment, []):
            response = record.response
            if response.trial not in found or found[response.trial][1] <= response.attempt:
                found[response.trial] = (response.status, response.attempt)
    return {trial: status for trial, (status, _) in found.items()}


def _out(results: Path, run: str) -> set[str]:
    """The keys of the trials that are out in a batch."""
    entries = (entry for ledger in batches_of(results, run) for entry in ledger.entries.values())
    return {key for entry in entries for key, _ in entry.trials}


def _why_new(
    trial: PlannedTrial, status: Status | None, side: Side, kept: list[KeptPlan], keys: set[str]
) -> Why:
    if status is not None:
        return "failed", ()
    if not kept or any(trial.trial_key in plan.keys for plan in kept):
        return "waiting", ()
    newest = kept[0]
    was = newest.by_place.get(place_of(trial))
    if was is None:
        return "new", (newest.side.lacks(trial),)
    if was.trial_key in keys:  # its answer has moved to another place, to make room for this one
        return "new", (Difference("stimulus", trial.stimulus or trial.condition),)
    return "changed", differences(newest.side, was, side, trial)


def _stale(
    run: str, statuses: dict[str, Status], kept: list[KeptPlan], side: Side, places: dict[Place, PlannedTrial]
) -> Reasons:
    """Why answers are no longer planned."""
    from runtime.runs import trial_id

    left = {trial for trial, status in statuses.items() if status != "error"}
    reasons: Reasons = Counter()
    for plan in kept if left else ():
        for trial in plan.trials:
            if (known := trial_id(run, trial.trial_key)) in left:
                left.remove(known)
                now = places.get(place_of(trial))
                why: Why = ("removed", (side.lacks(trial),))
                if now is not None:
                    why = ("changed", differences(plan.side, trial, side, now))
                reasons[trial.condition, why] += 1
    if left:
        reasons["", ("unknown", ())] += len(left)
    return reasons


def _left_behind(results: Path, row: RunRow, kept: list[KeptPlan]) -> dict[str, Any]:
    """A model that the study asked, and no longer does."""
    from runtime.runs import trial_id

    left = {trial for trial, status in _statuses(results, row.run).items() if status != "error"}
    conditions = {trial_id(row.run, one.trial_key): one.condition for plan in kept for one in plan.trials}
    why: Why = ("removed", (Difference("model", row.panel),))
    return _as_data(row.panel, row.run, 0, Counter(), Counter((conditions.get(one, ""), why) for one in left))


def _as_data(model: str, run: str | None, planned: int, new: Reasons, stale: Reasons) -> dict[str, Any]:
    return {
        "model": model,
        "run": run,
        "planned": planned,
        "kept": planned - new.total(),
        "new": _grouped(new, added=True),
        "stale": _grouped(stale, added=False),
    }


def _grouped(reasons: Reasons, *, added: bool) -> list[dict[str, Any]]:
    """Trials by condition and reason; what differs in nothing but its name is one group."""
    groups: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for (condition, why), count in reasons.items():
        text = _text(why, added=added)
        before, names = groups.get((condition, text), (0, []))
        names += [one.name for one in why[1] if one.name not in names]
        groups[condition, text] = (before + count, names)
    return [
        {"condition": condition or None, "trials": count, "why": text, "names": names}
        for (condition, text), (count, names) in sorted(groups.items())
    ]


def _text(why: Why, *, added: bool) -> str:
    word, what = why
    if not what:
        return WORDS[word]
    gone = "added" if added else "taken out"
    return "; ".join(
        f"{one.kind} {gone}" if one.change is None else f"{one.kind} changed: {one.change}" for one in what
    )


def standing_text(panels: list[dict[str, Any]]) -> list[str]:
    """The standing for a reader, a line each."""
    lines = []
    for one in panels:
        new, stale = (sum(group["trials"] for group in one[kind]) for kind in ("new", "stale"))
        lines += [
            "",
            f"{one['model']}: {one['planned']:,} planned, {one['kept']:,} kept, {new:,} new, {stale:,} stale",
        ]
        for kind in ("new", "stale"):
            lines += [f"  {kind:<5} {_group_text(group)}" for group in one[kind]]
    return lines


def _group_text(group: dict[str, Any]) -> str:
    names = group["names"]
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else "")
    told = f" ({shown})" if names else ""
    return f"{group['trials']:>7,}  {group['condition'] or 'any condition'}: {group['why']}{told}"
