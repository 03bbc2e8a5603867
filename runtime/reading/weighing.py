"""How probable each option was, from the token in which an item's value stands.

A token tells of an item where it holds the value whole, and the alternatives to it hold the other options. So
an option of several tokens has no probability here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.transport import Chance, Weights
from schemas.render import ShownItem

AROUND = " \t\r\n\"'`*_:;,.()[]{}"
"""What may stand about a number within its token."""


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
    if math.fsum(found) <= 0:
        return None
    return Weights.of(codes, found)


def _holds(chance: Chance, span: tuple[int, int]) -> bool:
    return chance.start <= span[0] and span[1] <= chance.start + len(chance.token)
