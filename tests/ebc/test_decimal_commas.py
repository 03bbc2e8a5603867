"""Numbers with a decimal comma, in files whose cells have other signs between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebc.cli import main
from ebc.pipeline import compile_spec, load_spec
from ebc.recording import read_recorded, store_recorded
from schemas.report import ReportRow
from schemas.table import pointed
from tests.ebc.recorded_study import refusal, write_data
from warehouse.report import build_report

SPEC = """
stimuli clips "Clips" from "clips.csv" {
  name = column "clip"  gold = column "gold"  length = column "length"
  recode length { 0..1.9 -> short  2..9 -> long }
}
scale CALM "Calm" {
  options 1..3 step 0.5 { 1 "not at all"  3 "very" }
  items { calm "How calm is it?" key gold }
  derive off = abs(value - key)
  subscale calm = calm
  subscale off = off calm
  norm calm in "all" mean 2 sd 1 n 9
}
protocol watching { condition seen each stimulus }
responses people from "data.csv" {
  kind human
  respondent = column "who"  stimulus = column "clip"  CALM = column "calm"
  covariate age = 2020.5 - column "born"
  recode age { 0..40 -> young  40.1..120 -> old }
}
study calmness {
  protocol watching  scales CALM  stimuli clips  panels people
  contrast ages = in people - norm "all" of CALM.calm
  correlate gold = people with stimulus.gold of CALM.calm per stimulus { coefficient pearson }
  expect gold from "published.csv" source "Table 1" { estimate = column "r" within 0.01 }
}
"""
CLIPS = "clip;gold;length\nsea;1,5;1,5\nwood;2,25;2,5\nhill;3;0,75\n"
ANSWERS = "who;clip;born;calm\nann;sea;1990,5;1,5\nann;wood;1990,5;2,5\nbob;sea;1950;2\nbob;hill;1950;3,0\n"


def write(folder: Path, answers: str) -> str:
    """Writes the study, its stimuli and the answers; the spec's name."""
    (folder / "clips.csv").write_text(CLIPS, encoding="utf-8")
    (folder / "published.csv").write_text("r;n\n0,99;3\n", encoding="utf-8")
    (folder / "calm.eb").write_text(SPEC, encoding="utf-8")
    write_data(folder, answers.encode())
    return (folder / "calm.eb").as_posix()


def reported(folder: Path, spec: str) -> list[ReportRow]:
    (compiled,) = compile_spec(load_spec(spec))
    store_recorded([read_recorded(compiled, folder / "data")], folder / "results")
    return list(build_report(folder / "results", compiled.plan).report.rows)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_answers_differences_keys_and_fields_are_numbers(tmp_path: Path, separator: str) -> None:
    spec = write(tmp_path, ANSWERS.replace(";", separator))
    against, gold = reported(tmp_path, spec)
    assert [against.a_n, against.a_mean] == [4, 2.25]
    assert gold.a_n == 3
    assert gold.b_mean == pytest.approx((1.5 + 2.25 + 3) / 3)
    (compiled,) = compile_spec(load_spec(spec))
    (panel,) = read_recorded(compiled, tmp_path / "data").panels
    assert [person.covariates for person in panel.respondents()] == [{"age": "young"}, {"age": "old"}]
    told = [(stimulus.fields["gold"], stimulus.fields["length"]) for stimulus in compiled.plan.stimuli]
    assert told == [("1.5", "short"), ("2.25", "long"), ("3", "short")]
    (expected,) = compiled.plan.expectations
    assert expected.cells[0].numbers[0].value == 0.99


def test_the_import_says_that_decimal_commas_were_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write(tmp_path, ANSWERS)
    options = ["--data", str(tmp_path / "data"), "--results", str(tmp_path / "results")]
    assert main(["import", "responses", spec, *options]) == 0
    said = capsys.readouterr()
    assert "note: decimal commas were read in data.csv: 1990,5 is 1990.5" in said.out + said.err
    whole = write(tmp_path, ANSWERS.replace("1990,5", "1990").replace(",5", "").replace(",0", ""))
    assert main(["import", "responses", whole, *options]) == 0
    said = capsys.readouterr()
    assert "decimal comma" not in said.out + said.err


def test_what_could_be_a_thousand_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(tmp_path, write(tmp_path, ANSWERS.replace("2,5", "2,500")), capsys)
    assert (
        '"2,500" is no answer to item 1 of CALM; its codes are 1, 1.5, 2, 2.5, 3. It could be 2500 or 2.500.'
        in message
    )


def test_between_commas_a_decimal_comma_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = 'who,clip,born,calm\nann,sea,1990,"1,5"\n'
    message = refusal(tmp_path, write(tmp_path, answers), capsys)
    assert '"1,5" is no answer to item 1 of CALM' in message
    assert "write 1.5 for 1,5" in message


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2,5", "2.5"),
        ("-0,125", "-0.125"),
        ("1234,567", "1234.567"),
        ("1,234", "1,234"),
        ("1,2,3", "1,2,3"),
        ("a,b", "a,b"),
    ],
)
def test_decimal_commas(written: str, read: str) -> None:
    assert pointed(written) == read
