"""`ebc doctor local`: what a user sees of a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from ebc.cli import main
from runtime.transports.local import libraries
from runtime.transports.local.scoring import Asked, Logs, Scoring
from tests.runtime.local.tiny import NO_SYSTEM, tiny_llama

NEEDED = pytest.mark.skipif(
    any(find_spec(name) is None for name in libraries.NEEDED), reason="the extra `local` is not installed"
)
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec that declares models."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EBC_CACHE", str(tmp_path / "cache"))
    Path("own.eb").write_text(
        'model tiny { provider local  name "tiny"  readout options  device "cpu" }\n'
        'model gone { provider local  name "./nowhere" }\n'
        'model far { provider openai  name "gpt-4o-mini" }\n',
        encoding="utf-8",
    )
    return tmp_path


@NEEDED
def test_a_sound_model_is_shown_with_its_prompt_and_its_options(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_llama(there / "tiny", NO_SYSTEM)
    assert main(["doctor", "local", "tiny", "--spec", "own.eb"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tiny: LlamaForCausalLM, ")
    assert "its text stands on top of the user's" in out
    assert "  <|start|>user\n  Rate every item with a whole number" in out
    assert out.count("<|start|>assistant\n") == 1
    (one,) = [line for line in out.splitlines() if line.endswith("; 10 begins so, too")]
    (ten,) = [line for line in out.splitlines() if line.startswith("   10  [")]
    assert ten.split("[")[1].startswith(one.split("[")[1].split("]")[0] + ", ")
    assert out.count("\nholds  ") == 3
    assert "batches of 1, 3 and 16, shuffled: the same (to the last digit; allowed: 0)" in out


@NEEDED
def test_as_json_it_can_be_read_by_a_program(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_llama(there / "tiny")
    assert main(["doctor", "local", "local:tiny", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] is True
    assert [option["code"] for option in found["options"]] == [float(code) for code in range(1, 11)]
    apart = {check["what"].split(":")[0]: check["apart"] for check in found["checks"]}
    assert 0 < apart["3 questionnaires in one pass each"] < 1e-4
    assert apart["batches of 1, 3 and 16, shuffled"] == 0


@NEEDED
def test_a_pass_that_says_something_else_is_found(
    there: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_llama(there / "tiny")
    right = Scoring.plain

    def wrong(self: Scoring, row: Asked) -> Logs:
        return {step: log + 0.01 * (step[0] > 3) for step, log in right(self, row).items()}

    monkeypatch.setattr(Scoring, "plain", wrong)
    monkeypatch.setattr(Scoring, "_bears", lambda *_: True)
    assert main(["doctor", "local", "tiny", "--spec", "own.eb"]) == 1
    assert "FAILS  3 questionnaires in one pass each" in capsys.readouterr().out


@NEEDED
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gone", "--spec", "own.eb"], "there is no folder and no GGUF file ./nowhere here"),
        (["far", "--spec", "own.eb"], "model far has provider openai: it is no model whose weights are here"),
        (["nobody"], "no model `nobody` is declared"),
        (["local:broken"], "transformers cannot load broken"),
        (["local:empty"], "has no config.json"),
        (["tiny", "--spec", "absent.eb"], "absent.eb"),
    ],
)
def test_a_mistake_has_one_message(
    there: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], says: str
) -> None:
    (there / "empty").mkdir()
    tiny_llama(there / "broken")
    (there / "broken" / "model.safetensors").write_bytes(b"no weights")
    assert main(["doctor", "local", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert "Traceback" not in err


def test_without_the_extra_one_message_says_what_to_install(
    there: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(libraries, "NEEDED", ("a_library_that_is_absent",))
    assert main(["doctor", "local", "tiny", "--spec", "own.eb"]) == 2
    assert "a_library_that_is_absent" in capsys.readouterr().err
