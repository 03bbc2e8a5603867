"""Providers and disks that fail while batches are out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.batch import ledger as ledger_module
from runtime.batch.ledger import batches_out
from tests.runtime.asking_batches import SITUATIONS, Study, at_a_server, quick
from tests.runtime.server_batches import Course, Fault, Script

QUESTIONS = 2 * (SITUATIONS + 1)
FAULTS: list[Fault] = [
    {"status": 500},
    {"status": 429, "headers": {"retry-after-ms": "3"}},
    {"status": 503, "headers": {"Retry-After": "0.01"}},
    {"drop": True},
    {"lost": True},
    {"page": True},
]


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
