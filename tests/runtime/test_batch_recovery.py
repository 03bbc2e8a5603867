"""Runs by way of batches that are broken off, at any step and in any way, and gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.batch import ledger as ledger_module
from runtime.batch.ledger import BatchOut, batches_out
from runtime.batch.provider import Batch, Counts
from runtime.budget import Budget
from runtime.interrupt import Stop
from runtime.transports.batches import OpenAIBatches
from tests.runtime.asking_batches import PRICE, QUICK, REPEATS, SITUATIONS, Study, at_a_server, quick
from tests.runtime.dying import watch
from tests.runtime.server_batches import Course, Fault, Script

QUESTIONS = 2 * (SITUATIONS + 1)
TRIALS = QUESTIONS * REPEATS
FAULTS: list[Fault] = [
    {"status": 500},
    {"status": 429, "headers": {"retry-after-ms": "3"}},
    {"status": 503, "headers": {"Retry-After": "0.01"}},
    {"drop": True},
    {"lost": True},
    {"page": True},
]


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


@pytest.mark.parametrize("call", ["upload", "create", "retrieve", "content"])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_call_that_fails_is_made_again_but_no_batch_twice(tmp_path: Path, call: str, fault: Fault) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        study.judge()
        assert len(study.server.batches.batches) == 1
        uploaded = [name for name in study.server.batches.inputs if "batch" not in name]
        assert len(uploaded) == 1

    at_a_server(tmp_path, main, script=Script(faults={call: [fault, None, fault]}))


@pytest.mark.parametrize("call", ["upload", "create", "retrieve", "content"])
def test_a_call_without_a_reply_is_given_up_and_made_again(tmp_path: Path, call: str) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(deadline=0.5))).state == "finished"
        study.judge()
        assert len(study.server.batches.batches) == 1

    at_a_server(tmp_path, main, script=Script(faults={call: [{"hangs": True}]}))


def test_a_batch_whose_answers_have_no_file_yet_is_looked_at_again() -> None:
    counts = Counts(total=2, completed=2)
    late = Batch("b", "completed", request_counts=counts)
    assert late.late
    assert not msgspec.structs.replace(late, output_file_id="f").late
    assert not Batch("b", "completed", request_counts=Counts(total=2, failed=2), error_file_id="f").late
    assert not Batch("b", "finalizing", request_counts=counts).late


def test_a_batch_whose_creation_was_not_heard_of_is_found_on_a_later_page(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        for number in range(3):
            other = Study(study.folder / str(number), study.server, situations=1)
            assert (await other.run()).state == "finished"
        study.server.batches._script = script
        study.server.batches.calls.clear()
        outcome = await study.run()
        assert outcome.state == "failed"
        assert "Still, the batch ebc-" in outcome.message
        assert [ledger.batch_id for ledger in batches_out(study.journal, "run")] == [None]
        late = Study(study.folder / "late", study.server, situations=1)
        assert (await late.run()).state == "finished"
        made = len(study.server.batches.batches)
        assert (await study.run()).state == "finished"
        assert len(study.server.batches.batches) == made
        study.judge(lost=100)  # the others ask some of the same questions

    script = Script(faults={"create": [{"lost": True}], "list": [{"status": 401}]}, page=2)
    at_a_server(tmp_path, main)


def test_a_batch_that_a_list_shows_too_late_is_cancelled(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        cancelled = [batch.id for batch in study.server.batches.batches.values() if batch.cancelled]
        assert cancelled == ["batch_1"]
        assert any(
            "batch_1 was made of the same requests as batch_2, and is cancelled" in n for n in study.notes
        )

    at_a_server(tmp_path, main, script=Script(faults={"create": [{"lost": True}]}, lag=1))


def test_a_file_that_is_gone_before_its_batch_was_made_is_made_anew(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "failed"
        study.server.batches.inputs.clear()
        assert (await study.run()).state == "finished"
        assert any("Its trials are asked in another" in note for note in study.notes)
        study.judge()

    at_a_server(tmp_path, main, script=Script(faults={"create": [{"status": 500}], "list": [{"status": 401}]}))


@pytest.mark.parametrize("what", ["batch", "output"])
def test_what_the_provider_no_longer_has_is_told_with_the_way_out(tmp_path: Path, what: str) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(wait=False))).state == "running"
        if what == "batch":
            study.server.batches.batches.clear()
        else:
            study.server.batches.inputs.clear()
        outcome = await study.run()
        assert outcome.state == "failed"
        [path] = study.journal.glob("*.batch.json")
        assert f"remove {path}: its trials are then asked again" in outcome.message
        path.unlink()
        assert (await study.run()).state == "finished"

    at_a_server(tmp_path, main)


def test_a_ledger_that_cannot_be_read_stops_everything(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(wait=False))).state == "running"
        [path] = study.journal.glob("*.batch.json")
        whole = path.read_bytes()
        path.write_bytes(whole[:100])
        for batch in (True, False):
            outcome = await study.run(batch=batch)
            assert (outcome.state, outcome.fault) == ("failed", "disk")
            assert f"{path} cannot be read" in outcome.message
        path.write_bytes(whole)
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main)


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


@pytest.mark.parametrize("full", range(1, 5))
def test_a_disk_that_is_full_when_a_ledger_changes_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: int
) -> None:
    class Disk:
        """What the ledgers see of the system."""

        def __getattr__(self, name: str) -> object:
            return self.fsync if name == "fsync" else getattr(ledger_module_os, name)

        def fsync(self, file: int) -> None:
            calls.append(file)
            if len(calls) == full:
                raise OSError(28, "No space left on device")
            ledger_module_os.fsync(file)

    async def main(study: Study) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(ledger_module, "os", Disk())
            outcome = await study.run()
        assert (outcome.state, outcome.fault) == ("failed", "disk")
        assert "No space left" in outcome.message
        assert (await study.run()).state == "finished"
        study.judge()
        assert len(study.server.batches.batches) == 1

    ledger_module_os = ledger_module.os
    calls: list[int] = []
    at_a_server(tmp_path, main)


LINES = st.sampled_from(
    [
        {"status": 500, "error": {"message": "oh"}},
        {"status": 429, "error": {"message": "slow down"}},
        {"error": {"code": "batch_expired", "message": "too late"}},
    ]
)
COURSES = st.builds(
    Course,
    looks=st.integers(0, 2),
    status=st.sampled_from(["completed", "expired", "cancelled"]),
    answers=st.none() | st.integers(0, QUESTIONS),
    told=st.booleans(),
    lines=st.dictionaries(st.integers(1, QUESTIONS).map(str), LINES, max_size=4),
    doubled=st.booleans(),
    shuffled=st.booleans(),
    strange=st.lists(st.sampled_from(["{", "[]", '{"custom_id": 5}', "null"]), max_size=2).map(tuple),
)
CALLS = st.dictionaries(
    st.sampled_from(["upload", "create", "list", "retrieve", "content", "delete", "list_files"]),
    st.lists(st.none() | st.sampled_from(FAULTS), max_size=9),
    max_size=5,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(courses=st.lists(COURSES, max_size=4), calls=CALLS, requests=st.sampled_from([4, 50]))
def test_whatever_a_provider_does_every_trial_is_answered_once(
    tmp_path_factory: pytest.TempPathFactory,
    courses: list[Course],
    calls: dict[str, list[Fault | None]],
    requests: int,
) -> None:
    async def main(study: Study) -> None:
        for _ in range(12):
            if (await study.run(quick(requests=requests))).state == "finished":
                break
        study.judge()

    script = Script(faults=calls, courses=(*courses, Course()))
    at_a_server(tmp_path_factory.mktemp("any"), main, script=script)
