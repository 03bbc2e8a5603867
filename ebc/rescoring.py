"""Kept replies, read again with today's reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ebc.errors import Failure, UserError
from ebc.pipeline import storage
from ebc.standing import kept_plans
from schemas.render import Renderer, Shown
from schemas.rows import Answered, RunRow, Source, Status

if TYPE_CHECKING:
    from collections.abc import Collection

NAMED = 20
"""Trials with changes that are named."""

SHOWN = 5
"""Of these, how many a line of text names, each with the first SHORT letters of its id."""

SHORT = 12

FROM_COLUMNS: tuple[Source, ...] = ("recorded", "human")


@dataclass
class Rescored:
    """What today's reader makes of one run. `replies`: read again; `unknown`: asked by a plan that is not kept;
    `changed`: with another status, value or reason. `statuses` by (before, now). `gained`, `lost`, `other`:
    values that were not there, that are there no longer, that are others; `reasons`: missing ones with another
    reason. `trials`: the first that changed."""

    run: RunRow
    replies: int = 0
    unknown: int = 0
    changed: int = 0
    statuses: Counter[tuple[Status, Status]] = field(default_factory=Counter)
    gained: int = 0
    lost: int = 0
    other: int = 0
    reasons: int = 0
    trials: list[str] = field(default_factory=list)

    def add(self, before: Answered, now: Answered) -> None:
        """Counts a reply that is read otherwise than before."""
        self.changed += 1
        if before.response.status != now.response.status:
            self.statuses[before.response.status, now.response.status] += 1
        was = {one.item: (one.value, one.reason) for one in before.answers}
        for one in now.answers:
            value, reason = was.get(one.item, (None, None))
            self.gained += value is None and one.value is not None
            self.lost += value is not None and one.value is None
            self.other += value is not None and one.value is not None and value != one.value
            self.reasons += value is None and one.value is None and reason != one.reason
        if len(self.trials) < NAMED:
            self.trials.append(before.response.trial)


def runs_to_read(results: Path, study: str, named: Sequence[str]) -> list[RunRow]:
    """The newest run of each panel whose answers are replies, or the runs named. Raises UserError."""
    from warehouse import catalog

    with storage():
        known = {row.run: row for row in catalog.stored_runs(results) if row.study == study}
        chosen = list(catalog.newest_runs(results, study).values())
    strange = next((run for run in named if run not in known), None)
    if strange is not None:
        raise UserError(f"{study} has no run {strange}. `ebc runs` lists the runs there are.")
    rows = [known[run] for run in dict.fromkeys(named)] or chosen
    replies = [row for row in rows if row.source not in FROM_COLUMNS]
    if not replies:
        panels = ", ".join(row.panel for row in rows) or "no panel"
        raise UserError(
            f"nothing of study {study} can be read again: of {panels}, values were imported, not replies. "
            "Import them again instead."
        )
    return replies


def rescore(
    results: Path, rows: Sequence[RunRow], *, write: bool, note: Callable[[str], None]
) -> Iterator[Rescored]:
    """Reads the replies of runs again, and with `write` has the new readings take the place of the old: of each
    run all or none. No run may be at work meanwhile. Raises UserError, Failure."""
    from runtime.lock import RunBusy, held

    with storage(), ExitStack() as locks:
        for row in rows if write else ():
            try:
                locks.enter_context(held(results / "journal", row.run))
            except RunBusy as busy:
                raise Failure(str(busy)) from busy
        for row in rows:
            if write:
                _tidy(results, row.run, note)
            yield _rescored(results, row, write)


def _tidy(results: Path, run: str, note: Callable[[str], None]) -> None:
    """Takes in what an earlier process left: new parts, and answers that are still in the journal."""
    from runtime.journal import fold, segments
    from warehouse.layout import require_pairs, settle, sweep
    from warehouse.parquet import ParquetSink

    sweep(results, run)
    settle(results, run)
    left = segments(results / "journal", run)
    require_pairs(results, run, [segment.part for segment in left])
    for segment in left:
        fold(segment, ParquetSink(results, run), note)


def _rescored(results: Path, row: RunRow, write: bool) -> Rescored:
    from warehouse import catalog
    from warehouse.layout import replace_parts, settle
    from warehouse.rewriting import numbers, stored

    found = Rescored(row)
    shown = _shown(results, row, catalog.answered(results, row.run))
    try:
        for number in numbers(results, row.run):
            changed = _changed(stored(results, row.run, number), shown, found)
            if changed and write:
                _write(results, row.run, number, shown, changed)
        if found.changed and write:
            replace_parts(results, row.run)
    except OSError:
        with suppress(OSError):
            settle(results, row.run)
        raise
    return found


def _write(results: Path, run: str, number: int, shown: dict[str, Shown], changed: set[str]) -> None:
    """Writes a part anew, the `changed` responses as they are read today."""
    from runtime.rereading import read_again
    from warehouse.rewriting import stored, write_new

    again = (
        read_again(one, shown[one.response.trial]) if one.response.response in changed else one
        for one in stored(results, run, number)
    )
    write_new(results, run, number, again)


def _shown(results: Path, row: RunRow, trials: Collection[str]) -> dict[str, Shown]:
    """What each of these trials of a run showed, as far as its plan is kept."""
    from runtime.followups import FollowUps
    from runtime.runs import trial_id

    found: dict[str, Shown] = {}
    for kept in kept_plans(results, row.study, [row.plan_id]):
        renderer = Renderer(kept.plan)
        for trial in FollowUps(kept.plan).among(kept.trials.of_model(row.panel)):
            name = trial_id(row.run, trial.trial_key)
            if name in trials and name not in found:
                found[name] = renderer.shown(trial)
        if len(found) == len(trials):
            break
    return found


def _changed(answered: Iterator[Answered], shown: dict[str, Shown], found: Rescored) -> set[str]:
    """The ids of the responses that are read otherwise today; counted in `found`."""
    from runtime.rereading import read_again

    changed = set()
    for before in answered:
        response = before.response
        if response.status == "error":
            continue
        if response.trial not in shown:
            found.unknown += 1
            continue
        found.replies += 1
        now = read_again(before, shown[response.trial])
        if now != before:
            found.add(before, now)
            changed.add(response.response)
    return changed


def as_data(one: Rescored, *, written: bool) -> dict[str, Any]:
    """What changed in a run, as plain data."""
    return {
        "run": one.run.run,
        "panel": one.run.panel,
        "replies": one.replies,
        "changed": one.changed,
        "statuses": [
            {"from": before, "to": now, "replies": count}
            for (before, now), count in sorted(one.statuses.items())
        ],
        "values": {"gained": one.gained, "lost": one.lost, "changed": one.other},
        "reasons": one.reasons,
        "trials": one.trials,
        "unknown": one.unknown,
        "written": written and one.changed > 0,
    }


def as_text(said: dict[str, Any]) -> Iterator[str]:
    """The same for a reader, a line each."""
    replies = said["replies"]
    read = f"{said['panel']}: {replies:,} {'reply' if replies == 1 else 'replies'} read again"
    if said["unknown"]:
        read += f", {said['unknown']:,} left as they are: the plan that asked them is not kept"
    if not said["changed"]:
        yield f"{read}; nothing changed."
        return
    yield f"{read}; {said['changed']:,} changed{'' if said['written'] else ' (nothing was written)'}."
    for one in said["statuses"]:
        yield f"  status  {one['replies']:>7,}  {one['from']} -> {one['to']}"
    for kind, count in said["values"].items():
        if count:
            yield f"  values  {count:>7,}  {kind}"
    if said["reasons"]:
        yield f"  missing {said['reasons']:>7,}  for another reason"
    shown = [trial[:SHORT] for trial in said["trials"][:SHOWN]]
    yield f"  trials  {', '.join(shown)}{' and more' if said['changed'] > len(shown) else ''}"
