"""The test server as a process of its own, for commands that run as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any


@contextmanager
def served(
    log: Path,
    latency: int = 0,
    faults: Sequence[dict[str, Any] | None] = (),
    endpoint: Mapping[str, Any] = MappingProxyType({}),
    batches: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[str]:
    """A server process; yields its address. `latency` is in ms; for `faults`, `endpoint` and `batches`
    see tests.runtime.server."""
    log.touch()
    script = log.with_suffix(".faults")
    script.write_text(json.dumps(list(faults)), encoding="utf-8")
    command = [sys.executable, "-m", "tests.runtime.server", "--log", str(log)]
    behaviour = log.with_suffix(".endpoint")
    behaviour.write_text(json.dumps(dict(endpoint)), encoding="utf-8")
    command += ["--latency", str(latency), "--faults", str(script), "--endpoint", str(behaviour)]
    course = log.with_suffix(".batches")
    course.write_text(json.dumps(dict(batches)), encoding="utf-8")
    command += ["--batches", str(course)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def answered(log: Path) -> int:
    """How many requests the server has answered."""
    return log.read_text(encoding="utf-8").count('"answered"')
