"""Specs on disk: each in the one layout, and never over a file of the user's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ebc.errors import Failure, UserError


def write_files(
    folder: Path, command: str, texts: Mapping[str, str], copies: Mapping[str, bytes] | None = None
) -> None:
    """Writes specs into a folder, by their paths, and the copies as they are. Each spec begins with a line that
    names the command; a file without that line is the user's, and is not written over. Raises UserError where
    one is in the way or a text is no spec, Failure where the disk refuses."""
    head = f"# Written by `{command}`, which writes it anew each time.\n"
    files = {name: _canonical(name, head + "\n" + text).encode() for name, text in texts.items()}
    try:
        for name in files:
            _require_ours(folder / name, head)
        for name, content in {**files, **(copies or {})}.items():
            _write(folder / name, content)
    except OSError as error:
        raise Failure(f"cannot write {error.filename}: {error.strerror}.") from error


def _canonical(name: str, text: str) -> str:
    from compiler.format import format_file
    from compiler.parse import parse

    file, found = parse(name, text)
    if found:
        raise UserError(
            f"the questionnaires hold a text that cannot be said in a spec ({name}): {found[0].message}."
        )
    return format_file(file)


def _require_ours(path: Path, head: str) -> None:
    if path.is_file() and not path.read_bytes().startswith(head.encode()):
        raise UserError(
            f"{path} was not written by this command: name another folder with --specs, or move the file."
        )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
