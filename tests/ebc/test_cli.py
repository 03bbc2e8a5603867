"""The command line as a user meets it: exit status, stdout for results, stderr for messages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ebc.cli import main
from tests.ebc.serving import served

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" { factor craft "Craft" { "The shelf that you built holds."  "Your bread has risen." } }
model robot { provider simulated  name "a robot"  effect { PANAS.positive 1 } }
study pride "Pride" {
  protocol appraisal  scales PANAS  stimuli pride  panels robot
  seed 1  orders 2
  contrast shift = evoked - default { test welch }
}
"""


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


def test_from_a_spec_to_a_table_and_nothing_is_asked_twice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", "pride.eb", "--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["trials"] == summary["requests"] == 2 * (1 + 2)
    assert (folder / "pride.plan" / "plan.json").is_file()

    assert main(["run", "pride.plan", "--format", "json"]) == 0
    [ended] = json.loads(capsys.readouterr().out)
    assert (ended["state"], ended["asked"], ended["kept"], ended["left"]) == ("finished", 6, 0, 0)
    assert main(["run", "pride.eb", "--format", "json"]) == 0
    [again] = json.loads(capsys.readouterr().out)
    assert (again["state"], again["asked"], again["kept"]) == ("finished", 0, 6)

    assert main(["runs", "--format", "json"]) == 0
    [run] = json.loads(capsys.readouterr().out)
    assert (run["panel"], run["source"], run["state"], run["answered"]) == ("robot", "simulated", "finished", 6)

    assert main(["report", "pride", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["panel_kind"] for row in report["rows"]} == {"simulated"}
    assert {(row["subscale"], row["a_n"], row["b_n"]) for row in report["rows"]} == {
        ("positive", 4, 2),
        ("negative", 4, 2),
    }
    assert main(["sql", "SELECT count(*) AS n FROM answers WHERE value IS NOT NULL", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"n": 120}]


def test_a_new_folder_has_a_study_that_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "mine"]) == 0
    assert main(["check", "mine/study.eb"]) == 0
    assert main(["fmt", "--check", "mine/study.eb"]) == 0
    assert main(["run", "mine/study.eb"]) == 0
    assert main(["report", "my_study"]) == 0
    assert "Boredom" in capsys.readouterr().out


