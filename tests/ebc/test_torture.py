"""A study of 4,290 trials under kill -9, at random moments, until it is finished.

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
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.ebc.judge import Judge
from tests.ebc.serving import served
from tests.ebc.test_whole_job import ebc, spec

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")

KILLS = int(os.environ.get("EBC_TORTURE", "20"))
SEED = int(os.environ.get("EBC_TORTURE_SEED", "1"))
CONNECTIONS = 128
TRIALS = 4290
FOLD_AFTER = 250
PATIENCE = 60.0

Moment = Callable[[], bool]
"""Whether it is time to kill."""


def started(folder: Path) -> subprocess.Popen[bytes]:
    """A run in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ebc.tortured", "run", "trouble.eb", "--connections", str(CONNECTIONS)],
        cwd=folder,
        env={**os.environ, "FOLD_AFTER": str(FOLD_AFTER), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def settled(url: str) -> None:
    """Waits until the server has read what was sent before: it then has time for others."""
    for _ in range(2):
        with pytest.raises(HTTPError, match="404"):
            urlopen(url, timeout=60)


class Torture:
    """Starts and kills one run again and again, and judges it after each."""

    def __init__(self, folder: Path, url: str, judge: Judge, draw: random.Random) -> None:
        self._url = url
        self._folder = folder
        self._judge = judge
        self._draw = draw
        self._seen = 0
        self._durable: set[str] = set()
        self.moments: list[str] = []

    def once(self, more: int) -> None:
        """One life, with so many to come."""
        kinds = {"time": 3, "answers": 4, "folding": 3, "end": 10 if more < 2 else 0}
        kind = self._draw.choices(list(kinds), list(kinds.values()))[0]
        group = self._draw.random() < 0.5
        process = started(self._folder)
        moment = self._moment(kind, more)
        began = time.monotonic()
        while process.poll() is None and not moment():
            assert time.monotonic() - began < PATIENCE, f"a run never came to its {kind}"
            time.sleep(0.001)
        died = process.poll() is None
        if died:
            (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
        status = process.wait()
        assert died or status == 0
        self.moments.append(kind if died else "done before")
        settled(self._url)
        self.judge()

    def judge(self) -> None:
        """What one life asked: nothing that was durable, and at most the requests in flight are lost."""
        events, self._seen = self._judge.events(self._seen)
        asked = [event.key for event in events if event.event == "request"]
        assert len(asked) == len(set(asked)), "a question was asked twice in one life"
        assert self._durable.isdisjoint(asked), "a durable answer was asked again"
        durable = self._judge.durable()
        assert self._durable <= durable, "a durable answer was lost"
        assert durable - self._durable <= set(asked)
        assert len(set(asked) - durable) <= CONNECTIONS, "more was lost than was in flight"
        self._durable = durable

    def _moment(self, kind: str, more: int) -> Moment:
        began = time.monotonic()
        if kind == "time":
            span = self._draw.uniform(0.0, 1.2)
            return lambda: time.monotonic() - began > span
        if kind == "folding":
            scratch = self._folder / "results"
            return lambda: any(scratch.glob("responses/.*.tmp"))
        left = TRIALS - len(self._durable)
        share = 1.0 if kind == "end" else self._draw.uniform(0.0, 2 / (more + 2))
        wanted = max(1, int(share * left))
        return lambda: sum(e.event == "answered" for e in self._judge.events(self._seen)[0]) >= wanted


def test_a_run_that_is_killed_at_random_moments_asks_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "server.log"
    with served(log, latency=40) as url:
        (tmp_path / "trouble.eb").write_text(spec(url), encoding="utf-8")
        judge = Judge(tmp_path / "trouble.eb", log, tmp_path / "results")
        assert len(set(judge.questions.values())) == TRIALS
        torture = Torture(tmp_path, url, judge, random.Random(SEED))
        for number in range(KILLS):
            torture.once(KILLS - 1 - number)
        finished = ebc(tmp_path, "run", "trouble.eb", "--format", "json")
        assert finished.returncode == 0, finished.stderr
        torture.judge()
        end = judge.events()[1]
        idle = ebc(tmp_path, "run", "trouble.eb", "--format", "json")
        assert json.loads(idle.stdout)[0]["asked"] == 0
        assert judge.events()[1] == end
    judge.everything_is_there_once()
    print(f"\n{KILLS} kills from seed {SEED}: {torture.moments}")
