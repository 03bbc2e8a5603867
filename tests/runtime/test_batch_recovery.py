"""Runs by way of batches that are broken off, at any step and in any way, and gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from runtime.batch.ledger import BatchOut
from runtime.batch.provider import Batch, Counts
from runtime.budget import Budget
from runtime.interrupt import Stop
from runtime.transports.batches import OpenAIBatches
from tests.runtime.asking_batches import PRICE, QUICK, REPEATS, SITUATIONS, Study, at_a_server, quick
from tests.runtime.dying import watch
from tests.runtime.server_batches import Course

QUESTIONS = 2 * (SITUATIONS + 1)
TRIALS = QUESTIONS * REPEATS


class Died(BaseException):
    """The process ends here."""


@contextmanager
def dying(at: int) -> Iterator[list[str]]:
    """Lets the run die at a step, counted over all kinds of them; gives the steps that it came to."""
    seen: list[str] = []

    def reached(step: str) -> None:
        seen.append(step)
        if len(seen) == at + 1:
            raise Died

    with pytest.MonkeyPatch.context() as patch:
        watch(reached, patch.setattr)
        yield seen


def test_a_run_that_ends_at_any_step_is_gone_on_with(tmp_path: Path) -> None:
    """Two batches, the second of which is created while the first is out; each step of theirs is the last
    once."""

    async def main(study: Study) -> list[str]:
        with dying(at) as seen, suppress(Died):
            await study.run(quick(requests=6))
        assert (await study.run(quick(requests=6))).state == "finished"
        study.judge()
        assert len(study.server.batches.batches) == 2
        return seen

    moments: list[str] = []
    while True:
        at = len(moments)
        steps = at_a_server(tmp_path / str(at), main, Course(shuffled=True))
        if len(steps) <= at:  # it came to its end
            break
        moments.append(steps[at])
    assert {"after create", "before save", "after keep", "before flush", "after remove"} <= set(moments)
    assert len(moments) > 40


def test_a_batch_whose_answers_have_no_file_yet_is_looked_at_again() -> None:
    counts = Counts(total=2, completed=2)
    late = Batch("b", "completed", request_counts=counts)
    assert late.late
    assert not msgspec.structs.replace(late, output_file_id="f").late
    assert not Batch("b", "completed", request_counts=Counts(total=2, failed=2), error_file_id="f").late
    assert not Batch("b", "finalizing", request_counts=counts).late


def test_a_live_run_leaves_alone_what_is_out(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        part = msgspec.structs.replace(quick(wait=False), limit=2 * REPEATS)
        assert (await study.run(part)).state == "running"
        with pytest.raises(BatchOut, match=r"6 trials of m are out in a batch .batch_1.: collect it first"):
            await study.run(batch=False)
        assert study.server.bodies == []
        collected = await study.run(msgspec.structs.replace(QUICK, limit=2 * REPEATS))
        assert (collected.state, collected.asked) == ("incomplete", 2 * REPEATS)
        live = await study.run(batch=False)
        assert (live.state, live.kept) == ("finished", 2 * REPEATS)
        study.judge()

    at_a_server(tmp_path, main)


def test_ctrl_c_stops_waiting_and_the_same_command_collects(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        stop = Stop()
        run = asyncio.ensure_future(study.run(stop=stop))
        while study.server.batches.calls["retrieve"] < 3:
            await asyncio.sleep(0)
        stop.ask()
        outcome = await run
        assert (outcome.state, outcome.left) == ("interrupted", TRIALS)
        assert outcome.message == (
            f"Interrupted: the batch batch_1 goes on at the provider, with {TRIALS} trials; "
            "the same command collects what comes."
        )
        assert study.sink.run("run").state == "interrupted"
        [batch] = study.server.batches.batches.values()
        batch.looks = 1_000_000_000
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main, Course(looks=1_000_000))


def test_a_second_ctrl_c_drops_a_call_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(*arguments: object) -> None:
        hanging.set()
        await asyncio.Event().wait()

    async def main(study: Study) -> None:
        stop = Stop()
        with monkeypatch.context() as patch:
            patch.setattr(OpenAIBatches, "create", hangs)
            run = asyncio.ensure_future(study.run(stop=stop))
            await hanging.wait()
            stop.ask()
            stop.ask()
            assert (await run).state == "interrupted"
        assert (await study.run()).state == "finished"
        study.judge()

    hanging = asyncio.Event()
    at_a_server(tmp_path, main)


def test_what_is_out_counts_in_the_budget_of_who_collects_it(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(wait=False), budget=Budget(requests=4))).state == "running"
        outcome = await study.run(budget=Budget(requests=6))
        assert (outcome.state, outcome.asked) == ("incomplete", 6 * REPEATS)
        assert [batch.total for batch in study.server.batches.batches.values()] == [4, 2]

    at_a_server(tmp_path, main, price=PRICE)


def test_a_batch_at_another_address_is_waited_for_there(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(wait=False))).state == "running"
        here = study.who
        study.who = msgspec.structs.replace(here, settings={"base_url": "http://127.0.0.1:9/v1"})
        outcome = await study.run()
        assert outcome.state == "failed"
        assert "set the address back until it is collected" in outcome.message
        study.who = here
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main)
