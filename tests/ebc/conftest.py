"""The folder in which the tests of the command line begin, and batches that are looked at at once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ebc.cli import main
from runtime import flights
from runtime.batch.settings import BatchSettings
from tests.ebc.pride import SPEC


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a spec, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (tmp_path / "pride.eb").write_text(SPEC, encoding="utf-8")
    (tmp_path / "wrong.eb").write_text(SPEC.replace("stimuli pride", "stimuli prid"), encoding="utf-8")
    (tmp_path / "bytes.eb").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "recorded.eb").write_text(
        SPEC.replace("panels robot", "panels people").replace(
            "model robot",
            'responses people from "people.csv" {\n  kind human  respondent = column "id"\n'
            "  condition default { PANAS = columns 2..21 }\n}\nmodel robot",
        ),
        encoding="utf-8",
    )
    (tmp_path / "empty").mkdir()
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "study.eb").write_text("# mine\n", encoding="utf-8")
    (tmp_path / "a-file").write_text("nothing", encoding="utf-8")
    assert main(["compile", "pride.eb", "-o", "whole.plan"]) == 0
    shutil.copytree("whole.plan", "edited.plan")
    plan = (tmp_path / "whole.plan" / "plan.json").read_text(encoding="utf-8")
    (tmp_path / "edited.plan" / "plan.json").write_text(plan.replace("risen", "fallen"), encoding="utf-8")
    capsys.readouterr()
    shutil.copytree("whole.plan", "swapped.plan")
    trials = pq.read_table("swapped.plan/trials.parquet")
    pq.write_table(trials.slice(0, 3), "swapped.plan/trials.parquet")
    broken = tmp_path / "broken.plan"
    broken.mkdir()
    (broken / "plan.json").write_text('{"format": 1, "study": 3}', encoding="utf-8")
    return tmp_path


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are looked at again at once."""
    quick = BatchSettings(first=0.001, longest=0.002)
    settings = flights.Settings

    def made(**stated: Any) -> flights.Settings:
        wait = stated.pop("batch", quick).wait
        return settings(**stated, batch=BatchSettings(first=quick.first, longest=quick.longest, wait=wait))

    monkeypatch.setattr(flights, "Settings", made)
