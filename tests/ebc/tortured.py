"""The command line with small journal segments, and a disk that refuses: `python -m tests.ebc.tortured ...`.

Environment: `FOLD_AFTER` records are a segment. `FULL_AFTER`: so many bytes can be written to the journal, then
the disk is full. `POWERLESS`: the process gives up the right, which root has, to write without permission.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import partial

from runtime import flights, journal


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


def give_up_rights() -> None:
    """Gives up every capability (Linux)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def main() -> None:
    """Runs one command."""
    from ebc.cli import main as ebc

    flights.Settings = partial(  # type: ignore[misc, assignment]
        flights.Settings, fold_after=int(os.environ.get("FOLD_AFTER", "20000"))
    )
    if "FULL_AFTER" in os.environ:
        full_after(int(os.environ["FULL_AFTER"]))
    if "POWERLESS" in os.environ:
        give_up_rights()
    sys.exit(ebc(sys.argv[1:]))


if __name__ == "__main__":
    main()
