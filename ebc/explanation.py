"""What a plan will send, and how it came to be: pass by pass, with sample requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ebc.pipeline import Compiled
from ebc.standing import standing, standing_text
from schemas.plan import Plan, PlannedTrial
from schemas.planfile import PlannedTrials
from schemas.render import Renderer


def explanation(compiled: Compiled, sample: int, results: Path | None = None) -> dict[str, Any]:
    """The passes and `sample` requests of each condition and scale, as plain data; with `results`, how the plan
    stands there. Raises UserError, Failure."""
    plan = compiled.plan
    renderer = Renderer(plan)
    stands = {} if results is None else {"results": standing(compiled, results)}
    return {
        "study": plan.study.id,
        "title": plan.study.title,
        "plan_id": plan.plan_id,
        "passes": [{"pass": name, "made": made} for name, made in _passes(compiled)],
        **stands,
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
    factors = {(stimulus.emotion, stimulus.factor) for stimulus in plan.stimuli}
    emotions = {emotion for emotion, _ in factors}
    found = [counted(len(emotions), "emotion"), counted(len(factors), "factor")]
    found.append(counted(len(plan.stimuli), "situation"))
    scales = ", ".join(f"{scale.id} ({counted(len(scale.items), 'item')})" for scale in plan.scales)
    crossed = [counted(len(plan.models), "model"), counted(len(study.orders), "order")]
    crossed.append(counted(study.repeats, "repeat"))
    made = [
        ("resolve", f"{', '.join(found)}; scales {scales}; panels {', '.join(study.panels)}"),
        ("permute", f"{counted(len(study.orders), 'item order')} of each scale, from seed {study.seed}"),
        ("identify", f"plan {plan.plan_id}"),
        ("expand", f"{counted(compiled.trials.num_rows, 'trial')}: {_conditions(plan)}; {', '.join(crossed)}"),
    ]
    if compiled.estimates:
        tokens = sum(one.tokens_in + one.tokens_out for one in compiled.estimates)
        requests = sum(one.requests for one in compiled.estimates)
        made.append(("estimate", f"{counted(requests, 'request')}, about {tokens:,} tokens"))
    return made


def _conditions(plan: Plan) -> str:
    said = {True: f"each of {counted(len(plan.stimuli), 'situation')}", False: "no situation"}
    return ", ".join(f"{one.name} ({said[one.each_stimulus]})" for one in plan.protocol.conditions)


def counted(n: int, noun: str) -> str:
    """`1 trial`, `4,290 trials`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _samples(compiled: Compiled, sample: int) -> list[PlannedTrial]:
    taken: dict[tuple[str, str, str], int] = {}
    chosen: list[PlannedTrial] = []
    for trial in PlannedTrials(compiled.trials):
        kind = (trial.model, trial.condition, trial.scale)
        if taken.get(kind, 0) < sample:
            taken[kind] = taken.get(kind, 0) + 1
            chosen.append(trial)
    return chosen


def explanation_text(explained: dict[str, Any]) -> str:
    """The explanation for a reader."""
    lines = [f"{explained['study']}: {explained['title']}", ""]
    lines += [f"{one['pass']:<9} {one['made']}" for one in explained["passes"]]
    lines += standing_text(explained.get("results", []))
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
