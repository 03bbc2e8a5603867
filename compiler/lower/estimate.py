"""The pass that says what a plan will take."""

from __future__ import annotations

from dataclasses import replace

from compiler.lower.draft import Draft, Estimate
from schemas.plan import Model, Plan, Price, Scale
from schemas.planfile import planned_trials
from schemas.render import Renderer

CHARACTERS_A_TOKEN = 4
TOKENS_AN_ITEM = 8
FREE = Price(0.0, 0.0)


def estimate(draft: Draft) -> Draft:
    """Trials, requests, tokens and cost of each model."""
    plan = draft.plan
    renderer = Renderer(plan)
    scales = {scale.id: scale for scale in plan.scales}
    counts = {model.id: [0, 0, 0] for model in plan.models}
    length: dict[str, int] = {}
    for trial in planned_trials(draft.planned()):
        if trial.request_key not in length:
            length[trial.request_key] = sum(len(m.content) for m in renderer.messages(trial))
        count = counts[trial.model]
        count[0] += 1
        count[1] += length[trial.request_key] // CHARACTERS_A_TOKEN
        count[2] += _reply(plan, scales[trial.scale])
    return replace(draft, estimates=tuple(_of_model(model, *counts[model.id]) for model in plan.models))


def _reply(plan: Plan, scale: Scale) -> int:
    tokens = TOKENS_AN_ITEM * len(scale.items)
    limit = plan.study.sampling.max_tokens
    return tokens if limit is None else min(tokens, limit)


def _of_model(model: Model, trials: int, tokens_in: int, tokens_out: int) -> Estimate:
    price = model.price or (FREE if model.provider in ("simulated", "fake") else None)
    cost = None if price is None else (tokens_in * price.input + tokens_out * price.output) / 1e6
    return Estimate(model.id, trials, trials, tokens_in, tokens_out, cost)
