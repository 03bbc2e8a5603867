"""A disk that fails in the middle of a run: a clear stop, nothing corrupt, and the same command goes on."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ebc.judge import Judge
from tests.ebc.serving import served
from tests.ebc.test_whole_job import ebc, spec

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and permissions are POSIX")

SIZES = (10, 10, 9)
TRIALS = (sum(SIZES) + 1) * 10
CONNECTIONS = 16


class Job:
    """A study of 300 trials beside a server, and what is on its disk."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder = folder
        self.results = folder / "results"
        self.judge = Judge(folder / "trouble.eb", log, self.results)

    def start(self, limit: Callable[[], None] | None = None, **environment: str) -> subprocess.Popen[str]:
        """A run with small segments."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.ebc.tortured", "run", "trouble.eb", f"--connections={CONNECTIONS}"],
            cwd=self.folder,
            env={**os.environ, "FOLD_AFTER": "50", "PYTHONPATH": os.pathsep.join(sys.path), **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
        )

    def when_answered(self, count: int, process: subprocess.Popen[str]) -> None:
        """Waits until so many answers are on the disk."""
        for _ in range(20_000):
            if len(self.judge.durable()) >= count:
                return
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.001)
        raise AssertionError(f"never {count} answers")

    def goes_on(self, durable: set[str]) -> None:
        """The same command finishes the run, and asks nothing that it had."""
        place = self.judge.events()[1]
        done = ebc(self.folder, "run", "trouble.eb", "--format", "json")
        assert done.returncode == 0, done.stderr
        asked = {event.key for event in self.judge.events(place)[0]}
        assert asked == set(self.judge.questions.values()) - durable
        self.judge.everything_is_there_once()


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Job]:
    """A study and its server."""
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "server.log"
    with served(log, latency=15) as url:
        (tmp_path / "trouble.eb").write_text(spec(url, SIZES), encoding="utf-8")
        yield Job(tmp_path, log)


def stopped(job: Job, process: subprocess.Popen[str], says: str) -> set[str]:
    """The run failed with one message; what it had taken in is kept."""
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 1, told
    assert says in told
    assert "Traceback" not in told
    durable = job.judge.durable()
    answered = {event.key for event in job.judge.events()[0] if event.event == "answered"}
    assert len(answered - durable) <= CONNECTIONS
    assert 0 < len(durable) < TRIALS
    return durable


@pytest.mark.parametrize("room", [40_000, 100_001, 160_017])
def test_a_full_disk_stops_the_run(job: Job, room: int) -> None:
    durable = stopped(job, job.start(FULL_AFTER=str(room)), "No space left on device")
    job.goes_on(durable)


def test_a_limit_of_file_sizes_stops_the_run(job: Job) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (45_000, 45_000))

    durable = stopped(job, job.start(limit, FOLD_AFTER="1000"), "File too large")
    job.goes_on(durable)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nobody may write in the folder and those in it."""
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for one in folders:
        one.chmod(0o555)
    try:
        yield
    finally:
        for one in folders:
            one.chmod(0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="rights are given up as Linux does it")
def test_results_that_become_read_only_stop_the_run(job: Job) -> None:
    process = job.start(POWERLESS="1")
    job.when_answered(20, process)
    with read_only(job.results):
        durable = stopped(job, process, "Permission denied")
        again = job.start(POWERLESS="1")
        told = again.communicate(timeout=60)[1]
        assert again.returncode == 1
        assert "Permission denied" in told
        assert "Traceback" not in told
    job.goes_on(durable)


def test_results_that_are_removed_stop_the_run(job: Job) -> None:
    process = job.start(FOLD_AFTER="1000")
    job.when_answered(20, process)
    job.results.rename(job.folder / "moved")
    shutil.rmtree(job.folder / "moved")
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert "removed" in told
    assert "Traceback" not in told
    job.goes_on(set())


def test_a_second_process_is_told_and_a_killed_one_leaves_no_lock(job: Job) -> None:
    first = job.start()
    job.when_answered(20, first)
    first.send_signal(signal.SIGSTOP)
    second = ebc(job.folder, "run", "trouble.eb")
    assert second.returncode == 1
    assert f"process {first.pid} on" in second.stderr.lower()
    first.send_signal(signal.SIGKILL)
    first.communicate()
    job.goes_on(job.judge.durable())


def test_a_fresh_run_stands_beside_the_old(job: Job) -> None:
    job.goes_on(set())
    fresh = ebc(job.folder, "run", "trouble.eb", "--fresh", "--format", "json")
    [told] = json.loads(fresh.stdout)
    assert (told["asked"], told["kept"]) == (TRIALS, 0)
    assert told["run"] != job.judge.run
    runs = json.loads(ebc(job.folder, "runs", "--format", "json").stdout)
    assert [(one["answered"], one["state"]) for one in runs] == [(TRIALS, "finished")] * 2
    again = json.loads(ebc(job.folder, "run", "trouble.eb", "--format", "json").stdout)
    assert (again[0]["run"], again[0]["asked"]) == (told["run"], 0)


@pytest.mark.parametrize("lost", ["answers", "responses"])
def test_a_part_that_lost_its_other_half_is_told(job: Job, lost: str) -> None:
    job.goes_on(set())
    [part] = (job.results / lost).glob(f"{job.judge.run}.*.parquet")
    part.rename(job.folder / "kept.parquet")
    told = ebc(job.folder, "run", "trouble.eb")
    assert told.returncode == 1
    assert f"{lost}/{part.name} is missing" in told.stderr
    (job.folder / "kept.parquet").rename(part)
    assert ebc(job.folder, "run", "trouble.eb").returncode == 0
    for table in ("answers", "responses"):
        (job.results / table / part.name).unlink()
    job.goes_on(set())
