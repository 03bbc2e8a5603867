"""Analyses in a plan: what is said, and what is not said has its documented default."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import compile_study
from schemas.plan import Association, Cells, Contrast, Outcome, Part, Plan, Predicate, Split
from schemas.planfile import plan_bytes, read_plan, write_plan
from tests.compiler.checking import checked
from tests.compiler.rating import LETTERS, RATING, rating


def plan(folder: Path, *lines: str, spec: str = RATING) -> Plan:
    found = checked(folder, rating(*lines, spec=spec), letters=LETTERS)
    assert found.errors == ()
    return compile_study(found, found.program.studies["judging"])[-1][1].plan


def contrast(folder: Path, line: str) -> Contrast:
    (one,) = plan(folder, f"contrast c = {line}").contrasts
    return one


def association(folder: Path, line: str) -> Association:
    (one,) = plan(folder, line).associations
    return one


def test_a_contrast_of_levels(tmp_path: Path) -> None:
    one = contrast(
        tmp_path,
        "robot - person of VERDICT.good by overall, mood * city where mood is not glad "
        "{ test chi_squared  yates off  effect lift  adjust none  alpha 0.01 }",
    )
    assert one == Contrast(
        name="c",
        sides=(Cells(level="robot"), Cells(level="person")),
        by=((), ("mood", "city")),
        test="chi_squared",
        alpha=0.01,
        effect="lift",
        adjust="none",
        variable="author",
        outcomes=(Outcome("VERDICT", "good"),),
        where=(Predicate("mood", ("glad",), negated=True),),
        direction_by="p",
        yates=False,
    )


@pytest.mark.parametrize(
    ("line", "sides", "variable"),
    [
        ("robot in raters - person in raters", (Cells("robot", "raters"), Cells("person", "raters")), "author"),
        ("in raters - lab", (Cells(panel="raters"), Cells(panel="lab")), "condition"),
        ('robot - norm "editors" of VERDICT.grade', (Cells("robot"), Cells(norm="editors")), "author"),
    ],
)
def test_what_sides_take(tmp_path: Path, line: str, sides: tuple[Cells, ...], variable: str) -> None:
    one = contrast(tmp_path, line)
    assert (one.sides, one.variable, one.omnibus) == (sides, variable, False)


@pytest.mark.parametrize(
    ("line", "test", "effect", "unit", "paired_by"),
    [
        ("robot - person", "paired_t", "paired_d", "stimulus", "stimulus"),
        ("robot - person per response", "welch", "hedges_g", "response", None),
        ("robot - person { test welch }", "welch", "hedges_g", "stimulus", None),
        ('robot - norm "editors" of VERDICT.grade', "welch", "hedges_g", "response", None),
        ("in raters - lab", "welch", "hedges_g", "response", None),
        ("robot - person per stimulus", "welch", "hedges_g", "stimulus", None),
        ("robot - person paired by stimulus", "paired_t", "paired_d", "stimulus", "stimulus"),
        ("robot - person paired by respondent", "paired_t", "paired_d", "respondent", "respondent"),
        ("robot - person of VERDICT.good { test chi_squared }", "chi_squared", "cramers_v", "response", None),
        ("robot, person, coached", "kruskal", "none", "stimulus", None),
        ("robot, person, coached { test anova }", "anova", "eta_squared", "stimulus", None),
        ("robot, person { test chi_squared }", "chi_squared", "cramers_v", "response", None),
        ("robot - person { test kruskal }", "kruskal", "none", "stimulus", None),
        ("robot - person { test mann_whitney }", "mann_whitney", "cliffs_delta", "stimulus", None),
        ("robot - person { test equivalence  margin 1 }", "equivalence", "hedges_g", "stimulus", None),
        ("robot - person of VERDICT.good { test fisher }", "fisher", "odds_ratio", "response", None),
        ("robot - person { test clustered  cluster stimulus }", "clustered", "hedges_g", "response", None),
        ("robot - person { test ordinal }", "ordinal", "odds_ratio", "response", None),
    ],
)
def test_what_a_contrast_does_not_say(
    tmp_path: Path, line: str, test: str, effect: str, unit: str, paired_by: str | None
) -> None:
    one = contrast(tmp_path, line)
    assert (one.test, one.effect, one.unit, one.paired_by) == (test, effect, unit, paired_by)
    assert (one.adjust, one.direction_by, one.alpha, one.yates, one.by) == (
        "holm",
        "p_adjusted",
        0.05,
        True,
        ((),),
    )
    assert one.omnibus == ("," in line.partition("{")[0])


@pytest.mark.parametrize(
    ("line", "coefficients", "unit"),
    [
        ("correlate c = robot with stimulus.gold of VERDICT.grade", ("pearson",), "stimulus"),
        ("correlate c = robot with stimulus.gold of VERDICT per response", ("pearson",), "response"),
        ("agreement c = lab of VERDICT.grade", ("krippendorff_interval",), "stimulus"),
        ("agreement c = robot with person of VERDICT.good", ("accuracy",), "stimulus"),
        ("reliability c of WARMTH.warmth by author", ("cronbach_alpha",), "respondent"),
    ],
)
def test_what_an_association_does_not_say(
    tmp_path: Path, line: str, coefficients: tuple[str, ...], unit: str
) -> None:
    one = association(tmp_path, line)
    assert (one.coefficients, one.unit, one.alpha, one.cut) == (coefficients, unit, 0.05, None)


def test_an_agreement_of_two_sides(tmp_path: Path) -> None:
    line = (
        "agreement c = robot with stimulus.gold of VERDICT.centred { coefficient macro_f1, accuracy  cut -0.5 }"
    )
    one = association(tmp_path, line)
    assert one.sides == (Cells(level="robot"), Cells(field="gold"))
    assert (one.variable, one.coefficients, one.cut) == ("author", ("macro_f1", "accuracy"), -0.5)


def test_scales_that_are_answered_once_are_in_the_plan_but_not_the_study_s(tmp_path: Path) -> None:
    made = plan(tmp_path)
    assert made.study.scales == ("VERDICT",)
    assert [scale.id for scale in made.scales] == ["VERDICT", "WARMTH"]


def test_what_is_between_respondents_and_how_they_are_split(tmp_path: Path) -> None:
    made = plan(tmp_path, "between author", "split raters into train 8, test 4", "split lab into train 1")
    assert made.study.between == ("author",)
    assert made.study.splits == (
        Split("raters", (Part("train", 8), Part("test", 4))),
        Split("lab", (Part("train", 1),)),
    )


def test_a_study_of_recorded_answers_alone_asks_nothing(tmp_path: Path) -> None:
    found = checked(tmp_path, rating("contrast c = raters - lab"), letters=LETTERS)
    draft = compile_study(found, found.program.studies["judging"])[-1][1]
    assert draft.planned().num_rows == 0
    write_plan(tmp_path / "judging.plan", draft.plan, draft.planned())
    again, _ = read_plan(tmp_path / "judging.plan")
    assert plan_bytes(again) == plan_bytes(draft.plan)
