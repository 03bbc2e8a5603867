"""A study without stimuli, from a data file with odd texts in it to its report."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ebc.cli import main
from warehouse.query import query

SPEC = """
scale REST "Rest" {
  options 1..5 { 1 "none"  5 "plenty" }
  items { "I slept."  "I sat down." }
  subscale rest "Rest" = sum(1..2)
}
protocol days { condition any }
responses guests "Guests" from "guests.csv" {
  kind human
  respondent = column "who"
  covariate town = column "town"
  vary day over sunday, monday {
    match column "day" "{day}"
    REST = columns "a".."b"
  }
}
study week "Rest in a week" {
  protocol days
  scales REST
  panels guests
  between day
  contrast change = sunday - monday by town
}
"""
TOWNS = ("Ulm\nSouth", 'Bad "Ems"', "a|b", "\x1b[31mred", "north\u202ehtuos", "select * from 'x'; --")


def write_files(folder: Path, towns: Sequence[str]) -> None:
    """The spec and its data: in each town, 2 and 4 were scored on a Sunday, 6 and 10 on a Monday."""
    with (folder / "guests.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("who", "day", "town", "a", "b"))
        for number, town in enumerate(towns):
            for day, answers in (("sunday", (1, 2)), ("monday", (3, 5))):
                writer.writerows((f"{day}{number}{a}", day, town, a, a) for a in answers)
    (folder / "week.eb").write_text(SPEC, encoding="utf-8")


def report(folder: Path, form: str, towns: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What `ebc report` prints of them."""
    write_files(folder, towns)
    where = ["--results", str(folder / "results")]
    assert main(["import", "responses", str(folder / "week.eb"), *where]) == 0
    capsys.readouterr()
    assert main(["report", str(folder / "week.eb"), *where, "--format", form]) == 0
    return capsys.readouterr().out


def test_a_study_without_stimuli_has_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = json.loads(report(tmp_path, "json", ["Ulm"], capsys))["rows"]
    assert (row["groups"], row["a_mean"], row["b_mean"], row["estimate"]) == ({"town": "Ulm"}, 3, 8, -5)
    assert (row["a_n"], row["b_n"], row["stimuli"]) == (2, 2, None)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_group_has_one_line_and_steers_no_terminal(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, form, TOWNS, capsys)
    lines = [line for line in said.splitlines() if "town " in line and "-5.00" in line]
    assert len(lines) == len(TOWNS)
    shown = ["Ulm South", 'Bad "Ems"', r"a\|b" if form == "markdown" else "a|b", "�[31mred", "north�htuos"]
    assert all(any(f"town {name} " in line for line in lines) for name in shown)
    assert not {"\x1b", "\u202e"}.intersection(said)
    if form == "text":
        assert len({line.index(" – -5.00") for line in lines}) == 1


def test_rows_keep_their_groups_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(report(tmp_path, "csv", TOWNS, capsys))))
    assert {json.loads(row["groups"])["town"] for row in rows} == set(TOWNS)


def test_the_same_import_many_times_at_once_is_one(tmp_path: Path) -> None:
    write_files(tmp_path, ["Ulm"] * 200)
    command = [sys.executable, "-m", "ebc", "import", "responses", "week.eb", "--format", "json"]
    pipe = subprocess.PIPE
    with contextlib.ExitStack() as stack:
        waiting = [
            stack.enter_context(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path))
            for _ in range(3)
        ]
        said = [(one.communicate(timeout=120), one.returncode) for one in waiting]
    assert [status for _, status in said] == [0, 0, 0], said
    (counts,) = (
        query(
            tmp_path / "results",
            "SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM trials) AS trials, "
            "(SELECT count(*) FROM respondents) AS people, (SELECT count(*) FROM answers) AS answers",
        )
        .table()
        .to_pylist()
    )
    assert counts == {"runs": 1, "trials": 800, "people": 800, "answers": 1600}
