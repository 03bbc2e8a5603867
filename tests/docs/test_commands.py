"""Every command in README and docs, run in the order in which it stands there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from ebc.cli import main
from tests.ebc.serving import served

ROOT = Path(__file__).parents[2]
UPSTREAM = ROOT.parent / "shared" / "emotionbench"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    """The lines of a page's blocks that call a program."""
    blocks = (
        block["body"]
        for block in _BLOCK.finditer(page.read_text(encoding="utf-8"))
        if block["language"] != "eb"
    )
    lines = (line.strip() for body in blocks for line in body.splitlines())
    return [line for line in lines if line.split(" ")[0] in ("ebc", "duckdb", "make")]


def run_duckdb(arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the duckdb program does with `-init FILE -c SQL`."""
    import duckdb

    assert arguments[0] == "-init"
    assert arguments[2] == "-c"
    with monkeypatch.context() as there, duckdb.connect(":memory:") as connection:
        there.chdir(folder / "results")
        connection.execute(Path(arguments[1]).read_text(encoding="utf-8"))
        rows = connection.execute(arguments[3]).fetchall()
    assert rows
    assert rows[0][0] > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_do_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-the-test-server")
    assert main(["run", "specs/anger.eb"]) == 0
    lacks_upstream = False
    with served(tmp_path / "server.log", batches={"courses": [{"looks": 0}]}) as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        for command in commands(page):
            program, *arguments = shlex.split(command, comments=True)
            if "emotionbench" in command:
                if not UPSTREAM.is_dir():
                    lacks_upstream = True
                    continue
                arguments = [_place(argument) for argument in arguments]
            if program == "ebc":
                status = main(arguments)
                said = capsys.readouterr()
                assert status == 0, f"{command}\n{said.err}"
                assert said.out or arguments[0] in ("run", "check", "export"), command
            elif program == "duckdb":
                run_duckdb(arguments, tmp_path, monkeypatch)
            else:  # `make test` is what runs this; `make demo` runs beside it
                assert re.search(rf"(?m)^{arguments[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"))
    if lacks_upstream:
        pytest.skip("all but the EmotionBench commands ran: ../shared/emotionbench is absent")


def _place(argument: str) -> str:
    """Where the files that a user would have checked out stand here."""
    return {"EmotionBench": str(UPSTREAM), "published": str(UPSTREAM / "published")}.get(argument, argument)


def test_pages_do_have_commands() -> None:
    assert len(commands(ROOT / "README.md")) >= 12


def test_the_readme_shows_what_the_demo_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = next(
        block["body"]
        for block in _BLOCK.finditer((ROOT / "README.md").read_text(encoding="utf-8"))
        if "[sim]" in block["body"]
    )
    monkeypatch.chdir(tmp_path)
    assert main(["run", str(ROOT / "specs" / "anger.eb"), "--results", "results"]) == 0
    assert main(["report", "anger", "--results", "results"]) == 0
    assert shown in capsys.readouterr().out
