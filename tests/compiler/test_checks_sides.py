"""The sides of analyses: each means one thing, and all can be held against one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.diagnostics import Diagnostic
from tests.compiler.checking import STUDY, checked, only_error
from tests.compiler.rating import LETTERS, RATING, rating


def found(folder: Path, *lines: str, spec: str = RATING) -> list[Diagnostic]:
    """What is said of the study of raters with these lines."""
    return list(checked(folder, rating(*lines, spec=spec), letters=LETTERS).diagnostics)


def the_only(folder: Path, *lines: str, spec: str = RATING) -> Diagnostic:
    (one,) = found(folder, *lines, spec=spec)
    return one


@pytest.mark.parametrize(
    "line",
    [
        "contrast c = robot - person per stimulus",
        "contrast c = robot in raters - person in raters per stimulus",
        "contrast c = in raters - in lab",
        "contrast c = raters - lab",
        "contrast c = robot, coached, person per stimulus",
        'contrast c = robot - norm "editors" of VERDICT.grade',
        'contrast c = in lab - norm "readers" of VERDICT.grade',
        "correlate c = robot in raters with stimulus.gold of VERDICT.grade",
        "correlate c = raters with lab of VERDICT.grade",
        "agreement c = lab of VERDICT.grade",
        "agreement c = person with robot of VERDICT.good",
    ],
)
def test_sides_that_go_together(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "code", "message", "help"),
    [
        (
            "contrast c = robt - person",
            "E071",
            "no level or panel of study `judging` is called `robt`",
            "`robot`",
        ),
        (
            "contrast c = glad - sad per stimulus",
            "E071",
            "is called `glad`",
            "`glad` is a value of the field `mood`: `by mood` has a row for it",
        ),
        (
            "contrast c = london - person",
            "E071",
            "is called `london`",
            "covariates such as `city` become levels",
        ),
        ("contrast c = person - person", "E070", "contrast `c` compares `person` with itself", ""),
        ("contrast c = robot - robot in lab", "E077", "the answers of `lab` have no `author`", ""),
        (
            "contrast c = robot - judged per stimulus",
            "E076",
            "is a level of `author`, `judged` a level of `cond",
            "",
        ),
        (
            "contrast c = robot - lab",
            "E076",
            "`robot` is a level of `author`, `lab` is a panel",
            "levels with levels",
        ),
        ("contrast c = robot in labb - person in lab", "E010", "no panel `labb` in study `judging`", "`lab`"),
        ("contrast c = robot - stimulus.gold", "E077", "a contrast compares answers", "`correlate ... with st"),
        ('contrast c = norm "editors" - robot of VERDICT.grade', "E077", "a norm is the second of two", ""),
        ('contrast c = robot, norm "editors" of VERDICT.grade', "E077", "a norm is the second of two", ""),
        (
            'contrast c = robot - norm "editor" of VERDICT.grade',
            "E010",
            "norm `editor` of `VERDICT.gr",
            "`editors`",
        ),
        (
            'contrast c = robot - norm "editors" of VERDICT.good',
            "E010",
            "norm `editors` of `VERDICT.good`",
            "add ",
        ),
        (
            "correlate c = robot with stimulus.golden of VERDICT",
            "E010",
            "no field `golden` of the stim",
            "`gold`",
        ),
        (
            "correlate c = robot with stimulus.mood of VERDICT",
            "E077",
            '"glad" of `letters.a` is no number',
            "recode",
        ),
        ("correlate c = robot with stimulus.gold in lab of VERDICT", "E077", "the same for every panel", ""),
        ("correlate c = robot with thing.gold of VERDICT", "E071", "is called `thing.gold`", ""),
        ("correlate c = stimulus.gold with stimulus.gold of VERDICT", "E070", "with itself", ""),
        ('correlate c = robot with norm "editors" of VERDICT', "E077", "has no answers to relate", ""),
        ("agreement c = stimulus.gold of VERDICT", "E077", "it is a field", "its sides are levels, panels"),
    ],
)
def test_sides_that_do_not(tmp_path: Path, line: str, code: str, message: str, help: str) -> None:
    one = found(tmp_path, line)[0]
    assert (one.code.number, message in one.message) == (code, True), one.message
    assert help in (one.suggestion or "")


def test_a_name_of_two_things_is_asked_about(tmp_path: Path) -> None:
    one = the_only(tmp_path, "contrast c = lab - person", spec=RATING.replace("person, robot", "person, lab"))
    assert (one.code.number, one.message) == ("E012", "`lab` could mean a level of `author` or a panel")
    assert "`in lab`" in (one.suggestion or "")
    said = "contrast person = robot - coached per stimulus"
    one = the_only(tmp_path, said, "correlate c = person with lab of VERDICT")
    assert one.message == "`person` could mean a level of `author` or a contrast"


def test_an_unknown_protocol_makes_no_level_unknown(tmp_path: Path) -> None:
    one = only_error(tmp_path, STUDY.replace("protocol induce  scales", "protocol indcue  scales"))
    assert one.code.number == "E010"


def test_one_name_is_of_one_analysis(tmp_path: Path) -> None:
    one = the_only(tmp_path, "contrast c = raters - lab", "agreement c = lab of VERDICT.grade")
    assert (one.code.number, "`c` is said twice" in one.message) == ("E008", True)


# --- groups and filters


@pytest.mark.parametrize("field", ["mood", "gold", "city", "split", "stimulus", "mood * city"])
def test_groups_are_made_of_what_observations_have(tmp_path: Path, field: str) -> None:
    lines = ("split raters into first 2, second 3", f"contrast c = robot - person by {field} per stimulus")
    assert found(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("clause", "code", "message"),
    [
        ("by author", "E077", "the sides are levels of `author`"),
        ("by mod", "E074", "observations have no field `mod`"),
        ("by split", "E074", "observations have no field `split`"),
        ("by situation", "E074", "observations have no field `situation`"),
        ("where stimulus is d", "E075", "no stimulus of study `judging` is `d`"),
        ("where mood is gladd", "E075", "no mood of study `judging` is `gladd`"),
        ("where author is robbot", "E075", "no author of study `judging` is `robbot`"),
    ],
)
def test_groups_of_what_they_have_not(tmp_path: Path, clause: str, code: str, message: str) -> None:
    one = the_only(tmp_path, f"contrast c = robot - person {clause} per stimulus")
    assert (one.code.number, message in one.message) == (code, True), one.message


def test_a_variable_cuts_an_analysis_of_other_sides(tmp_path: Path) -> None:
    assert found(tmp_path, "agreement c = in raters of VERDICT.grade by author, overall") == []


def test_a_field_with_the_name_of_a_covariate(tmp_path: Path) -> None:
    spec = RATING.replace("covariate city", "covariate mood")
    one = the_only(tmp_path, "contrast c = robot - person by mood per stimulus", spec=spec)
    assert (one.code.number, one.message) == (
        "E012",
        "`mood` could mean a field of the stimuli or a covariate",
    )


# --- respondents


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("between autor", "E010", "no variable `autor` in study `judging`"),
        ("between author, author", "E008", "`author` is said twice"),
        ("split labb into a 1, b 1", "E010", "no panel of responses `labb`"),
        ("split lab into a 1, a 1", "E008", "`a` is said twice in the split of `lab`"),
        ("split lab into a 0, b 1", "E015", "`a` is 0; it must be a whole number of at least 1"),
        ("split lab into a 1.5", "E015", "`a` is 1.5"),
    ],
)
def test_parts_and_what_is_between_respondents(tmp_path: Path, line: str, code: str, message: str) -> None:
    one = the_only(tmp_path, line)
    assert (one.code.number, message in one.message) == (code, True), one.message


def test_a_panel_is_split_once(tmp_path: Path) -> None:
    one = the_only(tmp_path, "split lab into a 1, b 1", "split lab into c 1")
    assert one.code.number == "E008"


def test_a_covariate_called_split(tmp_path: Path) -> None:
    spec = RATING.replace("covariate city", "covariate split")
    one = the_only(tmp_path, "split lab into a 1, b 1", spec=spec)
    assert one.message == "`split` could mean a covariate or a respondent's part of a split"
    assert found(tmp_path, "contrast c = raters - lab by split where split is north", spec=spec) == []


def test_rates_of_the_same_people_have_a_test(tmp_path: Path) -> None:
    spec = RATING.replace("condition judged each stimulus", "condition judged  condition later")
    spec = spec.replace(
        'VERDICT = column "grade"',
        'condition judged { VERDICT = column "grade" } condition later { VERDICT = column "grade_later" }',
    )
    spec = spec.replace(
        'VERDICT = column "grade_{author}"', 'condition judged { VERDICT = column "grade_{author}" }'
    )
    line = "contrast c = later in lab - judged in lab of VERDICT.good"
    one = the_only(tmp_path, line + " { test chi_squared }", spec=spec)
    assert (one.code.number, "say `test paired_t`" in (one.suggestion or "")) == ("W066", True)
    assert found(tmp_path, line + " paired by respondent { test paired_t }", spec=spec) == []


def test_people_at_two_levels_are_two_groups_only_if_they_are_said_to_be(tmp_path: Path) -> None:
    contrast = "contrast c = robot - person of VERDICT.grade"
    assert found(tmp_path, contrast) == []  # `rater_{author}` is another person at each level
    same = RATING.replace('column "rater_{author}"', 'column "rater"')
    one = the_only(tmp_path, contrast, spec=same)
    assert (one.code.number, "between author" in (one.suggestion or "")) == ("W066", True)
    assert found(tmp_path, "between author", contrast, spec=same) == []
    assert found(tmp_path, contrast + " per stimulus", spec=same) == []
    assert found(tmp_path, contrast + " paired by respondent", spec=same) == []
    assert found(tmp_path, contrast + " where panel is lab", spec=same) == []
    one = the_only(tmp_path, "between author", contrast + " paired by respondent", spec=same)
    assert "`author` is between respondents" in one.message


def test_pairs_are_of_what_is_on_both_sides(tmp_path: Path) -> None:
    for line, why in (
        ("contrast c = raters - lab paired by respondent", "no respondent is in both panels"),
        ("contrast c = robot, person paired by stimulus", "an omnibus test is of independent groups"),
        (
            'contrast c = robot - norm "editors" of VERDICT.grade paired by stimulus',
            "a norm is of other people",
        ),
        ("contrast c = robot - person per factor paired by stimulus", "one observation a stimulus"),
        ("contrast c = robot - person paired by city", "no field to pair by `city`"),
        ("contrast c = robot - person per city", "no unit of observation `city`"),
    ):
        assert why in the_only(tmp_path, line).message
    assert found(tmp_path, "contrast c = raters - lab per stimulus paired by stimulus") == []


def test_people_who_count_more_than_once_on_a_side(tmp_path: Path) -> None:
    spec = RATING.replace("condition judged each stimulus", "condition judged  condition later")
    lab = 'condition judged { VERDICT = column "grade" }  condition later { VERDICT = column "grade_later" }'
    spec = spec.replace('VERDICT = column "grade"', lab)
    spec = spec.replace(
        'VERDICT = column "grade_{author}"', 'condition judged { VERDICT = column "grade_{author}" }'
    )
    line = "contrast c = raters - lab of VERDICT.grade"
    one = the_only(tmp_path, line, spec=spec)
    assert (one.code.number, one.message) == (
        "W067",
        "contrast `c` counts each person of `lab` more than once: at `judged` and `later`",
    )
    assert "say `per respondent`" in (one.suggestion or "")
    assert found(tmp_path, line + " per respondent", spec=spec) == []
    assert found(tmp_path, line + " where condition is judged", spec=spec) == []
    assert the_only(tmp_path, line + " where panel is raters", spec=spec).code.number == "W067"
    assert found(tmp_path, "between condition", line, spec=spec) == []
    repeated = RATING.replace('who"\n', 'who"\n  repeat = column "time"\n')
    one = the_only(tmp_path, line, spec=repeated)
    assert one.message.endswith("counts each person of `lab` more than once: at each `repeat`")
