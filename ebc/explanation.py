"""What a plan will send, and how it came to be: pass by pass, with sample requests."""

from __future__ import annotations

from typing import Any

from ebc.pipeline import Compiled
from schemas.plan import PlannedTrial
from schemas.planfile import planned_trials
from schemas.render import Renderer


def explanation(compiled: Compiled, sample: int) -> dict[str, Any]:
    """The passes and `sample` requests of each condition and scale, as plain data."""
    plan = compiled.plan
    renderer = Renderer(plan)
    return {
        "study": plan.study.id,
        "title": plan.study.title,
        "plan_id": plan.plan_id,
        "passes": [{"pass": name, "made": made} for name, made in _passes(compiled)],
        "samples": [
            {
                "model": trial.model,
                "condition": trial.condition,
                "stimulus": trial.stimulus,
                "scale": trial.scale,
                "item_order": trial.item_order,
                "repeat": trial.repeat,
                "trial_key": trial.trial_key,
                "request_key": trial.request_key,
                "messages": [{"role": m.role, "content": m.content} for m in renderer.messages(trial)],
            }
            for trial in _samples(compiled, sample)
        ],
    }


def _passes(compiled: Compiled) -> list[tuple[str, str]]:
    plan, study = compiled.plan, compiled.plan.study
    emotions = {stimulus.emotion for stimulus in plan.stimuli}
    factors = {(stimulus.emotion, stimulus.factor) for stimulus in plan.stimuli}
    orders = f"{len(study.orders)} of each scale, from seed {study.seed}"
    conditions = ", ".join(
        f"{c.name} ({'each of ' + str(len(plan.stimuli)) + ' situations' if c.each_stimulus else 'one baseline'})"
        for c in plan.protocol.conditions
    )
    made = [
        ("resolve", f"{len(emotions)} emotions, {len(factors)} factors, {len(plan.stimuli)} situations; "
                    f"scales {', '.join(scale.id for scale in plan.scales)}; panels {', '.join(study.panels)}"),
        ("permute", f"item orders: {orders}"),
        ("identify", f"plan {plan.plan_id}"),
        ("expand", f"{compiled.trials.num_rows:,} trials: {conditions}; {len(plan.models)} models, "
                   f"{len(study.orders)} orders, {study.repeats} repeats"),
    ]  # fmt: skip
    tokens = sum(one.tokens_in + one.tokens_out for one in compiled.estimates)
    requests = sum(one.requests for one in compiled.estimates)
    if compiled.estimates:
        made.append(("estimate", f"{requests:,} requests, about {tokens:,} tokens"))
    return made


def _samples(compiled: Compiled, sample: int) -> list[PlannedTrial]:
    taken: dict[tuple[str, str, str], int] = {}
    chosen: list[PlannedTrial] = []
    for trial in planned_trials(compiled.trials):
        kind = (trial.model, trial.condition, trial.scale)
        if taken.get(kind, 0) < sample:
            taken[kind] = taken.get(kind, 0) + 1
            chosen.append(trial)
    return chosen


def explanation_text(explained: dict[str, Any]) -> str:
    """The explanation for a reader."""
    lines = [f"{explained['study']}: {explained['title']}", ""]
    lines += [f"{one['pass']:<9} {one['made']}" for one in explained["passes"]]
    for one in explained["samples"]:
        place = one["stimulus"] or "no situation"
        lines += [
            "",
            f"--- {one['model']}: {one['condition']}, {place}, {one['scale']} in order {one['item_order']}",
        ]
        lines.append(f"    trial {one['trial_key']}, request {one['request_key']}")
        for message in one["messages"]:
            lines.append(f"[{message['role']}]")
            lines += [f"  {line}" for line in message["content"].splitlines()]
    return "\n".join(lines)
