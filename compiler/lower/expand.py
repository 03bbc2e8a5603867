"""The pass that crosses what a study varies into trials.

Trials are made as columns. Whoever answers, the same questions are asked: each is rendered once, and hashed
once for each model. Keys are a public contract: answers are kept by them.
"""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from compiler.lower.draft import Draft
from compiler.lower.requests import Place, Requests, framed
from compiler.lower.trialtable import TrialTable, repeated
from schemas.plan import Condition, Measure, Model, Plan, Present, Stimulus

if TYPE_CHECKING:
    import pyarrow as pa

NOT_OF_THE_ANSWER = (
    *("key_env", "requests_per_minute", "tokens_per_minute", "timeout", "silence"),
    *("batch", "device"),
)
"""Settings of a model that change nothing about what it answers."""

DIGEST = 16
"""Bytes of a key."""


def expand(draft: Draft) -> Draft:
    """Every trial of the plan: model x condition x stimulus x scale x item order x repeat, those that share
    most of a request next to one another."""
    plan = draft.plan
    places = list(_places(plan)) if plan.models else []
    requests = Requests(plan, [_identity(plan, model) for model in plan.models])
    for place in places:
        requests.add(place)
    return replace(draft, trials=_table(plan, places, requests.keys), lengths=requests.lengths)


def _table(plan: Plan, places: list[Place], keys: list[bytearray]) -> pa.Table:
    """The trials as a table of `PlannedTrial`s; `keys`: of each model, the request keys' bytes in the order of
    the questions."""
    table = TrialTable(plan.study.orders, plan.study.repeats)
    table.places(places, [_variant(place.prompt) for place in places])
    twins = repeated(keys[0]) if keys else []
    for model, digests in zip(plan.models, keys, strict=True):
        requests = binascii.hexlify(digests)
        table.add(model.id, requests, _trial_digests(plan, places, requests, twins))
    return table.table()


def _trial_digests(plan: Plan, places: list[Place], requests: bytes, twins: list[int]) -> bytearray:
    """The trial keys of one model, as bytes, in the trials' order. `twins`: the questions that stand twice."""
    orders, repeats = plan.study.orders, plan.study.repeats
    alone = [framed(_trial_part(repeat, "")) for repeat in range(repeats)]
    width = 2 * DIGEST
    begun = hashlib.blake2b(width.to_bytes(8, "big"), digest_size=DIGEST)
    found = bytearray()
    for at in range(0, len(requests), width):
        own = requests[at : at + width]
        for part in alone:
            one = begun.copy()
            one.update(own + part)
            found += one.digest()
    for number in twins:
        own = framed(requests[width * number : width * (number + 1)])
        place = _place(places[number // len(orders)], orders[number % len(orders)])
        for repeat in range(repeats):
            digest = hashlib.blake2b(own + framed(_trial_part(repeat, place)), digest_size=DIGEST).digest()
            at = DIGEST * (repeats * number + repeat)
            found[at : at + DIGEST] = digest
    return found


def _trial_part(repeat: int, place: str) -> bytes:
    return f"{repeat}\0{place}".encode()


def _place(place: Place, order: int) -> str:
    """What tells trials apart that ask the same: two situations with one text, say. It is part of such keys
    alone, so that elsewhere a situation can move, or a condition be renamed, and its answers stay."""
    return "\0".join((place.condition, place.stimulus or "", str(order)))


def _places(plan: Plan) -> Iterator[Place]:
    for condition in plan.protocol.conditions:
        asked: dict[str | None, list[tuple[str, Measure, tuple[str, ...]]]] = {}
        for stimulus in plan.stimuli if condition.each_stimulus else (None,):
            emotion, id = (None, None) if stimulus is None else (stimulus.emotion, stimulus.id)
            if emotion not in asked:
                asked[emotion] = list(questions(plan, condition, stimulus))
            for scale, measure, presented in asked[emotion]:
                yield Place(condition.name, id, scale, measure.prompt, presented)


def questions(
    plan: Plan, condition: Condition, stimulus: Stimulus | None
) -> Iterator[tuple[str, Measure, tuple[str, ...]]]:
    """Each scale that a condition measures, with what was presented before it: the same for all stimuli of an
    emotion."""
    presented: list[str] = []
    for step in condition.steps:
        if isinstance(step, Present):
            presented.append(step.prompt)
            continue
        for scale in [step.scale] if step.scale is not None else plan.study.scales:
            emotions = plan.study.scales_for.get(scale)
            if stimulus is None or emotions is None or stimulus.emotion in emotions:
                yield scale, step, tuple(presented)


def _variant(prompt: str) -> str | None:
    return prompt.partition("(")[0].partition(".")[2] or None


def _identity(plan: Plan, model: Model) -> hashlib.blake2b:
    """Everything that determines a model's answers besides the messages, hashed."""
    settings = {key: value for key, value in model.settings.items() if key not in NOT_OF_THE_ANSWER}
    parts = (model.provider, model.name, settings, model.readout, plan.study.sampling)
    return hashlib.blake2b(framed(msgspec.json.encode(parts, order="sorted")), digest_size=DIGEST)
