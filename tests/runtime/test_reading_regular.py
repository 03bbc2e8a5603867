"""A plain list is read in a shorter way, with the same result as in the longer one."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.reading import Reading, read
from runtime.reading.form import form_of
from runtime.reading.regular import regular
from runtime.reading.text import plain
from schemas.plan import Item, Option, Scale
from schemas.render import Shown, shown
from tests.runtime.plans import ANCHORS, scale

LABELS = ("calm", "tense", "not calm", "a little sad", "no", "user", "very", "sorry", "item", "is", "example")
GLUE = ("", " ", ". ", ") ", ": ", " - ", "\n", ",", "/", ".")


def longer(monkeypatch: pytest.MonkeyPatch, text: str, of: Shown) -> Reading:
    """What the general reader reads."""
    with monkeypatch.context() as without:
        without.setattr(sys.modules["runtime.reading.read"], "regular", lambda *_: None)
        return read(text, of)


def asked(labels: list[str]) -> Shown:
    """A scale with these items, as it is shown."""
    items = tuple(Item(number, f"i{number}", label) for number, label in enumerate(labels, 1))
    options = tuple(Option(float(code), anchor) for code, anchor in enumerate(ANCHORS))
    numbers = tuple(item.number for item in items)
    return shown(Scale("S", "S", options=options, items=items, subscales=(), orders=(numbers,)), 0)


@st.composite
def replies(draw: st.DrawFn) -> tuple[list[str], str]:
    """Labels, and a list that answers them, with something out of order here and there."""
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=4))
    form = draw(st.sampled_from(("{n}. {v}", "{n}) {v}", "{label}: {v}", "{n}. {label}: {v}", "{n}: {v}")))
    lines = []
    for number, label in enumerate(labels, 1):
        said = draw(st.sampled_from((label, label, label, *LABELS)))
        value = draw(st.sampled_from(("0", "1", "2", "3", "4", "4", "5", "03", "2.5")))
        lines.append(form.format(n=number, label=said, v=value) + draw(st.sampled_from(("", "", "", *GLUE))))
    text = "\n".join(draw(st.permutations(lines)))
    return labels, draw(st.sampled_from(("", "", "", "sorry\n", "final:\n"))) + text


@given(replies())
def test_both_ways_read_the_same(case: tuple[list[str], str]) -> None:
    labels, text = case
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert read(text, asked(labels)) == longer(monkeypatch, text, asked(labels))


@pytest.mark.parametrize(
    "line", ["{n}. {v}", "{n}) {v}", "{n}: {v}", "{word}: {v}", "{n}. {word}: {v}", "{n}. {word}: {v}  "]
)
@pytest.mark.parametrize("order", [0, 1])
def test_lists_are_read_in_the_shorter_way(line: str, order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    of = shown(scale(), order)
    text = "\n".join(
        line.format(n=item.position, word=item.text, v=item.number % 5 + 1) for item in reversed(of.items)
    )
    found = regular(plain(text + "\n"), form_of(of))
    assert found is not None
    assert [value.value for value in found.values] == [item.number % 5 + 1 for item in of.items]
    assert all(text[slice(*value.span)] == f"{value.value:g}" for value in found.values if value.span)
    assert found == longer(monkeypatch, text, of)


def test_labels_with_digits_are_left_to_the_longer_way() -> None:
    of = asked(["calm", "tense for 3 days"])
    assert regular("1. 3\n2. 4", form_of(of)) is None
    assert regular("1. 3\n2. 4", form_of(asked(["calm", "tense"]))) is not None
    assert regular("1. 3\n2. 4", form_of(asked(["calm"]))) is None
