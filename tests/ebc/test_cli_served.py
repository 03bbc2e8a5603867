"""The command line with a model behind an address: keys, faults, statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ebc.cli import main
from tests.ebc.pride import SPEC
from tests.ebc.serving import served


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


@pytest.mark.parametrize("key", ["x", "1", "none"])
def test_a_word_in_place_of_a_key_is_not_looked_for_in_replies(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with served(folder / "log") as url:
        served_spec(folder, url)
        assert main(["run", "served.eb"]) == 0
    capsys.readouterr()
    assert (
        main(["sql", "SELECT DISTINCT status FROM responses WHERE text NOT LIKE '%key%'", "--format", "csv"])
        == 0
    )
    assert capsys.readouterr().out.split() == ["status", "complete"]


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
