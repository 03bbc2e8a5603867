"""No spec and no data file ends in an exception: what is sound can be compiled, all else is said."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from compiler import compile_study, load
from compiler.diagnostics import frame
from ebc.tables import DiskFiles
from schemas.table import Cell, Table, TableError
from tests.compiler.checking import in_study
from tests.compiler.rating import LETTERS, rating
from tests.compiler.strategies import broken

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
LIBRARY = DiskFiles(ROOT / "specs")

MEASURED = in_study(
    """expect shift from "published.csv" source "Table 1" {
    panel = column "panel"  emotion = column "emotion"  factor = column "factor"
    subscale = column "subscale"  recode subscale { "E" -> ease }
    estimate = column "change" rounded 1 within 0.1
    erratum "A slip." where factor is dark
  }
  expect shift.estimate of MOOD.ease = 1 within 0.5 where factor is dark source "Table 2"
"""
)
TAKEN = """
use "study"
emotion calm { factor queue from "queue.csv" column "situation"  factor bus from "queue.csv" column 2 }
scale CHEER { options 0..1 { 0 "no" }  items from "items.csv" column "text"  subscale cheer = sum(1..2) }
study other { protocol induce  scales CHEER, MOOD for fear  stimuli *  panels robot, people
  contrast shift = evoked - default by emotion, factor * gender { adjust none } }
"""
RATED = rating(
    "between author",
    "split raters into train 2, test 1",
    "contrast better = robot - person of VERDICT.good by mood * city { test chi_squared  effect lift }",
    "contrast all = robot, coached, person where split is test per respondent { test kruskal }",
    'contrast held = robot in raters - norm "editors" of VERDICT.grade',
    "contrast apart = in raters - lab per stimulus paired by stimulus",
    "correlate gold = robot with stimulus.gold of VERDICT.grade by mood { coefficient pearson, spearman }",
    "agreement among = in raters of VERDICT.grade by author { coefficient ceiling }",
    "agreement two = person with stimulus.gold of VERDICT.grade { coefficient accuracy, macro_f1  cut 1.5 }",
    "reliability whole of WARMTH.warmth by author",
    'expect gold.estimate of VERDICT.grade = 0.5 within 0.1 where mood is sad and test is pearson source "T"',
)
SPECS = [
    MEASURED,
    TAKEN,
    RATED,
    *(text for words, text in BLOCKS if words == "eb"),
    *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "specs").rglob("*.eb"))),
]
TABLES = {
    "published.csv": "panel,emotion,factor,subscale,change\nrobot,anger,Traffic,E,1.5\nrobot,fear,,strain,2\n",
    "letters.csv": LETTERS,
    "queue.csv": "situation,other\nThe queue is short.,The bus waits.\nThe counter opens.,The bus is empty.\n",
    "items.csv": "number,text\n1,I laughed today.\n2,I sang today.\n",
    "queues.csv": "id,situation\na,Someone pushes in.\nb,The counter closes.\n",
}
WORDS = sorted(set(re.findall(r'[A-Za-z_]\w*|"[^"\n]*"|\d[\d.]*', "\n".join(SPECS[:14]))))
NUMBERS = ("0", "1.5", "-1", "1e-300", "9e15", "9007199254740993", "9" * 400, "2", "1000000")
CELLS = (
    "",
    " ",
    "²",
    "nan",
    "inf",
    "1e999",
    "9" * 5000,
    "a,b",
    "x\ny",
    "robot",
    "anger",
    "E",
    "1",
    "situation",
)


@dataclass(frozen=True)
class Memory:
    """Files in memory; whatever has no content of its own is the table of the page, or nothing."""

    texts: Mapping[str, str]
    tables: Mapping[str, tuple[tuple[Cell, ...], ...]]

    def read_text(self, path: str) -> str:
        if path not in self.texts:
            raise FileNotFoundError(path)
        return self.texts[path]

    def read_table(self, path: str, sheet: str | None = None) -> Table:
        if path not in self.tables:
            raise FileNotFoundError(path)
        if sheet is not None:
            raise TableError(f"{path} has no sheets.")
        return Table(path, self.tables[path])

    def glob(self, pattern: str) -> list[str]:
        return sorted(path for path in self.texts if fnmatch(path, pattern))


def grid(text: str) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(cell or None for cell in row) for row in csv.reader(io.StringIO(text)))


@st.composite
def specs(draw: DrawFn) -> str:
    """A sound spec with a few of its words put in another's place, dropped or doubled; now and then broken."""
    text = draw(st.sampled_from(SPECS))
    for _ in range(draw(st.integers(0, 3))):
        words = list(re.finditer(r'[A-Za-z_]\w*|"[^"\n]*"|\d[\d.]*', text))
        if not words:
            break
        word = draw(st.sampled_from(words))
        other = draw(
            st.one_of(
                st.sampled_from(WORDS),
                st.sampled_from(NUMBERS),
                st.sampled_from([one[0] for one in words]),
                st.just(""),
                st.just(f"{word[0]}, {word[0]}"),
            )
        )
        text = text[: word.start()] + other + text[word.end() :]
    return draw(broken(st.just(text))) if draw(st.integers(0, 9)) == 0 else text


@st.composite
def tables(draw: DrawFn) -> dict[str, tuple[tuple[Cell, ...], ...]]:
    """The data files, with cells changed, added or taken away, and rows doubled or emptied."""
    made = {}
    odd = st.one_of(
        st.none(), st.sampled_from(CELLS), st.floats(allow_nan=False), st.integers(), st.booleans(), st.text()
    )
    for name, text in TABLES.items():
        rows = [list(row) for row in grid(text)]
        for _ in range(draw(st.integers(0, 2))):
            row = draw(st.sampled_from(rows))
            at = draw(st.integers(0, len(row)))
            row[at : at + draw(st.integers(0, 2))] = draw(st.lists(odd, max_size=2))
        if draw(st.booleans()):
            rows.insert(draw(st.integers(0, len(rows))), list(draw(st.sampled_from(rows))))
        made[name] = tuple(tuple(row) for row in rows[: draw(st.integers(0, 9))])
    return made


def compiled(text: str, data: Mapping[str, tuple[tuple[Cell, ...], ...]]) -> int:
    """How many studies of the spec were compiled; everything that is said can be shown."""
    checked = load("spec.eb", Memory({"spec.eb": text, "study.eb": MEASURED}, data), LIBRARY)
    shown = [frame(one, checked.sources) for one in checked.diagnostics]
    assert all(shown)
    if checked.errors:
        return 0
    for study in checked.program.studies.values():
        assert compile_study(checked, study)[-1][1].plan.plan_id
    return len(checked.program.studies)


def test_what_is_changed_is_sound_before() -> None:
    data = {name: grid(text) for name, text in TABLES.items()}
    assert compiled(MEASURED, data) == 1
    assert compiled(TAKEN, data) == 2
    assert compiled(RATED, data) == 1


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(specs(), tables())
def test_changed_specs_with_changed_data(text: str, data: dict[str, tuple[tuple[Cell, ...], ...]]) -> None:
    compiled(text, data)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([MEASURED, TAKEN, RATED]), tables())
def test_sound_specs_with_changed_data(text: str, data: dict[str, tuple[tuple[Cell, ...], ...]]) -> None:
    compiled(text, data)
