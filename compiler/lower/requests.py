"""Each question's request, as bytes that are hashed: what no situation fills is written, and hashed, once."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from schemas.plan import Plan
from schemas.render import ChatMessage, Cut, Renderer

MOST_STATES = 20_000
"""Hashes that were begun and are kept, of half a kilobyte each."""

Hash = hashlib.blake2b


class Place(NamedTuple):
    """Where a question stands: it is asked in each item order, `repeats` times, by each model."""

    condition: str
    stimulus: str | None
    scale: str
    prompt: str
    presented: tuple[str, ...]


class Form(NamedTuple):
    """All requests of one prompt, scale and item order, as JSON around what a situation fills in: `start`
    stands before the first hole, `rest` from there on, as a format of the holes' values."""

    start: bytes
    rest: bytes
    holes: list[str]
    characters: int
    size: int

    @staticmethod
    def of(shown: bytes, cuts: list[Cut]) -> Form:
        """The form of a scale, as shown, and of messages."""
        pieces = [b"[%b,[" % shown]
        for number, cut in enumerate(cuts):
            message = msgspec.json.encode(ChatMessage(cut.role, ""))
            first, *others = map(escaped, cut.texts)
            pieces[-1] += (b"," if number else b"") + message[:-2] + first
            pieces += others
            pieces[-1] += message[-2:]
        pieces[-1] += b"]]"
        return Form(
            start=pieces[0],
            rest=b"%b".join([b"", *(piece.replace(b"%", b"%%") for piece in pieces[1:])]),
            holes=[hole for cut in cuts for hole in cut.holes],
            characters=sum(len(text) for cut in cuts for text in cut.texts),
            size=sum(map(len, pieces)),
        )


class Requests:
    """Hashes what the questions of one plan send. `identities`: the hashes of who answers, to begin with.
    `keys`: of each of them, the request keys' bytes; `lengths`: the questions' characters; in their order."""

    def __init__(self, plan: Plan, identities: Sequence[Hash]) -> None:
        self.keys = [bytearray() for _ in identities]
        self.lengths = array("q")
        self._orders = plan.study.orders
        self._identities = identities
        self._renderer = Renderer(plan)
        self._shown = {
            (scale.id, order): _shown(self._renderer, scale.id, order)
            for scale in plan.scales
            for order in self._orders
        }
        self._forms: dict[tuple[str, str, bool], list[Form]] = {}
        self._begun: dict[tuple[str, str, bool, int], list[list[Hash]]] = {}

    def add(self, place: Place) -> None:
        """Takes the questions of a place, one an item order."""
        asked = (place.prompt, place.scale, bool(place.presented))
        forms = self._forms.get(asked) or self._make_forms(*asked)
        filled = self._renderer.holes(place.presented, place.stimulus)
        texts = [filled[hole] for hole in forms[0].holes]
        if not all(text and text == text.strip() for text in texts):
            self._add_unlike(place)
            return
        values = tuple([escaped(text) for text in texts])
        characters, size = sum(map(len, texts)), sum(map(len, values))
        self.lengths.extend([form.characters + characters for form in forms])
        rests = [form.rest % values for form in forms]
        begun = self._begun.get((*asked, size)) or self._begin(*asked, size)
        for states, digests in zip(begun, self.keys, strict=True):
            for state, rest in zip(states, rests, strict=True):
                one = state.copy()
                one.update(rest)
                digests += one.digest()

    def _add_unlike(self, place: Place) -> None:
        """Takes questions with a value that is not shown as it is: it is empty, or has blanks around it."""
        for order in self._orders:
            messages = self._renderer.question(
                place.prompt, place.presented, place.stimulus, place.scale, order
            )
            self.lengths.append(sum(len(message.content) for message in messages))
            sent = b"[%b,%b]" % (self._shown[place.scale, order], msgspec.json.encode(messages))
            for identity, digests in zip(self._identities, self.keys, strict=True):
                one = identity.copy()
                one.update(framed(sent))
                digests += one.digest()

    def _make_forms(self, prompt: str, scale: str, presented: bool) -> list[Form]:
        """The forms of each item order."""
        forms = [
            Form.of(self._shown[scale, order], self._renderer.cuts(prompt, scale, order, presented=presented))
            for order in self._orders
        ]
        self._forms[prompt, scale, presented] = forms
        return forms

    def _begin(self, prompt: str, scale: str, presented: bool, size: int) -> list[list[Hash]]:
        """For each model, the hashes of the forms' starts, where values of `size` bytes are to come."""
        begun: list[list[Hash]] = []
        starts = [
            (form.size + size).to_bytes(8, "big") + form.start for form in self._forms[prompt, scale, presented]
        ]
        for identity in self._identities:
            begun.append([identity.copy() for _ in starts])
            for state, start in zip(begun[-1], starts, strict=True):
                state.update(start)
        if len(self._begun) * len(starts) * len(begun) < MOST_STATES:
            self._begun[prompt, scale, presented, size] = begun
        return begun


def _shown(renderer: Renderer, scale: str, order: int) -> bytes:
    """A scale as JSON: its id, and each item's number with the codes that it is answered with, as shown."""
    items = renderer.shown_in(scale, order).items
    return msgspec.json.encode(
        (scale, tuple((item.number, tuple(option.code for option in item.options)) for item in items))
    )[1:-1]


def escaped(text: str) -> bytes:
    """A text as it stands between the quotes of JSON."""
    return msgspec.json.encode(text)[1:-1]


def framed(part: bytes) -> bytes:
    """A part of what is hashed, behind its length."""
    return len(part).to_bytes(8, "big") + part
