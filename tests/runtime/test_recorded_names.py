"""What a file calls emotions and factors: names before titles, and no guess between two."""

from __future__ import annotations

import pytest

from runtime.recorded.faults import Fault
from runtime.recorded.pattern import Found
from runtime.recorded.recodes import Recodes
from runtime.recorded.stimuli import Stimuli
from schemas.plan import Stimulus


def stimulus(emotion: str, title: str, factor: str, factor_title: str, index: int) -> Stimulus:
    place = f"{emotion}.{factor}.0"
    return Stimulus(place, 0, {"situation": place}, None, emotion, title, factor, factor_title, index)


STIMULI = Stimuli(
    [
        stimulus("anxiety", "Fear", "crowds", "F", 0),
        stimulus("anxiety", "Fear", "heights", "F", 1),
        stimulus("fear", "Dread", "dark", "The dark", 0),
        stimulus("panic", "Dread", "lifts", "Lifts", 0),
    ],
    Recodes(()),
)


def found(emotion: str, factor: str) -> str:
    return STIMULI.find({"emotion": Found(emotion), "factor": Found(factor), "situation": Found("1")}).id


def test_a_name_is_meant_before_a_title() -> None:
    assert found("Fear", "dark") == "fear.dark.0"
    assert found("ANXIETY", "heights") == "anxiety.heights.0"
    assert found("panic", "lifts") == "panic.lifts.0"


@pytest.mark.parametrize(
    ("emotion", "factor", "says"),
    [("Dread", "dark", "could mean fear or panic"), ("anxiety", "F", "could mean crowds or heights")],
)
def test_a_title_of_two_things_is_asked_about(emotion: str, factor: str, says: str) -> None:
    with pytest.raises(Fault, match=says):
        found(emotion, factor)
