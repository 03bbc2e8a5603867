"""A small sound study, to be changed in one place, and what is then said about it."""

from __future__ import annotations

from pathlib import Path

from compiler import Checked, compile_study, load
from compiler.diagnostics import Diagnostic
from ebc.tables import DiskFiles
from schemas.plan import Plan

STUDY = """
scale MOOD "Mood" {
  options 1..5 { 1 "not at all"  5 "very much" }
  items { "calm"  "tense"  "warm" }
  subscale ease "Ease" = sum(1, 3)
  subscale strain = sum(2)
}
prompt ask "{presented} Rate each word. {scale.items}"
prompt picture "Picture this: {situation}"
emotion anger "Anger" {
  factor traffic "Traffic" { "A van cuts in front of you." }
  factor home "At home" { "The sink is full again." }
}
emotion fear "Fear" {
  factor dark "The dark" { "The light on the stairs goes out." }
  factor home "At home" { "The cellar door stands open." }
}
protocol induce {
  condition default
  condition evoked each situation { present picture }
  then { measure with ask }
}
model robot { provider simulated  name "a robot" }
model other { provider openai  name "gpt" }
responses people "People" from "people.csv" {
  kind human  respondent = column "id"
  covariate gender = column "gender"
  condition default { MOOD = columns 2..4 }
}
study mood "Mood" {
  protocol induce  scales MOOD  stimuli anger, fear  panels robot  orders 2  seed 3
  contrast shift = evoked - default by overall, emotion, factor
}
"""


def checked(folder: Path, text: str, **files: str) -> Checked:
    """What the compiler makes of a spec; `files` are CSV files beside it, by their name without `.csv`."""
    (folder / "spec.eb").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return load("spec.eb", DiskFiles(folder), DiskFiles(folder / "no-library"))


def errors(folder: Path, text: str, **files: str) -> list[tuple[str, str]]:
    """The code and the message of every error."""
    return [(one.code.number, one.message) for one in checked(folder, text, **files).errors]


def codes(folder: Path, text: str, **files: str) -> list[str]:
    """The code of every error."""
    return [code for code, _ in errors(folder, text, **files)]


def warned_of(folder: Path, text: str) -> list[str]:
    """The code of every warning of a spec without errors."""
    found = checked(folder, text)
    assert found.errors == ()
    return [one.code.number for one in found.diagnostics]


def only_error(folder: Path, text: str, **files: str) -> Diagnostic:
    """The one error that there is."""
    (found,) = checked(folder, text, **files).errors
    return found


def in_study(line: str) -> str:
    """The study with one more line."""
    return STUDY.rstrip().removesuffix("}") + f"  {line}\n}}\n"


def with_contrast(clauses: str) -> str:
    """The study with a second contrast, of these clauses, and with people among its panels."""
    return in_study(f"contrast second = evoked - default {clauses}").replace(
        "panels robot", "panels robot, people"
    )


def plan_of(folder: Path, text: str, **files: str) -> Plan:
    """The plan of the study `mood`, which must be sound."""
    found = checked(folder, text, **files)
    assert found.errors == ()
    return compile_study(found, found.program.studies["mood"])[-1][1].plan
