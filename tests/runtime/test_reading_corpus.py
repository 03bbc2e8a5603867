"""The reader against coded replies of real models: silently wrong is the one thing it may not be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.reading import read
from schemas.plan import Option
from schemas.render import Shown, ShownItem

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "replies" / "replies.jsonl"
SHARE_RIGHT = 0.97

pytestmark = pytest.mark.skipif(not CORPUS.is_file(), reason=f"the corpus of replies is not at {CORPUS}")


def corpus() -> list[dict[str, Any]]:
    with CORPUS.open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def shown(scale: dict[str, Any]) -> Shown:
    labels = scale.get("labels", {})
    options = tuple(
        Option(float(code), labels.get(str(code))) for code in range(int(scale["min"]), int(scale["max"]) + 1)
    )
    items = enumerate(scale["items"], start=1)
    return Shown("scale", tuple(ShownItem(position, position, text, options) for position, text in items))


def judged(row: dict[str, Any]) -> tuple[bool, bool]:
    """(no value is wrong, everything is as expected)"""
    scale, expected = row["scale"], row["expected"]
    reading = read(
        row["reply"], shown(scale), marks=scale.get("item_keys", ()), letters=scale.get("option_letters", {})
    )
    got = {str(value.position): value.value for value in reading.values if value.value is not None}
    safe = all(key in expected["values"] and expected["values"][key] == value for key, value in got.items())
    if got == expected["values"]:
        return safe, reading.status in (expected["status"], *expected.get("also_ok", ()))
    if expected["leeway"] != "missing_ok":
        return safe, False
    return safe, safe and reading.status in (
        "partial",
        "unparseable",
        "out_of_range",
        *expected.get("also_ok", ()),
    )


def test_no_value_is_wrong() -> None:
    wrong = [row["id"] for row in corpus() if not judged(row)[0]]
    assert wrong == []


def test_most_replies_are_read_as_a_careful_coder_would() -> None:
    rows = corpus()
    off = [row["id"] for row in rows if not judged(row)[1]]
    share = 1 - len(off) / len(rows)
    assert share >= SHARE_RIGHT, f"{share:.1%} right; not: {off}"
