"""A run that is killed again and again while its provider fails: the server's log says what was paid for."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.ebc.serving import served
from tests.runtime.plans import FileSink
from tests.runtime.server import Fault
from tests.runtime.server_log import read_events, tallies
from tests.runtime.test_resume import CONNECTIONS, TRIALS, at_records, to_the_end

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")

KILLS = (TRIALS // 5, TRIALS // 2)
FAULTS: tuple[Fault, ...] = (
    {"drop": True},
    {"status": 500},
    {"lost": True},
    {"status": 429, "headers": {"retry-after-ms": "20"}},
    {"half": True},
    {"html": True},
    {"encoding": "gzip"},
    {"trickle": 0.002},
)


def test_kills_under_faults_lose_nothing_and_double_only_what_was_on_its_way(tmp_path: Path) -> None:
    faults = [FAULTS[number // 23 % len(FAULTS)] if number % 23 == 0 else None for number in range(2 * TRIALS)]
    log = tmp_path / "log"
    with served(log, latency=10, faults=faults) as url:
        for records in KILLS:
            at_records(tmp_path, records, lambda process: process.send_signal(signal.SIGKILL), url)
        outcome = to_the_end(tmp_path, url)
        before = len(read_events(log))
        again = to_the_end(tmp_path, url)
        assert len(read_events(log)) == before
    assert (outcome["state"], again["state"], again["asked"]) == ("finished", "finished", 0)
    rows = [one.response.trial for one in FileSink(tmp_path / "sink").answers()]
    assert len(rows) == len(set(rows)) == TRIALS
    tally = tallies(read_events(log))
    assert len(tally) == TRIALS
    assert all(one.answered >= 1 for one in tally.values())
    assert sum(one.answered - 1 for one in tally.values()) <= CONNECTIONS * len(KILLS)
    assert sum(one.lost for one in tally.values()) > 0
