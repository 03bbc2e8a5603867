"""The pass that says what a plan will take."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compiler.lower.draft import Draft, Estimate
from schemas.plan import MOST_CHOICES, Model, Plan, Price, Scale
from schemas.render import number

CHARACTERS_A_TOKEN = 4
FOLDING = ("openai",)
"""Providers of models that may give several replies to one request."""

FREE = Price(0.0, 0.0)


def estimate(draft: Draft) -> Draft:
    """Trials, requests, tokens and cost of each model."""
    import numpy as np

    plan = draft.plan
    if not plan.models:
        return draft
    asked = draft.planned().slice(0, draft.planned().num_rows // len(plan.models))
    replies = {scale.id: _reply(plan, scale) for scale in plan.scales}
    counted: Any = asked.column("scale").value_counts()
    tokens_out = sum(one["counts"] * replies[one["values"]] for one in counted.to_pylist())
    tokens_in = int((np.asarray(draft.lengths) // CHARACTERS_A_TOKEN).sum())
    estimates = []
    for model in plan.models:
        times = -(-plan.study.repeats // (MOST_CHOICES if model.provider in FOLDING else 1))
        requests = times * len(draft.lengths)
        estimates.append(_of_model(model, asked.num_rows, requests, times * tokens_in, tokens_out))
    return replace(draft, estimates=tuple(estimates))


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
