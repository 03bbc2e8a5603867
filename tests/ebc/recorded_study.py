"""A small study of people, and its data file in many states, for tests of the import."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from ebc.cli import main
from ebc.pipeline import compile_spec, load_spec
from ebc.recording import Imported, read_recorded, store_recorded

HEAD = ("who", "born", "story", "consent", "q1", "q2", "q3", "habits")
ROWS: tuple[tuple[object, ...], ...] = (
    ("ann", 1990, "harbour", "yes", 1, 2, 3, "[1, 2]"),
    ("bob", 1985, "harbour", "yes", 4, 5, 1, "[3, 4]"),
    ("ann", 1990, "orchard", "yes", 5, 5, 5, "[1, 2]"),
)
STORIES = "name,text\nharbour,A boat comes in late.\norchard,The apples are ripe.\n"

WIDE = """
  respondent = column "who"  stimulus = column "story"
  match column "consent" "yes"
  covariate age = 2020 - column "born"
  covariate HABITS = column "habits" as list
  MOOD = columns "q1".."q3"
"""
LONG = """
  respondent = column "who"  stimulus = column "story"  item = column "item"
  MOOD = column "answer"
"""
ARMS = """
  stimulus = column "story"
  vary arm over yes, no {
    match column "consent" "{arm}"
    respondent = column "who"
    MOOD = columns "q1".."q3"
  }
"""
SPEC = """
stimuli stories "Stories" from "stories.csv" {{ name = column "name"  text = column "text" }}
scale MOOD "Mood" {{
  options 1..5 {{ 1 "not at all"  5 "very" }}
  items {{ cheerful "Cheerful"  restless "Restless"  tired "Tired" }}
  subscale total "Total" = sum(1..3)
}}
scale HABITS "Habits" {{
  options 1..5 {{ 1 "never"  5 "daily" }}
  items {{ 1 "I read stories."  2 "I tell stories." }}
  subscale total "Total" = sum(1..2)
}}
protocol listening {{ condition told each stimulus }}
responses people "People" from "{path}" {sheet} {{ kind human {mapping} }}
study moods "Moods" {{ protocol listening  scales MOOD  stimuli stories  panels people  seed 1  {study} }}
"""


def write_spec(
    folder: Path, path: str = "data.csv", mapping: str = WIDE, sheet: str = "", study: str = ""
) -> str:
    """Writes the study's spec, whose data file is `path`; the spec's name."""
    (folder / "stories.csv").write_text(STORIES, encoding="utf-8")
    text = SPEC.format(path=path, mapping=mapping, sheet=f'sheet "{sheet}"' if sheet else "", study=study)
    (folder / "moods.eb").write_text(text, encoding="utf-8")
    return (folder / "moods.eb").as_posix()


def imported(folder: Path, spec: str) -> Imported:
    """What `ebc import responses` makes of the spec and the data in `folder`/data."""
    (compiled,) = compile_spec(load_spec(spec))
    (one,) = store_recorded([read_recorded(compiled, folder / "data")], folder / "results")
    return one


def write_data(folder: Path, content: bytes, name: str = "data.csv") -> None:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / name).write_bytes(content)


def refusal(folder: Path, spec: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `ebc import responses` says, which stores nothing."""
    results = folder / "results"
    command = ["import", "responses", spec, "--data", str(folder / "data"), "--results", str(results)]
    assert main(command) == 2
    assert not results.exists()
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert said.out == ""
    return said.err


def csv(*rows: Sequence[object], head: Sequence[object] = HEAD, separator: str = ",") -> bytes:
    """A CSV file; texts with the separator in them are quoted."""
    lines = [separator.join(_quoted(cell, separator) for cell in row) for row in (head, *rows)]
    return ("\n".join(lines) + "\n").encode()


def _quoted(cell: object, separator: str) -> str:
    text = "" if cell is None else str(cell)
    return f'"{text}"' if separator in text else text


def workbook(*rows: Sequence[object], head: Sequence[object] = HEAD, merge: str = "") -> bytes:
    """A workbook with the sheets Data and Notes, the latter blank."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Data"
    for row in (head, *rows):
        sheet.append(list(row))
    if merge:
        sheet.merge_cells(merge)
    book.create_sheet("Notes")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
