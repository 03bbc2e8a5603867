"""Each way in which data and mapping may not fit: one message that says where, why and what to do."""

from collections.abc import Callable, Sequence

import pytest

from runtime.recorded import RecordedError
from schemas.plan import CellSpan, ConditionCells, Covariate, Recode, Responses, ScaleCells
from schemas.table import Cell
from tests.runtime.recorded_plans import column, match, row
from tests.runtime.test_recorded_mapping import WIDE, read_all, read_one, wide

HEAD = WIDE[0]
ORDERED = ScaleCells("S", (CellSpan(row(2), row(4)),), order=column("o-{order}"))


def cells(*scales: ScaleCells) -> tuple[ConditionCells, ...]:
    return (ConditionCells("evoked", scales),)


def message_of(call: Callable[[], object]) -> str:
    with pytest.raises(RecordedError) as raised:
        call()
    head, _, rest = str(raised.value).partition("\n")
    assert head == "The data of responses `people` were not taken in." or not rest
    return rest or head


def rows(*more: Sequence[Cell]) -> list[Sequence[Cell]]:
    return [HEAD, *more]


@pytest.mark.parametrize(
    ("mapping", "table", "said"),
    [
        pytest.param(
            wide(),
            rows(["ann", "anger 1.1", 1, 6, 3, 1]),
            [
                'a.csv, row 2, column 4 ("q2"): "6" is no answer to item 2 of S;',
                "its codes are 1, 2, 3, 4, 5.",
            ],
            id="off the scale",
        ),
        pytest.param(wide(), rows(["ann", "anger 1.1", 1, 2.5, 3, 1]), ['"2.5" is no answer'], id="between"),
        pytest.param(wide(), rows(["ann", "anger 1.1", 1, "often", 3, 1]), ['"often" is no'], id="text"),
        pytest.param(wide(), rows(["ann", "anger 1.1", 1, "nan", 3, 1]), ['"nan" is no'], id="nan"),
        pytest.param(wide(), rows(["ann", "anger 1.1", True, 1, 3, 1]), ['"TRUE" is no'], id="yes is not 1"),
        pytest.param(
            wide(),
            rows(["ann", "angry 1.1", 1, 2, 3, 1]),
            [
                'column 2 ("about"): no emotion "angry" of this study;',
                "did the file mean anger?",
                "recode emotion",
            ],
            id="unknown emotion",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger rage.1", 1, 2, 3, 1]),
            ['no factor "rage" of anger'],
            id="unknown factor",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger 3.1", 1, 2, 3, 1]),
            ["anger has no factor number 3"],
            id="factor number",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger 1.3", 1, 2, 3, 1]),
            ["has no situation number 3, counted from 1: this study has 2 there"],
            id="situation number",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger 1.0", 1, 2, 3, 1]),
            ["counting begins at 1", "counting from 0"],
            id="from 0",
        ),
        pytest.param(
            wide(about=match(column("about"), "{emotion} {situation}")),
            rows(["ann", "anger 1", 1, 2, 3, 1]),
            ["nothing says which factor: the match pattern needs a {factor}."],
            id="no factor",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger 1.1", 1, 2, 3, 1], ["ann", "anger 1.1", 1, 2, 3, 1]),
            ['a.csv, row 3: "ann" answered S', "before, in a.csv, row 2"],
            id="the same response twice",
        ),
        pytest.param(
            wide(),
            rows(["ann", "anger 1.1", 1, 2, 3, 30], ["ann", "anger 1.2", 1, 2, 3, 31]),
            ['a.csv, row 3: age of "ann" is "31", but "30" in a.csv, row 2.'],
            id="two ages",
        ),
        pytest.param(
            wide(),
            rows([None, "anger 1.1", 1, 2, 3, 1]),
            ['column 1 ("who"): the respondent is blank'],
            id="no id",
        ),
        pytest.param(
            wide(covariates=(Covariate("age", column("Age")),)),
            WIDE,
            ['a.csv has no column "Age"; did you mean "age"?'],
            id="no such column",
        ),
        pytest.param(
            wide(respondent=column(9)),
            WIDE,
            ["a.csv has 6 columns: there is no column 9."],
            id="no such number",
        ),
        pytest.param(
            wide(respondent=row("who")), WIDE, ["`row` cannot be used here, `column` can"], id="wrong axis"
        ),
        pytest.param(
            wide(respondent=column("q"), covariates=()),
            [["q", "about", "q1", "q2", "q3", "q"], *WIDE[1:]],
            ['"q" labels the columns 1 and 6'],
            id="a label twice",
        ),
        pytest.param(
            wide(conditions=cells(ScaleCells("S", (CellSpan(column("q1"), column("q2")),)))),
            WIDE,
            ["columns 3 to 4 are 2 cells; S has 3 items."],
            id="too few cells",
        ),
        pytest.param(
            wide(
                conditions=cells(
                    ScaleCells("S", (CellSpan(column("q1"), column("q2")), CellSpan(column(4), column(4))))
                )
            ),
            WIDE,
            ["column 4 would be two answers to S."],
            id="a cell twice",
        ),
        pytest.param(
            wide(),
            [*WIDE, ["cem", "anger 1.2", 1, 2, 3]],
            ["a.csv, row 4 has 5 cells, other rows have 6"],
            id="a short row",
        ),
        pytest.param(
            wide(),
            [*WIDE, ["cem", "anger 1.2", 1, 2, 3, 4, 5]],
            ["a.csv, row 4 has 7 cells, other rows have 6"],
            id="a long row",
        ),
        pytest.param(wide(respondent=None), WIDE, ["nothing tells people apart"], id="people without ids"),
        pytest.param(
            wide(about=match(column("about"), "{emotion}/{factor}/{situation}")),
            WIDE,
            ["a.csv: nothing in it could be taken in.", 'column 2 ("about") does not fit', '("anger 1.1")'],
            id="a pattern that nothing fits",
        ),
        pytest.param(wide(path="b.csv"), WIDE, ["There is no file b.csv", "--data DIR"], id="no file"),
        pytest.param(wide(path="x/{panel}.csv"), WIDE, ["No file fits x/{panel}.csv"], id="no file fits"),
        pytest.param(
            wide(conditions=(ConditionCells("after", ()),)),
            WIDE,
            ["fill condition `after`; the protocol has default, evoked."],
            id="unknown condition",
        ),
        pytest.param(
            wide(conditions=cells(ScaleCells("T", (CellSpan(column(1), column(2)),)))),
            WIDE,
            ["answer scale `T`; the study has S."],
            id="unknown scale",
        ),
        pytest.param(
            wide(recodes=(Recode("situation", {"1": "first"}),)),
            WIDE,
            ['"first" is no situation number.'],
            id="recode",
        ),
    ],
)
def test_a_mistake_is_told(mapping: Responses, table: Sequence[Sequence[Cell]], said: list[str]) -> None:
    message = message_of(lambda: read_one(mapping, table))
    for part in said:
        assert part in message


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([1, 2, 2], "item 2 of S a second time; it stands in row 3 too."),
        ([1, 2, 4], '"4" is no item number of S.'),
        ([1, None, 3], '"" is no item number of S.'),
        ([1, "two", 3], '"two" is no item number of S.'),
    ],
)
def test_wrong_item_numbers_are_told_once(numbers: list[Cell], said: str) -> None:
    table = [["o-0", "r-0_o-0", "r-1_o-0"], *([number, 1, 1] for number in numbers)]
    mapping = wide(
        kind="model",
        respondent=None,
        covariates=(),
        transposed=True,
        about=match(row(1), "r-{repeat}_o-{order}", 0),
        conditions=(ConditionCells("default", (ORDERED,)),),
    )
    message = message_of(lambda: read_one(mapping, table))
    assert said in message
    assert message.count(said) == 1


