"""What an import read, took in and left out: as people read it, and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from ebc.explanation import counted
from ebc.recording import Imported
from runtime.recorded import CellCount, FileRead

SHOWN = 12


def import_headline(one: Imported) -> str:
    """One line: whose answers, how many, and whether they are new."""
    details = one.details
    empty = details.statuses.get("unparseable", 0)
    without = f", {empty:,} of them without any value" if empty else ""
    what = "" if one.new else " (already there: nothing added)"
    if one.changes is not None:
        was = one.changes
        what += (
            f" (in place of an earlier import: {was.changed:,} answers changed, {was.added:,} added, "
            f"{was.gone:,} gone)"
        )
    told = f"{details.responses:,} responses{without}, {details.values:,} values"
    return f"{one.study}, {one.panel}: {told}{what}"


def import_lines(one: Imported) -> Iterator[str]:
    """What was read, where it went, what was left out and what nothing reads."""
    details = one.details
    yield f"{one.study}, {one.panel}: {counted(details.respondents, 'respondent')}"
    for file in details.files:
        length = counted(file.length, "row" if file.axis == "column" else "column")
        yield f"  read {file.file}: {counted(file.lines, file.axis)} of {length}"
        if file.decimal_comma:
            point = file.decimal_comma.replace(",", ".")
            yield f"  note: decimal commas were read in {file.file}: {file.decimal_comma} is {point}"
    for cell in details.cells:
        yield f"  {_place(cell)}: {counted(cell.responses, 'response')}, {counted(cell.values, 'value')}"
    for left_out in details.left_out:
        yield f"  {left_out.line()}"
    yield from _unused(details.files)


def _place(cell: CellCount) -> str:
    where = cell.condition or "outside of conditions"
    return ", ".join([where, *(f"{name} {level}" for name, level in cell.levels.items()), cell.scale])


def _unused(files: tuple[FileRead, ...]) -> Iterator[str]:
    """What no line of the mapping reads, once for all files that are alike."""
    alike = Counter((file.axis, file.unused) for file in files if file.unused)
    for (axis, unused), count in alike.items():
        kind = counted(len(unused), "row" if axis == "column" else "column")
        more = f", and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        told = ", ".join(f'"{label[:40]}"' for label in unused[:SHOWN])
        where = f" in {count} files" if count > 1 else ""
        yield f"  note: this mapping reads nothing of {kind}{where}: {told}{more}"


def import_document(one: Imported) -> dict[str, Any]:
    """The same as plain data."""
    details = one.details
    return {
        "study": one.study,
        "panel": one.panel,
        "run": one.run,
        "respondents": details.respondents,
        "responses": details.responses,
        "values": details.values,
        "without_value": details.statuses.get("unparseable", 0),
        "new": one.new,
        "replaced": one.changes is not None,
        "changes": msgspec.to_builtins(one.changes),
        "files": msgspec.to_builtins(details.files),
        "cells": msgspec.to_builtins(details.cells),
        "left_out": msgspec.to_builtins(details.left_out),
        "summary": list(import_lines(one)),
    }
