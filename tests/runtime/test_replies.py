"""The reader against replies of every kind: right, or missing where a coder would doubt."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.reading import Reading, ReadValue, read
from runtime.reading.text import plain
from runtime.reading.tokens import number_of, tokens
from tests.runtime.replies import KINDS
from tests.runtime.replies.case import SIGNED, Case

MOST_LEFT_OUT = 0.07
"""The share of replies with values that a coder may take and the reader leaves out; each is marked `loose`."""


def reading_of(case: Case) -> Reading:
    return read(case.reply, case.form.shown, marks=case.form.marks, letters=case.form.letters)


def got(case: Case) -> tuple[float | None, ...]:
    return tuple(value.value for value in reading_of(case).values)


def is_safe(case: Case) -> bool:
    """Whether each value that is read is the one that a coder gives."""
    pairs = zip(got(case), case.expected, strict=True)
    return all(found is None or found == expected for found, expected in pairs)


@pytest.mark.parametrize("kind", KINDS)
def test_no_value_is_wrong(kind: str) -> None:
    wrong = [(case.reply, case.values, got(case)) for case in KINDS[kind] if not is_safe(case)]
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_clear_values_are_read_and_the_status_is_right(kind: str) -> None:
    off = [
        (case.reply, case.values, reading_of(case).status)
        for case in KINDS[kind]
        if (got(case) != case.expected and not case.loose) or reading_of(case).status not in case.statuses
    ]
    assert off == []


def test_few_unclear_values_are_left_out() -> None:
    cases = [case for kind in KINDS.values() for case in kind]
    left = [case.reply for case in cases if got(case) != case.expected]
    assert len(left) / len(cases) <= MOST_LEFT_OUT


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_has_its_place_and_every_gap_its_reason(kind: str) -> None:
    for case in KINDS[kind]:
        for value in reading_of(case).values:
            assert (value.value is None) == bool(value.reason), case.reply
            assert value.value is None or shows(case, value), (case.reply, value)


def shows(case: Case, value: ReadValue) -> bool:
    """Whether the text at a value's place is its number, letter or label."""
    if value.span is None:
        return False
    said = plain(case.reply)[slice(*value.span)] or case.reply[slice(*value.span)].lower()
    anchors = {option.anchor: option.code for option in case.form.shown.items[value.position - 1].options}
    named = [plain(anchor) for anchor, code in anchors.items() if anchor and code == value.value]
    letters = [plain(letter) for letter, code in case.form.letters.items() if code == value.value]
    first = tokens(said, 0)[0].text
    return (
        first[-1].isdecimal() and number_of(first, [value.value or 0.0]) == value.value
    ) or said.strip() in (*named, *letters)


SHAPES = (
    *("{name}: {code}", "{n}. {code}", "({n}) {code:+}", "- {name} = {code}", "| {name} | {code} |"),
    *("{n}. {name} ({code})", "{name}\t{code}", "Q{n}: {code}"),
)
AROUND = st.sampled_from(
    ("", "It rained all day.", "As an AI, I guess.", "The bus came late, and nobody minded.")
)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.integers(-3, 3), min_size=3, max_size=3),
    st.sampled_from(SHAPES),
    st.permutations(range(3)),
    AROUND,
    AROUND,
)
def test_signed_values_come_back_to_their_items(
    codes: list[int], shape: str, order: list[int], before: str, behind: str
) -> None:
    items = SIGNED.shown.items
    lines = [shape.format(n=at + 1, name=items[at].text, code=codes[at]) for at in order]
    reading = read("\n".join([before, *lines, behind]), SIGNED.shown)
    assert [value.value for value in reading.values] == codes
    assert reading.status == "complete"
