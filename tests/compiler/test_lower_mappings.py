"""A mapping as the plan holds it: one block a combination of levels, spellings put into every text."""

from __future__ import annotations

from pathlib import Path

from compiler import compile_study
from schemas.plan import (
    Block,
    CellSpan,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Difference,
    Field,
    Hole,
    Match,
    Place,
    Range,
    Recode,
    Responses,
    ScaleCells,
    Text,
)
from tests.compiler.checking import checked
from tests.compiler.test_checks_mappings import mapping


def lowered(folder: Path, body: str, head: str = 'from "data.csv"') -> Responses:
    found = checked(folder, mapping(body, head))
    assert found.errors == ()
    (responses,) = compile_study(found, found.program.studies["s"])[-1][1].plan.responses
    return responses


def column(at: int | str) -> Place:
    return Place("column", at if isinstance(at, int) else (Text(at),))


def cells(scale: str, first: int | str, last: int | str | None = None) -> ScaleCells:
    return ScaleCells(scale, (CellSpan(column(first), column(first if last is None else last)),))


def test_what_varies_makes_a_block_a_level(tmp_path: Path) -> None:
    made = lowered(
        tmp_path,
        """stimulus = column "dialog"
        vary arm over human, told = "chat {x}" {
          respondent = column "rater_{arm}"  GRADE = column "{arm}"
          covariate MOOD = column "mood_{arm}" as list of labels  covariate group = constant "{{of}} {arm}"
        }
        recode MOOD { -2 -> 0  3..5.5 -> missing  "x" -> missing }""",
    )
    human, told = made.blocks
    assert human == Block(
        levels={"arm": "human"},
        fields=(Field("stimulus", column("dialog")), Field("respondent", column("rater_human"))),
        conditions=(ConditionCells("judged", (cells("GRADE", "human"),)),),
        covariates=(Covariate("group", Constant("{of} human")),),
        profile=(
            ScaleCells(
                "MOOD", (CellSpan(column("mood_human"), column("mood_human")),), form="list", labels=True
            ),
        ),
    )
    assert told.levels == {"arm": "told"}
    assert told.conditions[0].cells == (cells("GRADE", "chat {x}"),)
    assert told.covariates == (Covariate("group", Constant("{of} chat {x}")),)
    assert made.recodes == (Recode("MOOD", {"-2": "0", "x": None}, (Range(3, 5.5, None),)),)


def test_nested_variables_cross_and_those_side_by_side_do_not(tmp_path: Path) -> None:
    made = lowered(
        tmp_path,
        """respondent = counted
        vary arm over a, b { vary wave over one, two { GRADE = column "{arm}{wave}" } }
        vary source over paper { GRADE = column "on {source}" }""",
    )
    assert [block.levels for block in made.blocks] == [
        {"arm": "a", "wave": "one"},
        {"arm": "a", "wave": "two"},
        {"arm": "b", "wave": "one"},
        {"arm": "b", "wave": "two"},
        {"source": "paper"},
    ]
    assert all(block.fields == (Field("respondent", Counted()),) for block in made.blocks)


def test_conditions_have_matches_and_fields_of_their_own(tmp_path: Path) -> None:
    made = lowered(
        tmp_path,
        """respondent = column 1  match column 2 "x"
        covariate age = 2023 - column "born"
        condition judged {
          stimulus = constant "a"  match column 3 "{situation}!" counting from 0  GRADE = column 4
        }
        condition judged { stimulus = constant "b"  GRADE = column 5 as labels }""",
    )
    (block,) = made.blocks
    assert block.matches == (Match(column(2), (Text("x"),)),)
    assert block.covariates == (Covariate("age", Difference(2023, column("born"))),)
    assert block.conditions == (
        ConditionCells(
            "judged",
            (cells("GRADE", 4),),
            (Match(column(3), (Hole("situation"), Text("!")), 0),),
            (Field("stimulus", Constant("a")),),
        ),
        ConditionCells(
            "judged",
            (ScaleCells("GRADE", (CellSpan(column(5), column(5)),), labels=True),),
            fields=(Field("stimulus", Constant("b")),),
        ),
    )


def test_answers_to_an_item_that_stands_beside_them(tmp_path: Path) -> None:
    for item in ('item = column "q"', 'match column "q" "{item}"'):
        made = lowered(tmp_path, f'respondent = counted  {item}  MOOD = column "answer"')
        (scale,) = made.blocks[0].conditions[0].cells
        assert (scale.form, scale.spans[0].first) == ("long", column("answer"))
    inside = 'respondent = counted  condition judged { item = column "q"  MOOD = column "answer" as labels }'
    (scale,) = lowered(tmp_path, inside).blocks[0].conditions[0].cells
    assert (scale.form, scale.labels) == ("long", True)


def test_a_transposed_file_with_several_headers(tmp_path: Path) -> None:
    made = lowered(
        tmp_path,
        'headers 2  respondent = row 1  match row 2 "{order}"  MOOD = rows 3..5 in order column "o{order}"',
        'from "of-{panel}.xlsx" sheet "Raw" transposed',
    )
    assert (made.headers, made.sheet, made.transposed) == (2, "Raw", True)
    assert made.path == (Text("of-"), Hole("panel"), Text(".xlsx"))
    (scale,) = made.blocks[0].conditions[0].cells
    assert scale.order == Place("column", (Text("o"), Hole("order")))
