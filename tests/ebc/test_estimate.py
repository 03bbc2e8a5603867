"""What `ebc compile` says that a study will take, beside what it took on the test server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.runtime.server_log import read_events

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" {{
  factor craft "Craft" {{ "The shelf that you built holds."  "Your bread has risen, and the house smells." }}
  factor games "Games" {{ "You win a game that you have lost for years, and nobody saw it." }}
}}
model served {{
  provider openai  name "served"  base_url "{url}"
  usd_per_million_tokens {{ input 2  output 8  cached 1 }}
}}
study pride "Pride" {{
  protocol appraisal  scales PANAS  stimuli pride  panels served
  seed 1  orders 5  repeats {repeats}  {sampling}
}}
"""


@pytest.mark.parametrize(
    ("repeats", "sampling"), [(1, ""), (8, ""), (3, "sampling { max_tokens 10 }"), (40, "sampling { seed 3 }")]
)
def test_an_estimate_is_within_a_tenth_of_what_it_took(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    repeats: int,
    sampling: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with served(tmp_path / "log") as url:
        spec = SPEC.format(url=url, repeats=repeats, sampling=sampling)
        (tmp_path / "pride.eb").write_text(spec, encoding="utf-8")
        assert main(["compile", "pride.eb", "--format", "json"]) == 0
        estimated: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert main(["run", "pride.eb", "--format", "json"]) == 0
        [ended] = json.loads(capsys.readouterr().out)
    events = [event for event in read_events(tmp_path / "log") if event.event == "answered"]
    assert estimated["trials"] == ended["asked"] == 4 * 5 * repeats
    assert estimated["requests"] == len(events) == 4 * 5 * -(-repeats // 32)
    assert estimated["tokens_in"] == pytest.approx(sum(event.tokens_in for event in events), rel=0.1)
    if "max_tokens" in sampling:  # the server writes all the same
        assert estimated["tokens_out"] == 10 * estimated["trials"]
        return
    assert estimated["tokens_out"] == pytest.approx(sum(event.tokens_out for event in events), rel=0.1)
    assert main(["sql", "SELECT sum(cost) AS c, sum(tokens_in) AS i FROM responses", "--format", "json"]) == 0
    [paid] = json.loads(capsys.readouterr().out)
    assert paid["i"] == sum(event.tokens_in for event in events)
    assert estimated["cost"] == pytest.approx(paid["c"], rel=0.1)