def test_an_order_without_its_column_is_told() -> None:
    table = [["o-0", "r-0_o-1"], [1, 1], [2, 1], [3, 1]]
    mapping = wide(
        kind="model",
        respondent=None,
        covariates=(),
        transposed=True,
        about=match(row(1), "r-{repeat}_o-{order}", 0),
        conditions=(ConditionCells("default", (ORDERED,)),),
    )
    assert 'has no column "o-1"; did you mean "o-0"?' in message_of(lambda: read_one(mapping, table))


def test_all_mistakes_are_told_at_once_up_to_twenty() -> None:
    some = rows(*([f"p{n}", "anger 1.1", 6 + n, 1, 1, 1] for n in range(3)))
    assert message_of(lambda: read_one(wide(), some)).count("is no answer") == 3
    many = rows(*([f"p{n}", "anger 1.1", 6 + n, 106 + n, 206 + n, 1] for n in range(30)))
    message = message_of(lambda: read_one(wide(), many))
    assert message.count("is no answer") == 20
    assert message.endswith("Reading stopped after 20 mistakes; there may be more.")


def test_one_mistake_in_many_rows_is_one_line() -> None:
    cells = {3: ["n/a", 1, 1], 7: [1, "n/a", "n/a"], 8: ["-", 1, 1], 12: [1, 1, "n/a"], 13: [1, 1, "-"]}
    for number in range(20, 160):
        cells[number] = ["n/a", 1, 1]
    people = [[f"p{n}", "anger 1.1", *cells.get(n, [1, 1, 1]), 1] for n in range(2, 180)]
    why = "of S; its codes are 1, 2, 3, 4, 5. Correct it, or say `recode S { ... }`. The same in"
    assert message_of(lambda: read_one(wide(), rows(*people))).split("\n") == [
        f'a.csv, row 3, column 3 ("q1"): "n/a" is no answer to item 1 {why} rows 7, 12, 20 and 139 more.',
        f'a.csv, row 8, column 3 ("q1"): "-" is no answer to item 1 {why} row 13.',
    ]


