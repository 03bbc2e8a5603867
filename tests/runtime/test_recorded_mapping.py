"""What a mapping may say, on small tables; the data here are long and wide, by rows and by columns."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from runtime.recorded import RecordedPanel, read_responses, recorded_run
from schemas.plan import (
    Block,
    CellSpan,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Field,
    Item,
    Match,
    Option,
    Place,
    Plan,
    Recode,
    Responses,
    Scale,
    ScaleCells,
)
from schemas.table import Cell
from tests.runtime.recorded_plans import (
    Tables,
    answers,
    column,
    match,
    plan,
    responses,
    row,
    scale,
    two_emotions,
)

Grid = Sequence[Sequence[Cell]]

WIDE: Grid = [
    ["who", "about", "q1", "q2", "q3", "age"],
    ["ann", "anger 1.1", 1, 2, 3, 30],
    ["bob", "Guilt 2.2", "4", " 5 ", "1.0", None],
]


ABOUT = match(column("about"), "{emotion} {factor}.{situation}")
WHO = column("who")
BLOCK = Block(
    covariates=(Covariate("age", column("age")), Covariate("wave", Constant("first"))),
    conditions=(ConditionCells("evoked", (ScaleCells("S", (CellSpan(column("q1"), column("q3")),)),)),),
)


def wide(
    respondent: Place | Counted | None = WHO,
    about: Match | None = ABOUT,
    kind: Literal["human", "model"] = "human",
    path: str = "a.csv",
    recodes: Sequence[Recode] = (),
    transposed: bool = False,
    headers: int | None = None,
    **changes: object,
) -> Responses:
    """The mapping of WIDE; `changes` are those of its block."""
    fields = () if respondent is None else (Field("respondent", respondent),)
    matches = () if about is None else (about,)
    block = msgspec.structs.replace(BLOCK, **{"fields": fields, "matches": matches, **changes})
    return responses(
        "people",
        path,
        block,
        kind=kind,
        transposed=transposed,
        headers=headers,
        recodes=tuple(recodes),
    )


def read_all(of: Responses, tables: dict[str, Grid], scales: Sequence[Scale] = ()) -> list[RecordedPanel]:
    return read_responses(a_plan(of, scales), of, Tables(tables))


def a_plan(of: Responses, scales: Sequence[Scale] = ()) -> Plan:
    return plan(scales or [scale("S", 1, 5, 3)], two_emotions(), [of])


def read_one(of: Responses, table: Grid, scales: Sequence[Scale] = ()) -> RecordedPanel:
    (panel,) = read_all(of, {"a.csv": table}, scales)
    return panel


def values(panel: RecordedPanel) -> list[list[float | None]]:
    return [[answer.value for answer in one] for one in answers(panel)]


def places(panel: RecordedPanel) -> list[tuple[str | None, int | None, int | None]]:
    return [(trial.emotion, trial.factor_index, trial.situation) for trial in panel.trials()]


def test_an_observation_is_a_row() -> None:
    panel = read_one(wide(), WIDE)
    assert values(panel) == [[1, 2, 3], [4, 5, 1]]
    assert places(panel) == [("anger", 0, 0), ("guilt", 1, 1)]
    assert [trial.subject for trial in panel.trials()] == ["ann", "bob"]
    assert [one.source for one in panel.responses()] == ["human", "human"]
    assert panel.details.left_out[0].why == "labels"


def test_a_blank_covariate_is_absent() -> None:
    panel = read_one(wide(), WIDE)
    assert [person.covariates for person in panel.respondents()] == [
        {"age": "30", "wave": "first"},
        {"wave": "first"},
    ]


def test_an_observation_is_a_column_where_transposed() -> None:
    turned = [list(cells) for cells in zip(*WIDE, strict=True)]
    mapping = wide(
        transposed=True,
        respondent=row("who"),
        about=match(row("about"), "{emotion} {factor}.{situation}"),
        covariates=(Covariate("age", row("age")), Covariate("wave", Constant("first"))),
        conditions=(ConditionCells("evoked", (ScaleCells("S", (CellSpan(row("q1"), row("q3")),)),)),),
    )
    by_columns, by_rows = read_one(mapping, turned), read_one(wide(), WIDE)
    assert by_columns.digest == by_rows.digest
    assert list(by_columns.trials()) == list(by_rows.trials())
    assert answers(by_columns) == answers(by_rows)


def test_blank_answers_are_null_and_the_status_says_so() -> None:
    table = [*WIDE[:1], ["ann", "anger 1.1", None, "", 2, 1], ["bob", "anger 1.1", None, " ", None, 1]]
    panel = read_one(wide(), table)
    assert values(panel) == [[None, None, 2], [None, None, None]]
    assert [one.status for one in panel.responses()] == ["partial", "unparseable"]
    assert [answer.reason for answer in answers(panel)[0]] == ["blank", "blank", None]
    assert panel.details.values == 1


def test_recodes_reach_values_fields_and_covariates() -> None:
    table = [*WIDE[:1], ["ann", "Wut self.1", "never", "n/a", -2, "old"]]
    mapping = wide(
        recodes=(
            Recode("value", {"never": "1", "n/a": None}),
            Recode("S", {"-2": "2"}),
            Recode("emotion", {"Wut": "anger"}),
            Recode("factor", {"self": "anger_b"}),
            Recode("age", {"old": "70+"}),
        )
    )
    panel = read_one(mapping, table)
    assert values(panel) == [[1, None, 2]]
    assert answers(panel)[0][1].reason == "recoded as missing"
    assert places(panel) == [("anger", 1, 0)]
    assert panel.respondents()[0].covariates["age"] == "70+"


def test_a_field_recoded_as_missing_leaves_the_observation_out() -> None:
    mapping = wide(recodes=(Recode("emotion", {"Guilt": None}),))
    panel = read_one(mapping, WIDE)
    assert [person.respondent for person in panel.respondents()] == ["ann"]
    assert [(left.places, left.count) for left in panel.details.left_out] == [("1", 1), ("3", 1)]
    assert "recoded as missing" in panel.details.left_out[1].why


def test_a_respondent_recoded_as_missing_is_left_out() -> None:
    mapping = wide(recodes=(Recode("respondent", {"ann": None, "bob": "b"}),))
    panel = read_one(mapping, WIDE)
    assert [person.respondent for person in panel.respondents()] == ["b"]
    told = panel.details.left_out[1].line()
    assert told == 'a.csv: 1 row left out (2): its respondent "ann" is recoded as missing'


def test_emotions_and_factors_match_by_title_in_any_case() -> None:
    table = [*WIDE[:1], ["ann", "ANGER facing anger_b.2", 1, 1, 1, 1]]
    assert places(read_one(wide(), table)) == [("anger", 1, 1)]


def test_what_fits_no_pattern_is_left_out_and_blank_rows_are_listed() -> None:
    table = [*WIDE, ["cem", "pilot", 9, 9, 9, 1], [], ["dan", None, 9, 9, 9, 1], ["eve", "test", 1, 1, 1, 1]]
    panel = read_one(wide(), table)
    assert len(panel.respondents()) == 2
    told = {left.places: (left.why, left.example) for left in panel.details.left_out}
    assert told["4, 7"] == ('column 2 ("about") does not fit "{emotion} {factor}.{situation}"', "pilot")
    assert told["5"] == ("blank", "")
    assert told["6"][0].startswith("blank in column 2")


def test_people_are_counted_in_the_order_of_the_file() -> None:
    panel = read_one(wide(respondent=Counted()), [*WIDE[:2], ["x", "pilot", 1, 1, 1, 1], *WIDE[2:]])
    assert [person.respondent for person in panel.respondents()] == ["people-0001", "people-0003"]


def test_one_person_may_answer_in_several_rows() -> None:
    table = [*WIDE[:2], ["ann", "guilt 1.2", 5, 5, 5, 30]]
    panel = read_one(wide(), table)
    assert len(panel.respondents()) == 1
    assert [trial.respondent for trial in panel.trials()] == ["ann", "ann"]


def test_item_numbers_beside_the_answers_say_which_item_each_is() -> None:
    table: Grid = [
        ["order-0", "order-1", "t-0_o-0", "t-0_o-1"],
        [1, "3", 5, 1],
        [2, "1", 4, 2],
        [3, "2", 3, 3],
    ]
    cells = (ScaleCells("S", (CellSpan(row(2), row(4)),), order=column("order-{order}")),)
    default = ConditionCells("default", cells, (match(row(1), "t-{repeat}_o-{order}", 0),))
    mapping = responses("m", "a.csv", Block(conditions=(default,)), kind="model", transposed=True)
    panel = read_one(mapping, table)
    told = [[(a.position, a.item, a.value) for a in one] for one in answers(panel)]
    assert told == [[(1, 1, 5), (2, 2, 4), (3, 3, 3)], [(1, 3, 1), (2, 1, 2), (3, 2, 3)]]
    assert [(trial.item_order, trial.stimulus, trial.respondent) for trial in panel.trials()] == [
        (0, None, "m"),
        (1, None, "m"),
    ]


def test_items_with_options_of_their_own_have_their_own_codes() -> None:
    base = scale("S", 1, 5, 3)
    own = Item(3, "i3", "Item 3", options=(Option(0.0, "no"), Option(7.5, "yes")))
    scales = [msgspec.structs.replace(base, items=(*base.items[:2], own))]
    panel = read_one(wide(), [*WIDE[:1], ["ann", "anger 1.1", 1, 2, "7.50", 1]], scales)
    assert values(panel) == [[1, 2, 7.5]]
    assert answers(panel)[0][2].choice == "yes"


def test_panels_come_from_paths_and_from_columns() -> None:
    mapping = wide(kind="model", respondent=None, path="in/{panel}.csv", covariates=())
    panels = read_all(mapping, {"in/b-2.csv": WIDE, "in/a.csv": WIDE[:2], "out/c.csv": WIDE})
    assert [(panel.panel, panel.planned) for panel in panels] == [("a", 1), ("b-2", 2)]
    assert panels[0].respondents()[0].respondent == "a"

    by_column = wide(
        kind="model",
        respondent=None,
        covariates=(),
        about=match(column("about"), "{emotion} {panel}.{situation}"),
    )
    one_factor = [one for one in two_emotions() if one.factor_index == 0]
    told = plan([scale("S", 1, 5, 3)], one_factor, [by_column])
    panels = read_responses(told, by_column, Tables({"a.csv": WIDE}))
    assert [panel.panel for panel in panels] == ["1", "2"]


def test_several_files_of_one_panel_go_on_counting() -> None:
    about = match(column("about"), "f{factor}.{situation}")
    mapping = wide(respondent=Counted(), path="{panel}/{emotion}.csv", about=about)
    table = [["who", "about", "q1", "q2", "q3", "age"], ["x", "f1.1", 1, 1, 1, 1]]
    (panel,) = read_all(mapping, {"crowd/anger.csv": table, "crowd/guilt.csv": table})
    assert [trial.respondent for trial in panel.trials()] == ["crowd-0001", "crowd-0002"]
    assert [trial.emotion for trial in panel.trials()] == ["anger", "guilt"]


def test_the_same_content_is_the_same_run_and_other_content_another() -> None:
    first, second = read_one(wide(), WIDE), read_one(wide(), [*WIDE, []])
    changed = read_one(wide(), [*WIDE[:2], ["bob", "Guilt 2.2", 4, 5, 2, None]])
    assert (first.run, list(first.trials())) == (second.run, list(second.trials()))
    assert answers(first) == answers(second)
    assert first.run == recorded_run("a_study", "people", first.digest)
    assert changed.run != first.run
    assert not {t.trial for t in changed.trials()} & {t.trial for t in first.trials()}


def test_columns_may_stand_apart_and_in_another_order() -> None:
    apart = (CellSpan(column("q3"), column("q3")), CellSpan(column("q1"), column("q2")))
    mapping = wide(conditions=(ConditionCells("evoked", (ScaleCells("S", apart),)),))
    assert values(read_one(mapping, WIDE)) == [[3, 1, 2], [1, 4, 5]]


def test_places_may_be_numbers() -> None:
    mapping = wide(
        respondent=Place("column", 1),
        about=match(column(2), "{emotion} {factor}.{situation}"),
        covariates=(),
        conditions=(ConditionCells("evoked", (ScaleCells("S", (CellSpan(column(3), column(5)),)),)),),
    )
    assert values(read_one(mapping, WIDE)) == [[1, 2, 3], [4, 5, 1]]
