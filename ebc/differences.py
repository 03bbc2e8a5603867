"""Why a trial of one plan is none of another: what the other lacks, or what has changed at its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from compiler.lower.expand import NOT_OF_THE_ANSWER
from schemas.plan import Hole, Model, Option, Plan, PlannedTrial, Sampling, Scale, Setting, Stimulus, Template
from schemas.render import stimulus_holes


class Difference(NamedTuple):
    """What differs: a kind of thing, and its name; `change` is None where it is the thing itself that is there
    in one plan only."""

    kind: str
    name: str
    change: str | None = None


class Place(NamedTuple):
    """Where a trial stands in a plan."""

    model: str
    condition: str
    stimulus: str | None
    scale: str
    item_order: int
    repeat: int


def place_of(trial: PlannedTrial) -> Place:
    """The place of a trial."""
    return Place(trial.model, trial.condition, trial.stimulus, trial.scale, trial.item_order, trial.repeat)


class Side:
    """One of two plans that are compared, with its things by name."""

    def __init__(self, plan: Plan) -> None:
        self.study = plan.study
        self.models = {model.id: model for model in plan.models}
        self.scales = {scale.id: scale for scale in plan.scales}
        self.stimuli = {stimulus.id: stimulus for stimulus in plan.stimuli}
        self.prompts: dict[str, tuple[tuple[str, Template], ...]] = {
            prompt.id: tuple((message.role, message.template) for message in prompt.messages)
            for prompt in plan.prompts
        }
        self.conditions = {condition.name for condition in plan.protocol.conditions}

    def lacks(self, trial: PlannedTrial) -> Difference:
        """What of a trial's place this plan does not have."""
        if trial.model not in self.models:
            return Difference("model", trial.model)
        if trial.condition not in self.conditions:
            return Difference("condition", trial.condition)
        if trial.stimulus is not None and trial.stimulus not in self.stimuli:
            return Difference("stimulus", trial.stimulus)
        if trial.scale not in self.study.scales:
            return Difference("scale", trial.scale)
        if trial.item_order not in self.study.orders:
            return Difference("item order", str(trial.item_order))
        if trial.repeat >= self.study.repeats:
            return Difference("repeat", str(trial.repeat))
        return Difference("question", f"{trial.scale} after {trial.stimulus or 'nothing'}")

    def holes(self, trial: PlannedTrial) -> set[str]:
        """What the prompts of a trial have filled in."""
        prompts = (trial.prompt, *trial.presented)
        templates = [template for prompt in prompts for _, template in self.prompts[prompt]]
        return {part.name for template in templates for part in template if isinstance(part, Hole)}


def differences(old: Side, was: PlannedTrial, new: Side, now: PlannedTrial) -> tuple[Difference, ...]:
    """What makes two trials at one place ask different things, or different models."""
    found = list(_of_models(old.models[was.model], new.models[now.model]))
    found += _of_sampling(old.study.sampling, new.study.sampling)
    found += _of_prompts(old, was, new, now)
    holes = old.holes(was) | new.holes(now)
    if was.stimulus is not None and was.stimulus == now.stimulus:
        found += _of_stimuli(old.stimuli[was.stimulus], new.stimuli[was.stimulus], holes)
    found += _of_scales(old.scales[was.scale], new.scales[was.scale], was.item_order, holes)
    return tuple(found) or (Difference("question", was.scale, "several trials ask the same, now or before"),)


def _of_models(old: Model, new: Model) -> Iterator[Difference]:
    for field in ("provider", "name", "readout"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield Difference("model", new.id, f"{field} {before} -> {after}")
    for key in sorted((old.settings.keys() | new.settings.keys()) - set(NOT_OF_THE_ANSWER)):
        values: list[Setting | None] = [model.settings.get(key) for model in (old, new)]
        if values[0] != values[1]:
            yield Difference("model", new.id, f"{key} {_said(values[0])} -> {_said(values[1])}")


def _of_sampling(old: Sampling, new: Sampling) -> Iterator[Difference]:
    for field in Sampling.__struct_fields__:
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield Difference("sampling", field, f"{_said(before)} -> {_said(after)}")


def _of_prompts(old: Side, was: PlannedTrial, new: Side, now: PlannedTrial) -> Iterator[Difference]:
    if was.presented != now.presented:
        before, after = (", ".join(one.presented) or "nothing" for one in (was, now))
        yield Difference("condition", now.condition, f"presents {before} -> {after}")
    if was.prompt != now.prompt:
        yield Difference("condition", now.condition, f"asks with {was.prompt} -> {now.prompt}")
    for prompt in dict.fromkeys((now.prompt, *now.presented)):
        if prompt in old.prompts and old.prompts[prompt] != new.prompts[prompt]:
            yield Difference("prompt", prompt, "its text")


def _of_stimuli(old: Stimulus, new: Stimulus, holes: set[str]) -> Iterator[Difference]:
    before, after = stimulus_holes(old), stimulus_holes(new)
    for hole in sorted(holes):
        if before.get(hole) != after.get(hole):
            yield Difference("stimulus", new.id, f"its {hole}")


def _of_scales(old: Scale, new: Scale, order: int, holes: set[str]) -> Iterator[Difference]:
    def text(scale: Scale) -> list[tuple[int, str]]:
        return [(item.number, item.text if "scale.items" in holes else "") for item in scale.items]

    def codes(scale: Scale) -> list[list[float]]:
        return [[option.code for option in scale.options_of(item)] for item in scale.items]

    def anchors(scale: Scale) -> list[tuple[Option, ...]]:
        if "scale.anchors" in holes:
            return [scale.options_of(item) for item in scale.items]
        return [item.options or () for item in scale.items if "scale.items" in holes]

    if text(old) != text(new):
        yield Difference("scale", new.id, "its items")
    elif order < len(old.orders) and old.orders[order] != new.orders[order]:
        yield Difference("scale", new.id, "its item orders, which the seed draws")
    if codes(old) != codes(new):
        yield Difference("scale", new.id, "its options")
    elif anchors(old) != anchors(new):
        yield Difference("scale", new.id, "its anchors")
    if "scale.title" in holes and old.title != new.title:
        yield Difference("scale", new.id, "its title")


def _said(value: Setting | None) -> str:
    return "not set" if value is None else str(value)
