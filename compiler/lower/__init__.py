"""From a checked program to a plan: small passes, each a pure function, in order.

A pass takes a `Draft` and gives one that says more. `explain` shows what each did.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.lower.draft import Draft
from compiler.lower.estimate import estimate
from compiler.lower.expand import expand
from compiler.lower.identify import identify
from compiler.lower.permute import permute

Pass = Callable[[Draft], Draft]

PASSES: tuple[Pass, ...] = (permute, identify, expand, estimate)


def run_passes(draft: Draft) -> list[tuple[str, Draft]]:
    """Each pass's name with the draft after it; the last is the whole plan."""
    steps: list[tuple[str, Draft]] = []
    for one in PASSES:
        draft = one(draft)
        steps.append((one.__name__, draft))
    return steps
