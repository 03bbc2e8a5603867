"""Mappings of recorded answers: each mistake is told once, with what to do; what is sound is let be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, checked, codes, errors, only_error

HEAD = """
scale MOOD { options 1..3 { 1 "no"  3 "yes" }  items { "calm"  "tense"  "warm" }  subscale ease = sum(1..3) }
scale GRADE { options 0..1 { 0 "bad"  1 "good" }  items { "good?" }  subscale good = item 1 }
scale BARE { options 0..1  items { "on?"  "off?" }  subscale sum = sum(1..2) }
emotion anger { factor home { "The sink is full." } }
protocol judging { condition judged each stimulus }
prompt ask "Rate. {scale.items}"
protocol twofold { condition before  condition after each situation  then { measure with ask } }
"""
STUDIED = """
study s { protocol judging  scales GRADE, MOOD, BARE  stimuli anger  panels people }
"""


def mapping(body: str, head: str = 'from "data.csv"') -> str:
    return f"{HEAD}\nresponses people {head} {{ kind human\n{body} }}\n{STUDIED}"


def told(folder: Path, body: str, head: str = 'from "data.csv"') -> list[tuple[str, str]]:
    return errors(folder, mapping(body, head))


@pytest.mark.parametrize(
    "body",
    [
        'respondent = counted  GRADE = column "good"',
        'respondent = column "id"  condition judged { MOOD = columns 2..4  GRADE = column 5 }',
        'respondent = column "id"  stimulus = counted  MOOD = column "all" as list',
        'respondent = column "id"  MOOD = columns "a".."c" as labels  GRADE = column "g" as labels',
        'respondent = column "id"  MOOD = columns "a", 4..5  covariate BARE = columns "x", "y"',
        'respondent = column "id"  MOOD = columns 2, 5, 3 in order row 1',
        'respondent = column "id"  item = column "question"  MOOD = column "answer"',
        'match column "who" "{respondent}/{item}"  MOOD = column "answer"',
        'respondent = column "id"  condition judged { match column "q" "{item}"  MOOD = column "answer" }',
        'respondent = column "id"  MOOD = columns 2..4 in order row 1',
        'respondent = column "id"  match column "a" "x"  match column "a" "y{situation}"  GRADE = column "g"',
        'vary arm over a, b = "B" { respondent = column "r_{arm}"  GRADE = column "g_{arm}" }',
        'respondent = column "id"  vary arm over a, b { match column "arm" "{arm}"  GRADE = column "g" }',
        'vary arm over a, b { vary wave over one, two { respondent = counted  GRADE = column "{arm}{wave}" } }',
        'respondent = counted  vary arm over a { GRADE = column "{arm}" }'
        '  vary arm over b { GRADE = column "x{arm}" }',
        'respondent = counted  vary arm over a, b { subject = constant "{arm}"  GRADE = column "g" }',
        'respondent = counted  GRADE = column "g"  covariate MOOD = columns "a".."c"',
        'respondent = counted  GRADE = column "g"  covariate age = 2023 - column "born"'
        "  recode age { 18..24 -> young  25..99 -> old  99 -> missing }",
        "respondent = counted  headers 3  GRADE = column 1"
        "  recode GRADE { 0..4 -> 0 }  recode order { 0 -> 1 }",
        'respondent = counted  condition judged { stimulus = constant "a"  GRADE = column 1 }'
        '  condition judged { stimulus = constant "b"  GRADE = column 2 }',
    ],
)
def test_sound(tmp_path: Path, body: str) -> None:
    assert told(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ("respondent = counted  GRAD = column 1", "E010", "there is no scale `GRAD`"),
        ("respondent = counted  stimlus = column 1  GRADE = column 2", "E010", "there is no scale `stimlus`"),
        ("respondent = counted  covariate MOO = columns 1..3  GRADE = column 4", "E010", "scale `MOO`"),
        ("respondent = counted  condition judge { GRADE = column 1 }", "E010", "condition `judge`"),
        ("respondent = counted  recode GRAD { 1 -> 0 }  GRADE = column 1", "E010", "no field `GRAD` to recode"),
        ("respondent = counted  recode MOOD { 1 -> 0 }  GRADE = column 1", "E010", "no field `MOOD` to recode"),
        ("respondent = counted  GRADE = row 1", "E014", "`GRADE` takes a column (an observation is a row)"),
        ("respondent = row 1  GRADE = column 1", "E014", "`respondent` takes a column"),
        ('respondent = counted  match row 1 "x"  GRADE = column 1', "E014", "`match` takes a column"),
        ("respondent = counted  covariate age = 9 - row 1  GRADE = column 1", "E014", "`age` takes a column"),
        ("respondent = counted  MOOD = column 1", "E014", "`MOOD` takes 3 columns, one an item, not 1"),
        ("respondent = counted  MOOD = columns 1..4", "E014", "`MOOD` takes 3 columns, one an item, not 4"),
        ("respondent = counted  MOOD = columns 4..1", "E031", "the range 4..1 holds nothing"),
        ("respondent = counted  MOOD = columns 1, 4..6", "E014", "`MOOD` takes 3 columns, one an item, not 4"),
        ('respondent = counted  MOOD = columns "a", "b"', "E014", "`MOOD` takes 3 columns, one an item, not 2"),
        (
            'respondent = counted  MOOD = columns "a", 2, "a"',
            "E008",
            '`column "a"` is said twice in the columns',
        ),
        ("respondent = counted  MOOD = columns 1..2, 2", "E008", "`column 2` is said twice in the columns"),
        (
            "respondent = counted  item = column 1  MOOD = columns 2..4",
            "E014",
            "`MOOD` takes one column: `item`",
        ),
        ("respondent = counted  covariate MOOD = column 1  GRADE = column 2", "E014", "`MOOD` takes 3 columns"),
        ("respondent = counted  MOOD = columns 1..3 in order column 4", "E014", "`in order` takes a row"),
        ("respondent = counted  MOOD = column 1 as list in order row 4", "E014", "`in order` takes a column"),
        ('respondent = counted  GRADE = constant "1"', "E014", "`GRADE` takes the columns that the answers"),
        ("respondent = counted  GRADE = counted", "E014", "`GRADE` takes the columns that the answers"),
        ('respondent = counted  GRADE = "g"', "E082", '"g" is neither a place in the file nor a constant'),
        ('respondent = "id"  GRADE = column 1', "E082", '"id" is neither'),
        ("respondent = counted  emotion = counted  GRADE = column 1", "E014", "`emotion` takes a column or a"),
        ("respondent = columns 1..2  GRADE = column 1", "E014", "`respondent` takes one column"),
        ("respondent = counted  BARE = columns 1..2 as labels", "E085", "scale `BARE` have no anchors"),
        (
            "respondent = counted  headers 0  GRADE = column 1",
            "E015",
            "`headers` is 0; it must be a whole number",
        ),
        ("respondent = counted  headers 2.5  GRADE = column 1", "E015", "`headers` is 2.5"),
        ("respondent = counted  headers 21  GRADE = column 1", "E015", "from 1 to 20"),
        ("respondent = counted  headers 2  headers 3  GRADE = column 1", "E008", "`headers` is said twice"),
        ("GRADE = column 1", "E009", "responses `people` says no `respondent`"),
        ("respondent = counted", "E009", "responses `people` says no `condition`"),
        ("respondent = counted  condition judged { order = column 1 }", "E009", "says no `SCALE =`"),
        ("respondent = counted  respondent = column 2  GRADE = column 1", "E008", "`respondent` is said twice"),
        ('respondent = counted  match column 2 "{respondent}"  GRADE = column 1', "E008", "`respondent`"),
        ('respondent = counted  match column 2 "{item}"  item = column 3  GRADE = column 1', "E008", "`item`"),
        ("respondent = counted  GRADE = column 1  GRADE = column 2", "E008", "`GRADE` is said twice"),
        ("respondent = counted  GRADE = column 1  condition judged { GRADE = column 2 }", "E008", "`GRADE`"),
        (
            "respondent = counted  condition judged { GRADE = column 1 }"
            "  condition judged { MOOD = columns 2..4 }",
            "E008",
            "`judged` is said twice",
        ),
        ('respondent = counted  match column 1 "{emoton}"  GRADE = column 1', "E083", "no hole {emoton}"),
        ('respondent = counted  GRADE = column "g_{arm}"', "E083", "no hole {arm}"),
        ('respondent = constant "p_{arm}"  GRADE = column 1', "E083", "no hole {arm}"),
        ('respondent = counted  covariate group = constant "{arm"  GRADE = column 1', "E043", "brace"),
        ('respondent = counted  match column "a" "{x"  GRADE = column 1', "E043", "brace"),
        ("respondent = counted  recode value { 5..1 -> 0 }  GRADE = column 1", "E031", "the range 5..1 holds"),
        (
            "respondent = counted  recode value { 1..3 -> 0  3..5 -> 1 }  GRADE = column 1",
            "E012",
            "`3` could mean 1..3 or 3..5",
        ),
        (
            "respondent = counted  covariate arm = column 1  covariate arm = column 2  GRADE = column 1",
            "E008",
            "arm",
        ),
        ("respondent = counted  covariate order = column 1  GRADE = column 2", "E012", "`order` could mean"),
    ],
)
def test_mistakes(tmp_path: Path, body: str, code: str, message: str) -> None:
    found = only_error(tmp_path, mapping(body))
    assert found.code.number == code
    assert message in found.message


@pytest.mark.parametrize(
    ("vary", "code", "message"),
    [
        ("vary arm over a, b { GRADE = column 1 }", "E085", "the levels of `arm` change nothing"),
        ('vary arm over a, a { GRADE = column "{arm}" }', "E008", "`a` is said twice in variable `arm`"),
        ('vary arm over a = "x", b = "x" { GRADE = column "{arm}" }', "E008", "`x` is said twice"),
        (
            'vary stimulus over a, b { GRADE = column "{stimulus}" }',
            "E012",
            "`stimulus` could mean this variable",
        ),
        ('vary condition over a, b { GRADE = column "{condition}" }', "E012", "`condition` could mean"),
        ('vary judged over a, b { GRADE = column "{judged}" }', "E012", "or a condition of protocol `judging`"),
        (
            'vary MOOD over a, b { GRADE = column "{MOOD}" }',
            "E012",
            "`MOOD` could mean this variable or a scale",
        ),
        (
            'vary a over x { vary a over y { GRADE = column "{a}" } }',
            "E008",
            "`vary a` is said twice in one block",
        ),
        ('vary arm over a, b { covariate arm = column "{arm}"  GRADE = column 1 }', "E012", "or a covariate"),
        ('vary arm over a, b { covariate x = column "{arm}" }', "E009", "says no `condition`"),
        ('vary arm over a, b { GRADE = column "{am}{arm}" }', "E083", "no hole {am}"),
    ],
)
def test_mistakes_in_what_varies(tmp_path: Path, vary: str, code: str, message: str) -> None:
    found = only_error(tmp_path, mapping(f"respondent = counted  {vary}"))
    assert found.code.number == code
    assert message in found.message


def test_a_respondent_of_one_block_is_none_of_another(tmp_path: Path) -> None:
    body = 'vary arm over a { respondent = counted  GRADE = column "{arm}" }'
    body += '  vary arm over b { GRADE = column "{arm}" }'
    assert codes(tmp_path, mapping(body)) == ["E009"]


def test_answers_of_no_condition_belong_to_the_only_one(tmp_path: Path) -> None:
    text = mapping("respondent = counted  GRADE = column 1").replace("each stimulus", "{ measure with ask }")
    text = text.replace("protocol judging  scales", "protocol twofold  scales")
    found = only_error(tmp_path, text)
    assert found.code.number == "E012"
    assert found.message == "`GRADE` could mean answers in condition `before` or answers in condition `after`"
    assert "condition before {" in (found.suggestion or "")


def test_answers_belong_to_the_studys_protocol_and_scales(tmp_path: Path) -> None:
    elsewhere = "respondent = counted  condition before { GRADE = column 1 }"
    found = only_error(tmp_path, mapping(elsewhere))
    assert (found.code.number, found.notes[0].text) == ("E071", "the study that takes these answers")
    unmeasured = mapping("respondent = counted  GRADE = column 1").replace("scales GRADE, ", "scales ")
    found = only_error(tmp_path, unmeasured)
    assert found.message == "there is no measured scale `GRADE` in study `s`"


def test_where_stimuli_are_several_answers_say_which(tmp_path: Path) -> None:
    bare = mapping("respondent = counted  GRADE = column 1").replace("full.", 'full."  "The sink is blocked.')
    found = only_error(tmp_path, bare)
    assert found.message == "condition `judged` says no `stimulus`"
    inside = bare.replace("GRADE = column 1", "condition judged { GRADE = column 1 }")
    assert codes(tmp_path, inside) == ["E009"]
    for said in ("situation = column 2", 'match column 2 "{emotion}"', "stimulus = counted"):
        assert codes(tmp_path, bare.replace("GRADE = column 1", f"GRADE = column 1  {said}")) == []
        assert codes(tmp_path, inside.replace("{ GRADE", f"{{ {said}  GRADE")) == []


def test_too_many_combinations_are_not_made(tmp_path: Path) -> None:
    levels = ", ".join(f"a{k}" for k in range(20))
    body = 'respondent = counted  GRADE = column "{v0}{v1}{v2}{v3}{v4}{v5}"'
    for k in range(6):
        body = f"vary v{k} over {levels} {{ {body} }}"
    found = only_error(tmp_path, mapping(body))
    assert found.code.number == "E005"
    assert "1000 combinations of levels" in found.message


def test_transposed_files_have_rows(tmp_path: Path) -> None:
    head = 'from "data.csv" transposed'
    sound = 'respondent = row "id"  headers 2  MOOD = rows 3..5 in order column "o_{order}"'
    sound += '  match row 1 "{order}"'
    assert told(tmp_path, sound, head) == []
    found = only_error(tmp_path, mapping('respondent = row "id"  MOOD = columns 3..5', head))
    assert found.message == "`MOOD` takes a row (an observation is a column), not a column"
    assert found.suggestion == "take `transposed` out if an observation is a row"
    found = only_error(tmp_path, mapping("respondent = counted  GRADE = row 5", 'from "data.csv"'))
    assert found.suggestion == "say `transposed` behind the file if an observation is a column"
    found = only_error(tmp_path, mapping('respondent = "id"  GRADE = row 5', head))
    assert found.suggestion == 'write `row "id"` for what stands there, or `constant "id"`'


def test_a_panel_of_a_files_name_is_no_field_besides(tmp_path: Path) -> None:
    head = 'from "of-{panel}.csv"'
    assert told(tmp_path, "respondent = counted  GRADE = column 1", head) == []
    doubled = told(tmp_path, "respondent = counted  panel = column 2  GRADE = column 1", head)
    assert [code for code, _ in doubled] == ["E008"]


def test_recoded_spellings_of_a_range_come_first(tmp_path: Path) -> None:
    body = "respondent = counted  GRADE = column 1  recode GRADE { 0..98 -> 1  99 -> missing  7 -> 0 }"
    assert told(tmp_path, body) == []
    assert codes(tmp_path, mapping(body.replace("7 -> 0", "7 -> 0  7 -> 1"))) == ["E008"]


def test_the_small_study_is_sound(tmp_path: Path) -> None:
    assert checked(tmp_path, STUDY).errors == ()
