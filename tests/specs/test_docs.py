"""The language reference: every example is sound, or fails with the code it says; no construct is left out."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from compiler import Checked, ast, compile_study, load
from compiler.diagnostics import Code, frame
from compiler.format import format_file
from compiler.settings import ASSOCIATION, CONTRAST, PRICE, PROVIDERS, SAMPLING, Key, model_keys
from ebc.asked import library
from ebc.tables import DiskFiles
from runtime.recorded import read_responses
from schemas.plan import Plan
from schemas.planfile import PlannedTrials
from schemas.render import SCALE_HOLES, Renderer

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "language.md"
TEXT = PAGE.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, its text, and the line where it begins."""

    words: tuple[str, ...]
    text: str
    line: int


def fenced() -> list[Block]:
    return [
        Block(tuple(hit[1].split()), hit[2], TEXT.count("\n", 0, hit.start()) + 1)
        for hit in re.finditer(r"^```(.*)\n((?:.*\n)*?)```$", TEXT, re.MULTILINE)
    ]


BLOCKS = fenced()
GOOD = [block for block in BLOCKS if block.words == ("eb",)]
BAD = [block for block in BLOCKS if block.words[:2] == ("eb", "error")]
DATA = {block.words[1]: block.text for block in BLOCKS if block.words[0] == "csv"}


def named(block: Block) -> str:
    return f"line {block.line}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's data files, and no library of its own."""
    made = tmp_path_factory.mktemp("page")
    for name, text in DATA.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def checked(folder: Path, block: Block) -> Checked:
    (folder / "example.eb").write_text(block.text, encoding="utf-8")
    return load("example.eb", DiskFiles(folder), library())


def plans(found: Checked) -> list[Plan]:
    return [compile_study(found, study)[-1][1].plan for study in found.program.own_studies()]


def test_the_page_has_examples() -> None:
    assert len(GOOD) >= 15
    assert len(BAD) >= 5
    assert {block.words[0] for block in BLOCKS} == {"eb", "csv", "text"}


@pytest.mark.parametrize("block", GOOD, ids=named)
def test_example_is_sound(folder: Path, block: Block) -> None:
    found = checked(folder, block)
    said = [frame(one, found.sources) for one in found.diagnostics]
    assert not said, "\n".join(said)
    assert all(plan.plan_id for plan in plans(found))


@pytest.mark.parametrize("block", GOOD, ids=named)
def test_example_is_in_the_one_layout(folder: Path, block: Block) -> None:
    assert format_file(checked(folder, block).program.files["example.eb"]) == block.text


@pytest.mark.parametrize("block", BAD, ids=named)
def test_example_fails_as_it_says(folder: Path, block: Block) -> None:
    found = checked(folder, block)
    assert sorted({one.code.number for one in found.diagnostics}) == sorted(block.words[2:])
    assert all(frame(one, found.sources) for one in found.diagnostics)


def test_each_example_stands_for_itself(folder: Path) -> None:
    declared: dict[str, set[int]] = defaultdict(set)
    for block in GOOD:
        for study in checked(folder, block).program.own_studies():
            declared[study.name.text].add(block.line)
    assert {name: lines for name, lines in declared.items() if len(lines) > 1} == {}


def test_what_the_first_study_sends(folder: Path) -> None:
    found = checked(folder, GOOD[0])
    (study,) = found.program.own_studies()
    last = compile_study(found, study)[-1][1]
    trials = list(PlannedTrials(last.planned()))
    assert len(trials) == 25
    first = next(trial for trial in trials if trial.condition == "evoked")
    sent = "\n".join(f"[{m.role}]\n{m.content}" for m in Renderer(last.plan).messages(first))
    (shown,) = (block.text for block in BLOCKS if block.words == ("text", "sent"))
    assert shown == sent + "\n"


