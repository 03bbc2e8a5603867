"""Contrasts: no clause says a thing twice, and no name means two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, codes, errors, only_error, plan_of, with_contrast
from tests.compiler.rating import LETTERS, rating

PAIRED = "paired by respondent"


def test_the_study_is_sound(tmp_path: Path) -> None:
    assert codes(tmp_path, STUDY) == []
    assert codes(tmp_path, with_contrast(f"by overall, factor * gender {PAIRED}")) == []


@pytest.mark.parametrize(
    ("clauses", "twice"),
    [
        ("of MOOD.ease, MOOD.strain, MOOD.ease", "MOOD.ease"),
        ("of MOOD.ease, MOOD", "MOOD.ease"),
        ("of MOOD, MOOD.strain", "MOOD.strain"),
        ("by factor * factor", "factor"),
        ("by overall, factor, overall", "overall"),
        ("by emotion * gender, gender * emotion", "gender * emotion"),
        ("by factor, emotion * factor", "emotion * factor"),
    ],
)
def test_what_is_said_twice(tmp_path: Path, clauses: str, twice: str) -> None:
    found = only_error(tmp_path, with_contrast(clauses))
    assert found.code.number == "E008"
    assert f"`{twice}` is said twice" in found.message


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("{ effect paired_d }", ["E072"]),
        ("{ test paired_t  effect paired_d }", ["E072", "E072"]),
        (f"{PAIRED} {{ test student }}", ["E073"]),
        (f"{PAIRED} {{ effect paired_d }}", []),
        (f"{PAIRED} {{ effect hedges_g }}", []),
        (f"{PAIRED} {{ test paired_t  effect cohens_d }}", []),
        (f"{PAIRED} {{ effect none }}", []),
        ("{ test welch  effect none }", []),
    ],
)
def test_test_and_effect_fit_the_design(tmp_path: Path, clauses: str, said: list[str]) -> None:
    assert codes(tmp_path, with_contrast(clauses)) == said


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        ("1234567", "1234567"),
        ("0.1234567", "0.1234567"),
        ("2.50", "2.5"),
        ("9007199254740991", "9007199254740991"),
    ],
)
def test_numbers_in_a_where_are_kept(tmp_path: Path, written: str, exact: str) -> None:
    plan = plan_of(tmp_path, with_contrast(f"where gender is {written}"))
    assert plan.contrasts[1].where[0].values == (exact,)


@pytest.mark.parametrize(
    "name",
    [
        *("kind", "panel", "scale", "subscale", "condition", "emotion", "factor", "overall", "factor_index"),
        *("situation", "respondent", "value", "score", "subject", "p", "test", "group_kind", "missing"),
    ],
)
def test_a_covariate_has_a_name_of_its_own(tmp_path: Path, name: str) -> None:
    found = only_error(tmp_path, STUDY.replace("covariate gender", f"covariate {name}"))
    assert found.code.number == "E012"
    assert found.message.startswith(f"`{name}` could mean this covariate or ")


RATES = (
    "contrast better = robot - person of VERDICT.good { test chi_squared  effect lift }",
    "agreement gold = raters with stimulus.gold of VERDICT.good per stimulus { coefficient accuracy }",
)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("fit is 3", []),
        ("fit - 1", ["E077", "E077", "E077"]),
        ("fits is 3", ["E010"]),
        ("item 7 is 3", ["E022"]),
        ("mex(1) is 3", ["E010"]),
        ("key fit is 3", ["E034"]),
        ("abs(1, 1) is 3", ["E014"]),
    ],
)
def test_what_must_be_yes_or_no_is_judged_where_its_score_can_be_worked_out(
    tmp_path: Path, score: str, said: list[str]
) -> None:
    spec = rating(*RATES).replace("fit is 3", score)
    assert [code for code, _ in errors(tmp_path, spec, letters=LETTERS)] == said


def test_what_is_not_yes_or_no_is_told_why(tmp_path: Path) -> None:
    spec = rating("contrast better = robot - person of VERDICT.grade { test chi_squared }")
    found = only_error(tmp_path, spec, letters=LETTERS)
    assert found.message == (
        "`test chi_squared` does not fit contrast `better`: `VERDICT.grade` is not yes or no"
    )


def test_a_scale_whose_items_cannot_be_read_says_nothing_of_rates(tmp_path: Path) -> None:
    spec = rating(RATES[0]).replace(
        'items { fit "How well does the reply fit?" }', 'items from "a.csv" column "x"'
    )
    found = errors(tmp_path, spec.replace("fit is 3", "item 1 is 3"), letters=LETTERS)
    assert [one for one in found if "yes or no" in one[1]] == []
    assert "E053" in [code for code, _ in found]
