"""Forms that answers come in: levels side by side, lists, labels, long data, profiles, groups of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import pytest

from runtime.recorded import RecordedPanel, read_responses
from schemas.plan import (
    Block,
    CellSpan,
    Condition,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Difference,
    Field,
    Match,
    Option,
    Plan,
    Protocol,
    Range,
    Recode,
    Responses,
    Scale,
    ScaleCells,
    Stimulus,
    Text,
)
from schemas.table import Cell
from tests.runtime.recorded_plans import Tables, answers, column, match, plan, responses, row, scale

Grid = Sequence[Sequence[Cell]]


def labelled() -> Scale:
    options = (Option(1.0, "Bad"), Option(2.0, "So so"), Option(3.0, "Good"))
    return msgspec.structs.replace(scale("R", 1, 3, 1), options=options)


@dataclass
class Case:
    """A study of three named stories, judged, with a rating R of one item and a questionnaire S of three."""

    blocks: Sequence[Block]
    recodes: Sequence[Recode] = ()
    headers: int | None = None
    transposed: bool = False
    scales: Sequence[Scale] = field(default_factory=lambda: (labelled(), scale("S", 0, 4, 3)))

    def mapping(self) -> Responses:
        return responses(
            "raters",
            "a.csv",
            *self.blocks,
            recodes=tuple(self.recodes),
            headers=self.headers,
            transposed=self.transposed,
        )

    def plan(self) -> Plan:
        stories = [Stimulus(f"stories.{n}", n, {"text": f"Story {n}"}, name=f"d{n}") for n in range(3)]
        protocol = Protocol("p", (Condition("judged", True, ()), Condition("plain", False, ())))
        return msgspec.structs.replace(plan(self.scales, stories, [self.mapping()]), protocol=protocol)

    def read(self, table: Grid) -> RecordedPanel:
        mapping = self.mapping()
        (panel,) = read_responses(self.plan(), mapping, Tables({"a.csv": table}))
        return panel


def fields(respondent: str = "who", stimulus: str = "story") -> tuple[Field, ...]:
    return (Field("respondent", column(respondent)), Field("stimulus", column(stimulus)))


def judged(*cells: ScaleCells, matches: tuple[Match, ...] = ()) -> tuple[ConditionCells, ...]:
    return (ConditionCells("judged", cells, matches),)


def one(at: str, name: str = "R", **more: object) -> ScaleCells:
    return msgspec.structs.replace(ScaleCells(name, (CellSpan(column(at), column(at)),)), **more)


def told(panel: RecordedPanel) -> list[tuple[str, dict[str, str], str | None, str | None, list[float | None]]]:
    return [
        (trial.respondent, trial.levels, trial.condition, trial.stimulus, [a.value for a in of])
        for trial, of in zip(panel.trials(), answers(panel), strict=True)
    ]


def arm(level: str, profile: bool = True) -> Block:
    return Block(
        levels={"arm": level},
        fields=(Field("respondent", column(f"rater_{level}")), Field("stimulus", column("story"))),
        conditions=judged(one(f"rating_{level}")),
        profile=(one(f"list_{level}", "S", form="list"),) if profile else (),
    )


SIDE_BY_SIDE: Grid = [
    ["story", "rater_a", "rater_b", "rating_a", "rating_b", "list_a", "list_b"],
    ["d0", "a1", "b1", 1, 2, "[0, 1, 2]", "4;4;4"],
    ["d1", "a1", "b2", 3, 3, "[0,1,2]", "1,2,3"],
    ["d2", "a2", None, 2, None, None, None],
]


def test_columns_side_by_side_are_levels_and_a_profile_is_stored_once() -> None:
    panel = Case([arm("a"), arm("b")]).read(SIDE_BY_SIDE)
    assert told(panel) == [
        ("a1", {"arm": "a"}, "judged", "stories.0", [1]),
        ("a1", {"arm": "a"}, None, None, [0, 1, 2]),
        ("b1", {"arm": "b"}, "judged", "stories.0", [2]),
        ("b1", {"arm": "b"}, None, None, [4, 4, 4]),
        ("a1", {"arm": "a"}, "judged", "stories.1", [3]),
        ("b2", {"arm": "b"}, "judged", "stories.1", [3]),
        ("b2", {"arm": "b"}, None, None, [1, 2, 3]),
        ("a2", {"arm": "a"}, "judged", "stories.2", [2]),
        ("a2", {"arm": "a"}, None, None, [None, None, None]),
    ]
    left_out = {one.why: one.places for one in panel.details.left_out}
    assert left_out == {"labels": "1", "no answers for arm b": "4"}
    cells = {(cell.condition, cell.levels["arm"]): cell.responses for cell in panel.details.cells}
    assert cells == {("judged", "a"): 3, (None, "a"): 2, ("judged", "b"): 2, (None, "b"): 2}


def test_a_row_is_left_out_where_it_fits_no_level() -> None:
    shared = (Field("respondent", column("rater")), Field("stimulus", column("story")))
    blocks = [
        Block({"arm": level}, shared, (Match(column("arm"), (Text(level),)),), judged(one("rating")))
        for level in ("a", "b")
    ]
    rows: Grid = [
        ["arm", "rater", "story", "rating"],
        ["a", "x", "d0", 1],
        ["c", "y", "d0", 2],
        ["b", "z", "d1", 3],
    ]
    panel = Case(blocks).read(rows)
    assert [(who, levels["arm"]) for who, levels, *_ in told(panel)] == [("x", "a"), ("z", "b")]
    assert [(left.why.rpartition(" ")[2], left.places) for left in panel.details.left_out] == [
        ("labels", "1"),
        ('"a"', "3"),
        ('"b"', "3"),
    ]


def test_a_profile_that_is_blank_in_one_row_is_the_one_of_the_other() -> None:
    table = [
        SIDE_BY_SIDE[0],
        ["d0", "a1", None, 1, None, None, None],
        ["d1", "a1", None, 2, None, "1;2;3", None],
    ]
    panel = Case([arm("a")]).read(table)
    assert [values for _, _, condition, _, values in told(panel) if condition is None] == [[1, 2, 3]]


def test_levels_are_in_the_trial_and_keep_responses_apart() -> None:
    blocks = [
        msgspec.structs.replace(arm(level, profile=False), fields=fields("story", "story")) for level in "ab"
    ]
    panel = Case(blocks).read(SIDE_BY_SIDE)
    assert [levels["arm"] for _, levels, _, _, _ in told(panel)] == ["a", "b", "a", "b", "a"]
    assert len({trial.trial for trial in panel.trials()}) == 5


@pytest.mark.parametrize("written", ["[1, 2, 3]", "['1', 2, '3']", "1;2;3", "1, 2, 3", '["1","2","3"]'])
def test_lists_are_read_in_their_forms(written: str) -> None:
    block = Block(fields=fields(), conditions=judged(one("all", "S", form="list")))
    panel = Case([block]).read([["who", "story", "all"], ["x", "d0", written]])
    assert told(panel)[0][-1] == [1, 2, 3]


def test_a_list_has_blanks_labels_and_an_order() -> None:
    options = (Option(1.0, "Yes"), Option(2.0, "No"))
    scales = [msgspec.structs.replace(scale("S", 1, 2, 3), options=options)]
    cells = one("all", "S", form="list", labels=True, order=column("order"))
    panel = Case([Block(fields=fields(), conditions=judged(cells))], scales=scales).read(
        [["who", "story", "all", "order"], ["x", "d0", '["no", null, "Yes"]', "[3, 1, 2]"]]
    )
    assert [(a.position, a.item, a.value, a.choice) for a in answers(panel)[0]] == [
        (1, 3, 2, "No"),
        (2, 1, None, None),
        (3, 2, 1, "Yes"),
    ]


def test_labels_are_read_whatever_their_case_and_recoded() -> None:
    block = Block(fields=fields(), conditions=judged(one("r", labels=True)))
    recodes = [Recode("R", {"Great": "Good", "Awful": "1", "n/a": None})]
    table: Grid = [["who", "story", "r"], *([f"p{n}", "d0", r] for n, r in enumerate(LABELS))]
    panel = Case([block], recodes).read(table)
    assert [values for *_, values in told(panel)] == [[1], [2], [3], [1], [None], [None]]


LABELS = ("bad", " So so ", "Great", "Awful", "n/a", None)


def test_a_match_without_holes_filters_and_is_counted() -> None:
    matches = (match(column("attention"), "yes"), match(column("consent"), "1"))
    block = Block(fields=fields(), matches=matches, conditions=judged(one("r")))
    table: Grid = [
        ["who", "story", "r", "attention", "consent"],
        ["x", "d0", 1, "yes", 1],
        ["y", "d0", 1, "no", 1],
        ["z", "d0", 1, "yes", 0],
        ["w", "d0", 1, "no", 0],
    ]
    panel = Case([block]).read(table)
    assert [one[0] for one in told(panel)] == ["x"]
    assert [(one.why, one.places) for one in panel.details.left_out[1:]] == [
        ('column 4 ("attention") does not fit "yes"', "3, 5"),
        ('column 5 ("consent") does not fit "1"', "4"),
    ]


def test_ages_come_of_years_and_fall_into_groups() -> None:
    block = Block(
        fields=fields(),
        conditions=judged(one("r")),
        covariates=(
            Covariate("age", Difference(2023, column("born"))),
            Covariate("wave", Constant("first")),
        ),
    )
    ranges = (Range(18, 29, "young"), Range(30, 99, "old"))
    recodes = [Recode("age", {"private": None, "unknown": "not known"}, ranges)]
    born: list[Cell] = [1995, "1993", 1993.0, "private", "unknown", None]
    table: Grid = [["who", "story", "r", "born"], *([f"p{n}", "d0", 1, year] for n, year in enumerate(born))]
    panel = Case([block], recodes).read(table)
    ages = [person.covariates.get("age") for person in panel.respondents()]
    assert ages == ["young", "old", "old", None, "not known", None]


def test_half_steps_are_codes() -> None:
    halves = tuple(Option(code / 2) for code in range(2, 9))
    scales = [msgspec.structs.replace(scale("R", 1, 4, 1), options=halves)]
    block = Block(fields=fields(), conditions=judged(one("r")))
    table: Grid = [["who", "story", "r"], ["x", "d0", "2.5"], ["y", "d0", 3.5], ["z", "d0", "4.0"]]
    panel = Case([block], scales=scales).read(table)
    assert [values for *_, values in told(panel)] == [[2.5], [3.5], [4]]


def test_stimuli_and_people_may_be_counted_by_the_rows_of_the_file() -> None:
    block = Block(
        fields=(Field("respondent", Constant("all")), Field("stimulus", Counted())), conditions=judged(one("r"))
    )
    recodes = [Recode("stimulus", {str(n + 1): f"d{n}" for n in range(3)})]
    panel = Case([block], recodes).read([["r"], [1], [2], [3]])
    assert [(who, stimulus) for who, _, _, stimulus, _ in told(panel)] == [
        ("all", f"stories.{n}") for n in range(3)
    ]


def test_several_rows_of_labels() -> None:
    table: Grid = [
        ["id", None, "Ratings", None],
        ["who", "story", "how good", None],
        ["text", "text", "number", None],
        ["x", "d0", 3, None],
    ]
    block = Block(fields=fields(), conditions=judged(one("how good")))
    assert told(Case([block], headers=3).read(table)) == [("x", {}, "judged", "stories.0", [3])]
    turned = [list(cells) for cells in zip(*table, strict=True)]
    turned_block = Block(
        fields=(Field("respondent", row("who")), Field("stimulus", row("story"))),
        conditions=judged(ScaleCells("R", (CellSpan(row("how good"), row("how good")),))),
    )
    panel = Case([turned_block], headers=3, transposed=True).read(turned)
    assert told(panel) == [("x", {}, "judged", "stories.0", [3])]


def test_the_subject_pairs_observations_of_several_respondents() -> None:
    block = Block(fields=(*fields(), Field("subject", column("pair"))), conditions=judged(one("r")))
    panel = Case([block]).read([["who", "story", "r", "pair"], ["x", "d0", 1, "p1"], ["y", "d0", 2, "p1"]])
    assert [(trial.respondent, trial.subject) for trial in panel.trials()] == [("x", "p1"), ("y", "p1")]


def test_what_no_line_reads_is_noted() -> None:
    block = Block(fields=fields(), conditions=judged(one("r")))
    panel = Case([block]).read([["who", "note", "story", "r", None], ["x", "?", "d0", 1, 7]])
    (file,) = panel.details.files
    assert (file.lines, file.length, file.unused) == (1, 5, ("note", "column 5"))
