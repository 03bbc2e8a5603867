"""The command line as a user meets it: exit status, stdout for results, stderr for messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ebc.cli import main
from tests.ebc.pride import SPEC


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
        ("positive", 2, 2),
        ("negative", 2, 2),
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
