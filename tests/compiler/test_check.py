"""Every code of the compiler has a minimal bad file, and says what its golden text says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler import load
from compiler.diagnostics import Code, frame
from ebc.tables import DiskFiles

BAD = Path(__file__).parents[1] / "golden" / "bad"
FILES = sorted(BAD.glob("*.eb"))


def diagnose(path: Path) -> tuple[list[str], str]:
    """The codes that a file draws, and their text."""
    checked = load(path.name, DiskFiles(path.parent), DiskFiles(path.parent / "no-library"))
    text = "\n\n".join(frame(found, checked.sources) for found in checked.diagnostics)
    return [found.code.number for found in checked.diagnostics], text + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_bad_file_draws_its_code_in_its_words(path: Path, golden: Callable[[str, str], None]) -> None:
    codes, text = diagnose(path)
    assert path.stem.partition("_")[0] in codes
    golden(f"bad/{path.stem}.txt", text)


def test_every_code_has_a_bad_file() -> None:
    named = {path.stem.partition("_")[0] for path in FILES}
    assert named == {code.number for code in Code}


def test_codes_are_numbered_once_and_lettered_by_severity() -> None:
    numbers = [code.number for code in Code]
    assert len(set(numbers)) == len(numbers)
    letters = {"error": "E", "warning": "W", "note": "N"}
    for code in Code:
        assert re.fullmatch(rf"{letters[code.severity]}\d{{3}}", code.number)
