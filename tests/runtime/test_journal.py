"""The journal: durable, whole, never read wrongly."""

from __future__ import annotations

import errno
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from runtime import journal as journal_module
from runtime.journal import Journal, JournalFault, fold, segments
from runtime.lock import RunBusy, held
from runtime.runs import response_id, run_id, trial_id
from schemas.rows import Answered, ResponseRow
from tests.runtime.plans import FileSink

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def record(number: int) -> Answered:
    trial = trial_id("run", str(number))
    response = ResponseRow(
        response=response_id(trial, 0),
        trial=trial,
        run="run",
        attempt=0,
        source="live",
        text=f"réponse {number}\n\u2028",
        reasoning=None,
        status="complete",
        finish_reason="stop",
        tokens_in=1,
        tokens_out=1,
        tokens_cached=None,
        cost=None,
        latency=0.1,
        model_version=None,
        request_sent=None,
        error=None,
        asked=NOW,
        answered=NOW,
    )
    return Answered(response, ())


class Watch:
    """What a journal reports."""

    def __init__(self) -> None:
        self.durable: list[Answered] = []
        self.faults: list[JournalFault] = []
        self.heard = threading.Event()

    def on_durable(self, group: list[Answered]) -> None:
        self.durable += group
        self.heard.set()

    def on_fault(self, fault: JournalFault) -> None:
        self.faults.append(fault)
        self.heard.set()


def opened(folder: Path) -> tuple[Journal, Watch]:
    watch = Watch()
    return Journal(folder, "run", 0, watch.on_durable, watch.on_fault), watch


def folded(folder: Path, sink: FileSink) -> list[str]:
    notes: list[str] = []
    for segment in segments(folder, "run"):
        fold(segment, sink, notes.append)
    return notes


def test_records_become_durable_without_being_waited_for(tmp_path: Path) -> None:
    journal, watch = opened(tmp_path)
    records = [record(number) for number in range(250)]
    journal.append(records[0])
    assert watch.heard.wait(10)
    for one in records[1:]:
        journal.append(one)
    journal.close()
    assert watch.durable == records
    assert watch.faults == []


def test_a_segment_becomes_a_part_once(tmp_path: Path) -> None:
    journal, _ = opened(tmp_path)
    records = [record(number) for number in range(5)]
    for one in records[:3]:
        journal.append(one)
    first = journal.roll()
    for one in records[3:]:
        journal.append(one)
    last = journal.close()
    assert last.part > first.part
    sink = FileSink(tmp_path / "sink")
    content = first.path.read_bytes()
    assert folded(tmp_path, sink) == []
    assert sink.answers() == records
    assert segments(tmp_path, "run") == []
    first.path.write_bytes(content)  # as if the process had died between the part and the removal
    assert folded(tmp_path, sink) == []
    assert sink.answers() == records


def test_an_empty_segment_leaves_no_part(tmp_path: Path) -> None:
    journal, _ = opened(tmp_path)
    journal.close()
    sink = FileSink(tmp_path / "sink")
    folded(tmp_path, sink)
    assert list(sink.folder.glob("part.*")) == []


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_torn_tail_is_left_out(tmp_path: Path, cut: int) -> None:
    journal, _ = opened(tmp_path)
    records = [record(number) for number in range(4)]
    for one in records:
        journal.append(one)
    segment = journal.close()
    segment.path.write_bytes(segment.path.read_bytes()[:-cut])
    sink = FileSink(tmp_path / "sink")
    assert folded(tmp_path, sink) == []
    assert sink.answers() == records[:3]


def test_a_damaged_line_is_reported_and_kept(tmp_path: Path) -> None:
    journal, _ = opened(tmp_path)
    for number in range(3):
        journal.append(record(number))
    segment = journal.close()
    lines = segment.path.read_bytes().splitlines(keepends=True)
    lines[1] = b"\x00\xff" + lines[1][2:]
    segment.path.write_bytes(b"".join(lines))
    sink = FileSink(tmp_path / "sink")
    notes = folded(tmp_path, sink)
    assert len(notes) == 1
    assert "line 2" in notes[0]
    assert sink.answers() == [record(0), record(2)]
    assert len(list(tmp_path.glob("*.damaged"))) == 1


def test_short_writes_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, _ = opened(tmp_path)
    write = os.write
    monkeypatch.setattr(journal_module.os, "write", lambda file, data: write(file, bytes(data)[:7]))
    journal.append(record(1))
    monkeypatch.undo()
    segment = journal.close()
    sink = FileSink(tmp_path / "sink")
    fold(segment, sink, lambda _: None)
    assert sink.answers() == [record(1)]


def test_a_full_disk_leaves_only_whole_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, _ = opened(tmp_path)
    journal.append(record(1))
    write = os.write
    left = iter([20])

    def full(file: int, data: bytes) -> int:
        room = next(left, 0)
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, bytes(data)[:room])

    monkeypatch.setattr(journal_module.os, "write", full)
    with pytest.raises(JournalFault, match="No space left"):
        journal.append(record(2))
    monkeypatch.undo()
    segment = journal.close()
    sink = FileSink(tmp_path / "sink")
    fold(segment, sink, lambda _: None)
    assert sink.answers() == [record(1)]


def test_a_failing_sync_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, watch = opened(tmp_path)

    def fail(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(journal_module.os, "fsync", fail)
    journal.append(record(1))
    assert watch.heard.wait(10)
    monkeypatch.undo()
    journal.close()
    assert watch.durable == []
    assert len(watch.faults) == 1


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed here")
def test_a_removed_journal_is_a_fault(tmp_path: Path) -> None:
    journal, watch = opened(tmp_path)
    for segment in segments(tmp_path, "run"):
        segment.path.unlink()
    journal.append(record(1))
    assert watch.heard.wait(10)
    journal.close()
    assert watch.durable == []
    assert "removed" in str(watch.faults[0])


def test_a_run_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    with held(tmp_path, "run"):
        with pytest.raises(RunBusy, match=rf"Process {os.getpid()} on .* is working on this run"):
            held(tmp_path, "run").__enter__()
        with held(tmp_path, "other"):
            pass
    with held(tmp_path, "run"):
        pass


def test_ids_are_the_same_everywhere() -> None:
    assert run_id("anger", "gpt", 0) == run_id("anger", "gpt", 0)
    different = {run_id("a", "b", 0), run_id("a", "b", 1), run_id("ab", "", 0), run_id("", "ab", 0)}
    assert len(different) == 4
    assert all(len(one) == 32 for one in different)
