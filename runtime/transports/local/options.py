"""The probabilities of a questionnaire's options: which tokens say an option, and what their scores come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from runtime.transport import Weights
from runtime.transports.local.chat import Chat, Prompt
from runtime.transports.local.scoring import Asked, Logs, Scoring
from runtime.transports.local.tree import Grown, Option, Said, common, grown
from schemas.render import Shown, ShownItem, number

DIGITS = tuple("0123456789")


class Questionnaire(NamedTuple):
    """A questionnaire that is to be answered behind a prompt."""

    prompt: Prompt
    shown: Shown


class Answered(NamedTuple):
    """What was answered: the most probable options as a text, and each item's weights."""

    text: str
    weights: tuple[Weights, ...]


class Options:
    """Asks for options. An item's answer is a line such as "7. 3", or "3" where one item was shown alone."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._grown: dict[tuple[str, Shown], Grown] = {}

    def asked(self, one: Questionnaire) -> Asked:
        """All items behind the prompt, each as if it were asked alone."""
        found = self.tree(one.prompt.tail, one.shown)
        return Asked(one.prompt.tokens, one.prompt.shared, found.tree, found.steps())

    def told(self, one: Questionnaire, logs: Logs) -> Answered:
        """The answers that scores come to."""
        found = self.tree(one.prompt.tail, one.shown)
        weights = [
            weighed(item, options, logs) for item, options in zip(one.shown.items, found.items, strict=True)
        ]
        return Answered(_text(one.shown, weights), tuple(weights))

    def in_turn(self, one: Questionnaire, scoring: Scoring) -> Answered:
        """Item after item, each behind the answers before it."""
        prompt, said, text = one.prompt.tokens, tuple[int, ...](), ""
        past = scoring.past(prompt, one.prompt.shared)
        read, weights = len(prompt) - 1, list[Weights]()
        for item in one.shown.items:
            sequences = self._sequences(one.prompt.tail, text, item, len(one.shown.items) == 1)
            behind = [
                all_[len(said) :] if all_[: len(said)] == said else self._chat.continuation("", new)
                for all_, new in sequences
            ]
            found = grown([_said(behind, len(item.options))])
            whole = prompt + said
            scoring.further(past, whole[read:-1], read)
            read = len(whole) - 1
            logs = scoring.behind(Asked(whole, read, found.tree, found.steps()), past)
            weights.append(weighed(item, found.items[0], logs))
            chosen = [option.code for option in item.options].index(weights[-1].value)
            said, text = said + behind[chosen], text + sequences[chosen][1] + "\n"
        return Answered(_text(one.shown, weights), tuple(weights))

    def tree(self, tail: str, shown: Shown) -> Grown:
        """The replies to a questionnaire behind the prompt's last words."""
        if (tail, shown) not in self._grown:
            alone = len(shown.items) == 1
            self._grown[tail, shown] = grown(
                [
                    _said([tokens for tokens, _ in self._sequences(tail, "", item, alone)], len(item.options))
                    for item in shown.items
                ]
            )
        return self._grown[tail, shown]

    def _sequences(
        self, tail: str, before: str, item: ShownItem, alone: bool
    ) -> list[tuple[tuple[int, ...], str]]:
        """The replies with each option of an item, behind the lines `before`, as tokens from the first line on,
        with the new line's text; then those with each digit, which show where an option begins."""
        lines = [_line(item, said, alone) for said in [*(number(o.code) for o in item.options), *DIGITS]]
        return [(self._chat.continuation(tail, before + line), line) for line in lines]


def weighed(item: ShownItem, options: Sequence[Option], logs: Logs) -> Weights:
    """An item's weights. The probability of an option is that of its tokens, less that of going on to another
    option: "1" is not said where "10" is."""
    codes = [option.code for option in item.options]
    masses = [_mass(option, logs) for option in options]
    if math.fsum(masses) > 0:
        return Weights.of(codes, masses)
    likely = log_probabilities(options, logs)  # too small for a number: their relations still can be told
    found = Weights.of(codes, [math.exp(one - max(likely)) for one in likely])
    return msgspec.structs.replace(found, off_scale_mass=1.0)


def log_probabilities(options: Sequence[Option], logs: Logs) -> list[float]:
    """Of each option's tokens, behind what comes before an option."""
    return [math.fsum(logs[step] for step in option.steps) for option in options]


def _mass(option: Option, logs: Logs) -> float:
    mass = math.exp(math.fsum(logs[step] for step in option.steps))
    return max(0.0, mass * (1.0 - math.fsum(math.exp(logs[step]) for step in option.beyond)))


def _said(sequences: Sequence[tuple[int, ...]], options: int) -> Said:
    """An item's replies; the last of `sequences` only show how far no option is said."""
    return Said(common(sequences), tuple(sequences[:options]))


def _line(item: ShownItem, code: str, alone: bool) -> str:
    return code if alone else f"{item.position}. {code}"


def _text(shown: Shown, weights: Sequence[Weights]) -> str:
    alone = len(shown.items) == 1
    return "\n".join(
        _line(item, number(one.value), alone) for item, one in zip(shown.items, weights, strict=True)
    )
