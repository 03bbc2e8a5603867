"""Data files as people send them: each mistake is one message with its place, and nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from tests.ebc.recorded_study import HEAD, LONG, ROWS, WIDE, csv, refusal, workbook, write_data, write_spec

LONG_HEAD = ("who", "story", "item", "answer")


def changed(row: int, **cells: object) -> list[Sequence[object]]:
    """The rows, one of them with other cells."""
    rows: list[Sequence[object]] = list(ROWS)
    rows[row] = tuple(cells.get(name, cell) for name, cell in zip(HEAD, rows[row], strict=True))
    return rows


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(
            csv(*(row[:-1] for row in ROWS), head=HEAD[:-1]),
            ['data.csv has no column "habits"; labels there: "who", "born"'],
            id="a column is missing",
        ),
        pytest.param(
            csv(*ROWS, head=[name.replace("born", "Born") for name in HEAD]),
            ['data.csv has no column "born"; did you mean "Born"?'],
            id="a column has another name",
        ),
        pytest.param(
            csv(*((*row, "x") for row in ROWS)),
            ["data.csv, row 2 has 9 cells, but row 1 labels 8 columns", "over wrong columns"],
            id="a cell more than the labels",
        ),
        pytest.param(
            csv(*ROWS, head=(*HEAD, "q4")),
            ["data.csv, row 1 labels 9 columns, but the rows have 8 cells"],
            id="a label more than the cells",
        ),
        pytest.param(
            csv(*((*row, 5) for row in ROWS), head=(*HEAD, "q1")),
            ['data.csv: "q1" labels the columns 5 and 9: name the column by its number'],
            id="a label twice",
        ),
        pytest.param(
            csv(*ROWS, head=[name.replace("q3", "") for name in HEAD]),
            ['data.csv has no column "q3"'],
            id="a blank label",
        ),
        pytest.param(
            csv(*changed(1, q2="often")),
            [
                'data.csv, row 3, column 6 ("q2"): "often" is no answer to item 2 of MOOD',
                "codes are 1, 2, 3, 4, 5",
            ],
            id="a text among numbers",
        ),
        pytest.param(
            csv(*changed(2, q3=6)),
            ['data.csv, row 4, column 7 ("q3"): "6" is no answer to item 3 of MOOD'],
            id="a value off the scale",
        ),
        pytest.param(
            csv(*changed(2, q3="2,5")),
            ['data.csv, row 4, column 7 ("q3"): "2,5" is no answer to item 3 of MOOD', "write 1.5 for 1,5"],
            id="a decimal comma",
        ),
        pytest.param(
            csv(*ROWS, ROWS[0]),
            [
                'data.csv, row 5: "ann" answered MOOD in condition told, stimulus harbour',
                "before, in data.csv, row 2",
            ],
            id="a respondent twice",
        ),
        pytest.param(
            csv(*changed(0, who=None)),
            ['data.csv, row 2, column 1 ("who"): the respondent is blank'],
            id="no id",
        ),
        pytest.param(
            csv(*changed(0, story="harbor")),
            ['data.csv, row 2, column 3 ("story"): no stimulus "harbor"', "did the file mean harbour?"],
            id="an unknown stimulus",
        ),
        pytest.param(
            csv(*changed(0, story=None)),
            ['data.csv, row 2, column 3 ("story"): the stimulus is blank'],
            id="no stimulus",
        ),
        pytest.param(
            csv(*changed(2, born=1991)),
            ['data.csv, row 4: age of "ann" is "29", but "30" in data.csv, row 2'],
            id="two ages of one person",
        ),
        pytest.param(
            csv(("WHO", "Born in", "", "yes", "Mood 1", 2, 3, ""), *ROWS),
            [
                'data.csv, row 2, column 2 ("born"): "Born in" is no number',
                "If row 2 holds labels too, say `headers 2`.",
            ],
            id="a second row of labels before a number",
        ),
        pytest.param(
            csv(*changed(0, q1="How is your mood?")),
            [
                'column 5 ("q1"): "How is your mood?" is no answer',
                "If row 2 holds labels too, say `headers 2`.",
            ],
            id="a second row of labels before answers",
        ),
        pytest.param(
            csv(*changed(1, q1="Very")),
            ['"Very" is no answer to item 1 of MOOD', "It is the label of an option: say `as labels` behind"],
            id="labels where codes are read",
        ),
        pytest.param(
            csv(*changed(1, born="the eighties")),
            ['data.csv, row 3, column 2 ("born"): "the eighties" is no number, and age is 2020 minus it'],
            id="a year in words",
        ),
        pytest.param(
            csv(*changed(2, habits="[1, 3]")),
            ['data.csv, row 4: the answers of "ann" to HABITS are not those in data.csv, row 2'],
            id="two profiles of one person",
        ),
        pytest.param(
            csv(*changed(1, habits="[1, 2, 3]")),
            ['data.csv, row 3, column 8 ("habits"): "[1, 2, 3]" holds 3 values; HABITS has 2 items', "1;2;3"],
            id="a list too long",
        ),
        pytest.param(
            csv(*changed(1, habits="[1, 2")),
            ['data.csv, row 3, column 8 ("habits"): "[1, 2" is no list'],
            id="an open list",
        ),
        pytest.param(
            csv(*changed(1, habits="[1, 9]")),
            ['data.csv, row 3, column 8 ("habits"): "9" is no answer to item 2 of HABITS'],
            id="a value off the scale in a list",
        ),
        pytest.param(
            csv(*ROWS).replace(b"yes", b"no"),
            ["data.csv: nothing in it could be taken in", 'column 4 ("consent") does not fit "yes" ("no")'],
            id="nobody consents",
        ),
        pytest.param(
            csv(*ROWS, ("cem", 1999, "orchard", "yes", 1, 2)),
            ["data.csv, row 5 has 6 cells, other rows have 8"],
            id="a row is cut off",
        ),
        pytest.param(
            csv(*changed(0, who="Zoë")).decode().encode("cp1252"),
            ["data.csv is not UTF-8: byte", "in line 2", "Save the file as UTF-8"],
            id="another encoding",
        ),
        pytest.param(
            csv(*ROWS).decode().encode("utf-16"), ["data.csv is UTF-16. Save it as UTF-8."], id="UTF-16"
        ),
        pytest.param(b"", ["data.csv is empty"], id="an empty file"),
        pytest.param(
            csv(),
            ["data.csv: nothing in it could be taken in", "row 1: labels"],
            id="labels alone",
        ),
        pytest.param(
            csv(*changed(1, who='"bob')),
            ["data.csv, line 3: ',' expected after '\"'", "each quote in it is doubled"],
            id="an open quote",
        ),
    ],
)
def test_a_broken_csv_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: list[str]
) -> None:
    write_data(tmp_path, content)
    message = refusal(tmp_path, write_spec(tmp_path), capsys)
    for part in said:
        assert part in message


@pytest.mark.parametrize(
    ("sheet", "content", "said"),
    [
        pytest.param(
            "Data",
            workbook(*changed(1, q2=None), merge="F2:F3"),
            ["data.xlsx, sheet Data, cells F2:F3 are merged", "Unmerge them"],
            id="merged cells",
        ),
        pytest.param("Notes", workbook(*ROWS), ["data.xlsx, sheet Notes is empty"], id="an empty sheet"),
        pytest.param(
            "Raw",
            workbook(*ROWS),
            ['data.xlsx has no sheet "Raw". Its sheets: "Data", "Notes".'],
            id="no such sheet",
        ),
        pytest.param(
            "Data",
            workbook(*changed(0, q1="=1+2")),
            ["data.xlsx, sheet Data, cell E2: a formula without a value"],
            id="a formula",
        ),
        pytest.param(
            "Data",
            workbook(*changed(0, q1="#N/A")),
            ["data.xlsx, sheet Data, cell E2 holds the error #N/A"],
            id="an error",
        ),
        pytest.param(
            "Data",
            workbook(*changed(0, q1=datetime(2024, 4, 3))),
            [
                'data.xlsx, sheet Data, row 2, column 5 ("q1"): "2024-04-03" is no answer to item 1 of MOOD',
                "It is a date",
            ],
            id="a date",
        ),
        pytest.param(
            "Data",
            workbook(*changed(0, q1=True)),
            ['data.xlsx, sheet Data, row 2, column 5 ("q1"): "TRUE" is no answer'],
            id="yes for a number",
        ),
        pytest.param("", b"PK, but no more", ["data.xlsx is no .xlsx workbook"], id="no workbook"),
    ],
)
def test_a_broken_workbook_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sheet: str, content: bytes, said: list[str]
) -> None:
    write_data(tmp_path, content, "data.xlsx")
    message = refusal(tmp_path, write_spec(tmp_path, "data.xlsx", sheet=sheet), capsys)
    for part in said:
        assert part in message


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [("ann", "harbour", "cheerful", 2), ("bob", "harbour", "cheerful", 2), ("ann", "harbour", 1, 3)],
            ['data.csv, row 4: "ann" answered item 1 of MOOD', "the first stands in data.csv, row 2"],
        ),
        (
            [("ann", "harbour", "i9", 2)],
            ['data.csv, row 2, column 3 ("item"): "i9" is no item of MOOD; its items are 1 (cheerful), 2'],
        ),
        (
            [("ann", "harbour", "cheerful", 2), ("ann", "harbour", "restless", "x")],
            ['data.csv, row 3, column 4 ("answer"): "x" is no answer to item 2 of MOOD'],
        ),
        ([("ann", "sea", "i1", 2)], ['data.csv, row 2, column 2 ("story"): no stimulus "sea"']),
    ],
)
def test_broken_long_data_are_told_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: Sequence[Sequence[object]], said: list[str]
) -> None:
    write_data(tmp_path, csv(*rows, head=LONG_HEAD))
    message = refusal(tmp_path, write_spec(tmp_path, mapping=LONG), capsys)
    for part in said:
        assert part in message


def test_json_that_is_broken_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = b'{"who": "ann", "story": "harbour", "item": 1, "answer": 2}\n{"who": "bob", "answer": }\n'
    write_data(tmp_path, content, "data.jsonl")
    message = refusal(tmp_path, write_spec(tmp_path, "data.jsonl", LONG), capsys)
    assert "data.jsonl, line 2 is not JSON" in message


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [changed(0, q1=9)[0], changed(1, story="sea")[1], changed(2, born="long ago")[2]]
    write_data(tmp_path, csv(*rows))
    message = refusal(tmp_path, write_spec(tmp_path), capsys)
    assert [line.split(":")[0] for line in message.splitlines()[1:]] == [
        'data.csv, row 2, column 5 ("q1")',
        'data.csv, row 3, column 3 ("story")',
        'data.csv, row 4, column 2 ("born")',
    ]


def test_an_answer_beside_the_ranges_of_its_recode_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = f"{WIDE}  recode MOOD {{ 1..2 -> 1  3..4 -> 4 }}  recode HABITS {{ 1..2 -> 1  4 -> 5 }}"
    write_data(tmp_path, csv(*ROWS))
    message = refusal(tmp_path, write_spec(tmp_path, mapping=mapping), capsys)
    assert 'data.csv, row 3, column 6 ("q2"): MOOD 5 is in none of the ranges 1..2, 3..4.' in message
    assert "The same in row 4." in message
    assert 'data.csv, row 3, column 8 ("habits"): HABITS 3 is in none of the ranges 1..2.' in message
    assert "codes are" not in message
