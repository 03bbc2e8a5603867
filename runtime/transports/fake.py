"""A scripted model, for tests and dry runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from runtime.transport import Reply, Request, TransportError

Script = Callable[[Request, int], Reply | TransportError]


def in_the_middle(request: Request, attempt: int) -> Reply:  # noqa: ARG001
    """Answers every item with the option in the middle."""
    lines = [f"{item.position}. {item.options[len(item.options) // 2].code:g}" for item in request.shown.items]
    return Reply(text="\n".join(lines), finish_reason="stop", model_version="fake")


class Fake:
    """Answers what `script` says for a request and how often it was asked before (from 0)."""

    account = "fake"

    def __init__(self, script: Script = in_the_middle) -> None:
        self._script = script
        self.asked: Counter[str] = Counter()
        self.closed = False

    async def answer(self, request: Request) -> Reply:
        """The script's reply, or its failure."""
        attempt = self.asked[request.trial_key]
        self.asked[request.trial_key] += 1
        said = self._script(request, attempt)
        if isinstance(said, TransportError):
            raise said
        return said

    async def close(self) -> None:
        """Notes that it was closed."""
        self.closed = True
