"""Contrasts: no clause says a thing twice, and no name means two."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, codes, only_error, plan_of, with_contrast

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
