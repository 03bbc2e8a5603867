"""How fast `ebc run` asks, beside the least that any client does: `python -m bench.run`.

A server in a process of its own answers after 50 ms with about 300 tokens. For 64 and 256 connections each
client asks as often (20,000 times, or `--requests N`; a peer 2,000 times at most), in a process of its own.
What is printed of each:

- requests/s between the first tenth of the answers and the last, and the client's CPU in that time;
- its CPU a request from the first answer to the process's end: with ebc, all that is stored, Parquet included;
- start: from the process's start to the first answer (its 50 ms are in it); end: from the last answer to the
  process's end.

`--groups` runs ebc alone, with journal groups of 10 to 100,000 records: the rates should be the same, since no
request waits for its record's group. `--memory` runs ebc alone, 4,280 and 100,000 requests: the peak of
the second should be near that of the first. Linux alone tells the CPU of a process while it runs.
"""

from __future__ import annotations

import compileall
import os
import platform
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from bench.peers import PEERS
from bench.serving import Served, serving

LATENCY = 0.05
CONNECTIONS = (64, 256)
GROUPS = (10, 100, 1_000, 100_000)
SIZES = (4_280, 100_000)
CLIENTS = ("bare", "ebc", "openai", "openai-aiohttp", *PEERS)
OF_A_PEER = 2_000
"""Requests at most that a peer is given: some take long."""
ROOMS = ("schemas", "compiler", "runtime", "warehouse", "ebc", "bench")
TICKS = os.sysconf("SC_CLK_TCK")
HEADER = (
    f"{'client':<16}{'connections':>12}{'requests/s':>12}{'of bare':>9}{'CPU ms':>8}{'with end':>10}"
    f"{'start s':>9}{'end s':>8}{'peak MB':>9}"
)


@dataclass(frozen=True)
class Measured:
    """One client's course. CPU is in ms a request, times in seconds."""

    rate: float
    cpu: float
    cpu_with_end: float
    start: float
    end: float
    peak_mb: float


def measured(served: Served, who: str, requests: int, connections: int, *more: str) -> Measured:
    """Has a client ask. Raises SystemExit where it fails."""
    served.expect(requests)
    command = [sys.executable, "-m", "bench.clients", who, served.url, str(requests), str(connections), *more]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    began = time.perf_counter()
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        marks = [(time.perf_counter(), _cpu(process.pid), answered) for answered in served.marks()]
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    ended = time.perf_counter()
    if process.returncode != 0:
        raise SystemExit(f"{who} failed: {said[-500:]}")
    first, early, late, last = marks
    return Measured(
        rate=(late[2] - early[2]) / (late[0] - early[0]),
        cpu=(late[1] - early[1]) * 1000 / (late[2] - early[2]),
        cpu_with_end=(used.ru_utime + used.ru_stime - first[1]) * 1000 / requests,
        start=first[0] - began,
        end=ended - last[0],
        peak_mb=used.ru_maxrss / 1024,
    )


def _cpu(process: int) -> float:
    """The CPU seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def compare(served: Served, requests: int, clients: Sequence[str]) -> None:
    """Prints a line a client and number of connections; the first is what the others are held against."""
    print(HEADER, flush=True)
    for connections in CONNECTIONS:
        bare = 0.0
        for who in clients:
            if not _is_installed(who):
                print(f"{who:<16} is not installed", flush=True)
                continue
            asked = min(requests, OF_A_PEER) if who in PEERS else requests
            found = measured(served, who, asked, connections)
            bare = bare or found.rate
            print(_line(who, connections, found, bare), flush=True)


def _is_installed(who: str) -> bool:
    if who in PEERS:
        return find_spec(PEERS[who]) is not None
    return who != "openai-aiohttp" or _has_backend()


def _has_backend() -> bool:
    try:
        from openai import DefaultAioHttpClient

        DefaultAioHttpClient()
    except (ImportError, RuntimeError):
        return False
    return True


def groups(served: Served, requests: int) -> None:
    """Prints a line a size of the journal's groups."""
    print(HEADER.replace("client", "group "), flush=True)
    first = 0.0
    for group in GROUPS:
        found = measured(served, "ebc", requests, 64, str(group))
        first = first or found.rate
        print(_line(f"{group:,}", 64, found, first), flush=True)


def memory(served: Served) -> None:
    """Prints a line a size of study: the peak should hardly grow with it."""
    print(HEADER.replace("client  ", "requests"), flush=True)
    first = 0.0
    for requests in SIZES:
        found = measured(served, "ebc", requests, 64)
        first = first or found.rate
        print(_line(f"{requests:,}", 64, found, first), flush=True)


def _line(who: str, connections: int, found: Measured, bare: float) -> str:
    return (
        f"{who:<16}{connections:>12}{found.rate:>12,.0f}{found.rate / bare:>9.2f}{found.cpu:>8.2f}"
        f"{found.cpu_with_end:>10.2f}{found.start:>9.2f}{found.end:>8.2f}{found.peak_mb:>9.0f}"
    )


def _machine() -> str:
    """Where this runs, and with what."""
    used = []
    for name in ("aiohttp", "openai", "msgspec", "pyarrow", *PEERS.values()):
        try:
            used.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            used.append(f"no {name}")
    return f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, {', '.join(used)}"


def main() -> None:
    """Prints the figures."""
    parser = ArgumentParser(description="how fast ebc asks")
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--clients", nargs="+", choices=CLIENTS, default=CLIENTS)
    parser.add_argument("--groups", action="store_true", help="only ebc, with journal groups of several sizes")
    parser.add_argument("--memory", action="store_true", help="only ebc, with a small study and a large one")
    options = parser.parse_args()
    print(_machine())
    for room in ROOMS:  # as an installation does
        compileall.compile_dir(Path(__file__).parents[1] / room, quiet=1)
    with serving(LATENCY) as served:
        if options.memory:
            memory(served)
        elif options.groups:
            groups(served, options.requests)
        else:
            compare(served, options.requests, options.clients)


if __name__ == "__main__":
    main()
