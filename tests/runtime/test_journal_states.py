"""Whatever a crash left of a journal, the run goes on: what was kept is not asked, the rest is, once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.execute import run_panel
from runtime.journal import Journal, Segment, fold, segments
from runtime.runs import trial_id
from runtime.transport import Reply, Request
from runtime.transports.fake import Fake, in_the_middle
from schemas.rows import Answered
from tests.runtime.plans import FileSink, model, plan, planned, trials
from tests.runtime.scripted import QUICK

WHO = model()
PLAN = plan(5, WHO)
TRIALS = trials(PLAN)
PLANNED = planned(PLAN)


def unheard(told: object) -> None:
    """Nobody listens."""


class Left(NamedTuple):
    """What a crash left of one segment: how many records it had, whether its part is stored, whether it is
    still there, how its end is torn (bytes cut off, or bytes behind it), and which of its lines is damaged."""

    size: int
    stored: bool
    there: bool
    torn: bytes | int
    damaged: int | None


@st.composite
def lefts(draw: st.DrawFn) -> Left:
    """Any state of a segment; what is not stored is there."""
    count = draw(st.integers(0, 4))
    stored = count > 0 and draw(st.booleans())
    there = not stored or draw(st.booleans())
    tails = st.integers(1, 900) | st.just(b"\0" * 512) | st.binary(max_size=200)
    damaged = draw(st.none() | st.integers(0, count - 1)) if count else None
    return Left(count, stored, there, draw(tails), damaged)


def run(folder: Path, sink: FileSink) -> tuple[int, list[str]]:
    """Runs the study; how many answers it kept, and the trials that it asked."""
    asked: list[str] = []

    class Asked(Fake):
        async def answer(self, request: Request) -> Reply:
            asked.append(trial_id("run", request.trial_key))
            return await super().answer(request)

    outcome = run_panel(PLAN, PLANNED, WHO, Asked(in_the_middle), sink, folder, "run", sink.newest, QUICK)
    assert outcome.state == "finished"
    return outcome.kept, asked


def whole() -> list[Answered]:
    """An answer to every trial."""
    with tempfile.TemporaryDirectory() as name:
        sink = FileSink(Path(name) / "sink")
        run(Path(name) / "journal", sink)
        return sink.answers()


ANSWERS = whole()


def leave(folder: Path, sink: FileSink, left: Left, answers: list[Answered]) -> set[str]:
    """Makes the state; the trials whose answer is still whole somewhere."""
    journal = Journal(folder, "run", max(sink.parts(), default=0), unheard, unheard)
    for answer in answers:
        journal.append(answer)
    segment = journal.close()
    if left.stored:
        sink.write(segment.part, answers)
    kept = damage(segment, left, answers)
    if not left.there:
        segment.path.unlink()
    return {answer.response.trial for answer in (answers if left.stored else kept)}


def damage(segment: Segment, left: Left, answers: list[Answered]) -> list[Answered]:
    """Spoils the segment as a crash would; the answers of lines that are as they were."""
    lines = segment.path.read_bytes().splitlines(keepends=True)
    spoiled = list(lines)
    if left.damaged is not None:
        spoilt = bytearray(lines[left.damaged])
        spoilt[len(spoilt) // 2] ^= 1
        spoiled[left.damaged] = bytes(spoilt)
    content = b"".join(spoiled)
    content = content[: -left.torn] if isinstance(left.torn, int) else content + left.torn
    segment.path.write_bytes(content)
    there, at = [], 0
    for answer, line, now in zip(answers, lines, spoiled, strict=True):
        at += len(line)
        if now == line and at <= len(content):
            there.append(answer)
    return there


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(lefts(), max_size=3))
def test_any_state_of_the_journal_is_gone_on_from(states: list[Left]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, sink = Path(name) / "journal", FileSink(Path(name) / "sink")
        folder.mkdir()
        kept: set[str] = set()
        at = 0
        for left in states:
            answers = ANSWERS[at : at + left.size]
            at += left.size
            kept |= leave(folder, sink, left, answers)
        count, asked = run(folder, sink)
        every = [trial_id("run", trial.trial_key) for trial in TRIALS]
        assert count == len(kept)
        assert sorted(asked) == sorted(set(every) - kept)
        assert sorted(one.response.trial for one in sink.answers()) == sorted(every)
        assert segments(folder, "run") == []
        assert run(folder, sink) == (len(every), [])


@pytest.mark.parametrize("clock", [lambda: 0, lambda: 1_700_000_000_000_000_000], ids=["set to 0", "stands"])
def test_a_clock_that_is_set_back_loses_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Callable[[], int]
) -> None:
    sink = FileSink(tmp_path / "sink")
    for name in ("first", "second", "third"):  # each finds the journal's folder gone
        journal = Journal(tmp_path, "run", max(sink.parts(), default=0), unheard, unheard)
        journal.append(ANSWERS[len(sink.answers())])
        fold(journal.close(), sink, unheard)
        assert len(sink.answers()) == len(sink.parts()), name
        monkeypatch.setattr("runtime.journal.time.time_ns", clock)
    assert len(sink.parts()) == 3
