"""Models whose weights are here, on transformers and torch.

Requests that wait are answered together, by a thread of their own, so that the loop can keep what was answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from runtime.transport import Reply, Request, TransportError
from runtime.transports.local import libraries
from runtime.transports.local.engine import Answer, Engine
from runtime.transports.local.files import Files, located, version_of
from runtime.transports.local.loading import load
from schemas.plan import Model

Waiting = tuple[Request, asyncio.Future[Reply]]


class Local:
    """A transport to one model, which is loaded when it is first asked. Raises NotInstalled when made where the
    extra `local` is not installed."""

    def __init__(self, model: Model, environment: Mapping[str, str]) -> None:
        libraries.require()
        self.account = f"local {model.name}"
        self._model = model
        self._environment = environment
        self._files: Files | None = None
        self._version: str | None = None
        self._engine: Engine | None = None
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"Local({self._model.id!r} of {self._model.name})"

    def version(self) -> str:
        """The hashes of the model's files. Raises TransportError."""
        if self._version is None:
            self._version = version_of(self.files(), self._environment)
        return self._version

    def files(self) -> Files:
        """Where the model is. Raises TransportError."""
        if self._files is None:
            self._files = located(self._model)
        return self._files

    def engine(self) -> Engine:
        """The model, loaded. Raises TransportError."""
        if self._engine is None:
            version = self.version()
            self._engine = Engine(self._model, load(self._model, self.files(), self._environment), version)
        return self._engine

    async def answer(self, request: Request) -> Reply:
        """The model's reply, when its turn comes."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def close(self) -> None:
        """Ends what is under way, and lets the model go."""
        if self._engine is not None:
            self._engine.dropped.set()
        if self._working is not None:
            await asyncio.wait([self._working])
        self._engine = None

    async def _work(self) -> None:
        """Answers all that wait, a batch at a time, until none do."""
        await asyncio.sleep(0)  # those that are asked at the same moment come along
        while self._waiting:
            some, self._waiting = self._next()
            try:
                answers: list[Answer] = await asyncio.to_thread(self._answers, [one for one, _ in some])
            except TransportError as failure:
                answers = [failure] * len(some)
            except Exception as bug:
                left, self._waiting = [*some, *self._waiting], []
                _give(left, [bug] * len(left))
                return
            _give(some, answers)
            await asyncio.sleep(0)

    def _next(self) -> tuple[list[Waiting], list[Waiting]]:
        """The next batch, of requests of like length beside the one that has waited longest; and the others."""
        wanted = [one for one in self._waiting if not one[1].done()]
        if not wanted:
            return [], []
        most, length = self._engine.batch if self._engine else 1, _length(wanted[0])
        near = sorted(range(len(wanted)), key=lambda at: (abs(_length(wanted[at]) - length), at))
        taken = set(near[:most])
        return [wanted[at] for at in near[:most]], [one for at, one in enumerate(wanted) if at not in taken]

    def _answers(self, requests: list[Request]) -> list[Answer]:
        return self.engine().answers(requests)


def _length(waiting: Waiting) -> int:
    return sum(len(message.content) for message in waiting[0].messages)


def _give(some: list[Waiting], answers: Sequence[Reply | Exception]) -> None:
    for (_, future), answer in zip(some, answers, strict=True):
        if future.done():
            continue
        if isinstance(answer, Reply):
            future.set_result(answer)
        else:
            future.set_exception(answer)
