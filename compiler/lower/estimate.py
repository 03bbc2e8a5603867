"""The pass that says what a plan will take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from compiler.lower.draft import Draft, Estimate
from schemas.plan import MOST_CHOICES, Model, Plan, PlannedTrial, Price, Scale
from schemas.planfile import planned_trials
from schemas.render import Renderer, number

CHARACTERS_A_TOKEN = 4
FOLDING = ("openai",)
"""Providers of models that may give several replies to one request."""

FREE = Price(0.0, 0.0)


def estimate(draft: Draft) -> Draft:
    """Trials, requests, tokens and cost of each model."""
    plan = draft.plan
    renderer = Renderer(plan)
    replies = {scale.id: _reply(plan, scale) for scale in plan.scales}
    most = {model.id: MOST_CHOICES if model.provider in FOLDING else 1 for model in plan.models}
    counts = {model.id: [0, 0, 0, 0] for model in plan.models}
    length: dict[str, int] = {}
    for trial, repeats in _folded(planned_trials(draft.planned())):
        if trial.request_key not in length:
            length[trial.request_key] = sum(len(m.content) for m in renderer.messages(trial))
        requests = -(-repeats // most[trial.model])
        count = counts[trial.model]
        count[0] += repeats
        count[1] += requests
        count[2] += requests * (length[trial.request_key] // CHARACTERS_A_TOKEN)
        count[3] += repeats * replies[trial.scale]
    return replace(draft, estimates=tuple(_of_model(model, *counts[model.id]) for model in plan.models))


def _folded(trials: Iterator[PlannedTrial]) -> Iterator[tuple[PlannedTrial, int]]:
    """The first of trials that differ in their repeat alone, and how many they are."""
    alike = groupby(trials, lambda one: (one.request_key, one.condition, one.stimulus, one.item_order))
    for _, repeats in alike:
        first = next(repeats)
        yield first, 1 + sum(1 for _ in repeats)


def _reply(plan: Plan, scale: Scale) -> int:
    """Tokens of a reply with one line an item, such as `1. 3`, or as many as it may have."""
    options = (scale.options_of(item) for item in scale.items)
    codes = (number(each[len(each) // 2].code) if each else "" for each in options)
    lines = "\n".join(f"{position}. {code}" for position, code in enumerate(codes, start=1))
    tokens = len(lines) // CHARACTERS_A_TOKEN
    limit = plan.study.sampling.max_tokens
    return tokens if limit is None else min(tokens, limit)


def _of_model(model: Model, trials: int, requests: int, tokens_in: int, tokens_out: int) -> Estimate:
    price = model.price or (FREE if model.provider in ("simulated", "fake") else None)
    cost = None if price is None else (tokens_in * price.input + tokens_out * price.output) / 1e6
    return Estimate(model.id, trials, requests, tokens_in, tokens_out, cost)
