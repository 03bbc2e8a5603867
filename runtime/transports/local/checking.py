"""Whether a model that is loaded here answers as it should: what it reads, how options are said, and that one
pass over a questionnaire, a batch, or an order changes nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from runtime.transports.local.chat import NO_SYSTEM, NO_TEMPLATE
from runtime.transports.local.engine import Engine
from runtime.transports.local.options import Answered, Questionnaire, log_probabilities
from runtime.transports.local.scoring import EQUAL
from schemas.plan import Option
from schemas.render import ChatMessage, Shown, ShownItem, number

SYSTEM = "Rate every item with a whole number from 1 to 10, one line an item, and with nothing else."
MOODS = ("calm", "proud", "tired", "cheerful", "lonely")
SCENES = (
    "The kettle sings.",
    "A door falls shut somewhere in the house.",
    "It has rained since the morning, and the bus is late.",
)
QUESTIONNAIRES = 16
BATCHES = (1, 3, 16)
PLAIN = 3
"""Questionnaires that are scored item by item as well, which takes long."""


class OptionTokens(NamedTuple):
    """An option of the first item: its code, the tokens that say it, and the codes that begin like it."""

    code: float
    tokens: tuple[int, ...]
    said: str
    begins: tuple[float, ...]


class Check(NamedTuple):
    """One thing that must hold. `apart`: the largest difference found, `bound`: the largest allowed."""

    what: str
    holds: bool
    apart: float | None = None
    bound: float | None = None


class Diagnosis(NamedTuple):
    """What was seen of a model. `turn`: what became of the system message. `begins`: marks of a beginning in
    the prompt. `off_scale`: the mean probability of what is no option."""

    kind: str
    parameters: int
    dtype: str
    device: str
    version: str
    prompt: str
    tokens: int
    begins: int
    turn: str
    options: tuple[OptionTokens, ...]
    off_scale: float
    checks: tuple[Check, ...]

    @property
    def sound(self) -> bool:
        """Whether everything holds."""
        return all(check.holds for check in self.checks)


def diagnosed(engine: Engine) -> Diagnosis:
    """Asks a loaded model short questionnaires, in several ways. Raises Rejected."""
    ones = [_questionnaire(engine, at) for at in range(QUESTIONNAIRES)]
    answered = engine.together(ones, 1)
    prompt = ones[0].prompt
    begins = engine.chat.begins(prompt.tokens)
    masses = [weights.off_scale_mass for one in answered for weights in one.weights]
    return Diagnosis(
        kind=type(engine.loaded.model).__name__,
        parameters=sum(one.numel() for one in engine.loaded.model.parameters()),
        dtype=engine.loaded.dtype,
        device=engine.loaded.device,
        version=engine.version,
        prompt=prompt.text,
        tokens=len(prompt.tokens),
        begins=begins,
        turn=_turn(engine),
        options=tuple(_options(engine, ones[0])),
        off_scale=sum(masses) / len(masses),
        checks=(
            Check("at most one mark of a beginning", begins == 1 or (begins == 0 and not engine.chat.adds_bos)),
            _one_pass(engine, ones[:PLAIN]),
            _batches(engine, ones, answered),
        ),
    )


def _questionnaire(engine: Engine, at: int) -> Questionnaire:
    """One of several, whose prompts differ in length and whose items in order."""
    moods = [*MOODS[at % 5 :], *MOODS[: at % 5]]
    options = tuple(Option(float(code)) for code in range(1, 11))
    shown = Shown("moods", tuple(ShownItem(n, n, mood, options) for n, mood in enumerate(moods, 1)))
    lines = "\n".join(f"{n}. {mood}" for n, mood in enumerate(moods, 1))
    scene = " ".join(SCENES[: at % 4])
    messages = [ChatMessage("system", SYSTEM), ChatMessage("user", f"{scene} How are you?\n{lines}".lstrip())]
    return Questionnaire(engine.prompt(messages), shown)


def _turn(engine: Engine) -> str:
    if NO_TEMPLATE in engine.chat.notes:
        return "there is no chat template: the texts stand one below the other"
    if NO_SYSTEM in engine.chat.notes:
        return "the template takes no system message: its text stands on top of the user's"
    return "the system message has a turn of its own"


def _options(engine: Engine, one: Questionnaire) -> list[OptionTokens]:
    found = engine.options.tree(one.prompt.tail, one.shown).items[0]
    codes = [option.code for option in one.shown.items[0].options]
    tokens = [tuple(token for _, token in option.steps) for option in found]
    return [
        OptionTokens(
            code,
            said,
            engine.chat.said(said),
            tuple(c for c, other in zip(codes, tokens, strict=True) if other != said == other[: len(said)]),
        )
        for code, said in zip(codes, tokens, strict=True)
    ]


def _one_pass(engine: Engine, ones: Sequence[Questionnaire]) -> Check:
    """Each option's log-probability in one pass, against a pass a token with no cache."""
    if not engine.scoring.packs:
        return Check("items are scored one by one: the model does not let a mask say what tokens see", True)
    apart = 0.0
    for one in ones:
        asked = engine.options.asked(one)
        plain, (packed,) = engine.scoring.plain(asked), engine.scoring.logs([asked])
        for item in engine.options.tree(one.prompt.tail, one.shown).items:
            both = zip(log_probabilities(item, plain), log_probabilities(item, packed), strict=True)
            apart = max([apart, *(abs(a - b) for a, b in both)])
    bound = EQUAL[engine.loaded.dtype]
    what = f"{len(ones)} questionnaires in one pass each: as item by item with no cache"
    return Check(what, apart <= bound, apart, bound)


def _batches(engine: Engine, ones: Sequence[Questionnaire], answered: Sequence[Answered]) -> Check:
    """The same answers in batches of several sizes and in another order; to the last digit where each
    questionnaire has a pass of its own."""
    order = list(range(len(ones)))
    random.Random(1).shuffle(order)
    seen = [list(answered)]
    for size in BATCHES:
        found: dict[int, Answered] = {}
        for at in range(0, len(order), size):
            some = order[at : at + size]
            found |= dict(zip(some, engine.together([ones[one] for one in some]), strict=True))
        seen.append([found[at] for at in range(len(ones))])
    apart = max(_apart(a, b) for a, b in combinations(seen, 2))
    bound = 0.0 if engine.alone else EQUAL[engine.loaded.dtype]
    what = f"batches of {', '.join(str(size) for size in BATCHES[:-1])} and {BATCHES[-1]}, shuffled: the same"
    return Check(what, apart <= bound, apart, bound)


def _apart(a: Sequence[Answered], b: Sequence[Answered]) -> float:
    """The largest difference of two probabilities of one option."""
    return max(
        abs(p - q)
        for one, other in zip(a, b, strict=True)
        for x, y in zip(one.weights, other.weights, strict=True)
        for p, q in zip(x.probabilities, y.probabilities, strict=True)
    )


def option_line(option: OptionTokens) -> str:
    """An option for a reader, as in `10  [16, 15]  "10"`."""
    begins = f"; {', '.join(map(number, option.begins))} begins so, too" if option.begins else ""
    return f"{number(option.code):>3}  {list(option.tokens)}  {option.said!r}{begins}"
