"""From a trial to what is sent: the one place where a plan's templates become messages.

The compiler hashes these messages into request keys, the runtime sends them; both must see the same text.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

import msgspec

from schemas.plan import Hole, Option, Plan, PlannedTrial, Prompt, Scale, Stimulus, Template, Text


class ChatMessage(msgspec.Struct, frozen=True, gc=False):
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
    """Renders the trials of one plan. What only a scale fills is filled once for each of its orders."""

    def __init__(self, plan: Plan) -> None:
        self._prompts = {prompt.id: prompt for prompt in plan.prompts}
        self._scales = {scale.id: scale for scale in plan.scales}
        self._stimuli = {stimulus.id: stimulus for stimulus in plan.stimuli}
        self._bound: dict[tuple[str, str, int], _Bound] = {}
        self._shown: dict[tuple[str, int], Shown] = {}
        self._filled: tuple[tuple[str, ...], str | None, dict[str, str]] | None = None

    def messages(self, trial: PlannedTrial) -> tuple[ChatMessage, ...]:
        """What is sent for `trial`, system message first where there is one."""
        return self.question(trial.prompt, trial.presented, trial.stimulus, trial.scale, trial.item_order)

    def question(
        self, prompt: str, presented: tuple[str, ...], stimulus: str | None, scale: str, item_order: int
    ) -> tuple[ChatMessage, ...]:
        """What is sent when `prompt` asks `scale`, after the prompts `presented` of a stimulus."""
        return self._bind(prompt, scale, item_order).rendered(self.holes(presented, stimulus))

    def cuts(self, prompt: str, scale: str, item_order: int, *, presented: bool) -> list[Cut]:
        """The messages of a question around what its stimulus fills; `presented`: whether there is something
        presented before it. They hold for values that are neither empty nor begin or end with a blank."""
        return self._bind(prompt, scale, item_order).cuts(presented)

    def _bind(self, prompt: str, scale: str, item_order: int) -> _Bound:
        bound = self._bound.get((prompt, scale, item_order))
        if bound is None:
            bound = _Bound.of(self._prompts[prompt], scale_holes(self._scales[scale], item_order))
            self._bound[prompt, scale, item_order] = bound
        return bound

    def shown(self, trial: PlannedTrial) -> Shown:
        """The scale that `trial` shows."""
        return self.shown_in(trial.scale, trial.item_order)

    def shown_in(self, scale: str, item_order: int) -> Shown:
        """A scale as it is shown in an order."""
        key = (scale, item_order)
        if key not in self._shown:
            self._shown[key] = shown(self._scales[scale], item_order)
        return self._shown[key]

    def holes(self, presented: tuple[str, ...], stimulus: str | None) -> dict[str, str]:
        """What a stimulus fills, and `presented`; that of the last call is at hand."""
        if self._filled is None or self._filled[:2] != (presented, stimulus):
            fields = stimulus_holes(None if stimulus is None else self._stimuli[stimulus])
            texts = [
                _fill(message.template, fields) for one in presented for message in self._prompts[one].messages
            ]
            self._filled = (presented, stimulus, {**fields, NOTHING.name: "", "presented": "\n\n".join(texts)})
        return self._filled[2]


class _Bound(NamedTuple):
    """A prompt in which a scale's holes are filled: its messages, whole where nothing else is left to fill, and
    whether one has a place for what was presented."""

    messages: tuple[ChatMessage | tuple[str, Template], ...]
    has_place: bool

    @staticmethod
    def of(prompt: Prompt, scale: dict[str, str]) -> _Bound:
        """`prompt` with the holes of `scale` filled."""
        templates = [(message.role, _bind(message.template, scale)) for message in prompt.messages]
        has_place = any(part == Hole("presented") for _, template in templates for part in template)
        return _Bound(
            tuple(
                ChatMessage(role, _fill(template, {}))
                if all(isinstance(part, Text) for part in template)
                else (role, template)
                for role, template in templates
            ),
            has_place,
        )

    def rendered(self, holes: dict[str, str]) -> tuple[ChatMessage, ...]:
        """The messages, the other holes filled."""
        rendered = [
            one if isinstance(one, ChatMessage) else ChatMessage(one[0], _fill(one[1], holes))
            for one in self.messages
        ]
        if holes["presented"] and not self.has_place:
            rendered = _on_top(rendered, holes["presented"])
        return tuple(rendered)

    def cuts(self, presented: bool) -> list[Cut]:
        """The messages around the other holes."""
        nothing = {} if presented else {"presented": ""}
        cuts = [
            Cut(one.role, [one.content], [])
            if isinstance(one, ChatMessage)
            else _cut(one[0], _bind(one[1], nothing))
            for one in self.messages
        ]
        if not presented or self.has_place:
            return cuts
        first = next((i for i, cut in enumerate(cuts) if cut.role == "user"), None)
        if first is None:
            return [*cuts, Cut("user", ["", ""], ["presented"])]
        role, (text, *texts), holes = cuts[first]
        top = Cut(role, ["", f"\n\n{text}", *texts], ["presented", *holes])
        return [*cuts[:first], top, *cuts[first + 1 :]]


class Cut(NamedTuple):
    """A message around its holes: of `texts` there is one more."""

    role: str
    texts: list[str]
    holes: list[str]


NOTHING = Hole("")
"""A hole that a scale fills with nothing."""


def stimulus_holes(stimulus: Stimulus | None) -> dict[str, str]:
    """The holes that a situation fills: its fields, and the titles of its emotion and factor."""
    holes: dict[str, str] = {}
    if stimulus is None:
        return holes
    if stimulus.emotion_title is not None:
        holes["emotion"] = stimulus.emotion_title
    if stimulus.factor_title is not None:
        holes["factor"] = stimulus.factor_title
    return holes | stimulus.fields


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


def _on_top(rendered: list[ChatMessage], text: str) -> list[ChatMessage]:
    first = next((i for i, message in enumerate(rendered) if message.role == "user"), None)
    if first is None:
        return [*rendered, ChatMessage("user", text)]
    top = ChatMessage("user", f"{text}\n\n{rendered[first].content}")
    return [*rendered[:first], top, *rendered[first + 1 :]]


def _bind(template: Template, holes: dict[str, str]) -> Template:
    """A template with some holes filled. Behind a hole that is empty a text loses a blank, but no value does:
    such a value stands behind an empty text."""
    out: list[Text | Hole] = []
    for part in template:
        text = part.text if isinstance(part, Text) else holes.get(part.name)
        last = out[-1] if out else None
        if text is None:
            out.append(part)
        elif isinstance(part, Hole) and not text:
            out.append(NOTHING)
        elif isinstance(last, Text) and last.text:
            out[-1] = Text(last.text + text)
        elif isinstance(part, Hole):
            out += [Text(""), Text(text)]
        else:
            out.append(part)
    return tuple(out)


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


def _cut(role: str, template: Template) -> Cut:
    """What `_fill` comes to where no value is empty, or begins or ends with a blank."""
    texts, holes = [""], list[str]()
    swallow = False
    for part in template:
        match part:
            case Text(text):
                texts[-1] += text[1:] if swallow and text[:1] in (" ", "\n") else text
                swallow = False
            case Hole(""):
                swallow = texts[-1][-1:] in (" ", "\n")
            case Hole(name):
                holes.append(name)
                texts.append("")
                swallow = False
            case _:
                assert_never(part)
    texts[0] = texts[0].lstrip()
    texts[-1] = texts[-1].rstrip()
    return Cut(role, texts, holes)
