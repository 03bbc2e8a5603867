"""The published data sets that the studies read: every number that is known of them comes out of the report."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main

STUDIES = Path(__file__).parents[2] / "specs" / "studies"
SHARED = Path(__file__).parents[3] / "shared" / "studies"

published_data = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the studies' data are not in ../shared/studies beside the repository"
)

Report = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The studies with their data beside them, read into the folder's results."""
    made = tmp_path_factory.mktemp("studies")
    shutil.copytree(STUDIES, made, dirs_exist_ok=True)
    for data in ("empathetic_responding", "story_similarity"):
        shutil.copytree(SHARED / data, made / data)
    return made


@pytest.fixture
def report(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """`report(study, format)`: its answers read in, its report printed."""

    def of(study: str, form: str = "json") -> str:
        monkeypatch.chdir(folder)
        assert main(["import", "responses", f"{study}.eb"]) == 0
        capsys.readouterr()
        assert main(["report", study, "--format", form]) == 0
        return capsys.readouterr().out

    return of


def rows(report: str, contrast: str) -> list[Report]:
    return [row for row in json.loads(report)["rows"] if row["contrast"] == contrast]


@published_data
@pytest.mark.parametrize(
    ("study", "known"), [("empathetic_responding", 59), ("story_similarity", 8), ("story_annotators", 15)]
)
def test_what_is_known_comes_out(study: str, known: int, report: Callable[..., str]) -> None:
    found = json.loads(report(study))["expectations"]
    assert [cell for cell in found["cells"] if not cell["agrees"]] == []
    assert sum(len(cell["published"]) for cell in found["cells"]) == known


@published_data
@pytest.mark.parametrize("study", ["empathetic_responding", "story_similarity", "story_annotators"])
def test_the_report(study: str, report: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    golden(f"studies/{study}.txt", report(study, "text"))
