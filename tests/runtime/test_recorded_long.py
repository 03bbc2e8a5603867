"""Data of one answer a row: the rows of a response come together, and none is lost."""

from __future__ import annotations

import random

import msgspec
import pytest

from runtime.recorded import RecordedError
from schemas.plan import Block, Covariate, Field, Recode
from schemas.table import Cell
from tests.runtime.recorded_plans import answers, column, match
from tests.runtime.test_recorded_forms import Case, Grid, fields, judged, one, told

LONG: list[list[Cell]] = [
    [who, "d1", item, answer, 30] for who in ("x", "y") for item, answer in (("i1", 4), ("2", 3), ("i3", "0"))
]
LONG_BLOCK = Block(
    fields=(*fields(), Field("item", column("item"))),
    conditions=judged(one("answer", "S", form="long")),
    covariates=(Covariate("age", column("age")),),
)


def test_rows_of_one_answer_each_are_one_response_in_any_order() -> None:
    head = ["who", "story", "item", "answer", "age"]
    panel = Case([LONG_BLOCK]).read([head, *LONG])
    assert told(panel) == [
        ("x", {}, "judged", "stories.1", [4, 3, 0]),
        ("y", {}, "judged", "stories.1", [4, 3, 0]),
    ]
    assert [a.position for a in answers(panel)[0]] == [1, 2, 3]
    shuffled = random.Random(3).sample(LONG, len(LONG))
    again = Case([LONG_BLOCK]).read([head, *shuffled])
    assert (again.run, sorted(told(again), key=str)) == (panel.run, sorted(told(panel), key=str))


def test_an_item_without_a_row_is_missing() -> None:
    panel = Case([LONG_BLOCK]).read([["who", "story", "item", "answer", "age"], LONG[0], LONG[2]])
    assert [(a.value, a.reason) for a in answers(panel)[0]] == [(4, None), (None, "not in the data"), (0, None)]
    assert [one.status for one in panel.responses()] == ["partial"]


def test_every_row_that_is_set_aside_is_counted_and_every_short_one_told() -> None:
    head = ["who", "story", "item", "answer", "age"]
    block = msgspec.structs.replace(LONG_BLOCK, matches=(match(column("age"), "30"),))
    others = [[who, story, item, answer, 31] for who, story, item, answer, _ in LONG[:3]]
    panel = Case([block]).read([head, *LONG, *others])
    assert [(one.places, one.count) for one in panel.details.left_out] == [("1", 1), ("8-10", 3)]
    assert panel.planned == 2

    recodes = [Recode("respondent", {"y": None})]
    panel = Case([LONG_BLOCK], recodes).read([head, *LONG])
    assert [(one.places, one.count) for one in panel.details.left_out] == [("1", 1), ("5-7", 3)]

    block = msgspec.structs.replace(LONG_BLOCK, covariates=())
    with pytest.raises(RecordedError, match="row 3 has 3 cells, other rows have 4"):
        Case([block]).read([head[:4], LONG[0][:4], LONG[1][:3], LONG[2][:4]])


def test_an_item_may_stand_in_a_hole() -> None:
    block = msgspec.structs.replace(
        LONG_BLOCK, fields=fields(), matches=(match(column("item"), "q{item}", 0),), covariates=()
    )
    table: Grid = [["who", "story", "item", "answer"], *(["x", "d0", f"q{n}", n] for n in range(3))]
    assert told(Case([block]).read(table))[0][-1] == [0, 1, 2]
