"""The pass that draws the item orders."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import msgspec

from compiler.lower.draft import Draft
from schemas.plan import Scale


def permute(draft: Draft) -> Draft:
    """Writes every order that the study asks for into its scales. Order 0 is the scale's own; order k is a
    permutation drawn from (seed, scale, k) alone, so that nothing else in a study moves it."""
    study = draft.plan.study
    last = max(study.orders)
    scales = tuple(
        msgspec.structs.replace(
            scale, orders=tuple(order_of(scale, study.seed, number) for number in range(last + 1))
        )
        for scale in draft.plan.scales
    )
    return replace(draft, plan=msgspec.structs.replace(draft.plan, scales=scales))


def order_of(scale: Scale, seed: int, number: int) -> tuple[int, ...]:
    """The item numbers of `scale` in order `number`."""
    numbers = [item.number for item in scale.items]
    if number == 0:
        return tuple(numbers)
    stream = _words(f"{seed}\0{scale.id}\0{number}")
    for last in range(len(numbers) - 1, 0, -1):  # Fisher and Yates
        other = _below(last + 1, stream)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return tuple(numbers)


class _words:
    """An endless stream of 64-bit words, the same on every machine: blake2b of a name and a counter."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def __next__(self) -> int:
        digest = hashlib.blake2b(f"{self._name}\0{self._count}".encode(), digest_size=8).digest()
        self._count += 1
        return int.from_bytes(digest, "big")


def _below(limit: int, stream: _words) -> int:
    """A whole number from 0 to `limit` - 1, each equally likely (the uneven rest is drawn again)."""
    fair = 2**64 - 2**64 % limit
    while True:
        word = next(stream)
        if word < fair:
            return word % limit
