"""Recorded answers as chats: what a model would have been asked, and what the respondent answered.

One JSON object a line, `{"messages": [{"role", "content"}, ...]}`, the last of them the assistant's: the form
that fine-tuning takes. An answer is written as `1. 3`, an item a line, in the order in which it was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import msgspec

from ebc.errors import UserError
from schemas.plan import Plan, PlannedTrial
from schemas.render import ChatMessage, Renderer, number


@dataclass
class Chats:
    """`written` chats so far, and why the other responses are `left_out`."""

    written: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


class Told(msgspec.Struct, frozen=True):
    """A response of the warehouse, its values by item number."""

    respondent: str
    condition: str | None
    stimulus: str | None
    scale: str
    item_order: int
    response: str
    status: str
    values: dict[int, float | None]


def chat_lines(results: Path, plan: Plan, panel: str, part: str | None, chats: Chats) -> Iterator[bytes]:
    """The chats of a panel, or of a `part` of its split, by respondent; counted in `chats`. Raises UserError,
    StorageError."""
    renderer, questions = Renderer(plan), _questions(plan)
    for told in _responses(results, plan, panel, part):
        asked = questions.get((told.condition, told.scale))
        values = [told.values.get(item.number) for item in renderer.shown(_trial(told, "", ())).items]
        given = [value for value in values if value is not None]
        why = "no question asks it" if asked is None else told.status if len(given) < len(values) else None
        if asked is None or why is not None:
            chats.left_out[str(why)] = chats.left_out.get(str(why), 0) + 1
            continue
        messages = renderer.messages(_trial(told, *asked))
        reply = "\n".join(f"{position}. {number(value)}" for position, value in enumerate(given, start=1))
        chats.written += 1
        yield msgspec.json.encode({"messages": [*messages, ChatMessage("assistant", reply)]})


def _questions(plan: Plan) -> dict[tuple[str | None, str], tuple[str, tuple[str, ...]]]:
    """The prompt that asks each scale in each condition, the first of several, and what is presented before."""
    from compiler.lower.expand import questions

    found: dict[tuple[str | None, str], tuple[str, tuple[str, ...]]] = {}
    for condition in plan.protocol.conditions:
        for stimulus in plan.stimuli if condition.each_stimulus else (None,):
            for scale, measure, presented in questions(plan, condition, stimulus):
                found.setdefault((condition.name, scale), (measure.prompt, presented))
    return found


def _trial(told: Told, prompt: str, presented: tuple[str, ...]) -> PlannedTrial:
    return PlannedTrial(
        trial_key="",
        request_key="",
        model="",
        conversation="",
        condition=told.condition or "",
        scale=told.scale,
        prompt=prompt,
        presented=presented,
        item_order=told.item_order,
        repeat=0,
        stimulus=told.stimulus,
    )


RESPONSES = """
SELECT t.respondent, t.condition, t.stimulus, t.scale, t.item_order, r.response, r.status, a.item, a.value
FROM trials t JOIN responses r USING (trial, run) JOIN answers a USING (response, run)
"""
RESPONDENTS = "SELECT respondent FROM respondents WHERE ? IS NULL OR covariates['split'] = ?"


def _responses(results: Path, plan: Plan, panel: str, part: str | None) -> Iterator[Told]:
    from warehouse import catalog

    study = plan.study
    runs = catalog.newest_runs(results, study.id)
    if panel not in runs:
        answered = ", ".join(runs) or "none"
        raise UserError(f"study {study.id} has no answers of a panel {panel}. Panels with answers: {answered}.")
    parts = [one.name for split in study.splits if split.panel == panel for one in split.parts]
    if part is not None and part not in parts:
        known = f"its parts are {', '.join(parts)}" if parts else "the study splits it into no parts"
        raise UserError(f"{panel} has no part {part}: {known}.")
    with catalog.connect(results, [runs[panel].run], plan=plan) as connection:
        chosen = {who for (who,) in catalog.fetch(connection, results, RESPONDENTS, [part, part])}
        rows = [row for row in catalog.fetch(connection, results, RESPONSES) if row[0] in chosen]
    of_response = itemgetter(*range(7))
    rows.sort(key=lambda row: [(cell is not None, cell) for cell in of_response(row)])
    for response, answers in groupby(rows, key=of_response):
        values = {item: value for *_, item, value in answers}
        yield Told(**dict(zip(Told.__struct_fields__, (*response, values), strict=True)))