def test_a_changed_spec_keeps_what_is_still_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "pride.eb", "--format", "json"])
    more = SPEC.replace('"Your bread has risen."', '"Your bread has risen."  "The knot holds."')
    (folder / "pride.eb").write_text(more, encoding="utf-8")
    capsys.readouterr()
    assert main(["run", "pride.eb", "--format", "json"]) == 0
    [ended] = json.loads(capsys.readouterr().out)
    assert (ended["asked"], ended["kept"]) == (2, 6)
    main(["sql", "SELECT count(*) AS n FROM trials", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == [{"n": 8}]


def scores(capsys: pytest.CaptureFixture[str], where: str) -> list[dict[str, object]]:
    capsys.readouterr()
    columns = "condition, round(avg(score), 2) AS mean, count(score) AS n"
    sql = f"SELECT {columns} FROM scores WHERE {where} GROUP BY ALL ORDER BY 1"
    assert main(["sql", sql, "--format", "json"]) == 0
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return rows


def test_a_corrected_data_file_takes_the_place_of_the_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = "id," + ",".join(f"i{k}" for k in range(1, 21))
    rows = ["p1," + ",".join("1" * 20), "p2," + ",".join("3" * 20)]
    (folder / "people.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 0
    assert scores(capsys, "subscale = 'positive'") == [{"condition": "default", "mean": 20.0, "n": 2}]
    assert main(["import", "responses", "recorded.eb"]) == 0
    assert "nothing added" in capsys.readouterr().out
    rows[1] = "p2," + ",".join("5" * 20)
    (folder / "people.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 0
    assert "in place of an earlier import" in capsys.readouterr().out
    assert scores(capsys, "subscale = 'positive'") == [{"condition": "default", "mean": 30.0, "n": 2}]
    main(["sql", "SELECT count(*) AS n FROM responses", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == [{"n": 2}]


def test_an_import_of_nothing_takes_nothing_away(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = "id," + ",".join(f"i{k}" for k in range(1, 21))
    (folder / "people.csv").write_text(f"{header}\np1,{','.join('2' * 20)}\n", encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 0
    spec = (folder / "recorded.eb").read_text(encoding="utf-8")
    spec = spec.replace('column "id"\n', 'column "id"\n  recode respondent { "p1" -> missing }\n')
    (folder / "recorded.eb").write_text(spec, encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 2
    assert "nothing in it could be taken in" in capsys.readouterr().err
    assert scores(capsys, "subscale = 'positive'") == [{"condition": "default", "mean": 20.0, "n": 1}]


def test_a_fresh_run_is_not_counted_beside_the_old_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", "pride.eb"])
    first = scores(capsys, "subscale = 'positive'")
    main(["run", "pride.eb", "--fresh"])
    assert scores(capsys, "subscale = 'positive'") == first


def test_a_report_of_a_file_follows_its_scoring_key_and_says_that_it_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = (
        SPEC.replace("scales PANAS", "scales TWO")
        .replace("PANAS.positive", "TWO.all")
        .replace(
            "study pride",
            'scale TWO { options 1..5 { 1 "no"  5 "yes" }  items { "proud"  "glad" }'
            "  subscale all = sum(1, 2) }\nstudy pride",
        )
    )
    (folder / "pride.eb").write_text(own, encoding="utf-8")
    main(["run", "pride.eb"])
    [before] = report_rows(capsys, "pride.eb")
    (folder / "pride.eb").write_text(own.replace("= sum(1, 2)", "= 10 * sum(1, 2)"), encoding="utf-8")
    [after] = report_rows(capsys, "pride.eb", says="other things")
    assert after["a_mean"] == pytest.approx(10 * before["a_mean"])
    assert report_rows(capsys, "pride") == [before]
    main(["run", "pride.eb"])
    assert report_rows(capsys, "pride") == [after]


def report_rows(capsys: pytest.CaptureFixture[str], study: str, says: str = "") -> list[dict[str, float]]:
    capsys.readouterr()
    assert main(["report", study, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert says in err
    assert bool(says) == bool(err)
    rows: list[dict[str, float]] = json.loads(out)["rows"]
    return rows


def test_two_studies_of_one_file_are_two_reports(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = SPEC[SPEC.index("study pride") :].replace("study pride", "study again")
    (folder / "pride.eb").write_text(SPEC + second, encoding="utf-8")
    assert main(["run", "pride.eb"]) == 0
    assert main(["report", "pride.eb"]) == 0
    assert main(["report", "pride.eb", "--format", "json"]) == 2
    assert "pride, again" in capsys.readouterr().err
    main(["runs", "--format", "json"])
    run = json.loads(capsys.readouterr().out)[0]["run"]
    assert main(["report", "pride.eb", "--run", run]) == 0


def test_a_folder_of_the_name_does_not_hide_a_study(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "pride.eb"])
    (folder / "pride").mkdir()
    assert main(["report", "pride"]) == 0
    assert "Pride" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
def test_a_full_disk_behind_stdout_is_a_message(folder: Path) -> None:
    command = [sys.executable, "-m", "ebc", "compile", "pride.eb"]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert ended.returncode == 1
    assert "No space left" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr


def test_fresh_starts_a_run_beside_the_old_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "pride.eb"])
    assert main(["run", "pride.eb", "--fresh"]) == 0
    capsys.readouterr()
    main(["runs", "--format", "json"])
    runs = [run["run"] for run in json.loads(capsys.readouterr().out)]
    assert len(set(runs)) == 2
    assert main(["report", "pride", "--run", runs[0], "--format", "csv"]) == 0
    assert main(["report", "pride", "--run", "no-such-run"]) == 2


def test_two_models_are_two_panels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "pride.eb", "--model", "simulated", "--model", "simulated:other one"]) == 0
    capsys.readouterr()
    main(["sql", "SELECT panel, count(*) AS n FROM trials GROUP BY panel ORDER BY panel", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == [
        {"panel": "other one", "n": 6},
        {"panel": "simulated", "n": 6},
    ]


def test_diagnostics_as_json_and_sarif(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "wrong.eb", "--format", "json"]) == 2
    [found] = json.loads(capsys.readouterr().out)
    assert (found["code"], found["severity"], found["file"]) == ("E010", "error", "wrong.eb")
    assert (found["line"], found["column"], found["end_column"]) == (6, 45, 49)
    assert main(["check", "wrong.eb", "--format", "sarif"]) == 2
    sarif = json.loads(capsys.readouterr().out)
    assert sarif["version"] == "2.1.0"
    [result] = sarif["runs"][0]["results"]
    assert result["ruleId"] == "E010"


def test_fmt_rewrites_once_and_check_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "pride.eb"]) == 1
    before = (folder / "pride.eb").read_text(encoding="utf-8")
    assert before == SPEC
    assert main(["fmt", "pride.eb"]) == 0
    assert capsys.readouterr().out == "pride.eb\n" * 2
    assert main(["fmt", "--check", "pride.eb"]) == 0
    assert main(["check", "pride.eb"]) == 0


def test_a_file_with_mistakes_of_form_is_not_laid_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "open.eb").write_text("emotion awe {\n   factor sky {\n", encoding="utf-8")
    assert main(["fmt", "open.eb"]) == 2
    assert (folder / "open.eb").read_text(encoding="utf-8") == "emotion awe {\n   factor sky {\n"
    assert "E002" in capsys.readouterr().err


def served_spec(folder: Path, url: str) -> None:
    """The same study, answered by a model behind an address."""
    model = f'provider openai  name "gpt"  base_url "{url}"'
    text = SPEC.replace('provider simulated  name "a robot"  effect { PANAS.positive 1 }', model)
    (folder / "served.eb").write_text(text, encoding="utf-8")


def test_a_key_from_a_file_lands_nowhere_also_when_the_provider_repeats_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = "sk-hidden-in-the-file"
    (folder / ".env").write_text(f"OPENAI_API_KEY={key}\n", encoding="utf-8")
    refusal = {"status": 401, "error": {"message": f"Incorrect API key provided: {key}."}}
    echo = {"reply": {"choices": [{"finish_reason": "stop", "message": {"content": f"1. 3 {key}"}}]}}
    page = {"reply": {"choices": f"the key {key}"}}
    with served(folder / "log", faults=[echo, page, *[refusal] * 20]) as url:
        served_spec(folder, url)
        assert main(["run", "served.eb", "--connections", "1"]) == 2
    out, err = capsys.readouterr()
    assert "OPENAI_API_KEY" in err
    assert key not in out + err
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in (".env", "log.faults"):
            assert key.encode() not in path.read_bytes()


def test_faults_end_in_rows_of_the_right_status(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = {"reply": {"usage": "many", "model": 5, "system_fingerprint": [1]}}
    refused = {
        "reply": {"choices": [{"finish_reason": "stop", "message": {"content": "I cannot rate feelings."}}]}
    }
    faults = [
        {"status": 429, "headers": {"Retry-After": "0.01"}},
        {"status": 500},
        {"drop": True},
        {"status": 400, "error": {"message": "this prompt is not to our taste"}},
        refused,
        odd,
    ]
    with served(folder / "log", faults=faults) as url:
        served_spec(folder, url)
        assert main(["run", "served.eb", "--connections", "1", "--format", "json"]) == 1
        out, err = capsys.readouterr()
        assert "1 failed with: 400 from" in err
        assert "not to our taste" in err
        [ended] = json.loads(out)
        assert ended["statuses"] == {"complete": 4, "refused": 1, "error": 1}
        assert main(["run", "served.eb", "--format", "json"]) == 0
        [again] = json.loads(capsys.readouterr().out)
        assert (again["asked"], again["kept"], again["state"]) == (1, 5, "finished")
    main(
        [
            "sql",
            "SELECT attempt, status, text IS NULL AS without FROM responses ORDER BY ALL",
            "--format",
            "json",
        ]
    )
    rows = json.loads(capsys.readouterr().out)
    assert rows == [
        *[{"attempt": 0, "status": "complete", "without": False}] * 4,
        {"attempt": 0, "status": "error", "without": True},
        {"attempt": 0, "status": "refused", "without": False},
        {"attempt": 1, "status": "complete", "without": False},
    ]
