"""The paper's printed numbers, as files beside the checkout."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import msgspec

from ebc.errors import UserError

BY_FACTOR = "published_by_factor.csv"
"""Changes by emotion and factor: Tables 8 to 11."""
CHANGES = "table5_challenging.csv"
"""Changes on the scales that are asked after one emotion: Table 5."""


class Published(msgspec.Struct, frozen=True):
    """The files' content by name; and of the changes, the arrow printed for each emotion."""

    files: dict[str, bytes] = {}
    arrows: dict[str, str] = {}


def read_published(folder: Path | None) -> Published:
    """The files of printed numbers that specs refer to. Raises UserError where there are none."""
    if folder is None:
        return Published()
    found = [folder / name for name in (BY_FACTOR, CHANGES) if (folder / name).is_file()]
    if not found:
        raise UserError(
            f"{folder} has neither {BY_FACTOR} nor {CHANGES}: name the folder of the printed numbers."
        )
    try:
        files = {path.name: path.read_bytes() for path in found}
    except OSError as error:
        raise UserError(f"{error.filename} cannot be read: {error.strerror}.") from error
    return Published(files, _arrows(folder / CHANGES, files.get(CHANGES, b"")))


def _arrows(path: Path, content: bytes) -> dict[str, str]:
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        return {row["emotion"]: row["arrow"] for row in rows}
    except (UnicodeDecodeError, csv.Error, KeyError) as error:
        raise UserError(f"{path} must be UTF-8 with the columns `emotion` and `arrow`: {error}.") from error
