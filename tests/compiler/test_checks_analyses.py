"""Contrasts: no clause says a thing twice, and no name means two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, codes, errors, only_error, plan_of, warned_of, with_contrast
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
    ("clauses", "said"),
    [
        ("{ test equivalence  margin 2 }", []),
        ("{ test equivalence }", ["`test equivalence` says no `margin`"]),
        ("{ test equivalence  margin 0 }", ["`margin 0`: no difference is below it"]),
        ("{ test equivalence  margin 2  alpha 0.5 }", ["`alpha 0.5`: its interval is that of 1 - 2 alpha"]),
        ("{ test welch  margin 2 }", ["`margin`: it is of a test against a margin"]),
        ("{ test non_inferiority  margin 2 }", ["`test non_inferiority` says no `worse`"]),
        ("{ test non_inferiority  margin 2  worse lower }", []),
        ("{ test equivalence  margin 2  worse lower }", ["`worse lower`: it is of a test of non-inferiority"]),
        (f"{PAIRED} {{ test equivalence  margin 2 }}", []),
        (f"{PAIRED} {{ test wilcoxon }}", []),
        ("{ test wilcoxon }", ["`wilcoxon` is for pairs, but contrast `second` pairs nothing"]),
        ("{ test clustered }", ["`test clustered` says no `cluster`"]),
        ("{ test clustered  cluster stimulus, respondent }", []),
        ("{ test ordinal }", []),
        ("{ test mixed  cluster stimulus, respondent }", ["`cluster`: a mixed model has one random intercept"]),
        ("{ test welch  cluster stimulus }", ["`cluster`: it is of a test that heeds what answers nest in"]),
        (
            "per stimulus { test clustered  cluster stimulus }",
            ["`test clustered`: its observations are single answers, and it heeds what they nest in"],
        ),
        ("{ interval bootstrap }", []),
        (
            "{ test clustered  cluster stimulus  interval bootstrap }",
            ["`interval bootstrap`: it would take answers of one cluster as independent"],
        ),
        ("{ test anova  post_hoc tukey }", ["`post_hoc tukey`: it is of the means of several sides"]),
        ("{ effect cliffs_delta }", []),
        (f"{PAIRED} {{ effect cliffs_delta }}", ["it is of independent groups, and the contrast is paired"]),
        ("{ test fisher }", ["`test fisher`: `MOOD.ease` is not yes or no"]),
        ("{ effect odds_ratio }", ["`effect odds_ratio`: `MOOD.ease` is not yes or no"]),
    ],
)
def test_what_a_test_needs_and_what_goes_with_it(tmp_path: Path, clauses: str, said: list[str]) -> None:
    told = [message for _, message in errors(tmp_path, with_contrast(clauses))]
    assert len(told) == len(said)
    for message, wanted in zip(told, said, strict=True):
        assert all(part in message for part in wanted.split(": ")), message


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("test anova  post_hoc tukey", []),
        ("test welch_anova  post_hoc games_howell  effect omega_squared", []),
        ("test kruskal  post_hoc dunnett", ["E077"]),
        ("test mann_whitney", ["E077"]),
        ("test anova  effect hedges_g", ["E077"]),
        ("test anova  interval bootstrap", ["E077"]),
        ("test ordinal", []),
    ],
)
def test_several_sides(tmp_path: Path, settings: str, said: list[str]) -> None:
    spec = rating(f"contrast arms = robot, person, coached of VERDICT.grade {{ {settings} }}")
    assert [code for code, _ in errors(tmp_path, spec, letters=LETTERS)] == said


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("", []),
        ("per response", ["W068"]),
        ("per response { test kruskal }", ["W068"]),
        ("{ test clustered  cluster stimulus }", []),
        ("per stimulus", []),
    ],
)
def test_answers_to_one_situation_are_no_evidence_of_many(
    tmp_path: Path, clauses: str, said: list[str]
) -> None:
    spec = STUDY.replace("by overall, emotion, factor", clauses)
    assert warned_of(tmp_path, spec) == said


@pytest.mark.parametrize(
    ("said", "warned"),
    [
        ("repeats 3  sampling { temperature 0 }", True),
        ("repeats 3  sampling { temperature 1 }", False),
        ("repeats 1  sampling { temperature 0 }", False),
    ],
)
def test_repeats_of_what_cannot_differ(tmp_path: Path, said: str, warned: bool) -> None:
    spec = STUDY.replace("panels robot", "panels other").replace("orders 2", f"orders 2  {said}")
    assert warned_of(tmp_path, spec) == ["W069"] * warned


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
