"""Mistakes of form and of meaning in one run, likely causes, and nothing that is not certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import load
from ebc.asked import library
from ebc.tables import DiskFiles

SPEC = """
use "lib/panas"  use "lib/appraisal"
emotion pride "Pride" {
  factor craft "Craft" { "The shelf that you built holds."  "Your bread has risen." }
}
model robot { provider simulated  name "a robot" }
study pride "Pride" {
  protocol appraisal
  scales PANAS
  stimuli pride
  panels robot
  seed 1
  orders 2
  contrast shift = evoked - default by overall, factor { test welch  alpha 0.05 }
}
"""


def said(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    """Code, message and suggestion of each diagnostic."""
    (tmp_path / "spec.eb").write_text(text, encoding="utf-8")
    found = load("spec.eb", DiskFiles(tmp_path), library()).diagnostics
    return [(one.code.number, one.message, one.suggestion or "") for one in found]


def changed(*pairs: tuple[str, str]) -> str:
    text = SPEC
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_spec_is_sound(tmp_path: Path) -> None:
    assert said(tmp_path, SPEC) == []


def test_mistakes_of_form_do_not_hide_mistakes_of_meaning(tmp_path: Path) -> None:
    text = changed(
        ("scales PANAS", "scaels PANAS"),
        ("panels robot", "panels robt"),
        ("alpha 0.05", "alhpa 0.05"),
        ("stimuli pride", "stimuli prid"),
        ("evoked - default", "evokd - default"),
        ("seed 1", "seed = 1"),
    )
    codes = sorted(code for code, _, _ in said(tmp_path, text))
    assert codes == ["E002", "E002", "E010", "E010", "E013", "E071"]


def test_a_name_in_text_that_cannot_be_read_is_not_missing(tmp_path: Path) -> None:
    text = changed(("model robot {", "model robot { provider = simulated\n"))
    assert [code for code, _, _ in said(tmp_path, text)] == ["E002"]
    text = changed(('emotion pride "Pride" {', 'emotoin pride "Pride" {'))
    assert [code for code, _, _ in said(tmp_path, text)] == ["E002"]


def test_a_missing_file_makes_no_name_missing(tmp_path: Path) -> None:
    text = changed(("lib/panas", "lib/pans"), ("alpha 0.05", "alpha 5"))
    assert [code for code, _, _ in said(tmp_path, text)] == ["E006", "E015"]


def test_what_the_library_has_is_said(tmp_path: Path) -> None:
    text = changed(('use "lib/panas"  use "lib/appraisal"', ""), ("panels robot", "panels gpt_4o_mini"))
    helps = {help for _, _, help in said(tmp_path, text)}
    assert {f'the library has it: add `use "lib/{name}"`' for name in ("panas", "appraisal", "models")} <= helps


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("alpha 0.05", "alpha 0,05", "a decimal number is written with a point"),
        ("alpha 0.05", "// five per cent", "a comment begins with `#`"),
        ("seed 1", "seed 1;", "nothing stands between statements"),
        ("study pride", "study pride-study", "no hyphen"),
        ('"Your bread has risen."', "'Your bread has risen.'", "straight double quotes"),
        ('has risen." }', 'has risen."', "a `}` is missing"),
    ],
)
def test_habits_of_elsewhere_are_named(tmp_path: Path, old: str, new: str, help: str) -> None:
    found = said(tmp_path, changed((old, new)))
    assert any(help in suggestion for _, _, suggestion in found), found


def test_a_range_with_a_hyphen(tmp_path: Path) -> None:
    scale = 'scale S { options 1..5 { 1 "no" }  items { "a"  "b"  "c" }  subscale s = sum(1-3) }'
    assert any("two dots" in help for _, _, help in said(tmp_path, scale))
    scale = 'scale S {\n  options 1..5 { 1 "no" }\n  items { 1. "a" }\n  subscale s = sum(1)\n}'
    assert any("full stop" in help for _, _, help in said(tmp_path, scale))


def test_a_range_ends_on_a_step(tmp_path: Path) -> None:
    scale = 'scale S {{ options {} {{ 1 "no" }}  items {{ "a" }}  subscale s = sum(1) }}'
    assert [code for code, _, _ in said(tmp_path, scale.format("1..5.5"))] == ["E015"]
    assert [code for code, _, _ in said(tmp_path, scale.format("1..5 step 0.3"))] == ["E015"]
    assert said(tmp_path, scale.format("1..5 step 0.5")) == []


def test_a_file_of_ten_megabytes_is_no_spec(tmp_path: Path) -> None:
    assert [code for code, _, _ in said(tmp_path, "(" * 10_000_000)] == ["E015"]
