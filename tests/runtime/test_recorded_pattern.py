"""What stands in the holes of a pattern: as little as fits, and never long to find out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.recorded.pattern import NUMBERED, Pattern
from schemas.plan import Hole, Template, Text
from tests.runtime.recorded_plans import template

NAMES = ("emotion", "panel", "factor", "situation", "repeat", "order")


def slow(of: Template) -> re.Pattern[str]:
    """The same as a regular expression, which may take for ever."""
    return re.compile(
        "".join(
            re.escape(part.text)
            if isinstance(part, Text)
            else f"(?P<{part.name}>{'[0-9]+?' if part.name in NUMBERED else '.+?'})"
            for part in of
        ),
        re.DOTALL,
    )


@st.composite
def templates(draw: st.DrawFn) -> Template:
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, 6))]
    parts: list[Text | Hole] = []
    for name in names:
        text = draw(st.text("-_1a", max_size=2))
        parts += [Text(text)] if text else []
        parts.append(Hole(name))
    text = draw(st.text("-_1a", max_size=2))
    return (*parts, Text(text)) if text else tuple(parts)


@given(templates(), st.text("-_1a", max_size=14))
def test_a_pattern_takes_what_the_lazy_expression_takes(of: Template, text: str) -> None:
    expected = slow(of).fullmatch(text)
    found = Pattern(of, 1).match(text)
    assert (None if found is None else {name: one.text for name, one in found.items()}) == (
        None if expected is None else expected.groupdict()
    )


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("{emotion}_{situation}", "a_b_3", {"emotion": "a_b", "situation": "3"}),
        ("{panel}/{panel}-PANAS.csv", "gpt-4/gpt-4-PANAS.csv", {"panel": "gpt-4"}),
        ("{panel}-{panel}", "a-b-a-b", {"panel": "a-b"}),
        ("{panel}-{panel}", "a-b", None),
        ("{emotion}.{factor}", "anger .  two", {"emotion": "anger", "factor": "two"}),
        ("yes", "yes", {}),
        ("yes", "yes!", None),
    ],
)
def test_what_stands_in_the_holes(pattern: str, text: str, found: dict[str, str] | None) -> None:
    hit = Pattern(template(pattern), 1).match(text)
    assert (None if hit is None else {name: one.text for name, one in hit.items()}) == found


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("{emotion}-{factor}-{panel}-{respondent}-{stimulus}-{item}!", "a-" * 20_000),
        ("{situation}1{repeat}1{order}1{situation_}!", "1" * 20_000),
        ("{emotion}1{situation}1{factor}1{repeat}1{panel}1{order}!", "1" * 20_000),
    ],
)
def test_a_long_label_that_does_not_fit_is_soon_told(pattern: str, text: str) -> None:
    of = Pattern(template(pattern), 1)
    tried = _Counted(text)
    assert of.match(tried) is None
    assert tried.steps < 12 * len(text)


class _Counted(str):
    """A text that counts how often a walk asks it something."""

    steps = 0

    def startswith(self, *of: object) -> bool:  # type: ignore[override]
        self.steps += 1
        return super().startswith(*of)  # type: ignore[arg-type]

    def find(self, *of: object) -> int:  # type: ignore[override]
        self.steps += 1
        return super().find(*of)  # type: ignore[arg-type]


def test_a_long_label_that_fits_is_taken_whole() -> None:
    label = "x" * 5_000
    found = Pattern(template("{emotion}-{situation}"), 1).match(f"{label}-7")
    assert found is not None
    assert (found["emotion"].text, found["situation"].text) == (label, "7")
