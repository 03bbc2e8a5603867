"""Endpoints as a user meets them: what is told, what is stored, and how to go on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.runtime.server_log import Event, paid_twice, read_events

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" { factor craft "Craft" { "The shelf that you built holds."  "Your bread has risen." } }
model one { provider openai  name "model-one"  base_url "URL" }
study pride "Pride" {
  protocol appraisal  scales PANAS  stimuli pride  panels one  sampling { temperature 0  max_tokens 300 }
  seed 1  orders 2
  contrast shift = evoked - default { test welch }
}
"""
TRIALS = 6


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-first")
    for name in ("EBC_RESULTS", "OPENAI_BASE_URL", "SSL_CERT_FILE", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def ran(url: str) -> int:
    Path("pride.eb").write_text(SPEC.replace("URL", url), encoding="utf-8")
    return main(["run", "pride.eb", "--connections", "2"])


def selected(query: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["sql", query, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert isinstance(rows, list)
    return rows


def test_what_a_model_refuses_is_told_once_and_stored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "log", endpoint={"refuses": ["temperature"], "newer": True}) as url:
        assert ran(url) == 0
    said = capsys.readouterr().err
    assert said.count("Model one refuses temperature: it is left out") == 1
    assert said.count("Model one takes max_completion_tokens in place of max_tokens") == 1
    rows = selected("SELECT request_sent, count(*) AS n FROM responses GROUP BY ALL", capsys)
    assert [row["n"] for row in rows] == [TRIALS]
    assert json.loads(rows[0]["request_sent"]) == {
        "model": "model-one",
        "max_completion_tokens": 300,
        "adapted": {
            "left_out": {"temperature": 0.0},
            "renamed": {"max_tokens": "max_completion_tokens"},
        },
    }


def test_after_a_key_has_expired_a_new_one_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(folder / "log", endpoint={"expires_after": 3}) as url:
        assert ran(url) == 2
        said = capsys.readouterr().err
        assert "The key in OPENAI_API_KEY was refused" in said
        assert "sk-first" not in said
        monkeypatch.setenv("OPENAI_API_KEY", "sk-second")
        assert ran(url) in (0, 2)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-third")
        assert ran(url) == 0
    assert paid_twice(read_events(folder / "log")) == {}
    assert selected("SELECT count(*) AS n, count(DISTINCT trial) AS trials FROM responses", capsys) == [
        {"n": TRIALS, "trials": TRIALS}
    ]


def at_once(events: Sequence[Event]) -> int:
    """How many requests came before the first was answered."""
    return len(list(takewhile(lambda event: event.event == "request", events)))


def test_models_of_one_account_share_what_was_learned_of_it(folder: Path) -> None:
    second = 'model two { provider openai  name "model-two"  base_url "URL" }\nstudy pride'
    spec = SPEC.replace("study pride", second, 1).replace("panels one", "panels one, two")
    with served(folder / "log", latency=100) as url:
        Path("pride.eb").write_text(spec.replace("orders 2", "orders 10").replace("URL", url), encoding="utf-8")
        assert main(["run", "pride.eb"]) == 0
    events = read_events(folder / "log")
    assert at_once(events) == 4
    assert at_once(events[len(events) // 2 :]) > 8


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("SSL_CERT_FILE", "nowhere.pem", "SSL_CERT_FILE names nowhere.pem, whose certificates cannot be read"),
        ("ALL_PROXY", "socks5://127.0.0.1:9", "of the kind socks5://, which cannot be used"),
        ("OPENAI_API_KEY", "sk-one sk-two", "what OPENAI_API_KEY holds is no key"),
        ("OPENAI_API_KEY", "", "needs a key for https://models.example/v1"),
    ],
)
def test_what_stands_in_the_way_is_said_before_anything_is_asked(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv(variable, value)
    assert ran("https://models.example/v1") == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert "sk-one" not in error
