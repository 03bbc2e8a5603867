"""Models that are asked for JSON, or for the probabilities of the options, as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.ebc.test_endpoints import SPEC, TRIALS, selected

ITEMS = 20


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one-two-three")
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    return tmp_path


def ran(folder: Path, readout: str, endpoint: Mapping[str, Any] = MappingProxyType({}), *more: str) -> int:
    """Runs the study with a model of this readout."""
    with served(folder / "log", endpoint=endpoint) as url:
        model = SPEC.replace('base_url "URL"', f'base_url "{url}"  readout {readout}')
        Path("pride.eb").write_text(model, encoding="utf-8")
        return main(["run", "pride.eb", "--connections", "2", *more])


def one_sent(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What all requests had in common: one set of parameters."""
    rows = selected("SELECT DISTINCT request_sent FROM responses WHERE status = 'complete'", capsys)
    assert len(rows) == 1
    document = json.loads(rows[0]["request_sent"])
    assert isinstance(document, dict)
    return document


def test_json_is_asked_for_by_a_schema_and_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(folder, "json") == 0
    texts = selected("SELECT DISTINCT text FROM responses", capsys)
    assert all(sorted(map(int, json.loads(row["text"]))) == list(range(1, ITEMS + 1)) for row in texts)
    assert one_sent(capsys)["response_format"] == {"type": "json_schema", "strict": True}
    counted = selected("SELECT count(*) AS n, count(value) AS valued FROM answers", capsys)
    assert counted == [{"n": TRIALS * ITEMS, "valued": TRIALS * ITEMS}]


def test_an_endpoint_without_schemas_finds_the_schema_in_the_prompt(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(folder, "json", {"refuses": ["response_format"]}) == 0
    said = capsys.readouterr().err
    assert said.count("takes no JSON Schema: any JSON object is asked for") == 1
    assert said.count("cannot be held to JSON: the schema stands in the last message alone") == 1
    sent = one_sent(capsys)
    assert "response_format" not in sent
    assert sent["adapted"] == {"json_schema": "in the last message"}
    texts = selected("SELECT text FROM responses", capsys)
    assert all(len(json.loads(row["text"])) == ITEMS for row in texts)


@pytest.mark.parametrize(("most", "sent"), [(20, 20), (5, 5)])
def test_options_are_kept_with_their_probabilities(
    folder: Path, capsys: pytest.CaptureFixture[str], most: int, sent: int
) -> None:
    assert ran(folder, "options", {"most_logprobs": most}) == 0
    assert ("gives the probabilities of 5 tokens at most" in capsys.readouterr().err) == (most < 20)
    assert one_sent(capsys)["top_logprobs"] == sent
    rows = selected("SELECT value, probabilities, expected, off_scale_mass FROM answers", capsys)
    assert len(rows) == TRIALS * ITEMS
    for row in rows:
        likely, next_one = int(row["value"]), int(row["value"]) % 5 + 1
        wanted = [{likely: 0.6, next_one: 0.3}.get(code, 0.0) / 0.9 for code in range(1, 6)]
        assert row["probabilities"] == pytest.approx(wanted)
        assert row["expected"] == pytest.approx((0.6 * likely + 0.3 * next_one) / 0.9)
        assert row["off_scale_mass"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("endpoint", "said", "sent"),
    [
        ({"refuses": ["logprobs"]}, "gives no probabilities of tokens", {"logprobs": "left out"}),
        ({"most_logprobs": 0}, "sends no probabilities of tokens", None),
    ],
)
def test_without_probabilities_the_text_is_read(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    endpoint: dict[str, Any],
    said: str,
    sent: dict[str, str] | None,
) -> None:
    assert ran(folder, "options", endpoint) == 0
    assert capsys.readouterr().err.count(said) == 1
    assert one_sent(capsys).get("adapted") == sent
    rows = selected("SELECT count(value) AS n, count(probabilities) AS weighed FROM answers", capsys)
    assert rows == [{"n": TRIALS * ITEMS, "weighed": 0}]


def test_another_readout_is_another_question(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(folder, "text") == 0
    assert ran(folder, "json") == 0
    assert selected("SELECT count(*) AS n FROM responses", capsys) == [{"n": 2 * TRIALS}]
    assert main(["explain", "pride.eb", "--results", "results"]) == 0
    assert "6 kept" in capsys.readouterr().out


def test_a_model_that_is_simulated_has_no_other_readout(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = SPEC.replace(
        'provider openai  name "model-one"  base_url "URL"', 'provider simulated  name "s"  readout json'
    )
    Path("pride.eb").write_text(spec, encoding="utf-8")
    assert main(["check", "pride.eb"]) == 2
    assert "readout" in capsys.readouterr().err
