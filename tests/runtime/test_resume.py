"""A run that is killed, and one that is interrupted, as processes against a server that keeps a log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from runtime.journal import records, segments
from schemas.rows import Answered
from tests.runtime.plans import FileSink, model, plan, trials

ROOT = Path(__file__).resolve().parents[2]
SITUATIONS, CONNECTIONS = 300, 16
TRIALS = len(trials(plan(SITUATIONS, model())))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")


@contextmanager
def serving(log: Path, latency: int) -> Iterator[str]:
    """A server process; gives its address."""
    command = [sys.executable, "-m", "tests.runtime.server", "--log", str(log), "--latency", str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def command(folder: Path, url: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tests.runtime.resumable",
        str(folder),
        url,
        str(SITUATIONS),
        str(CONNECTIONS),
    ]


def to_the_end(folder: Path, url: str) -> dict[str, Any]:
    done = subprocess.run(
        command(folder, url), cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    outcome = json.loads(done.stdout)
    assert isinstance(outcome, dict)
    return outcome


def at_records(folder: Path, count: int, act: Callable[[subprocess.Popen[str]], None], url: str) -> str:
    """Starts a run, acts on it when its journal holds `count` records, and gives its output."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(folder, url), cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as process:
        while process.poll() is None and len(in_journal(folder)) < count:
            pass
        act(process)
        return process.communicate(timeout=30)[0]


def in_journal(folder: Path) -> list[Answered]:
    """The whole records of the journal."""
    return [record for segment in segments(folder / "journal", "run") for record in records(segment, [])]


def entries(log: Path, event: str) -> list[str]:
    found = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return [entry["hash"] for entry in found if entry["event"] == event]


def test_a_killed_run_goes_on_and_asks_nothing_twice_that_it_had(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with serving(log, latency=20) as url:
        at_records(tmp_path, TRIALS // 3, lambda process: process.send_signal(signal.SIGKILL), url)
        kept = {record.response.trial for record in in_journal(tmp_path)}
        answered_before = entries(log, "answered")
        outcome = to_the_end(tmp_path, url)
        again = to_the_end(tmp_path, url)
    assert TRIALS // 3 <= len(kept) < TRIALS
    assert (outcome["state"], outcome["kept"], outcome["asked"]) == ("finished", len(kept), TRIALS - len(kept))
    assert (again["state"], again["asked"], again["kept"]) == ("finished", 0, TRIALS)
    rows = [one.response.trial for one in FileSink(tmp_path / "sink").answers()]
    assert len(rows) == len(set(rows)) == TRIALS
    # Only replies that were on their way when the process died can have been answered and not received.
    on_their_way = len(answered_before) - len(kept)
    requests = entries(log, "request")
    assert len(requests) - len(set(requests)) <= CONNECTIONS
    assert on_their_way <= CONNECTIONS
    assert len(set(entries(log, "answered"))) == TRIALS


def test_an_interrupted_run_finishes_what_is_in_flight(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with serving(log, latency=20) as url:
        output = at_records(tmp_path, TRIALS // 3, lambda process: process.send_signal(signal.SIGINT), url)
        outcome = json.loads(output)
        asked = entries(log, "request")
        assert outcome["state"] == "interrupted"
        assert outcome["asked"] == len(asked) == len(entries(log, "answered")) < TRIALS
        assert FileSink(tmp_path / "sink").run("run").state == "interrupted"
        assert to_the_end(tmp_path, url)["kept"] == len(asked)
    requests = entries(log, "request")
    assert len(requests) == len(set(requests)) == TRIALS


def test_a_second_process_says_who_works_on_the_run(tmp_path: Path) -> None:
    def second(process: subprocess.Popen[str]) -> None:
        done = subprocess.run(
            command(tmp_path, url), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert f"Process {process.pid} on" in done.stderr
        assert "Traceback" not in done.stderr
        process.send_signal(signal.SIGINT)

    with serving(tmp_path / "log", latency=50) as url:
        outcome = json.loads(at_records(tmp_path, 5, second, url))
    assert outcome["state"] == "interrupted"
