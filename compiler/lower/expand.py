"""The pass that crosses what a study varies into trials."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import msgspec

from compiler.lower.draft import Draft
from schemas.derive import arrow_schema
from schemas.plan import Condition, Measure, Model, Plan, PlannedTrial, Present, Stimulus
from schemas.render import Renderer

BATCH = 10_000

NOT_OF_THE_ANSWER = ("key_env", "requests_per_minute", "tokens_per_minute", "timeout", "silence")
"""Settings of a model that change nothing about what it answers."""


def expand(draft: Draft) -> Draft:
    """Every trial of the plan: model x condition x stimulus x scale x item order x repeat."""
    import pyarrow as pa

    schema = arrow_schema(PlannedTrial)
    rows = (msgspec.structs.asdict(trial) for trial in trials_of(draft.plan))
    batches = []
    while batch := list(islice(rows, BATCH)):
        batches.append(pa.RecordBatch.from_pylist(batch, schema=schema))
    return replace(draft, trials=pa.Table.from_batches(batches, schema=schema))


def trials_of(plan: Plan) -> Iterator[PlannedTrial]:
    """The trials, those that share most of a request next to one another."""
    if not plan.models:
        return
    renderer = Renderer(plan)
    asked = [(trial, _sent(renderer, trial)) for trial in _asked(plan)]
    shared = Counter((sent, trial.repeat) for trial, sent in asked)
    for model in plan.models:
        identity = _identity(plan, model)
        for trial, sent in asked:
            request_key = _hash(identity, sent)
            place = _place(trial) if shared[sent, trial.repeat] > 1 else ""
            trial_key = _hash(request_key.encode(), f"{trial.repeat}\0{place}".encode())
            yield msgspec.structs.replace(
                trial, model=model.id, request_key=request_key, trial_key=trial_key, conversation=trial_key
            )


def _place(trial: PlannedTrial) -> str:
    """What tells trials apart that ask the same: two situations with one text, say. It is part of such keys
    alone, so that elsewhere a situation can move, or a condition be renamed, and its answers stay."""
    return "\0".join((trial.condition, trial.stimulus or "", str(trial.item_order)))


def _asked(plan: Plan) -> Iterator[PlannedTrial]:
    """The trials without a model: what is asked."""
    for condition in plan.protocol.conditions:
        for stimulus in plan.stimuli if condition.each_stimulus else (None,):
            for scale, measure, presented in questions(plan, condition, stimulus):
                for order in plan.study.orders:
                    for repeat in range(plan.study.repeats):
                        yield PlannedTrial(
                            trial_key="",
                            request_key="",
                            model="",
                            conversation="",
                            condition=condition.name,
                            scale=scale,
                            prompt=measure.prompt,
                            presented=presented,
                            item_order=order,
                            repeat=repeat,
                            variant=_variant(measure.prompt),
                            stimulus=None if stimulus is None else stimulus.id,
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


def _sent(renderer: Renderer, trial: PlannedTrial) -> bytes:
    """Everything of a request but who answers it: messages, and which item stands where."""
    shown = renderer.shown(trial)
    return msgspec.json.encode(
        (
            trial.scale,
            tuple((item.number, tuple(option.code for option in item.options)) for item in shown.items),
            renderer.messages(trial),
        )
    )


def _identity(plan: Plan, model: Model) -> bytes:
    """Everything that determines a model's answers besides the messages."""
    settings = {key: value for key, value in model.settings.items() if key not in NOT_OF_THE_ANSWER}
    parts = (model.provider, model.name, settings, model.readout, plan.study.sampling)
    return msgspec.json.encode(parts, order="sorted")


def _hash(*parts: bytes) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
