"""Simulated respondents with a stated effect: a study runs, and its analysis can be checked, without a model.

Settings of the model, each optional: `seed`; `baseline` and `effect`, a number for `"SCALE.subscale"`: the
mean of an item before, and how many points it moves when a situation was presented; `spread`, the standard
deviation of an item; `refuse`, the share of replies that are refusals.
"""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import assert_never

from runtime.transport import Rejected, Reply, Request
from schemas.plan import (
    Arithmetic,
    Call,
    Comparison,
    Expression,
    ItemValue,
    KeyValue,
    Model,
    Number,
    Scale,
)
from schemas.render import ShownItem, number

SPREAD = 0.7
REFUSAL = "I'm sorry, but as an AI I have no feelings, so I can't rate these."


class Simulated:
    """Draws every reply from (seed, trial key) alone, so that the order of asking changes nothing."""

    account = "simulated"

    async def answer(self, request: Request) -> Reply:
        """A reply in lines such as "1. 3", in the order shown. Raises Rejected where a setting makes
        no sense."""
        random = _random(request)
        refuses = random.random() < _rate(request.model)
        text = REFUSAL if refuses else "\n".join(_lines(request, random))
        asked = sum(len(message.content) for message in request.messages)
        return Reply(
            text=text,
            finish_reason="stop",
            tokens_in=asked // 4,
            tokens_out=len(text) // 4,
            model_version="simulated",
        )

    async def close(self) -> None:
        """Has nothing to end."""


def _random(request: Request) -> Random:
    seed = request.model.settings.get("seed", 0)
    digest = blake2b(f"{seed}\x1f{request.trial_key}".encode(), digest_size=16).digest()
    return Random(int.from_bytes(digest, "big"))


def _lines(request: Request, random: Random) -> list[str]:
    model = request.model
    spread = _number(model, "spread", model.settings.get("spread", SPREAD))
    baseline, effect = _table(model, "baseline", request.scale), _table(model, "effect", request.scale)
    where = {item: f"{request.scale.id}.{subscale}" for item, subscale in _subscale_of(request.scale).items()}
    reverse = {item.number for item in request.scale.items if item.reverse}
    lines = []
    for item in request.shown.items:
        low, high = min(o.code for o in item.options), max(o.code for o in item.options)
        subscale = where.get(item.number, "")
        mean = baseline.get(subscale, low + (high - low) / 3)
        if request.stimulus is not None:
            mean += effect.get(subscale, 0.0)
        felt = random.gauss(mean, spread)
        drawn = low + high - felt if item.number in reverse else felt
        lines.append(f"{item.position}. {number(_nearest(item, drawn))}")
    return lines


def _nearest(item: ShownItem, value: float) -> float:
    return min((option.code for option in item.options), key=lambda code: (abs(code - value), code))


def _subscale_of(scale: Scale) -> dict[int, str]:
    """The first subscale that an item counts for."""
    found: dict[int, str] = {}
    for subscale in scale.subscales:
        for item in _items(subscale.score):
            found.setdefault(item, subscale.id)
    return found


def _items(expression: Expression) -> list[int]:
    match expression:
        case Number() | KeyValue():
            return []
        case ItemValue(item):
            return [item]
        case Call(_, arguments):
            return [item for argument in arguments for item in _items(argument)]
        case Arithmetic(_, left, right) | Comparison(_, left, right):
            return _items(left) + _items(right)
        case _:
            assert_never(expression)


def _rate(model: Model) -> float:
    rate = _number(model, "refuse", model.settings.get("refuse", 0.0))
    if not 0 <= rate <= 1:
        raise Rejected(f"model {model.id}: refuse is {rate:g}; it is a share, from 0 to 1")
    return rate


def _table(model: Model, name: str, scale: Scale) -> dict[str, float]:
    value = model.settings.get(name, {})
    if not isinstance(value, dict):
        raise Rejected(f'model {model.id}: {name} must name subscales, as in {name} {{ "PANAS.negative" 1.5 }}')
    known = {f"{scale.id}.{subscale.id}" for subscale in scale.subscales}
    for key in value:
        if key.startswith(f"{scale.id}.") and key not in known:
            raise Rejected(f"model {model.id}: {name} names {key}; there are {', '.join(sorted(known))}")
    return {key: _number(model, f"{name} of {key}", one) for key, one in value.items()}


def _number(model: Model, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Rejected(f"model {model.id}: {name} is {value!r}; it must be a number")
    return float(value)
