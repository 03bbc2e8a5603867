"""How probable each option was, from the token in which an item's value stands.

A token tells of an item where it holds the value whole, and the alternatives to it hold the other options. So
an option of several tokens has no probability here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from runtime.transport import Chance
from schemas.render import ShownItem

AROUND = " \t\r\n\"'`*_:;,.()[]{}"
"""What may stand about a number within its token."""


class Weights(msgspec.Struct, frozen=True):
    """`probabilities` of the options, in their order, add up to 1. `value`: the code of the most probable one,
    the first of several; `expected`: the mean code. `off_scale_mass`: the probability that fell on no option;
    what was not among the alternatives counts to it."""

    probabilities: tuple[float, ...]
    value: float
    expected: float
    off_scale_mass: float


def weights(item: ShownItem, span: tuple[int, int], chances: Sequence[Chance]) -> Weights | None:
    """The options' probabilities at the place of a value, None where they cannot be told."""
    chance = next((one for one in chances if _holds(one, span)), None)
    if chance is None:
        return None
    masses: dict[str, float] = {}
    for token, logarithm in chance.alternatives:
        said = token.strip(AROUND)
        masses[said] = masses.get(said, 0.0) + math.exp(logarithm)
    codes = [option.code for option in item.options]
    said_as = [f"{code:g}" for code in codes]
    longer = [one for one in said_as if any(one != other and one.startswith(other) for other in said_as)]
    if not masses.keys() >= set(longer):
        return None  # the shorter one's token may be the beginning of the longer one
    found = [masses.get(said, 0.0) for said in said_as]
    whole = math.fsum(found)
    if whole <= 0:
        return None
    shares = tuple(mass / whole for mass in found)
    value = codes[shares.index(max(shares))]
    expected = math.fsum(share * code for share, code in zip(shares, codes, strict=True))
    return Weights(shares, value, expected, max(0.0, 1.0 - whole))


def _holds(chance: Chance, span: tuple[int, int]) -> bool:
    return chance.start <= span[0] and span[1] <= chance.start + len(chance.token)