def test_recorded_examples_can_be_read(folder: Path) -> None:
    read = {}
    for block in GOOD:
        for plan in plans(checked(folder, block)):
            for mapping in plan.responses:
                for panel in read_responses(plan, mapping, DiskFiles(folder)):
                    read[panel.panel] = panel
    assert set(read) == {"people", "takers", "readers", "callers", "raters", "small-model", "visitors"}
    assert [one.covariates for one in read["callers"].respondents()] == [
        {"age": "under 40"},
        {"age": "40 and more"},
    ]
    readers = [(one.scale, one.condition, one.levels["author"]) for one in read["readers"].trials()]
    assert readers.count(("CARE", None, "machine")) == 2
    assert readers.count(("RATING", "judged", "friend")) == 2
    assert [one.covariates for one in read["people"].respondents()] == [
        {"gender": "woman", "country": "Austria"},
        {"country": "Austria"},
    ]
    assert len(list(read["people"].responses())) == 4
    values = [value for batch in read["people"].answers() for value in batch.column("value").to_pylist()]
    assert values.count(None) == 1
    small = list(read["small-model"].trials())
    assert [trial.condition for trial in small] == ["default", "evoked"]
    assert [trial.situation for trial in small] == [None, 1]
    raters = list(read["raters"].trials())
    assert {trial.levels["author"] for trial in raters} == {"person", "robot"}
    assert {trial.respondent for trial in raters} == {"r1", "r2", "r3", "r4", "r5", "r6"}


# --- nothing is left out ----------------------------------------------------------------------


def first_column(header: str) -> list[str]:
    """The first cells of the tables whose header begins so."""
    cells: list[str] = []
    for table in re.findall(rf"^\| {re.escape(header)} \|.*\n((?:\|.*\n?)*)", TEXT, re.MULTILINE):
        cells += [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[1:]]
    return cells


def wording(code: Code) -> str:
    """A code's wording with every argument left open."""
    blanks: dict[str, str] = defaultdict(lambda: "…")
    return code.wording.format_map(blanks)


@pytest.mark.parametrize("code", Code, ids=lambda code: code.number)
def test_every_code_has_its_row(code: Code) -> None:
    row = f"| {code.number} | {wording(code)} | "
    assert row in TEXT, f"docs/language.md needs a row that begins: {row}"
    assert re.search(rf"^{re.escape(row)}\S.* \|$", TEXT, re.MULTILINE), (
        f"the row of {code.number} gives no help"
    )


def test_no_row_is_of_a_code_that_is_gone() -> None:
    assert first_column("Code") == [code.number for code in Code]


@pytest.mark.parametrize(("header", "keys"), [("Sampling", SAMPLING), ("Setting", {**CONTRAST, **ASSOCIATION})])
def test_every_setting_has_its_row(header: str, keys: dict[str, Key]) -> None:
    told = " ".join(first_column(header))
    assert [key for key in keys if f"`{key}`" not in told] == []


def test_every_setting_of_a_model_has_its_row() -> None:
    told = first_column("Setting")
    own = {key for keys in PROVIDERS.values() for key in keys}
    missing = [key for key in model_keys("") if key not in own and f"`{key}`" not in told]
    for provider, keys in PROVIDERS.items():
        missing += [f"{key} ({provider})" for key in keys if f"`{key}` (`{provider}`)" not in told]
    assert missing == []
    assert [key for key in PRICE if f"`{key}`" not in TEXT] == []


SETTINGS = (*CONTRAST.values(), *ASSOCIATION.values(), *model_keys("").values())


@pytest.mark.parametrize("word", [word for key in SETTINGS for word in key.words])
def test_every_word_that_a_setting_takes_is_told(word: str) -> None:
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize("hole", [*SCALE_HOLES, "presented", "situation", "emotion", "factor"])
def test_every_placeholder_has_its_row(hole: str) -> None:
    assert f"`{{{hole}}}`" in " ".join(first_column("Placeholder"))


def keywords() -> list[str]:
    grammar = (ROOT / "compiler" / "grammar.lark").read_text(encoding="utf-8")
    rules = "\n".join(line for line in grammar.splitlines() if not line.startswith("//"))
    return sorted(set(re.findall(r'"([a-z]+)"', rules)))


@pytest.mark.parametrize("word", keywords())
def test_every_keyword_is_shown(word: str) -> None:
    shown = "\n".join(block.text for block in BLOCKS) + "\n".join(re.findall(r"`[^`\n]+`", TEXT))
    assert re.search(rf"\b{word}\b", shown), f"docs/language.md shows no `{word}`"


def test_every_kind_of_declaration_is_shown(folder: Path) -> None:
    shown = {
        type(one) for block in GOOD for one in checked(folder, block).program.files["example.eb"].declarations
    }
    assert shown == set(ast.Declaration.__args__)


def test_links_lead_somewhere() -> None:
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```(?:.*\n)*?```$", "", TEXT, flags=re.MULTILINE), re.MULTILINE
    )
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", TEXT) if link not in anchors] == []
