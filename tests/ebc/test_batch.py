"""`ebc run --batch` as a user meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from tests.ebc.serving import served
from tests.ebc.test_budget import PRICE, folder, spec  # noqa: F401
from tests.runtime.server_log import paid_twice, read_events

pytestmark = pytest.mark.usefixtures("soon")
TRIALS = 30
SLOW = {"courses": [{"looks": 1_000_000}]}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """The status, the runs and the messages of `ebc run`."""
    status = main(["run", "pride.eb", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else [], err


def notes(err: str) -> list[str]:
    """What the user was told on the way."""
    events = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    return [event["text"] for event in events if event["event"] == "note"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "robot"], "--batch: model robot has provider simulated, which takes no batches"),
        (["--connections", "3"], "--connections says nothing of batches"),
    ],
)
def test_what_cannot_be_asked_by_batch_is_refused_at_once(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    says: str,
) -> None:
    (folder / "pride.eb").write_text(spec("http://127.0.0.1:9/v1"), encoding="utf-8")
    status, ended, err = run(capsys, "--batch", *arguments)
    assert (status, ended) == (2, [])
    assert says in err
    assert not (folder / "results").exists()


def test_all_models_are_handed_over_before_any_is_waited_for(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served(folder / "log", batches={"faults": {"retrieve": [None] * 2}}) as url:
        (folder / "pride.eb").write_text(spec(url, PRICE, PRICE), encoding="utf-8")
        status, ended, err = run(capsys, "--batch", "--max-requests", "30")
    assert (status, [(one["asked"], one["left"]) for one in ended]) == (0, [(TRIALS, 0), (TRIALS, 0)])
    told = notes(err)
    assert [note.split(":")[0] for note in told if "with the provider" in note] == [
        "batch_1 is with the provider",
        "batch_2 is with the provider",
    ]
    events = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert [event["panel"] for event in events if event["event"] == "begin"] == ["one", "two", "one", "two"]
    assert paid_twice(read_events(folder / "log"), 2) == {}


def test_a_budget_holds_for_what_several_models_have_out(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served(folder / "log") as url:
        (folder / "pride.eb").write_text(spec(url, PRICE, PRICE), encoding="utf-8")
        status, ended, _ = run(capsys, "--batch", "--max-requests", "20")
        assert (status, [(one["asked"], one["left"]) for one in ended]) == (1, [(30, 0), (10, 20)])
        assert run(capsys, "--batch")[0] == 0
    assert paid_twice(read_events(folder / "log"), 2) == {}


def started(folder: Path) -> subprocess.Popen[str]:  # noqa: F811
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "ebc", "run", "pride.eb", "--batch", "--model", "one"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def wait_for(happened: Callable[[], object]) -> None:
    """Waits until something is so."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < 60
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")
def test_while_a_batch_is_out_nothing_else_asks_its_trials(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served(folder / "log", batches=SLOW) as url:
        (folder / "pride.eb").write_text(spec(url), encoding="utf-8")
        process = started(folder)
        assert process.stderr is not None
        assert "batch_1 is with the provider: 15 requests for 30 trials" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait() == 130
        assert "the batch batch_1 goes on at the provider, with 30 trials; the same command collects" in said

        for arguments in (
            ["--model", "one"],
            ["--model", "one", "--fresh"],
            ["--model", "one", "--fresh", "--batch"],
        ):
            status, ended, err = run(capsys, *arguments)
            assert (status, ended) == (2, [])
            assert "30 trials of one are out in a batch (batch_1): collect it first" in err
        assert main(["runs"]) == 0
        assert "interrupted, in a batch" in capsys.readouterr().out
        assert main(["runs", "--format", "json"]) == 0
        [row] = json.loads(capsys.readouterr().out)
        assert [(batch["batch"], batch["trials"]) for batch in row["batches"]] == [("batch_1", 30)]
        assert main(["explain", "pride.eb", "--model", "one", "--results", "results"]) == 0
        assert re.search(r"new +\d+  \w+: out in a batch that is not collected yet", capsys.readouterr().out)
        assert run(capsys, "--model", "two")[0] == 0


def test_a_batch_of_an_earlier_spec_is_collected_and_what_is_new_is_asked(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served(folder / "log") as url:
        text = spec(url)
        (folder / "pride.eb").write_text(text, encoding="utf-8")
        from ebc.pipeline import compile_spec, load_spec, run_plan
        from runtime.progress import Silent

        [compiled] = compile_spec(load_spec("pride.eb"), models=["one"])
        [handed] = run_plan(compiled, folder / "results", Silent, batch=True, wait=False)
        assert handed.outcome.state == "running"
        changed = text.replace("Your bread rises.", "Your cake rises.")
        assert changed != text
        (folder / "pride.eb").write_text(changed, encoding="utf-8")
        status, [ended], err = run(capsys, "--batch", "--model", "one")
    assert (status, ended["state"], ended["asked"], ended["left"]) == (0, "finished", 40, 0)
    assert any(
        re.match(r"batch_1 is with the provider since .* UTC: 15 requests for 30 trials", n) for n in notes(err)
    )
    assert any("batch_2 is with the provider: 5 requests for 10 trials" in note for note in notes(err))
    main(["sql", "SELECT count(*) AS n, count(DISTINCT trial) AS trials FROM responses", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == [{"n": 40, "trials": 40}]
    assert main(["report", "pride"]) == 0
    assert paid_twice(read_events(folder / "log"), 2) == {}


def test_a_spec_that_shrank_collects_what_it_no_longer_needs(
    folder: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with served(folder / "log") as url:
        text = spec(url)
        (folder / "pride.eb").write_text(text, encoding="utf-8")
        from ebc.pipeline import compile_spec, load_spec, run_plan
        from runtime.progress import Silent

        [compiled] = compile_spec(load_spec("pride.eb"), models=["one"])
        list(run_plan(compiled, folder / "results", Silent, batch=True, wait=False))
        (folder / "pride.eb").write_text(text.replace("orders 5", "orders 2"), encoding="utf-8")
        status, [ended], _ = run(capsys, "--batch", "--model", "one")
        assert (status, ended["state"], ended["asked"], ended["left"]) == (0, "finished", 30, 0)
        (folder / "pride.eb").write_text(text, encoding="utf-8")
        status, [ended], _ = run(capsys, "--batch", "--model", "one")
        assert (status, ended["asked"], ended["kept"]) == (0, 0, 30)
