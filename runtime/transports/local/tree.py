"""What could be said, as a tree of tokens behind a prompt: what replies have in common is in it once.

In one pass each of its tokens sees the prompt and the tokens before it in its own reply alone, so that it is as
if every reply stood behind the prompt by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Step = tuple[int, int]
"""A node, and a token that may follow it. Node -1 is the end of the prompt."""


class Tree(NamedTuple):
    """Tokens that others follow, in an order in which each stands behind its parent (-1: the prompt), at its
    `depth` (0: right behind the prompt)."""

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]

    def path(self, node: int) -> tuple[int, ...]:
        """The tokens from the prompt to a node."""
        path: list[int] = []
        while node >= 0:
            path.append(self.tokens[node])
            node = self.parents[node]
        return tuple(reversed(path))


class Option(NamedTuple):
    """An option's tokens as steps, and those that lead on from it to another option."""

    steps: tuple[Step, ...]
    beyond: tuple[Step, ...]


class Grown(NamedTuple):
    """A tree, and where the options of each item stand in it."""

    tree: Tree
    items: tuple[tuple[Option, ...], ...]

    def steps(self) -> list[Step]:
        """All steps whose probabilities say how probable the options are."""
        return sorted({step for item in self.items for option in item for step in option.steps + option.beyond})


class Said(NamedTuple):
    """The replies that give one item's options, as tokens; the first `stem` of them say no option yet."""

    stem: int
    options: tuple[tuple[int, ...], ...]


def grown(items: Sequence[Said]) -> Grown:
    """The tree of all items' replies."""
    children: list[dict[int, int]] = [{}]
    for item in items:
        for option in item.options:
            at = 0
            for token in option:
                if token not in children[at]:
                    children[at][token] = len(children)
                    children.append({})
                at = children[at][token]
    inner = {node: -1 + order for order, node in enumerate(one for one, below in enumerate(children) if below)}
    tokens: dict[int, int] = {}
    parents: dict[int, int] = {}
    depths: dict[int, int] = {-1: -1}
    for node, below in enumerate(children):
        for token, child in below.items():
            if child in inner:
                tokens[inner[child]], parents[inner[child]] = token, inner[node]
                depths[inner[child]] = depths[inner[node]] + 1
    order = range(len(inner) - 1)
    tree = Tree(*(tuple(of[node] for node in order) for of in (tokens, parents, depths)))
    return Grown(tree, tuple(_options(item, children, inner) for item in items))


def _options(item: Said, children: list[dict[int, int]], inner: dict[int, int]) -> tuple[Option, ...]:
    options = []
    for tokens in item.options:
        at, steps = 0, list[Step]()
        for token in tokens:
            steps.append((inner[at], token))
            at = children[at][token]
        beyond = tuple((inner[at], token) for token in children[at])
        options.append(Option(tuple(steps[item.stem :]), beyond))
    return tuple(options)


def common(sequences: Sequence[Sequence[int]]) -> int:
    """How many first tokens all have in common."""
    shortest = min(map(len, sequences))
    different = (at for at in range(shortest) if len({sequence[at] for sequence in sequences}) > 1)
    return next(different, shortest)
