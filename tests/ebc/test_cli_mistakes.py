"""Wrong input at the command line: exit status 2, and one message that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebc.cli import main

WRONG = {
    "init: a folder that has one": (["init", "begun"], "there already"),
    "init: a file in the way": (["init", "a-file"], "a-file is there already"),
    "check: no such file": (["check", "nowhere.eb"], "nowhere.eb"),
    "check: a mistake": (["check", "wrong.eb"], "did you mean `pride`?"),
    "check: no text": (["check", "bytes.eb"], "not UTF-8"),
    "check: a folder without specs": (["check", "empty"], "holds no .eb file"),
    "fmt: no such file": (["fmt", "nowhere.eb"], "nowhere.eb"),
    "fmt: no text": (["fmt", "bytes.eb"], "bytes.eb"),
    "compile: a mistake": (["compile", "wrong.eb"], "1 error"),
    "compile: a folder": (["compile", "empty"], "is no plan"),
    "compile: no such study": (["compile", "pride.eb", "--study", "shame"], "no study `shame`"),
    "compile: no such model": (["compile", "pride.eb", "--model", "gpt-99"], "openai:gpt-99"),
    "compile: no such provider": (["compile", "pride.eb", "--model", "acme:gpt"], "no provider `acme`"),
    "compile: a library without a study": (["compile", "library.eb"], "declares no study"),
    "explain: a broken plan": (["explain", "broken.plan"], "Compile the spec again"),
    "explain: a folder": (["explain", "empty"], "is no plan"),
    "run: a limit beyond all bounds": (["run", "pride.eb", "--limit", "9" * 20], "--limit is"),
    "explain: no sample": (["explain", "pride.eb", "--sample", "0"], "--sample is 0"),
    "fmt: an empty name": (["fmt", ""], "is empty"),
    "compile: among other things": (["compile", "pride.eb", "-o", "begun"], "other things"),
    "run: trials that were edited": (["run", "swapped.plan"], "changed after it was compiled"),
    "run: one model twice": (["run", "pride.eb", "--model", "robot", "--model", "robot"], "`robot` twice"),
    "run: two models of one name": (
        ["run", "pride.eb", "--model", "simulated:x", "--model", "fake:x"],
        "answers of both",
    ),
    "run: a model with the name of people": (["run", "recorded.eb", "--model", "simulated:people"], "`people`"),
    "run: a plan that was edited": (["run", "edited.plan"], "changed after it was compiled"),
    "check: a name that no file can have": (["check", "x" * 400 + ".eb"], "too long"),
    "explain: another study of a plan": (["explain", "whole.plan", "--study", "shame"], "not of shame"),
    "run: no such file": (["run", "nowhere.eb"], "nowhere.eb"),
    "run: a broken plan": (["run", "broken.plan"], "Compile the spec again"),
    "run: a limit of 0": (["run", "pride.eb", "--limit", "0"], "--limit is 0"),
    "run: results are a file": (["run", "pride.eb", "--results", "a-file"], "a-file is a file"),
    "run: no key": (["run", "pride.eb", "--model", "gpt_4o_mini"], "OPENAI_API_KEY"),
    "run: nobody to ask": (["run", "recorded.eb"], "--model"),
    "runs: no warehouse": (["runs"], "no warehouse at results"),
    "import emotionbench: no such folder": (["import", "emotionbench", "nowhere", "--specs", "s"], "nowhere"),
    "import emotionbench: another folder": (["import", "emotionbench", "empty", "--specs", "s"], "empty"),
    "import responses: no such data": (["import", "responses", "recorded.eb"], "people.csv"),
    "import responses: none declared": (
        ["import", "responses", "pride.eb"],
        "no study with recorded responses",
    ),
    "import responses: data is no folder": (
        ["import", "responses", "recorded.eb", "--data", "a-file"],
        "a-file",
    ),
    "sql: no warehouse": (["sql", "SELECT 1"], "no warehouse at results"),
    "report: no warehouse": (["report", "pride"], "no warehouse at results"),
    "report: a spec with a mistake": (["report", "wrong.eb"], "1 error"),
}


@pytest.mark.parametrize(("arguments", "says"), WRONG.values(), ids=WRONG.keys())
def test_wrong_input_is_one_clear_message(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    (folder / "library.eb").write_text('emotion awe { factor sky { "Stars." } }\n', encoding="utf-8")
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert "Traceback" not in err


def test_unknown_commands_and_options_are_usage_errors(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["chekc"], ["check"], ["run", "pride.eb", "--modle", "x"], []):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
        assert "usage: ebc" in capsys.readouterr().err
