"""The command line: arguments in, text out. Results go to stdout, messages to stderr.

Exit status 0: all is done. 1: something failed, or is not complete yet. 2: what the user gave is wrong.
130: Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from ebc.cli.commands import parser
from ebc.errors import Failure, UserError

LONG_LIVED = 100_000
"""New objects until the next look for cycles: a command keeps most of what it makes, and looking for cycles
in it every 700 objects takes a tenth of the time."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    gc.set_threshold(LONG_LIVED)
    stdout, stderr = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = stdout or _nowhere(), Heedless(stderr or _nowhere())
    try:
        _speak_utf8()
        return _run(parser().parse_args(arguments))
    finally:
        sys.stdout, sys.stderr = stdout, stderr


class Heedless:
    """A stream for messages: who does not hear them does not stop the work."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(options: Namespace) -> int:
    module, function = options.command.split(":")
    try:
        _refuse_empty(options)
        status: int = getattr(import_module(f"ebc.cli.{module}"), function)(options)
        sys.stdout.flush()
    except UserError as error:
        print(f"ebc: {error}", file=sys.stderr)
        return 2
    except Failure as error:
        print(f"ebc: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        return _refused(error)
    except KeyboardInterrupt:
        print("ebc: interrupted.", file=sys.stderr)
        return 130
    return status


def _refuse_empty(options: Namespace) -> None:
    """An empty name is most often a variable that is not set; as a path it would be the current folder."""
    for name, value in vars(options).items():
        if "" in (value if isinstance(value, list) else [value]):
            raise UserError(f"the argument {name} is empty: give it a name, or leave it out.")


def _refused(error: OSError) -> int:
    """What the system refuses, as one message: a name that no file can have is wrong input."""
    import errno

    if isinstance(error, BrokenPipeError):
        _drop_stdout()
        return 1
    where = f"{error.filename}: " if error.filename else ""
    print(f"ebc: {where}{error.strerror or error}.", file=sys.stderr)
    if error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
        _drop_stdout()
    return (
        2 if error.errno in (errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL) else 1
    )


def _speak_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_stdout() -> None:
    """Whoever read our output went away: nothing more is written, also not when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
