"""Asking in its own time: limits a minute, waits, cuts, order, budgets, and transports that do not end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
import pytest

from runtime.budget import Budget
from runtime.flights import Settings
from runtime.stated import Quota
from runtime.transport import ConnectionFault, QuotaExhausted, RateLimited, Reply, Request, ServerFault
from schemas.plan import Price
from tests.runtime.asking_slowly import LATENCY, Run, Slow, busiest_minute
from tests.runtime.plans import model


def test_requests_a_minute_are_kept_to_and_used_up() -> None:
    run = Run(Slow(), model(requests_per_minute=30), situations=99)
    assert len(run.rows) == len(run.transport.times) == 200
    assert busiest_minute(run.transport.times) <= 31
    assert 199 * 2 <= run.seconds <= 199 * 2 + LATENCY + 1
    assert run.transport.busiest <= 2
    assert "requests a minute: 30, as the spec says" in {one.why for one in run.standings}


def test_tokens_a_minute_are_kept_to_once_replies_show_their_size() -> None:
    run = Run(Slow(), model(tokens_per_minute=6000), situations=99)
    assert len(run.rows) == 200
    later = [at for at in run.transport.times if at > 60]
    assert busiest_minute(later) <= 51  # of 120 tokens each
    assert run.seconds == pytest.approx(200 * 120 / 100, rel=0.1)


def test_limits_that_replies_state_are_kept_to() -> None:
    class Limited(Slow):
        """A real token bucket of 60 requests a minute, 20 of them at once; more is refused."""

        level, at, refused = 20.0, 1000.0, 0

        async def answer(self, request: Request) -> Reply:
            now = asyncio.get_running_loop().time()
            self.level = min(20.0, self.level + now - self.at)
            self.at = now
            if self.level < 1:
                self.refused += 1
                raise RateLimited("too many", status=429)
            self.level -= 1
            left = Quota(20, float(int(self.level)), 20 - self.level)
            return msgspec.structs.replace(await super().answer(request), limits={"requests": left})

    transport = Limited()
    run = Run(transport, model(), situations=99, settings=Settings(max_connections=64))
    assert (len(run.rows), run.asking.fault) == (200, None)
    assert transport.refused <= 3
    assert run.seconds <= 180 + 20
    assert any("as the provider says" in one.why for one in run.standings)


def test_a_stated_wait_holds_everything_and_an_episode_cuts_once() -> None:
    class Stormy(Slow):
        def reply(self, request: Request, number: int) -> Reply:
            if 60 <= number < 76:
                raise RateLimited("slow down", status=429, retry_after=30.0)
            return super().reply(request, number)

    run = Run(Stormy(), model(), situations=149)
    times = run.transport.times
    stopped = times[60] + LATENCY
    assert not [at for at in times if stopped < at < stopped + 29.9]
    assert {row.response.status for row in run.rows} == {"complete"}
    assert len(run.rows) == len(run.planned)
    before = max(one.limit for one in run.standings)
    assert min(one.limit for one in run.standings[-100:]) >= before // 2 - 1
    assert any("cut by a 429" in one.why for one in run.standings)


def test_a_used_up_quota_stops_where_a_limit_waits() -> None:
    class Empty(Slow):
        def reply(self, request: Request, number: int) -> Reply:
            if number >= 20:
                raise QuotaExhausted("nothing left", status=429)
            return super().reply(request, number)

    run = Run(Empty(), model())
    assert str(run.asking.fault) == "nothing left"
    assert len(run.rows) == 20
    assert len(run.transport.times) < len(run.planned)


def test_a_limit_that_opens_tomorrow_stops_the_run() -> None:
    run = Run(Slow({"requests": Quota(1000, 0, 86_400.0 * 1000)}), model())
    assert "its limits allow nothing more before" in str(run.asking.fault)
    assert len(run.rows) < 10


def test_trials_that_share_a_prefix_go_out_together_and_a_retry_moves_alone() -> None:
    class Failing(Slow):
        def reply(self, request: Request, number: int) -> Reply:
            if number == 30:
                raise ServerFault("500", status=500)
            return super().reply(request, number)

    run = Run(Slow(), model())
    keys = [trial.trial_key for trial in run.planned]
    assert run.transport.order == keys
    again = Run(Failing(), model())
    assert again.transport.order.count(keys[30]) == 2
    order = [key for at, key in enumerate(again.transport.order) if key != keys[30] or at == 30]
    assert order == keys


class Deaf(Slow):
    """Neither answers its fifth request nor lets it be cancelled."""

    came = 0

    async def answer(self, request: Request) -> Reply:
        self.came += 1
        deaf = self.came == 5
        while deaf:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        return await super().answer(request)


def test_a_transport_that_cannot_be_ended_is_left_behind() -> None:
    run = Run(Deaf(), model(), settings=Settings(deadline=50.0, grace=5.0))
    assert run.asking.fault is None
    assert len({row.response.trial for row in run.rows}) == len(run.rows) == len(run.planned)
    assert {row.response.status for row in run.rows} == {"complete"}
    assert 55 <= run.seconds <= 60


def test_a_model_has_its_own_deadline() -> None:
    run = Run(Slow(), model(timeout=1.0), situations=0)
    assert {row.response.error for row in run.rows} == {"no reply within 1 s"}


PRICED = msgspec.structs.replace(model(), price=Price(input=10.0, output=100.0))
EACH = (100 * 10 + 20 * 100) / 1e6


def test_a_budget_of_requests_is_used_to_the_last() -> None:
    run = Run(Slow(), model(), budget=Budget(requests=17))
    assert (len(run.transport.times), len(run.rows), run.asking.out_of_budget) == (17, 17, True)


@pytest.mark.parametrize("dollars", [0.0001, 0.02, 0.05, 0.1, 0.2])
def test_a_budget_of_dollars_is_never_passed(dollars: float) -> None:
    run = Run(Slow(), PRICED, budget=Budget(dollars))
    spent = sum(row.response.cost or 0.0 for row in run.rows)
    assert spent == pytest.approx(len(run.rows) * EACH)
    assert spent <= dollars
    assert run.asking.out_of_budget
    assert spent >= dollars - 3 * EACH or dollars < 0.05


def test_a_reply_that_was_lost_counts_as_paid() -> None:
    class Losing(Slow):
        lost = 0

        def reply(self, request: Request, number: int) -> Reply:
            if number % 2:
                self.lost += 1
                raise ConnectionFault("it broke")
            return super().reply(request, number)

    transport = Losing()
    run = Run(transport, PRICED, budget=Budget(0.1))
    assert run.asking.out_of_budget
    assert 0 < len(run.rows) * EACH <= 0.1 - transport.lost * EACH


def test_retries_count_as_requests() -> None:
    class Failing(Slow):
        def reply(self, request: Request, number: int) -> Reply:
            if number % 2:
                raise ServerFault("500", status=500)
            return super().reply(request, number)

    run = Run(Failing(), model(), budget=Budget(requests=40))
    assert (len(run.transport.times), run.asking.out_of_budget) == (40, True)
    assert len(run.rows) == 20


def test_what_is_left_and_what_it_would_cost_is_said() -> None:
    budget = Budget(dollars=0.1, requests=3)
    for _ in range(3):
        assert budget.bears(0.01)
        budget.reserve(0.01)
        budget.settle(0.01, 0.005, 1)
    assert not budget.bears(0.01)
    assert budget.why_spent(1200, None) == (
        "the 3 requests of --max-requests are used up. 1,200 trials have no answer yet, and would cost about "
        "$6.0000; run the same command again to go on, with a new budget."
    )
    assert "$0.0150 of $0.1000 are spent" in Budget(dollars=0.1).why_spent(1, 0.2).replace("$0.0000", "$0.0150")