def test_one_mistake_in_several_cells_of_a_row_is_one_line() -> None:
    turned = [list(line) for line in zip(*rows(["ann", "anger 1.1", "x", "x", 3, 1]), strict=True)]
    mapping = wide(
        transposed=True,
        respondent=row("who"),
        about=match(row("about"), "{emotion} {factor}.{situation}"),
        covariates=(),
        conditions=cells(ScaleCells("S", (CellSpan(row("q1"), row("q3")),))),
    )
    assert message_of(lambda: read_one(mapping, turned)).endswith("The same in other cells of column 2.")


def test_one_unknown_stimulus_of_many_rows_is_one_line() -> None:
    people = [[f"p{n}", "envy 1.1", 1, 1, 1, 1] for n in range(30)]
    (line,) = message_of(lambda: read_one(wide(), rows(*people))).split("\n")
    assert line.startswith('a.csv, row 2, column 2 ("about"): no emotion "envy" of this study;')
    assert line.endswith("The same in rows 3, 4, 5 and 26 more.")


def test_one_bad_file_among_good_ones_stops_the_import() -> None:
    mapping = wide(path="{panel}.csv")
    bad = rows(["ann", "anger 1.1", 0, 2, 3, 1])
    message = message_of(lambda: read_all(mapping, {"a.csv": WIDE, "b.csv": bad}))
    assert "b.csv, row 2, column 3" in message
    assert "a.csv" not in message


def test_two_conditions_that_fill_the_same_response_are_told() -> None:
    twice = ScaleCells("S", (CellSpan(column("q1"), column("q3")),))
    mapping = wide(conditions=cells(twice, twice))
    assert "before, in a.csv, row 2" in message_of(lambda: read_one(mapping, WIDE))
