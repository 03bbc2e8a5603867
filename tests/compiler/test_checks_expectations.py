"""Published values: each finds the one row that it is about, or is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import compile_study
from schemas.plan import Expected
from tests.compiler.checking import checked, codes, errors, in_study, only_error, plan_of
from tests.compiler.rating import LETTERS, rating

Row = dict[str, str | int | None]

VALUE = 'expect shift.estimate of {outcome} = 1.5 within 0.1 {where} source "Table 1"'
TABLE = """expect shift from "print.csv" source "Table 1" {{
    subscale = constant "ease"
    {lines}
  }}"""


def value(where: str = "", outcome: str = "MOOD.ease") -> str:
    return in_study(VALUE.format(where=where, outcome=outcome))


def table(lines: str) -> str:
    return in_study(TABLE.format(lines=lines))


def row(folder: Path, spec: str, **files: str) -> Row:
    (cell,) = plan_of(folder, spec, **files).expectations[0].cells
    return {name: meaning for name, meaning in cell.row.items() if meaning is not None}


def ease(kind: str, **more: str | int) -> Row:
    return {"scale": "MOOD", "subscale": "ease", "group_kind": kind, **more}


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("", ease("overall")),
        ("where panel is robot", ease("overall", panel="robot")),
        ("where emotion is fear", ease("emotion", emotion="fear")),
        ("where factor is traffic", ease("factor", emotion="anger", factor="traffic", factor_index=0)),
        (
            "where factor is home and emotion is fear",
            ease("factor", emotion="fear", factor="home", factor_index=1),
        ),
        ("where emotion is anger and factor_index is 1", ease("factor", emotion="anger", factor_index=1)),
    ],
)
def test_a_value_finds_its_row(tmp_path: Path, where: str, found: Row) -> None:
    assert row(tmp_path, value(where)) == found


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("where factor is home", "E080"),  # of anger, and of fear
        ("where factor_index is 1", "E080"),
        ("where emotion is anger and factor is dark", "E080"),
        ("where emotion is anger and factor_index is 7", "E080"),
        ("where kind is model", "E010"),
        ("where condition is evoked", "E010"),
        ("where gender is woman", "E010"),
        ("where panel is other", "E075"),
        ("where subscale is strain", "E080"),
        ("where emotion is fear and emotion is fear", "E008"),
        ("where emotion is not fear", "E085"),
    ],
)
def test_a_value_without_a_row_is_an_error(tmp_path: Path, where: str, code: str) -> None:
    assert codes(tmp_path, value(where)) == [code]


def test_a_value_is_of_one_subscale(tmp_path: Path) -> None:
    found = only_error(tmp_path, value(outcome="MOOD"))
    assert found.code.number == "E080"
    assert "MOOD.ease and MOOD.strain at once" in found.message
    single = value(outcome="MOOD").replace("subscale strain = sum(2)", "filler 2")
    assert row(tmp_path, single) == ease("overall")


def test_a_value_is_of_an_outcome_of_its_contrast(tmp_path: Path) -> None:
    spec = value().replace("evoked - default by", "evoked - default of MOOD.strain by")
    assert codes(tmp_path, spec) == ["E080"]


def test_a_value_is_of_one_panel(tmp_path: Path) -> None:
    several = value().replace("panels robot", "panels robot, people")
    assert codes(tmp_path, several) == ["E080"]
    for kept in ("where kind is model by", "where panel is robot by", "where kind is not human by"):
        assert codes(tmp_path, several.replace("default by", f"default {kept}")) == []


def test_what_the_contrast_leaves_out_has_no_row(tmp_path: Path) -> None:
    spec = value("where emotion is fear").replace("default by", "default where emotion is anger by")
    assert codes(tmp_path, spec) == ["E080"]


def test_a_scale_for_one_emotion_has_no_row_of_another(tmp_path: Path) -> None:
    spec = value("where emotion is fear").replace("scales MOOD", "scales MOOD for anger")
    assert codes(tmp_path, spec) == ["E080"]


def test_a_covariate_is_a_column_where_the_contrast_is_grouped_by_it(tmp_path: Path) -> None:
    spec = value("where gender is woman and emotion is fear").replace("panels robot", "panels people")
    grouped = spec.replace("by overall", "by gender * emotion, overall")
    assert row(tmp_path, grouped) == ease("gender * emotion", gender="woman", emotion="fear")
    assert codes(tmp_path, spec.replace("by overall", "by gender, overall")) == ["E080"]


# --- tables


CHANGE = 'estimate = column "change" within 0.1'
FACTORS = f'factor = column "factor"  {CHANGE}'


def test_a_table_of_factors_needs_no_emotion_where_names_are_unique(tmp_path: Path) -> None:
    found = row(tmp_path, table(FACTORS), print="factor,change\nTraffic,1.5\n")
    assert found == ease("factor", emotion="anger", factor="traffic", factor_index=0)
    assert codes(tmp_path, table(FACTORS), print="factor,change\nAt home,1.5\n") == ["E080"]


@pytest.mark.parametrize("index", ["²", "1.5", "x", "9", "-1", "9" * 5000])
def test_a_factor_number_that_is_none(tmp_path: Path, index: str) -> None:
    lines = f'emotion = constant "anger"  factor_index = column "index"  {CHANGE}'
    assert codes(tmp_path, table(lines), print=f"index,change\n{index},1.5\n") == ["E080"]


def test_a_panel_that_the_study_has_not(tmp_path: Path) -> None:
    found = only_error(tmp_path, table(f'panel = column "who"  {CHANGE}'), print="who,change\nrobbot,1.5\n")
    assert (found.code.number, found.suggestion) == ("E080", "did you mean `robot`?")


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_value_is_an_error(tmp_path: Path, blank: str) -> None:
    lines = f'emotion = column "emotion"  {CHANGE}'
    found = only_error(tmp_path, table(lines), print=f"emotion,change\nanger,1.5\nfear,{blank}\n")
    assert found.code.number == "E084"
    assert found.message == 'print.csv, row 3, column 2: "" is not a number'
    assert "nothing stands there" in (found.suggestion or "")


def test_a_row_of_blanks_only_is_an_error(tmp_path: Path) -> None:
    lines = f'emotion = column "emotion"  {CHANGE}'
    assert codes(tmp_path, table(lines), print="emotion,change,note\nanger,1.5,\n,,see below\n") == ["E084"]


def test_a_value_that_is_recoded_to_missing_is_left_out(tmp_path: Path) -> None:
    lines = f'emotion = column "emotion"  {CHANGE}  recode estimate {{ "" -> missing  "n/a" -> missing }}'
    data = "emotion,change\nanger,1.5\nfear,\nfear,n/a\n"
    (expectation,) = plan_of(tmp_path, table(lines), print=data).expectations
    assert [cell.numbers for cell in expectation.cells] == [(Expected("estimate", 1.5, 0.1),)]


def test_a_direction_alone_is_a_value(tmp_path: Path) -> None:
    lines = f'{CHANGE}  direction = column "arrow"  recode estimate {{ "" -> missing }}'
    (expectation,) = plan_of(tmp_path, table(lines), print="change,arrow\n,up\n").expectations
    assert [(cell.numbers, cell.direction) for cell in expectation.cells] == [((), "up")]


@pytest.mark.parametrize("written", ["1_000", "inf", "nan", "1e999", "1,5"])
def test_what_is_no_number(tmp_path: Path, written: str) -> None:
    assert codes(tmp_path, table(CHANGE), print=f'change\n"{written}"\n') == ["E084"]


def test_a_constant_that_is_no_number_is_told_where_it_stands(tmp_path: Path) -> None:
    found = errors(tmp_path, table('estimate = constant "much"'), print="change\n1\n2\n")
    assert found == [("E014", '`estimate` takes a number, not "much"')]


def test_columns_of_a_table_are_told_apart(tmp_path: Path) -> None:
    assert codes(tmp_path, table(CHANGE), print="change,change\n1,2\n") == ["E012"]
    assert codes(tmp_path, table("estimate = column 1.5"), print="a,b\n1,2\n") == ["E015"]
    assert codes(tmp_path, table("estimate = row 1"), print="a,b\n1,2\n") == ["E054"]
    assert codes(tmp_path, table(CHANGE), print="change\n1,5\n") == ["E056"]


def test_recodes_are_said_once(tmp_path: Path) -> None:
    once = f'{CHANGE}  recode estimate {{ "x" -> 1 }}'
    assert codes(tmp_path, table(once), print="change\nx\n") == []
    assert codes(tmp_path, table(f'{once}  recode estimate {{ "x" -> 2 }}'), print="change\nx\n") == ["E008"]
    again = f'{CHANGE}  recode estimate {{ "x" -> 1  "x" -> 2 }}'
    assert codes(tmp_path, table(again), print="change\nx\n") == ["E008"]
    meeting = f"{CHANGE}  recode estimate {{ 1..3 -> 1  3..4 -> 2 }}"
    assert codes(tmp_path, table(meeting), print="change\n3\n4\n") == ["E012"]


@pytest.mark.parametrize(
    ("where", "code"), [("kind is model", "E010"), ("emotion is feer", "E075"), ("emotion is missing", None)]
)
def test_an_erratum_is_about_columns_of_the_report(tmp_path: Path, where: str, code: str | None) -> None:
    lines = f'{CHANGE}  erratum "A slip." where {where}'
    assert codes(tmp_path, table(lines), print="change\n1\n") == ([code] if code else [])


# --- rows of levels, stimuli's fields and associations


RATES = "contrast rates = robot - person of VERDICT.good by overall, mood, city * mood per stimulus"
EACH = "contrast each = robot - person of VERDICT.grade by stimulus"
BOTH = "agreement both = judged of VERDICT.good"
GOLD = (
    "correlate gold = robot with stimulus.gold of VERDICT.grade by overall, mood "
    "{ coefficient pearson, spearman }"
)
AMONG = "agreement among = lab of VERDICT.grade"
WHOLE = "reliability whole of WARMTH.warmth by author where panel is raters"


def expected(folder: Path, analysis: str, target: str, where: str = "") -> list[str]:
    """The codes that one expected number draws."""
    line = f'expect {target} = 0.2 within 0.1 {where} source "Table 3"'
    return codes(folder, rating(analysis, line), letters=LETTERS)


@pytest.mark.parametrize(
    ("analysis", "target", "where", "code"),
    [
        (RATES, "rates.a_mean of VERDICT.good", "where panel is raters", None),
        (RATES, "rates.p_adjusted of VERDICT.good", "where panel is raters and mood is glad", None),
        (RATES, "rates.found of VERDICT.good", "where mood is sad and city is Graz", None),
        (RATES, "rates.a_mean of VERDICT.good", "", None),  # only the raters have its levels
        (RATES, "rates.a_mean of VERDICT.good", "where panel is lab", "E080"),
        (BOTH, "both.estimate of VERDICT.good", "", "E080"),  # of which panel
        (RATES, "rates.a_mean of VERDICT.good", "where panel is raters and mood is gladd", "E075"),
        (RATES, "rates.a_mean of VERDICT.good", "where panel is raters and city is Graz", "E080"),
        (RATES, "rates.a_mean of VERDICT.good", "where panel is raters and test is welch", "E010"),
        (RATES, "rates.a_label of VERDICT.good", "where panel is raters", "E010"),
        (RATES, "rats.a_mean of VERDICT.good", "where panel is raters", "E010"),
        (RATES, "rates.estimate of VERDICT.grade", "where panel is raters", "E080"),
        (GOLD, "gold.estimate of VERDICT.grade", "where panel is raters and test is spearman", None),
        (
            GOLD,
            "gold.ci_low of VERDICT.grade",
            "where panel is raters and test is pearson and mood is sad",
            None,
        ),
        (GOLD, "gold.estimate of VERDICT.grade", "where panel is raters", "E080"),  # of which coefficient
        (GOLD, "gold.estimate of VERDICT.grade", "where panel is raters and test is ceiling", "E080"),
        (EACH, "each.a_mean of VERDICT.grade", 'where stimulus is "letters.b"', None),
        (EACH, "each.a_mean of VERDICT.grade", "where stimulus is b", "E080"),  # a row has the id
        (AMONG, "among.b_n of VERDICT.grade", "", None),  # its side says the panel
        (AMONG, "among.estimate of VERDICT.grade", "where panel is lab", None),
        (AMONG, "among.estimate of VERDICT.grade", "where panel is raters", "E080"),
        (WHOLE, "whole.estimate of WARMTH.warmth", "where author is robot", None),
        (WHOLE, "whole.estimate of WARMTH.warmth", "where author is robbot", "E075"),
        (WHOLE, "whole.estimate of WARMTH.warmth", "", "E080"),  # it is not made overall
    ],
)
def test_numbers_of_any_analysis(
    tmp_path: Path, analysis: str, target: str, where: str, code: str | None
) -> None:
    assert expected(tmp_path, analysis, target, where) == ([] if code is None else [code])


def test_a_row_of_an_association_is_told_by_its_coefficient(tmp_path: Path) -> None:
    line = 'expect among.estimate of VERDICT.grade = 0.4 within 0.1 source "Table 3"'
    spec = rating(AMONG, line)
    found = checked(tmp_path, spec, letters=LETTERS)
    plan = compile_study(found, found.program.studies["judging"])[-1][1].plan
    assert plan.expectations[0].cells[0].row == {
        "scale": "VERDICT",
        "subscale": "grade",
        "group_kind": "overall",
        "test": "krippendorff_interval",
    }


def test_a_table_of_an_association(tmp_path: Path) -> None:
    table = """expect gold from "print.csv" source "Table 4" {
    panel = constant "raters"
    mood = column "kind"
    test = column "what"
    recode test { "r" -> pearson  "rho" -> spearman }
    recode mood { "all" -> missing  0..1 -> sad  2 -> glad }
    estimate = column "value" within 0.01
  }"""
    data = "kind,what,value\nall,r,0.4\n1,rho,0.5\n2,r,0.3\n"
    spec = rating(GOLD, table)
    found = checked(tmp_path, spec, letters=LETTERS, print=data)
    assert [one.message for one in found.diagnostics] == []
    plan = compile_study(found, found.program.studies["judging"])[-1][1].plan
    rows = [(cell.row["test"], cell.row["group_kind"], cell.row["mood"]) for cell in plan.expectations[0].cells]
    assert rows == [("pearson", "overall", None), ("spearman", "mood", "sad"), ("pearson", "mood", "glad")]
    wrong = data.replace("rho", "tau").replace("2,r", "5,r")
    said = errors(tmp_path, spec, letters=LETTERS, print=wrong)
    assert [code for code, _ in said] == ["E080", "E080"]
    assert 'test "tau"' in said[0][1]
    assert 'mood "5"' in said[1][1]
