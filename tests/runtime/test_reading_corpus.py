"""The reader against coded replies of real models: silently wrong is the one thing it may not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebc.judging import Judged, judged
from ebc.replies import read_lines

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "replies" / "replies.jsonl"
SHARE_RIGHT = 0.97

pytestmark = pytest.mark.skipif(not CORPUS.is_file(), reason=f"the corpus of replies is not at {CORPUS}")


def readings() -> list[tuple[str | int, Judged]]:
    with CORPUS.open("rb") as lines:
        return [
            (line.id, judged(reading, line.expected))
            for _, line, reading in read_lines(lines, CORPUS.name)
            if line.expected is not None
        ]


def test_no_value_is_wrong() -> None:
    assert [name for name, one in readings() if one.values["wrong"]] == []


def test_most_replies_are_read_as_a_careful_coder_would() -> None:
    found = readings()
    off = [name for name, one in found if one.verdict != "right"]
    share = 1 - len(off) / len(found)
    assert share >= SHARE_RIGHT, f"{share:.1%} right; not: {off}"
