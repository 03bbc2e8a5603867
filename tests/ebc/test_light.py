"""What a command needs not, it does not import: memory, and the time until a run starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
