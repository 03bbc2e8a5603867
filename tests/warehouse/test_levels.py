"""Contrasts of variables, units and rates, and what is left out of them, on small warehouses."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from scipy import stats

from schemas.plan import (
    Arithmetic,
    Association,
    Cells,
    Comparison,
    Contrast,
    Item,
    ItemValue,
    KeyValue,
    Number,
    Option,
    Outcome,
    Predicate,
    Scale,
    Stimulus,
    Subscale,
)
from tests.warehouse.builder import Seen, contrast, plan, store
from tests.warehouse.test_contrasts import BASE, FIRST
from tests.warehouse.test_sides import CROWD, rows
from warehouse.errors import WarehouseError
from warehouse.register import register_plan
from warehouse.report import build_report, render

EVOKED = Cells(level="evoked")
TEXTS = (
    Stimulus("first", 0, {"topic": "weather", "arousal": "1"}, name="one"),
    Stimulus("second", 1, {"topic": "work", "arousal": "2.5"}, name="two"),
    Stimulus("third", 2, {"topic": "work", "arousal": "high"}, name="three"),
)


def rated(value: float | None, stimulus: str, persona: str, subject: str = "m", **details: object) -> Seen:
    values = [value, 1.0]
    return Seen("evoked", values, stimulus=stimulus, levels={"persona": persona}, subject=subject, **details)  # type: ignore[arg-type]


PERSONAS = [
    rated(1.0, "first", "shy"),
    rated(2.0, "second", "shy"),
    rated(2.0, "third", "shy"),
    rated(4.0, "first", "loud"),
    rated(4.0, "first", "loud", repeat=1),
    rated(3.0, "second", "loud"),
    rated(None, "third", "loud", status="refused"),
    Seen("default", [5.0, 1.0]),
]


def personas(**details: object) -> Contrast:
    sides = (Cells(level="loud"), Cells(level="shy"))
    return contrast(sides=sides, variable="persona", outcomes=FIRST, **details)


def test_who_lacks_a_covariate_is_in_no_group_of_it(tmp_path: Path) -> None:
    the_plan = plan(contrast(outcomes=FIRST, by=(("sex",),)))
    register_plan(tmp_path, the_plan)
    seen = [
        Seen(condition, [float(k), 1.0], None if condition == "default" else ("joy", 0, 0), f"p{k}")
        for k in range(1, 6)
        for condition in ("default", "evoked")
    ]
    covariates = {f"p{k}": {"sex": "f" if k < 3 else "m"} for k in range(1, 5)}
    store(tmp_path, the_plan.study, "crowd", seen, kind="human", covariates=covariates)
    found = build_report(tmp_path, the_plan).report.rows
    assert [(row.groups, row.a_n, row.b_n) for row in found] == [({"sex": "f"}, 2, 2), ({"sex": "m"}, 2, 2)]


def test_stimuli_are_those_after_which_a_scale_is_measured(tmp_path: Path) -> None:
    the_plan = plan(contrast(outcomes=FIRST))
    study = msgspec.structs.replace(the_plan.study, scales_for={"PAIR": ("joy",)})
    seen = [*BASE, Seen("evoked", [3.0, 1.0], ("joy", 0, 0))]
    (row,) = rows(tmp_path, msgspec.structs.replace(the_plan, study=study), m=seen)
    assert (row.stimuli, row.stimuli_answered) == (2, 1)


def test_levels_of_a_variable_by_a_field_of_the_stimulus(tmp_path: Path) -> None:
    the_plan = plan(personas(by=((), ("topic",), ("stimulus",))), shown=TEXTS)
    overall, *groups = rows(tmp_path, the_plan, m=PERSONAS)
    assert (overall.a_n, overall.b_n, overall.kind) == (3, 3, "difference")
    assert (overall.expected, overall.found, overall.left_out) == (7, 6, {"refused": 1})
    assert (overall.stimuli, overall.stimuli_answered) == (3, 3)
    assert [(row.groups, row.a_n, row.b_n, row.stimuli) for row in groups] == [
        ({"topic": "weather"}, 2, 1, 1),
        ({"topic": "work"}, 1, 2, 2),
        ({"stimulus": "first"}, 2, 1, 1),
        ({"stimulus": "second"}, 1, 1, 1),
        ({"stimulus": "third"}, 0, 1, 1),
    ]


def test_a_stimulus_counts_once(tmp_path: Path) -> None:
    the_plan = plan(personas(unit="stimulus"), shown=TEXTS)
    (row,) = rows(tmp_path, the_plan, m=PERSONAS)
    assert (row.a_n, row.a_mean, row.b_n, row.expected) == (2, 3.5, 3, 6)
    assert row.n_missing == 1


@pytest.mark.parametrize(
    ("where", "n"),
    [
        (Predicate("topic", ("work",)), (1, 2)),
        (Predicate("topic", ("work",), negated=True), (2, 1)),
        (Predicate("stimulus", ("two",)), (1, 1)),
        (Predicate("stimulus", ("second",)), (1, 1)),
        (Predicate("persona", ("shy",)), (0, 3)),
        (Predicate("condition", ("default",)), None),
    ],
)
def test_where_speaks_of_fields_names_and_levels(
    tmp_path: Path, where: Predicate, n: tuple[int, int] | None
) -> None:
    found = rows(tmp_path, plan(personas(where=(where,)), shown=TEXTS), m=PERSONAS)
    assert [(row.a_n, row.b_n) for row in found] == ([] if n is None else [n])


def test_stimuli_are_those_that_where_lets_in(tmp_path: Path) -> None:
    untold = Stimulus("fourth", 3, {"arousal": "3"})
    let_in = {True: 2, False: 2}
    for negated, n in let_in.items():
        where = (Predicate("topic", ("work",), negated=negated),)
        the_plan = plan(personas(where=where), shown=(*TEXTS, untold))
        (row,) = rows(tmp_path / str(negated), the_plan, m=PERSONAS)
        assert (row.stimuli, row.stimuli_answered) == (n, 1 if negated else 2)


def test_a_split_is_a_covariate(tmp_path: Path) -> None:
    covariates = {"a": {"split": "train"}, "b": {"split": "test"}, "c": {"split": "train"}}
    by = contrast(outcomes=FIRST, by=(("split",),), where=(Predicate("split", ("train",)),))
    (row,) = rows(tmp_path, plan(by), covariates, crowd=CROWD)
    assert (row.group_kind, row.groups, row.a_n, row.b_n) == ("split", {"split": "train"}, 2, 2)


def test_groups_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    covariates = {"a": {"age": "9"}, "b": {"age": "10"}, "c": {"age": "no answer"}}
    found = rows(tmp_path, plan(contrast(outcomes=FIRST, by=(("age",),))), covariates, crowd=CROWD)
    assert [row.groups["age"] for row in found] == ["9", "10", "no answer"]


QUALITY = Scale(
    "RUBRIC",
    "Quality",
    (Option(1), Option(2), Option(3)),
    (Item(1, "quality", "How good?"),),
    (Subscale("good", "Good", Comparison("is", ItemValue(1), Number(3))),),
)
NEVER = [rated(value, "first", persona) for persona, value in (("loud", 3.0), ("loud", 3.0), ("shy", 1.0))]


@pytest.mark.parametrize(
    ("seen", "details", "note"),
    [
        (NEVER, {"effect": "lift", "test": "fisher"}, "no lift: the mean of side b is 0"),
        (NEVER[:2], {}, "no test: no score on side b"),
        ([*NEVER[:2], rated(3.0, "first", "shy")], {}, "no test: neither side varies"),
        (NEVER, {"omnibus": True, "test": "welch"}, "no test: welch is of two sides"),
        (
            NEVER,
            {"paired_by": "stimulus"},
            "no test: chi_squared is of independent answers, not of pairs",
        ),
    ],
)
def test_rates_without_a_number_say_why(
    tmp_path: Path, seen: list[Seen], details: dict[str, object], note: str
) -> None:
    settings = {"test": "chi_squared", "outcomes": (Outcome("RUBRIC", "good"),), **details}
    sides = (Cells(level="loud"), Cells(level="shy"))
    declared = contrast(sides=sides, variable="persona", **settings)
    (row,) = rows(tmp_path, plan(declared, scale=QUALITY, shown=TEXTS), m=seen)
    assert (row.kind, row.note) == ("rate", note)


def test_correction_of_continuity_can_be_left_out(tmp_path: Path) -> None:
    seen = [rated(3.0, "first", "loud")] * 8 + [rated(1.0, "first", "loud")] * 2
    seen += [rated(3.0, "first", "shy")] * 3 + [rated(1.0, "first", "shy")] * 7
    good = (Outcome("RUBRIC", "good"),)
    declared = [
        personas(name=name, test="chi_squared", yates=yates, effect="cramers_v")
        for name, yates in (("with", True), ("without", False))
    ]
    declared = [msgspec.structs.replace(one, outcomes=good) for one in declared]
    with_it, without = rows(tmp_path, plan(*declared, scale=QUALITY, shown=TEXTS), m=seen)
    table = [[8, 2], [3, 7]]
    assert with_it.statistic == pytest.approx(stats.chi2_contingency(table).statistic)
    plain = stats.chi2_contingency(table, correction=False)
    assert (without.statistic, without.p) == pytest.approx((plain.statistic, plain.pvalue))
    assert with_it.effect_size == without.effect_size == pytest.approx((plain.statistic / 20) ** 0.5)


def test_what_is_left_out_is_said_once_and_by_its_reason(tmp_path: Path) -> None:
    the_plan = plan(personas(by=((), ("topic",))), shown=TEXTS)
    register_plan(tmp_path, the_plan)
    store(tmp_path, the_plan.study, "m", [*PERSONAS, rated(None, "first", "shy", status=None)])
    text = " ".join(render(build_report(tmp_path, the_plan), "text").split())
    assert text.count("6 of 8 answers (refused 1; not answered 1).") == 1
    assert "stimuli answered" not in text


def test_a_key_that_the_stimulus_lacks_is_a_reason(tmp_path: Path) -> None:
    scale = msgspec.structs.replace(
        QUALITY,
        items=(Item(1, "quality", "How good?", key="arousal"),),
        subscales=(Subscale("hit", "Hit", Comparison("is", ItemValue(1), KeyValue(1))),),
    )
    declared = msgspec.structs.replace(personas(), outcomes=(Outcome("RUBRIC", "hit"),))
    seen = [rated(1.0, "first", "loud"), rated(1.0, "first", "shy"), rated(2.0, "third", "shy")]
    (row,) = rows(tmp_path, plan(declared, scale=scale, shown=TEXTS), m=seen)
    assert (row.a_mean, row.left_out) == (1.0, {"no key": 1})


def test_a_score_without_a_value_at_its_key_is_not_defined(tmp_path: Path) -> None:
    off = Arithmetic("-", ItemValue(1), KeyValue(1))
    scale = msgspec.structs.replace(
        QUALITY,
        items=(Item(1, "quality", "How good?", key="arousal"),),
        subscales=(Subscale("near", "Nearness", Arithmetic("/", Number(1), off)),),
    )
    declared = msgspec.structs.replace(personas(), outcomes=(Outcome("RUBRIC", "near"),))
    seen = [rated(1.0, "first", "loud"), rated(2.0, "first", "shy"), rated(2.0, "third", "shy")]
    (row,) = rows(tmp_path, plan(declared, scale=scale, shown=TEXTS), m=seen)
    assert row.left_out == {"no key": 1, "score not defined": 1}


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ((EVOKED, Cells(field="arousal")), "is no comparison of answers or norms"),
        ((EVOKED,), "is no comparison of answers or norms"),
    ],
)
def test_what_cannot_be_subtracted_is_one_message(
    tmp_path: Path, sides: tuple[Cells, ...], message: str
) -> None:
    with pytest.raises(WarehouseError, match=message):
        rows(tmp_path, plan(contrast(sides=sides)), m=BASE)


def test_scales_of_a_profile_are_no_outcome_unless_named(tmp_path: Path) -> None:
    profile = msgspec.structs.replace(QUALITY, id="PROFILE")
    reliable = Association(
        "reliable", "reliability", (Cells(),), ((),), ("cronbach_alpha",), 0.05, "respondent"
    )
    the_plan = plan(contrast())
    the_plan = msgspec.structs.replace(the_plan, scales=(*the_plan.scales, profile), associations=(reliable,))
    seen = [*CROWD, Seen(None, [2.0], subject="a", scale="PROFILE")]
    found = rows(tmp_path, the_plan, crowd=seen)
    assert {(row.contrast, row.scale, row.subscale) for row in found} == {
        ("shift", "PAIR", "total"),
        ("shift", "PAIR", "first"),
        ("reliable", "PAIR", "total"),
        ("reliable", "PAIR", "first"),
    }
