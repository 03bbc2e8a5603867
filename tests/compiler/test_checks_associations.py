"""Correlations, agreements and reliabilities: units, coefficients and sides that fit one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.diagnostics import Diagnostic
from tests.compiler.checking import checked, in_study
from tests.compiler.rating import LETTERS, rating

GOLD = "correlate c = robot with stimulus.gold of VERDICT.grade"
TWO = "agreement c = robot with stimulus.gold of VERDICT.grade"
ONE = "agreement c = person of VERDICT.grade"
ALPHA = "reliability c of WARMTH.warmth"
BY = "contrast by_emotion = evoked - default by emotion"
SHIFTS = (
    "contrast shifted = evoked - default by factor where panel is robot",
    "contrast people_shift = evoked - default of MOOD.ease by factor, overall where panel is other",
)


def found(folder: Path, *lines: str) -> list[Diagnostic]:
    return list(checked(folder, rating(*lines), letters=LETTERS).diagnostics)


def shifts(folder: Path, *lines: str) -> list[Diagnostic]:
    """What is said of the study of mood with lines about two panels' contrasts."""
    spec = in_study("\n".join(lines)).replace("panels robot", "panels robot, other")
    return list(checked(folder, spec).diagnostics)


@pytest.mark.parametrize(
    "line",
    [
        GOLD,
        f"{GOLD} by overall, mood per response {{ coefficient pearson, spearman  alpha 0.01 }}",
        f"{GOLD} per factor",
        "correlate c = raters with lab of VERDICT.grade per stimulus",
        f"{TWO} {{ coefficient accuracy, macro_f1  cut 1.5 }}",
        f"{TWO} {{ coefficient accuracy }}",
        f"{TWO} {{ coefficient cohens_kappa }}",
        "agreement c = lab with robot of VERDICT.centred { coefficient cohens_kappa  cut 0.5 }",
        ONE,
        f"{ONE} {{ coefficient pairwise_pearson, pairwise_spearman, krippendorff_interval, ceiling }}",
        f"{ALPHA} by overall, author",
        "reliability c of VERDICT",
        "reliability c of VERDICT per response",
        "reliability c",
    ],
)
def test_what_fits(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "code", "message", "help"),
    [
        (f"{GOLD} {{ coefficient accuracy }}", "E077", "`coefficient accuracy` does not fit", "`pearson`"),
        (f"{ONE} {{ coefficient accuracy }}", "E077", "`coefficient accuracy` does not fit", "`ceiling`"),
        (f"{ALPHA} {{ coefficient pearson }}", "E077", "does not fit reliability `c`", "`cronbach_alpha`"),
        (f"{GOLD} {{ coefficient pearson, pearson }}", "E008", "`pearson` is said twice", ""),
        (f"{GOLD} {{ coefficient peerson }}", "E014", "one or several of pearson", "did you mean `pearson`?"),
        (f"{GOLD} {{ coefficient 3 }}", "E014", "one or several of", ""),
        (f"{GOLD} {{ cut 2 }}", "E077", "no coefficient is of classes", ""),
        (f"{ONE} {{ coefficient cohens_kappa  cut 2 }}", "E077", "no coefficient is of classes", ""),
        (
            "agreement c = lab with robot of VERDICT.centred { coefficient cohens_kappa }",
            "E077",
            "the values of `VERDICT.centred` are",
            "`cut 2.5`",
        ),
        (f"{GOLD} {{ test welch }}", "E013", "correlation `c` has no setting `test`", ""),
        (f"{GOLD} per respondent", "E077", "`per respondent` does not fit", "`per stimulus`"),
        (f"{ONE} per response", "E077", "`per response` does not fit agreement", "`per stimulus`"),
        (f"{ONE} paired by stimulus", "E077", "`per` says what its observations are", ""),
        ("agreement c = robot of WARMTH.warmth", "E010", "there is no scale `WARMTH`", ""),
        ("reliability c of WARMTH.warmt", "E010", "there is no subscale `warmt`", "`warmth`"),
        (
            "agreement c = lab with robot of VERDICT.centred",
            "E077",
            "the values of `VERDICT.centred` are",
            "cut",
        ),
    ],
)
def test_what_does_not(tmp_path: Path, line: str, code: str, message: str, help: str) -> None:
    (one,) = found(tmp_path, line)
    assert (one.code.number, message in one.message) == (code, True), one.message
    assert help in (one.suggestion or "")


def test_contrasts_go_with_contrasts_factor_by_factor(tmp_path: Path) -> None:
    assert shifts(tmp_path, *SHIFTS, "correlate c = shifted with people_shift of MOOD.ease per factor") == []
    assert (
        shifts(tmp_path, *SHIFTS, "correlate c = by_emotion in robot with by_emotion in other per stimulus", BY)
        == []
    )
    assert shifts(tmp_path, *SHIFTS, "correlate c = shifted in robot with people_shift of MOOD.ease") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("correlate c = shifted with people_shift of MOOD.ease per response", "`per response` does not fit"),
        ("correlate c = shifted with people_shift of MOOD.strain", "it is not about `MOOD.strain`"),
        ("correlate c = shifted with evoked of MOOD.ease", "`evoked` is a level of `condition`"),
        ("correlate c = shifted with by_emotion of MOOD.ease", "it is not made by factor"),
        ("correlate c = shifted with several of MOOD.ease", "an omnibus test has no estimates"),
        ("agreement c = shifted of MOOD.ease", "it is a contrast"),
    ],
)
def test_contrasts_as_sides(tmp_path: Path, line: str, message: str) -> None:
    (one,) = shifts(tmp_path, *SHIFTS, BY, "contrast several = evoked, default by factor", line)
    assert one.code.number in ("E076", "E077")
    assert message in one.message
