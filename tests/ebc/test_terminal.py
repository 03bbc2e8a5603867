"""A run in a terminal: one live line, and Ctrl-C."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ebc.serving import served

pty = pytest.importorskip("pty", reason="terminals are opened the POSIX way")

ROOT = Path(__file__).parents[2]


def read_until(terminal: int, pattern: str, text: str = "") -> str:
    """What the terminal shows, up to a match; gives up after ten seconds of silence."""
    while not re.search(pattern, text):
        ready, _, _ = select.select([terminal], [], [], 10)
        assert ready, f"nothing more than {text!r}"
        try:
            text += os.read(terminal, 4096).decode("utf-8", "replace")
        except OSError:  # the other side has closed the terminal
            break
    return text


def test_ctrl_c_waits_for_what_is_under_way_and_says_how_to_go_on(tmp_path: Path) -> None:
    with served(tmp_path / "log", latency=150) as url:
        ours, theirs = pty.openpty()
        environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "sk-test", "TERM": "xterm"}
        command = [sys.executable, "-m", "ebc", "run", str(ROOT / "specs" / "anger.eb")]
        command += ["--model", "openai:served", "--connections", "2", "--results", str(tmp_path / "results")]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        try:
            shown = read_until(ours, r"served [1-9]\d*/260")
            assert "\r" in shown
            process.send_signal(2)
            shown = read_until(ours, r"Interrupted.*go on", shown)
            assert process.wait(timeout=20) == 130
        finally:
            process.kill()
            process.wait()
            os.close(ours)
    assert "Ctrl-C again drops them" in shown
    assert re.search(r"\d+/s .* left", shown)
