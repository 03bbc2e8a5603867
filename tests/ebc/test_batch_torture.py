"""Runs by way of batches under kill -9, at each of their steps and at random moments, until they are finished.

`EBC_TORTURE` kills (20; `make torture`: 100) from the seed `EBC_TORTURE_SEED` (1).
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pyarrow.parquet as pq
import pytest

from tests.ebc.serving import served
from tests.ebc.test_torture import KILLS, SEED
from tests.ebc.test_whole_job import spec
from tests.runtime.server_log import paid_twice, read_events

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")

SIZES = [2, 3]
TRIALS = 10 + 10 * sum(SIZES)
COURSES = [{"shuffled": True, "doubled": True}, {"status": "expired", "answers": 11, "told": True}, {}]
MOMENTS = [
    *("after upload 1", "before create 1", "after create 1", "after create 2", "after save 1", "before look 2"),
    *("after download 1", "after keep 17", "after flush 1", "after remove 2", "before fold 1", "after fold 1"),
]
"""What no process could tell apart from these, `tests.runtime.test_batch_recovery` goes through without one."""


def started(folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    """The command, with small batches and segments."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ebc.tortured", "run", "trouble.eb", "--batch"],
        cwd=folder,
        env={
            **os.environ,
            "FOLD_AFTER": "10",
            "BATCH": "25",
            "PYTHONPATH": os.pathsep.join(sys.path),
            **environment,
        },
        stderr=subprocess.PIPE,
    )


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """How it ended, and what it said."""
    said = process.communicate(timeout=120)[1]
    return process.returncode, said.decode()


def judge(folder: Path, lost: int = 0) -> None:
    """Every trial has one answer, none was paid for twice, and nothing lies about."""
    results = folder / "results"
    trials = [str(trial) for trial in pq.read_table(results / "trials").column("trial")]
    rows = pq.read_table(results / "responses").select(["trial", "status", "source"]).to_pylist()
    assert len(trials) == TRIALS
    assert sorted(row["trial"] for row in rows) == sorted(trials)
    assert {(row["status"], row["source"]) for row in rows} == {("complete", "batch")}
    answers = pq.read_table(results / "answers").select(["response", "item"]).to_pylist()
    assert set(Counter((row["response"], row["item"]) for row in answers).values()) == {1}
    assert len(answers) == 20 * TRIALS
    assert len(paid_twice(read_events(folder / "server.log"))) <= lost
    assert [path.name for path in (results / "journal").iterdir() if path.suffix != ".lock"] == []


def batches(url: str) -> list[dict[str, object]]:
    """What the server has."""
    with urlopen(f"{url}/batches", timeout=60) as reply:
        found: list[dict[str, object]] = json.load(reply)["data"]
        return found


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_at_a_step_is_finished_by_the_same_command(tmp_path: Path, moment: str) -> None:
    with served(tmp_path / "server.log", batches={"courses": COURSES}) as url:
        (tmp_path / "trouble.eb").write_text(spec(url, SIZES), encoding="utf-8")
        status, said = ended(started(tmp_path, DIE_AT=moment))
        assert status == -signal.SIGKILL, said
        status, said = ended(started(tmp_path))
        assert status == 0, said
        judge(tmp_path)


@pytest.mark.parametrize("call", ["upload", "create", "retrieve", "content"])
def test_a_run_that_is_killed_before_a_reply_comes_is_finished_too(tmp_path: Path, call: str) -> None:
    """The provider has done the work, but its reply never leaves it."""
    with served(tmp_path / "server.log", batches={"faults": {call: [{"hangs": True}]}}) as url:
        (tmp_path / "trouble.eb").write_text(spec(url, SIZES), encoding="utf-8")
        process = started(tmp_path)
        began = time.monotonic()
        while all(event.event != "hangs" for event in read_events(tmp_path / "server.log")):
            assert process.poll() is None
            assert time.monotonic() - began < 60
            time.sleep(0.01)
        process.kill()
        ended(process)
        status, said = ended(started(tmp_path))
        assert status == 0, said
        judge(tmp_path)
        assert len(batches(url)) == -(-TRIALS // 25)


def test_a_run_that_is_killed_at_random_moments_is_finished(tmp_path: Path) -> None:
    draw = random.Random(SEED)
    with served(tmp_path / "server.log", batches={"courses": [*COURSES, {"looks": 3}]}) as url:
        (tmp_path / "trouble.eb").write_text(spec(url, SIZES), encoding="utf-8")
        for _ in range(max(2, KILLS // 4)):
            process = started(tmp_path)
            time.sleep(draw.uniform(0.4, 1.6))
            process.kill()
            ended(process)
        status, said = ended(started(tmp_path))
        assert status == 0, said
    judge(tmp_path)
