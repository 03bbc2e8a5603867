"""Asking a transport that takes two seconds a reply, in time of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from runtime.account import Account, declared_limits
from runtime.asking import Asking
from runtime.budget import Budget
from runtime.flights import Settings, settings_for
from runtime.folding import Due
from runtime.interrupt import Stop
from runtime.panel import Panel
from runtime.progress import Silent, Standing
from runtime.stated import Stated
from runtime.transport import Reply, Request
from runtime.transports.fake import Fake, in_the_middle
from schemas.plan import Model
from schemas.rows import Answered
from tests.runtime.clock import run_in_own_time
from tests.runtime.plans import plan, trials

LATENCY = 2.0


class Slow(Fake):
    """Takes two seconds a reply, keeps when each was asked, and says what is in flight then."""

    def __init__(self, limits: Stated | None = None) -> None:
        super().__init__()
        self.times: list[float] = []
        self.order: list[str] = []
        self.limits = limits
        self.busy = self.busiest = 0

    async def answer(self, request: Request) -> Reply:
        """A reply with its tokens."""
        self.times.append(asyncio.get_running_loop().time() - 1000)
        self.order.append(request.trial_key)
        number = len(self.order) - 1
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            await asyncio.sleep(LATENCY)
            reply = self.reply(request, number)
        finally:
            self.busy -= 1
        return msgspec.structs.replace(reply, limits=self.limits)

    def reply(self, request: Request, number: int) -> Reply:  # noqa: ARG002
        """The reply to the request of this number, or its failure."""
        return msgspec.structs.replace(in_the_middle(request, 0), tokens_in=100, tokens_out=20)


class Run:
    """`count` trials asked of a transport, with nothing kept on a disk."""

    def __init__(
        self,
        transport: Slow,
        who: Model,
        situations: int = 49,
        settings: Settings = Settings(),  # noqa: B008
        budget: Budget | None = None,
    ) -> None:
        self.rows: list[Answered] = []
        self.seconds = 0.0
        self.standings: list[Standing] = []
        self.planned = trials(plan(situations, who))
        self.transport = transport
        run_in_own_time(self._main(who, plan(situations, who), settings_for(who, settings), budget or Budget()))

    async def _main(self, who: Model, of: object, settings: Settings, budget: Budget) -> None:
        loop = asyncio.get_running_loop()
        settings = msgspec.structs.replace(settings, clock=loop.time, chance=lambda: 0.5)
        account = Account(settings.max_connections)
        account.declare(declared_limits(who), loop.time())
        work = iter([Due(trial, 0) for trial in self.planned])
        panel = Panel(of, who, "run")  # type: ignore[arg-type]
        self.asking = Asking(
            work, panel, self.transport, settings, account, budget, self._keep, Silent(), Stop()
        )
        began = loop.time()
        await self.asking.run()
        self.seconds = loop.time() - began

    def _keep(self, rows: Sequence[Answered]) -> None:
        self.rows += rows
        self.standings.append(self.asking.standing())


def busiest_minute(times: list[float]) -> int:
    return max(sum(start <= at < start + 60 for at in times) for start in times)
