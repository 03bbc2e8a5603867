"""The pass that crosses what a study varies into trials.

Trials are made as columns. Whoever answers, the same questions are asked: each is rendered once, and hashed
once for each model. Keys are a public contract: answers are kept by them.
"""

from __future__ import annotations

import binascii
import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from compiler.lower.draft import Draft
from compiler.lower.trialtable import TrialTable
from schemas.plan import Condition, Measure, Model, Plan, Present, Stimulus
from schemas.render import Renderer

if TYPE_CHECKING:
    import pyarrow as pa

NOT_OF_THE_ANSWER = ("key_env", "requests_per_minute", "tokens_per_minute", "timeout", "silence")
"""Settings of a model that change nothing about what it answers."""

DIGEST = 16
"""Bytes of a key."""


class Place(NamedTuple):
    """Where a question stands: it is asked in each item order, `repeats` times, by each model."""

    condition: str
    stimulus: str | None
    scale: str
    prompt: str
    presented: tuple[str, ...]


def expand(draft: Draft) -> Draft:
    """Every trial of the plan: model x condition x stimulus x scale x item order x repeat, those that share
    most of a request next to one another."""
    plan = draft.plan
    places = list(_places(plan)) if plan.models else []
    identities = [_identity(plan, model) for model in plan.models]
    lengths = array("q")
    hashes = [bytearray() for _ in plan.models]
    for characters, sent in _questions(plan, places):
        lengths.append(characters)
        framed = len(sent).to_bytes(8, "big") + sent
        for state, digests in zip(identities, hashes, strict=True):
            one = state.copy()
            one.update(framed)
            digests += one.digest()
    return replace(draft, trials=_table(plan, places, hashes), lengths=lengths)


def _table(plan: Plan, places: list[Place], hashes: list[bytearray]) -> pa.Table:
    """The trials as a table of `PlannedTrial`s; `hashes`: of each model, the request keys' bytes in the order
    of the questions."""
    table = TrialTable(plan.study.orders, plan.study.repeats)
    table.places(places, [_variant(place.prompt) for place in places])
    shared = table.shared(hashes[0]) if hashes else []
    for model, digests in zip(plan.models, hashes, strict=True):
        requests = binascii.hexlify(digests)
        trials = bytearray()
        for digest in _trial_digests(plan, places, requests, shared):
            trials += digest
        table.add(model.id, requests, trials)
    return table.table()


def _trial_digests(plan: Plan, places: list[Place], requests: bytes, shared: list[bool]) -> Iterator[bytes]:
    """The trial keys of one model, as bytes, in the trials' order."""
    orders, repeats = plan.study.orders, plan.study.repeats
    alone = [_framed(_trial_part(repeat, "")) for repeat in range(repeats)]
    width, blake2b = 2 * DIGEST, hashlib.blake2b
    for number, twin in enumerate(shared):
        own = _framed(requests[width * number : width * (number + 1)])
        parts = alone
        if twin:
            place = _place(places[number // len(orders)], orders[number % len(orders)])
            parts = [_framed(_trial_part(repeat, place)) for repeat in range(repeats)]
        for part in parts:
            yield blake2b(own + part, digest_size=DIGEST).digest()


def _trial_part(repeat: int, place: str) -> bytes:
    return f"{repeat}\0{place}".encode()


def _place(place: Place, order: int) -> str:
    """What tells trials apart that ask the same: two situations with one text, say. It is part of such keys
    alone, so that elsewhere a situation can move, or a condition be renamed, and its answers stay."""
    return "\0".join((place.condition, place.stimulus or "", str(order)))


def _places(plan: Plan) -> Iterator[Place]:
    for condition in plan.protocol.conditions:
        for stimulus in plan.stimuli if condition.each_stimulus else (None,):
            for scale, measure, presented in questions(plan, condition, stimulus):
                yield Place(
                    condition.name, None if stimulus is None else stimulus.id, scale, measure.prompt, presented
                )


def questions(
    plan: Plan, condition: Condition, stimulus: Stimulus | None
) -> Iterator[tuple[str, Measure, tuple[str, ...]]]:
    """Each scale that a condition measures, with what was presented before it."""
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


def _questions(plan: Plan, places: list[Place]) -> Iterator[tuple[int, bytes]]:
    """Each question's length in characters, and everything of its request but who answers it: messages, and
    which item stands where."""
    renderer = Renderer(plan)
    heads = {
        (scale.id, order): _shown(renderer, scale.id, order)
        for scale in plan.scales
        for order in plan.study.orders
    }
    encode = msgspec.json.Encoder().encode
    for place in places:
        for order in plan.study.orders:
            messages = renderer.question(place.prompt, place.presented, place.stimulus, place.scale, order)
            sent = b"[%b,%b]" % (heads[place.scale, order], encode(messages))
            yield sum(len(message.content) for message in messages), sent


def _shown(renderer: Renderer, scale: str, order: int) -> bytes:
    """A scale as JSON: its id, and each item's number with the codes that it is answered with, as shown."""
    items = renderer.shown_in(scale, order).items
    return msgspec.json.encode(
        (scale, tuple((item.number, tuple(option.code for option in item.options)) for item in items))
    )[1:-1]


def _identity(plan: Plan, model: Model) -> hashlib.blake2b:
    """Everything that determines a model's answers besides the messages, hashed."""
    settings = {key: value for key, value in model.settings.items() if key not in NOT_OF_THE_ANSWER}
    parts = (model.provider, model.name, settings, model.readout, plan.study.sampling)
    return hashlib.blake2b(_framed(msgspec.json.encode(parts, order="sorted")), digest_size=DIGEST)


def _framed(part: bytes) -> bytes:
    """A part of what is hashed, behind its length."""
    return len(part).to_bytes(8, "big") + part
