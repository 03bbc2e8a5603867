"""A study of EmotionBench's size against a server, killed in the middle, and gone on with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq

from tests.ebc.serving import answered, served
from tests.runtime.server import answered_twice

SIZES = [12] * 32 + [11] * 4
"""36 factors with 428 situations."""

CONNECTIONS = 64


def spec(url: str, sizes: Sequence[int] = SIZES) -> str:
    factors = "\n".join(
        f"  factor f{k} {{ " + "  ".join(f'"Thing {i} of sort {k} goes wrong."' for i in range(size)) + " }"
        for k, size in enumerate(sizes)
    )
    return f"""
use "lib/panas"  use "lib/prompts"  use "lib/appraisal"
emotion trouble "Trouble" {{
{factors}
}}
model served {{ provider openai  name "served"  base_url "{url}" }}
study trouble "Trouble" {{
  protocol appraisal  scales PANAS  stimuli trouble  panels served
  seed 42  orders 10
  contrast shift = evoked - default by overall {{ test welch }}
}}
"""


def ebc(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "ebc", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=300
    )


def kill_after(folder: Path, log: Path, count: int) -> None:
    """Runs the study, and kills it with -9 once the server has answered `count` requests."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ebc", "run", "trouble.eb"], cwd=folder, stderr=subprocess.DEVNULL
    )
    for _ in range(6000):
        try:
            process.wait(timeout=0.02)
        except subprocess.TimeoutExpired:
            if answered(log) >= count:
                process.kill()
                process.wait()
                return
        else:
            break
    process.kill()
    process.wait()
    raise AssertionError(f"the run was never in its middle: {answered(log)} answers")


def test_a_killed_run_goes_on_and_asks_nothing_again(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with served(log, latency=20) as url:
        (tmp_path / "trouble.eb").write_text(spec(url), encoding="utf-8")
        summary = json.loads(ebc(tmp_path, "compile", "trouble.eb", "--format", "json").stdout)
        assert summary["trials"] == 428 * 10 + 10 == 4290

        kill_after(tmp_path, log, 1500)
        kill_after(tmp_path, log, 3000)
        finished = ebc(tmp_path, "run", "trouble.eb", "--format", "json")
        assert finished.returncode == 0, finished.stderr
        again = answered_twice(log)
        # Only what was in flight when the run was killed, twice, may be asked again.
        assert len(again) <= 2 * CONNECTIONS
        assert max(Counter(again).values(), default=0) <= 2

        before = log.read_text(encoding="utf-8")
        idle = ebc(tmp_path, "run", "trouble.eb", "--format", "json")
        assert idle.returncode == 0
        assert json.loads(idle.stdout)[0]["asked"] == 0
        assert log.read_text(encoding="utf-8") == before

    results = tmp_path / "results"
    trials = pq.read_table(results / "trials").column("trial").to_pylist()
    responses = pq.read_table(results / "responses", columns=["trial", "status"]).to_pylist()
    assert len(trials) == len(set(trials)) == 4290
    assert sorted(row["trial"] for row in responses) == sorted(trials)
    assert {row["status"] for row in responses} == {"complete"}
    assert pq.read_table(results / "answers", columns=["item"]).num_rows == 4290 * 20
