"""A run that is stopped, by its user, by a disk or by a transport that does not end, loses nothing."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from runtime import journal as journal_module
from runtime.flights import Settings
from runtime.retry import RetryPolicy
from runtime.transport import Rejected, Reply, Request
from runtime.transports.fake import Fake
from schemas.rows import Answered
from tests.runtime.plans import FileSink
from tests.runtime.scripted import Study


class Pressing(Fake):
    """At the tenth question the user presses Ctrl-C so many times. What is in flight then is answered if the
    user presses once, and never otherwise."""

    def __init__(self, presses: int) -> None:
        super().__init__()
        self.presses = presses
        self.finished = 0
        self.pressed = asyncio.Event()

    async def answer(self, request: Request) -> Reply:
        number = sum(self.asked.values())
        reply = await super().answer(request)
        if number == 9:
            for _ in range(self.presses):
                signal.raise_signal(signal.SIGINT)
            if self.presses == 1:
                self.pressed.set()
        if number >= 9:
            await self.pressed.wait()
            for _ in range(20):
                await asyncio.sleep(0)
        self.finished += 1
        return reply


@pytest.mark.parametrize("presses", [1, 2])
def test_an_interrupt_keeps_what_was_answered(tmp_path: Path, presses: int) -> None:
    study = Study(tmp_path, situations=100)
    before = signal.getsignal(signal.SIGINT)
    transport = Pressing(presses)
    outcome = study.run(transport)
    assert signal.getsignal(signal.SIGINT) == before
    assert (outcome.state, study.sink.run("run").state) == ("interrupted", "interrupted")
    assert outcome.asked == transport.finished == len(study.sink.answers())
    asked = sum(transport.asked.values())
    assert asked < len(study.trials)
    assert (transport.finished == asked) == (presses == 1)
    assert study.run().state == "finished"
    assert {one.response.trial for one in study.sink.answers()} == study.trial_ids()
    assert len(study.sink.answers()) == len(study.trials)


def full_after(writes: int) -> Callable[[int, bytes], int]:
    """`os.write` on a disk that fills up."""
    write, done = os.write, iter(range(writes))

    def limited(file: int, data: bytes) -> int:
        if next(done, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    return limited


def test_a_full_disk_stops_the_run_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study(tmp_path, situations=100)
    transport = Fake()
    monkeypatch.setattr(journal_module.os, "write", full_after(20))
    outcome = study.run(transport, Settings(max_connections=4))
    monkeypatch.undo()
    assert (outcome.state, outcome.fault) == ("failed", "disk")
    assert "No space left" in outcome.message
    assert sum(transport.asked.values()) <= 25
    transport = Fake()
    outcome = study.run(transport)
    assert (outcome.state, outcome.kept) == ("finished", 20)
    assert sum(transport.asked.values()) == len(study.trials) - 20
    assert len(study.sink.answers()) == len(study.trials)


def test_a_sink_that_fails_leaves_everything_in_the_journal(tmp_path: Path) -> None:
    class Full(FileSink):
        def write(self, part: int, answered: Iterable[Answered]) -> None:  # noqa: ARG002
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"part {part}")

    study = Study(tmp_path)
    sink = study.sink
    study.sink = Full(sink.folder)
    outcome = study.run()
    assert (outcome.state, outcome.fault, outcome.asked) == ("failed", "disk", 12)
    assert "kept in the journal" in outcome.message
    study.sink = sink
    outcome = study.run(lambda request, attempt: Rejected("asked again"))  # noqa: ARG005
    assert (outcome.state, outcome.kept, outcome.asked) == ("finished", 12, 0)
    assert len(sink.answers()) == 12


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    study = Study(tmp_path)
    study.journal.write_text("a file stands where the journal's folder should be", encoding="utf-8")
    outcome = study.run()
    assert (outcome.state, outcome.fault) == ("failed", "disk")
    assert str(study.journal) in outcome.message


def test_a_transport_that_cannot_be_ended_does_not_hang_the_run(tmp_path: Path) -> None:
    class Deaf(Fake):
        async def answer(self, request: Request) -> Reply:
            while request.trial_key == study.trials[0].trial_key:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
            return await super().answer(request)

        async def close(self) -> None:
            await super().close()
            while True:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()

    study = Study(tmp_path)
    outcome = study.run(Deaf(), Settings(retry=RetryPolicy(tries=1), deadline=0.05, grace=0.05))
    assert outcome.counts == {"complete": 11, "error": 1}
    assert any("no way to end the request" in (one.response.error or "") for one in study.sink.answers())
