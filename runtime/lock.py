"""One process a run."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class RunBusy(Exception):
    """Another process works on the run: the message names it."""


@contextmanager
def held(folder: Path, run: str) -> Iterator[None]:
    """Holds the run's lock; the system frees it when the process ends, however it ends. Raises RunBusy,
    OSError."""
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    holder = folder / f"{run}.holder"
    lock = FileLock(folder / f"{run}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise RunBusy(
            f"{_name(holder)} is working on this run (lock {folder / f'{run}.lock'}). "
            "Wait until it is done or end it, then run the command again."
        ) from None
    try:
        holder.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _name(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8").strip().capitalize() or "Another process"
    except (OSError, UnicodeDecodeError):
        return "Another process"
