"""First reader."""

from __future__ import annotations

import re

from runtime.reading.result import Reading, ReadValue
from schemas.render import Shown


def read(text: str, shown: Shown) -> Reading:
    """Reads numbered lines."""
    found = {int(a): float(b) for a, b in re.findall(r"^(\d+)\. (\d+)$", text, re.M)}
    values = tuple(
        ReadValue(i.number, i.position, found.get(i.position), None if i.position in found else "not found")
        for i in shown.items
    )
    return Reading("complete" if len(found) == len(values) else "partial" if found else "unparseable", values)
