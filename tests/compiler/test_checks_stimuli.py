"""Stimuli from data files: each once, known by its name, with the fields that its row has."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from compiler import Checked, compile_study
from schemas.plan import Plan, Stimulus
from schemas.planfile import PlannedTrials
from schemas.render import Renderer
from tests.compiler.checking import checked, errors, only_error

SPEC = """
stimuli talks "Talks" from "talks.csv" {{ {body} }}
scale GRADE {{ options 0..1 {{ 0 "bad"  1 "good" }}  items {{ "good?" }}  subscale good = item 1 }}
prompt ask "{prompt} {{scale.items}}"
protocol rating {{ condition rated each stimulus {{ measure with ask }} }}
model robot {{ provider simulated  name "a robot" }}
study s {{ protocol rating  scales GRADE  stimuli talks  panels robot }}
"""
DATA = "id,said,mood,sort\nt1,I lost my keys.,sad,neg\nt2,I found my keys.,,pos\nt1,I lost my keys.,sad,neg\n"
BODY = 'name = column "id"  situation = column "said"  emotion = column "mood"  valence = column 4'


def spec(body: str = BODY, prompt: str = "{situation}") -> str:
    return SPEC.format(body=body, prompt=prompt)


def plan_of(found: Checked) -> Plan:
    assert found.errors == ()
    return compile_study(found, found.program.studies["s"])[-1][1].plan


def stimuli(folder: Path, text: str, data: str = DATA) -> tuple[Stimulus, ...]:
    return plan_of(checked(folder, text, talks=data)).stimuli


def test_each_row_is_a_stimulus_and_a_repeated_one_is_one(tmp_path: Path) -> None:
    first, second = stimuli(tmp_path, spec())
    assert first == Stimulus(
        id="talks.t1",
        situation=0,
        fields={"situation": "I lost my keys.", "emotion": "sad", "valence": "neg"},
        name="t1",
        emotion="sad",
        emotion_title="sad",
    )
    assert (second.name, second.situation, second.emotion) == ("t2", 1, None)
    assert "emotion" not in second.fields


def test_without_a_name_rows_are_counted(tmp_path: Path) -> None:
    told = stimuli(tmp_path, spec('situation = column "said"'))
    assert [(one.id, one.name) for one in told] == [("talks.1", "1"), ("talks.2", "2"), ("talks.3", "3")]
    counted = stimuli(tmp_path, spec('name = counted  situation = column "said"  place = constant "here"'))
    assert [one.name for one in counted] == ["1", "2", "3"]
    assert {one.fields["place"] for one in counted} == {"here"}


def test_a_field_may_be_called_as_prompts_of_questionnaires_call_it(tmp_path: Path) -> None:
    first, _ = stimuli(tmp_path, spec(BODY + ' subject = column "sort"', "{subject} {situation}"))
    assert first.fields["subject"] == "neg"


def test_recoded_fields(tmp_path: Path) -> None:
    recodes = ' recode valence { "pos" -> good  "neg" -> missing }  recode emotion { "sad" -> grief }'
    first, second = stimuli(tmp_path, spec(BODY + recodes))
    assert (first.emotion, first.fields.get("valence"), second.fields["valence"]) == ("grief", None, "good")


def test_numbers_are_recoded_by_range_and_a_spelling_goes_first(tmp_path: Path) -> None:
    body = 'n = column "n"  recode n { 0..4.5 -> low  5..10 -> high  0 -> none }'
    told = stimuli(tmp_path, spec(body, "{n}"), "n\n0\n4.25\n5\n10.0\n11\n")
    assert [one.fields["n"] for one in told] == ["none", "low", "high", "high", "11"]


def test_records_of_a_json_lines_file(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "Once."}, {"id": 2, "text": "Twice."}]
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    text = spec('name = column "id"  story = column "text"', "{story}").replace("talks.csv", "talks.jsonl")
    told = plan_of(checked(tmp_path, text)).stimuli
    assert [(one.name, one.fields) for one in told] == [("1", {"story": "Once."}), ("2", {"story": "Twice."})]


def test_they_are_asked_about(tmp_path: Path) -> None:
    found = checked(tmp_path, spec(prompt="Said: {situation} ({valence})"), talks=DATA)
    last = compile_study(found, found.program.studies["s"])[-1][1]
    sent = [Renderer(last.plan).messages(trial)[0].content for trial in PlannedTrials(last.planned())]
    assert [one.splitlines()[0] for one in sent] == [
        "Said: I lost my keys. (neg) 1. good?",
        "Said: I found my keys. (pos) 1. good?",
    ]
    assert [(one.trials, one.cost) for one in last.estimates] == [(2, 0)]


def test_a_study_takes_both_kinds(tmp_path: Path) -> None:
    text = spec() + 'emotion joy { factor small { "The bus waits." } }'
    told = stimuli(tmp_path, text.replace("stimuli talks  panels", "stimuli talks, joy  panels"))
    assert [one.id for one in told] == ["talks.t1", "talks.t2", "joy.small.0"]


def test_scales_for_an_emotion_skip_stimuli_without_one(tmp_path: Path) -> None:
    text = spec() + 'emotion sad { factor small { "The bus is gone." } }'
    text = text.replace("scales GRADE", "scales GRADE for sad").replace("talks  panels", "talks, sad  panels")
    found = checked(tmp_path, text, talks=DATA)
    last = compile_study(found, found.program.studies["s"])[-1][1]
    assert [trial.stimulus for trial in PlannedTrials(last.planned())] == ["talks.t1", "sad.small.0"]


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ('situation = column "sad"', "E054", 'talks.csv has no column "sad"'),
        ("situation = column 9", "E054", "talks.csv has no column 9"),
        ("situation = row 2", "E014", "`situation` takes a column (a stimulus is a row), not a row"),
        ('situation = "said"', "E082", '"said" is neither a place in the file nor a constant'),
        (BODY + ' valence = column "said"', "E008", "`valence` is said twice in stimuli `talks`"),
        (BODY + ' recode valenc { "pos" -> good }', "E010", "there is no field `valenc` of stimuli `talks`"),
        (BODY + ' recode valence { "pos" -> a  "pos" -> b }', "E008", "`pos` is said twice in this recode"),
        (BODY + ' scale = column "sort"', "E012", "`scale` could mean this field or what prompts"),
        (BODY + ' stimulus = column "sort"', "E012", "`stimulus` could mean this field or what prompts"),
        ('name = column "id"', "E009", "stimuli `talks` says no `FIELD =`"),
        ('name = column "mood"  situation = column "said"', "E055", "row 3, column 3: nothing stands there"),
        ('name = column "sort"  situation = column "id"', None, ""),
        ('name = constant "x"  situation = column "said"', "E012", "row 2 of talks.csv or row 3 of talks.csv"),
    ],
)
def test_mistakes(tmp_path: Path, body: str, code: str | None, message: str) -> None:
    prompt = "{situation}" if "situation" in body else "x"
    if code is None:
        assert errors(tmp_path, spec(body, prompt), talks=DATA) == []
        return
    found = only_error(tmp_path, spec(body, prompt), talks=DATA)
    assert found.code.number == code
    assert message in found.message


def test_rows_of_one_name_that_differ(tmp_path: Path) -> None:
    data = DATA + "t1,I lost my wallet.,sad,neg\n"
    found = only_error(tmp_path, spec(), talks=data)
    assert (found.code.number, found.message) == (
        "E012",
        "`t1` could mean row 2 of talks.csv or row 5 of talks.csv",
    )
    assert "they differ in `situation`" in (found.suggestion or "")


def test_a_recode_that_meets_nothing_is_told(tmp_path: Path) -> None:
    recodes = ' recode valence { "posi" -> good  3..4 -> "so-so" }'
    told = checked(tmp_path, spec(BODY + recodes), talks=DATA).diagnostics
    assert [(one.code.number, one.message) for one in told] == [
        ("W081", 'no valence in talks.csv is spelt "posi"'),
        ("W081", 'no valence in talks.csv is spelt "3..4"'),
    ]


def test_an_empty_file_and_one_that_is_not_there(tmp_path: Path) -> None:
    found = only_error(tmp_path, spec(), talks="id,said,mood,sort\n")
    assert (found.code.number, found.message) == ("E050", "stimuli `talks` (talks.csv) holds no row")
    missing = (
        spec().replace("talks.csv", "tales.csv").replace("panels robot", "panels robot  contrast c = a - b")
    )
    assert errors(tmp_path, missing)[0] == ("E053", "there is no file `tales.csv`")


def test_a_row_cut_at_a_comma_is_told(tmp_path: Path) -> None:
    assert [code for code, _ in errors(tmp_path, spec(), talks=DATA + "t3,Well, no.,sad,neg\n")] == ["E056"]


@pytest.mark.parametrize(
    ("prompt", "code", "message"),
    [
        ("{valenc}", "E040", "there is no placeholder {valenc}"),
        (
            "{emotion}",
            "E052",
            "1 of 2 stimuli lack the field `emotion`: the first is in `talks`, with the name",
        ),
        ("{factor}", "E041", "{factor} has no value in condition `rated`"),
    ],
)
def test_placeholders_are_fields(tmp_path: Path, prompt: str, code: str, message: str) -> None:
    found = only_error(tmp_path, spec(prompt=prompt), talks=DATA)
    assert found.code.number == code
    assert message in found.message


def test_a_long_file_is_quickly_read(tmp_path: Path) -> None:
    rows = "".join(f"{k},Story number {k}.,{k % 7}\n" for k in range(30_000))
    started = time.process_time()
    text = spec('name = column "id"  story = column "text"  sort = column 3', "{story} {sort}")
    told = stimuli(tmp_path, text, "id,text,sort\n" + rows)
    assert len(told) == 30_000
    assert time.process_time() - started < 30
