"""How commands start: without what they do not need, and whatever a killed one left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemas.planfile import read_plan

PROGRAM = """
import sys
from ebc.cli import main
assert main(sys.argv[1:]) == 0
heavy = {"pandas", "scipy", "duckdb", "jsonschema", "statsmodels"}
print("imported:", *sorted(heavy & set(sys.modules)), file=sys.stderr)
import pandas
assert pandas.DataFrame({"a": [1, 2]}).a.sum() == 3
"""

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" { factor craft "Craft" { "The shelf that you built holds." } }
model robot { provider simulated  name "a robot" }
study pride "Pride" { protocol appraisal  scales PANAS  stimuli pride  panels robot  seed 1  orders 2 }
"""


@pytest.mark.parametrize("command", ["compile", "explain", "run"])
def test_plans_and_runs_do_without_what_analyses_need(tmp_path: Path, command: str) -> None:
    (tmp_path / "pride.eb").write_text(SPEC, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, command, "pride.eb"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].strip() == "imported:"


def test_a_plan_that_was_begun_and_not_finished_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "pride.eb").write_text(SPEC, encoding="utf-8")
    folder = tmp_path / "pride.plan"
    folder.mkdir()
    for name in ("trials.parquet", ".trials.77.tmp", ".plan.77.tmp"):  # what kill -9 leaves
        (folder / name).write_bytes(b"half")
    command = [sys.executable, "-m", "ebc", "compile", "pride.eb"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(read_plan(folder)[0].models) == 1
    (folder / "plan.json").rename(folder / "mine.json")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "other things" in done.stderr
