"""The command line with small journal segments, and a disk that refuses: `python -m tests.ebc.tortured ...`.

Environment: `FOLD_AFTER` records are a segment, `BATCH` requests a batch. `FULL_AFTER`: so many bytes can be
written to the journal, then the disk is full. `DIE_AT`: a step of `tests.runtime.dying` and which time it
comes, as in "after keep 7", at which the process is killed. `POWERLESS`: the process gives up the right, which
root has, to write without permission.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
from typing import Any

from runtime import flights, journal
from runtime.batch.settings import BatchSettings


def soon(wait: bool) -> BatchSettings:
    """Small batches that are looked at again at once."""
    return BatchSettings(requests=int(os.environ.get("BATCH", "50000")), first=0.01, longest=0.05, wait=wait)


def full_after(room: int) -> None:
    """Lets the journal write so many bytes, and then none."""
    write, left = os.write, [room]

    def limited(file: int, data: bytes | memoryview) -> int:
        taken = bytes(data)[: left[0]]
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= len(taken)
        return write(file, taken)

    class Disk:
        """What the journal sees of the system."""

        def __getattr__(self, name: str) -> object:
            return limited if name == "write" else getattr(os, name)

    journal.os = Disk()  # type: ignore[attr-defined, assignment]


def die_at(step: str, time: int) -> None:
    """Kills this process when it comes to a step for so many times."""
    from tests.runtime.dying import watch

    seen: list[str] = []

    def reached(name: str) -> None:
        seen.append(name)
        if seen.count(step) == time:
            os.kill(os.getpid(), signal.SIGKILL)

    watch(reached)


def give_up_rights() -> None:
    """Gives up every capability (Linux)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def main() -> None:
    """Runs one command."""
    from ebc.cli import main as ebc

    made = flights.Settings

    def settings(batch: BatchSettings = soon(True), **stated: Any) -> flights.Settings:  # noqa: B008
        fold_after = int(os.environ.get("FOLD_AFTER", "20000"))
        return made(fold_after=fold_after, batch=soon(batch.wait), **stated)

    flights.Settings = settings  # type: ignore[misc, assignment]
    if "DIE_AT" in os.environ:
        step, _, time = os.environ["DIE_AT"].rpartition(" ")
        die_at(step, int(time))
    if "FULL_AFTER" in os.environ:
        full_after(int(os.environ["FULL_AFTER"]))
    if "POWERLESS" in os.environ:
        give_up_rights()
    sys.exit(ebc(sys.argv[1:]))


if __name__ == "__main__":
    main()
