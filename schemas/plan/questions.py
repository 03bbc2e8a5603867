"""What is asked, and who is asked: stimuli, prompts, models, protocols."""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.plan.record import Record, Setting


class Stimulus(Record, frozen=True):
    """What a condition is asked about. A situation is known by its place: emotion, factor, and `situation`, its
    index there (from 0). One of a `stimuli` declaration is known by `name`, as the data call it; `situation` is
    its index in its set. `fields` holds every text of it that a prompt or an analysis may use."""

    id: str
    situation: int
    fields: dict[str, str]
    name: str | None = None
    emotion: str | None = None
    emotion_title: str | None = None
    factor: str | None = None
    factor_title: str | None = None
    factor_index: int | None = None


class Hole(Record, frozen=True, tag="hole"):
    """A place in a template that is filled when the message is rendered."""

    name: str


class Text(Record, frozen=True, tag="text"):
    text: str


Template = tuple[Text | Hole, ...]


class Message(Record, frozen=True):
    role: Literal["system", "user", "assistant"]
    template: Template


class Prompt(Record, frozen=True):
    """A prompt, or a variant of one (`id` is then `prompt.variant`)."""

    id: str
    messages: tuple[Message, ...]


class Price(Record, frozen=True):
    """US dollars a million tokens. `batch`: the share of it that a batch costs."""

    input: float
    output: float
    cached: float | None = None
    batch: float | None = None


Readout = Literal["text", "json", "options"]
"""How answers are read: from the text, from JSON that is asked for, or as the most probable options."""


class Model(Record, frozen=True):
    """A model as declared. `settings` are the provider's own (base_url, effect, ...), never a key."""

    id: str
    provider: str
    name: str
    settings: dict[str, Setting] = msgspec.field(default_factory=dict)
    price: Price | None = None
    readout: Readout = "text"
    title: str | None = None


class Sampling(Record, frozen=True):
    """None: the provider's default, and the parameter is not sent."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None


class Present(Record, frozen=True, tag="present"):
    """Text that goes into the next question's message, at its hole `presented`, or else on top."""

    prompt: str


AGAIN = "again"
"""The step of a follow-up."""


AgainStatus = Literal["partial", "unparseable", "out_of_range", "truncated", "refused"]


class Again(Record, frozen=True):
    """When a question is asked again: after an answer of one of these statuses, at most so many times."""

    statuses: tuple[AgainStatus, ...]
    times: int


class Measure(Record, frozen=True, tag="measure"):
    """A scale, asked with a prompt, in a conversation of its own. `scale` None: each of the study's."""

    prompt: str
    scale: str | None = None
    again: Again | None = None


Step = Present | Measure


class Condition(Record, frozen=True):
    """`each_stimulus`: one conversation a stimulus; otherwise one for all (a baseline)."""

    name: str
    each_stimulus: bool
    steps: tuple[Step, ...]


class Protocol(Record, frozen=True):
    id: str
    conditions: tuple[Condition, ...]
