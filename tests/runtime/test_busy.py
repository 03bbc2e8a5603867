"""Providers that are too busy, for minutes on end: nothing is lost, and no run goes on for ever."""

from __future__ import annotations

import asyncio
from collections import Counter

from runtime.transport import QuotaExhausted, RateLimited, Reply, Request
from tests.runtime.asking_slowly import Run, Slow
from tests.runtime.plans import model


class Busy(Slow):
    """Turns everything away for so many seconds, and names no time to come back."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def reply(self, request: Request, number: int) -> Reply:
        if asyncio.get_running_loop().time() - 1000 < self.seconds:
            raise RateLimited("slow down", status=429)
        return super().reply(request, number)


def test_a_provider_that_is_busy_for_ten_minutes_costs_no_trial() -> None:
    run = Run(Busy(600.0), model(), situations=149)
    assert run.asking.fault is None
    assert [row.response.status for row in run.rows] == ["complete"] * len(run.planned)
    assert run.seconds < 720


def test_a_provider_that_stays_busy_ends_the_run() -> None:
    run = Run(Busy(1e9), model(), situations=149)
    assert isinstance(run.asking.fault, QuotaExhausted)
    assert "turned away for 15 minutes (slow down)" in run.asking.fault.message
    assert {row.response.status for row in run.rows} == {"error"}
    assert len(run.rows) < 100
    assert 900 < run.seconds < 1200


def test_a_request_that_alone_is_turned_away_holds_nothing_up() -> None:
    class TooLarge(Slow):
        def reply(self, request: Request, number: int) -> Reply:
            if request.stimulus and request.stimulus.id.endswith(".7"):
                raise RateLimited("too large for your limit of tokens a minute", status=429)
            return super().reply(request, number)

    run = Run(TooLarge(), model(), situations=149)
    assert run.asking.fault is None
    statuses = Counter(row.response.status for row in run.rows)
    assert statuses == {"complete": len(run.planned) - statuses["error"], "error": statuses["error"]}
    assert 0 < statuses["error"] < 10
    assert 900 < run.seconds < 1200
