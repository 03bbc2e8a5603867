"""The steps of a run by way of batches, at each of which a process may end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from runtime import keeping
from runtime.batch.ledger import Ledgers
from runtime.keeping import Keeper
from runtime.transports.batches import OpenAIBatches

STEPS: list[tuple[Any, str]] = [
    *[(OpenAIBatches, name) for name in ("upload", "create", "look", "download")],
    *[(Ledgers, name) for name in ("save", "remove")],
    *[(Keeper, name) for name in ("keep", "flush")],
    (keeping, "fold"),
]


def watch(reached: Callable[[str], None], replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Calls `reached` before and after each step, with its name: "before upload"."""
    for owner, name in STEPS:
        replace(owner, name, _watched(getattr(owner, name), name, reached))


def _watched(method: Any, name: str, reached: Callable[[str], None]) -> Any:
    async def later(*arguments: Any, **named: Any) -> Any:
        reached(f"before {name}")
        result = await method(*arguments, **named)
        reached(f"after {name}")
        return result

    def now(*arguments: Any, **named: Any) -> Any:
        reached(f"before {name}")
        result = method(*arguments, **named)
        reached(f"after {name}")
        return result

    return later if asyncio.iscoroutinefunction(method) else now
