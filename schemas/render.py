"""From a trial to what is sent: the one place where a plan's templates become messages.

The compiler hashes these messages into request keys, the runtime sends them; both must see the same text.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from schemas.plan import Hole, Message, Option, Plan, PlannedTrial, Prompt, Scale, Stimulus, Template, Text


class ChatMessage(msgspec.Struct, frozen=True):
    role: str
    content: str


class ShownItem(msgspec.Struct, frozen=True):
    """An item as it was shown: `position` counts from 1, `number` is the item's own."""

    position: int
    number: int
    text: str
    options: tuple[Option, ...]
    own_options: bool = False


class Shown(msgspec.Struct, frozen=True):
    """A scale as it was shown: what a reader of the reply needs."""

    scale: str
    items: tuple[ShownItem, ...]


def shown(scale: Scale, item_order: int) -> Shown:
    """`scale` in the given order."""
    by_number = {item.number: item for item in scale.items}
    items = (by_number[number] for number in scale.orders[item_order])
    return Shown(
        scale.id,
        tuple(
            ShownItem(position, item.number, item.text, scale.options_of(item), item.options is not None)
            for position, item in enumerate(items, start=1)
        ),
    )


class Renderer:
    """Renders the trials of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._prompts = {prompt.id: prompt for prompt in plan.prompts}
        self._scales = {scale.id: scale for scale in plan.scales}
        self._stimuli = {stimulus.id: stimulus for stimulus in plan.stimuli}
        self._scale_holes: dict[tuple[str, int], dict[str, str]] = {}

    def messages(self, trial: PlannedTrial) -> tuple[ChatMessage, ...]:
        """What is sent for `trial`, system message first where there is one."""
        stimulus = None if trial.stimulus is None else self._stimuli[trial.stimulus]
        fields = stimulus_holes(stimulus)
        presented = "\n\n".join(
            _fill(message.template, fields)
            for prompt in trial.presented
            for message in self._prompts[prompt].messages
        )
        holes = {**fields, **self._holes_of(trial.scale, trial.item_order), "presented": presented}
        return _with_presented(self._prompts[trial.prompt], holes)

    def shown(self, trial: PlannedTrial) -> Shown:
        """The scale that `trial` shows."""
        return shown(self._scales[trial.scale], trial.item_order)

    def _holes_of(self, scale: str, item_order: int) -> dict[str, str]:
        key = (scale, item_order)
        if key not in self._scale_holes:
            self._scale_holes[key] = scale_holes(self._scales[scale], item_order)
        return self._scale_holes[key]


def stimulus_holes(stimulus: Stimulus | None) -> dict[str, str]:
    """The holes that a situation fills: its fields, and the titles of its emotion and factor."""
    if stimulus is None:
        return {}
    titles = {"emotion": stimulus.emotion_title, "factor": stimulus.factor_title}
    return {**{name: title for name, title in titles.items() if title is not None}, **stimulus.fields}


SCALE_HOLES = (
    "scale.items",
    "scale.anchors",
    "scale.min",
    "scale.max",
    "scale.title",
    "scale.count",
)


def scale_holes(scale: Scale, item_order: int = 0) -> dict[str, str]:
    """The holes that a scale fills, its items in the given order. What its items do not share is left out:
    `scale.min` and `scale.max` where their ranges differ, `scale.anchors` where their options do."""
    options = {scale.options_of(item) for item in scale.items}
    ranges = {(min(o.code for o in each), max(o.code for o in each)) for each in options if each}
    holes = {
        "scale.items": "\n".join(_line(item) for item in shown(scale, item_order).items),
        "scale.title": scale.title,
        "scale.count": str(len(scale.items)),
    }
    if len(ranges) == 1:
        low, high = ranges.pop()
        holes |= {"scale.min": number(low), "scale.max": number(high)}
    if len(options) == 1:
        anchors = [f'{number(o.code)} means "{o.anchor}"' for o in options.pop() if o.anchor]
        holes["scale.anchors"] = ", ".join(anchors)
    return holes


def _line(item: ShownItem) -> str:
    """An item as it is shown; options that are its own stand below it."""
    own = [f"   {number(o.code)} = {o.anchor}" for o in item.options if o.anchor] if item.own_options else []
    return "\n".join([f"{item.position}. {item.text}", *own])


def number(value: float) -> str:
    """A code as people write it: 3, not 3.0."""
    return str(int(value)) if value == int(value) else repr(value)


def _with_presented(prompt: Prompt, holes: dict[str, str]) -> tuple[ChatMessage, ...]:
    has_place = any(
        isinstance(part, Hole) and part.name == "presented" for m in prompt.messages for part in m.template
    )
    rendered = [ChatMessage(message.role, _fill(message.template, holes)) for message in prompt.messages]
    if holes["presented"] and not has_place:
        rendered = _on_top(rendered, prompt.messages, holes["presented"])
    return tuple(rendered)


def _on_top(rendered: list[ChatMessage], messages: tuple[Message, ...], text: str) -> list[ChatMessage]:
    first = next((i for i, message in enumerate(messages) if message.role == "user"), None)
    if first is None:
        return [*rendered, ChatMessage("user", text)]
    top = ChatMessage("user", f"{text}\n\n{rendered[first].content}")
    return [*rendered[:first], top, *rendered[first + 1 :]]


def _fill(template: Template, holes: dict[str, str]) -> str:
    """The template's text; where a hole is empty, one of the blanks around it goes too."""
    out = ""
    swallow = False
    for part in template:
        match part:
            case Text(text):
                out += text[1:] if swallow and text[:1] in (" ", "\n") else text
                swallow = False
            case Hole(name):
                value = holes[name]
                swallow = not value and (not out or out[-1:] in (" ", "\n"))
                out += value
            case _:
                assert_never(part)
    return out.strip()
