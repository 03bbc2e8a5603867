"""Numbers in scales: whole where a whole one is meant, and never beyond what a score can hold."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from schemas.plan import Arithmetic, Call, Comparison, ItemValue, KeyValue, Number
from tests.compiler.checking import STUDY, checked, codes, errors, only_error, plan_of

SCALE = "scale S {{ options {options}  items {{ {items} }}  {rest} }}"
PLAIN = '1..5 { 1 "no" }'


def scale(items: str = '"calm"  "tense"', rest: str = "subscale s = sum(1, 2)", options: str = PLAIN) -> str:
    return SCALE.format(items=items, rest=rest, options=options)


@pytest.mark.parametrize(
    "spec",
    [
        scale(items='1.5 "calm"  2 "tense"'),
        scale(items='1 "calm"  1.5 "tense"'),
        scale(rest="subscale s = sum(1.5, 2)"),
        scale(rest="subscale s = sum(1..2.5)"),
        scale(rest="subscale s = sum(1, 2)  reverse 1.5"),
        scale(rest="subscale s = item 1.2 + item 2"),
        STUDY.replace('column "gender"', "column 2.5"),
        STUDY.replace('respondent = column "id"', "respondent = column 1.5"),
        STUDY.replace("columns 2..4", "columns 2..4.5"),
        STUDY.replace("columns 2..4", "columns 2..4 in order row 5.5"),
        STUDY.replace("covariate", 'match column 1.5 "{emotion}"  covariate'),
    ],
)
def test_what_counts_or_numbers_is_whole(tmp_path: Path, spec: str) -> None:
    assert set(codes(tmp_path, spec)) == {"E015"}


@pytest.mark.parametrize(
    "score",
    [
        "sum(1, 2) * 9e15 * 9e15",
        "sum(1, 2) * (9e15 * 9e15 * 9e15)",
        "sum(1, 2) / (1 / 9e15)",
        "sum(1, 2) / (1e-200 * 1e-200 + 1e-300)",
        "sum(1, 2) + 2e12",
        "2e12 * item 1 + item 2",
        "-9e15 - sum(1, 2)",
        "sum(1, 2)" + " * 9e15" * 25,
    ],
)
def test_a_weight_or_a_constant_stays_within_bounds(tmp_path: Path, score: str) -> None:
    found = only_error(tmp_path, scale(rest=f"subscale s = {score}"))
    assert found.code.number == "E033"
    assert found.message == "a score may not hold a weight or a number beyond 1,000,000,000,000"


@pytest.mark.parametrize("score", ["1e12 * sum(1, 2)", "sum(1, 2) / 1e-12", "10 - 0.75 * sum(1, 2) / 3"])
def test_large_weights_are_weights(tmp_path: Path, score: str) -> None:
    assert codes(tmp_path, scale(rest=f"subscale s = {score}")) == []


def test_division_by_what_comes_to_zero(tmp_path: Path) -> None:
    found = errors(tmp_path, scale(rest="subscale s = sum(1, 2) / (1e-200 * 1e-200)"))
    assert found == [("E033", "a score may not divide by zero")]


@pytest.mark.parametrize("options", ["5..4.7 { }", "5..1 step 10 { }", "2..1 { }"])
def test_a_range_that_runs_backwards_holds_nothing(tmp_path: Path, options: str) -> None:
    assert "E031" in codes(tmp_path, scale(options=options))


@pytest.mark.parametrize("step", ["1e-300", "1e-10"])
def test_a_step_that_is_too_small(tmp_path: Path, step: str) -> None:
    assert codes(tmp_path, scale(options=f'0..9e15 step {step} {{ 0 "no" }}')) == ["E015"]
    assert codes(tmp_path, scale(options=f'0..1 step {step} {{ 0 "no" }}')) == ["E015"]


def test_an_item_has_a_text(tmp_path: Path) -> None:
    assert errors(tmp_path, scale(items='1 "calm"  2 " "')) == [("E050", "this item holds no text")]


@pytest.mark.parametrize(
    ("settings", "name", "where"),
    [
        ("effect { MOOD.ease 1  MOOD.ease 2 }", "MOOD.ease", "effect"),
        ("baseline { MOOD 1  MOOD.ease 3  MOOD 2 }", "MOOD", "baseline"),
        ("usd_per_million_tokens { input 1  output 2  input 3 }", "input", "usd_per_million_tokens"),
    ],
)
def test_a_key_of_a_block_is_said_once(tmp_path: Path, settings: str, name: str, where: str) -> None:
    spec = f'model robot {{ provider simulated  name "a robot"  {settings} }}'
    assert errors(tmp_path, spec) == [("E008", f"`{name}` is said twice in `{where}`")]


def test_numbers_are_told_exactly(tmp_path: Path) -> None:
    spec = 'model robot { provider simulated  name "a robot"  refuse 1234567.5 }'
    assert errors(tmp_path, spec) == [("E015", "`refuse` is 1234567.5; it must be a number from 0 to 1")]
    sampling = STUDY.replace("orders 2", "sampling { max_tokens 1234567 }  orders 2")
    assert errors(tmp_path, sampling) == [
        ("E015", "`max_tokens` is 1234567; it must be a whole number from 1 to 1000000")
    ]


KEYED = """scale S {{
  options 1..5 {{ 1 "no" }}
  items {{ calm "calm" key gold  tense "tense" key 4  3 "warm"  4 "cold" options {{ 0 "no"  1 "yes" }} }}
  reverse 3
  derive off = abs(value - key)
  derive cost = off * off
  derive turned = raw value + value
  filler 1..4
  {rest}
}}
"""


def keyed(*scores: str, derived: str = "") -> str:
    """A scale of four items, of which two have keys, with these scores."""
    subscales = (f"subscale s{number} = {score}" for number, score in enumerate(scores))
    return KEYED.format(rest="\n  ".join([derived, *subscales]))


@pytest.mark.parametrize(
    ("score", "code", "message"),
    [
        ("mex(1, 2)", "E010", "there is no function `mex`"),
        ("sum(coal)", "E010", "there is no item `coal` in scale `S`"),
        ("sum(of 1..2)", "E010", "there is no derived value `of` in scale `S`"),
        ("abs(calm, tense)", "E014", "`abs` takes a single argument, not 2"),
        ("exp(item 5)", "E022", "this score names item 5, which scale `S` does not have"),
        ("sum(off 4..5)", "E022", "this score names item 5, which scale `S` does not have"),
        ("key item 1 + 1", "E030", "scale `S.s0` has no items"),
        ("sum(1, 2) + item 2", "E032", "item 2 is counted twice in subscale `s0`"),
        ("sum(off 1..2, off tense)", "E032", "item 2 is counted twice in subscale `s0`"),
        ("sum(2 * 1, 2)", "E033", "a score may not put a number that is no item into a sum"),
        ("mean(3 + 1, 1..3)", "E033", "a score may not put a number that is no item into a mean"),
        ("abs(1..3)", "E033", "a score may not name several items outside of sum, mean, min and max"),
        ("item 1..3 + 1", "E033", "a score may not name several items outside of sum, mean, min and max"),
        ("max(1, 2) + calm", "E033", "a score may not take the max of numbers alone"),
        ("off", "E033", "a score may not use `off` without saying of which item"),
        ("value + calm", "E033", "a score may not use `value` without saying of which item"),
        ("(calm is 1) < tense", "E033", "a score may not compare by `<` what is a comparison itself"),
        ("calm / (tense - tense + 1 - 1)", None, ""),
        ("calm / (1 - 1)", "E033", "a score may not divide by zero"),
        ("calm / (item 4 * 0)", "E033", "a score may not divide by zero"),
        ("log(0 - calm)", "E033", "a score may not take the logarithm of what is never above 0"),
        ("log(calm - 5)", "E033", "a score may not take the logarithm of what is never above 0"),
        ("sqrt(calm - 6)", "E033", "a score may not take the square root of what is never 0 or above"),
        ("sqrt(calm - 5) + log(calm - 4) + sqrt(key item 1 - tense)", None, ""),
        ("exp(2e12 * calm)", "E033", "a score may not hold a weight or a number beyond 1,000,000,000,000"),
        ("key item 3 - item 3", "E034", "item 3 of scale `S` has no key"),
        ("sum(cost 1..4)", "E034", "item 3 of scale `S` has no key"),
        ("calm is 6", "E035", "this comparison never holds: `calm` can only be 1, 2, 3, 4 or 5"),
        ("item 4 is 2", "E035", "this comparison never holds: item 4 can only be 0 or 1"),
        ("0 < sum(1..2)", "E035", "this comparison always holds: its right side can only be from 2 to 10"),
        ("off tense is 4", "E035", "this comparison never holds: its left side can only be 0, 1, 2 or 3"),
        ("(calm is 1) is 2", "E035", "this comparison never holds: its left side can only be 0 or 1"),
        ("(calm is 1) is (tense is key tense)", None, ""),
        ("off calm is 70", None, ""),
    ],
)
def test_what_a_score_may_say(tmp_path: Path, score: str, code: str | None, message: str) -> None:
    used = "sum(cost 1..2) + sum(turned 1..2)"
    assert errors(tmp_path, keyed(score, used)) == ([] if code is None else [(code, message)])


@pytest.mark.parametrize(
    ("derived", "code", "message"),
    [
        ("derive early = late  derive late = value", "E033", "a score may not use `late` before it is derived"),
        ("derive own = own + value", "E033", "a score may not use `own` before it is derived"),
        ("derive odd = key value", "E033", "a score may not put `key` before `value`"),
        (
            "derive all = item 1..3",
            "E033",
            "a score may not name several items outside of sum, mean, min and max",
        ),
        ("derive off = value", "E008", "`off` is said twice in scale `S`"),
        ("derive calm = value", "E012", "`calm` could mean an item or this derived value"),
        ("derive exp = value", "E012", "`exp` could mean a function or this derived value"),
        ("derive raw = value", "E012", "`raw` could mean an answer as it was given or this derived value"),
        ("derive key = value", "E012", "`key` could mean an item's key or this derived value"),
        ("derive lost = vlaue", "E010", "there is no item `vlaue` in scale `S`"),
        ("derive apart = value - mean(1..3)", None, ""),
        ("derive gap = off - key calm + cost tense", None, ""),
    ],
)
def test_what_a_derived_value_may_say(tmp_path: Path, derived: str, code: str | None, message: str) -> None:
    found = checked(tmp_path, keyed("sum(cost 1..2) + sum(turned 1..2)", derived=derived)).errors
    assert [(one.code.number, one.message) for one in found] == ([] if code is None else [(code, message)])


def test_a_derived_value_is_wrong_where_it_is_with_every_item(tmp_path: Path) -> None:
    hit = "derive hit = value is 1"
    assert codes(tmp_path, keyed("sum(hit 1..4)", derived=hit)) == []
    low = "derive low = value < 1"
    assert codes(tmp_path, keyed("sum(low 1..4)", derived=low)) == []
    found = errors(tmp_path, keyed("sum(low 1..3)", derived=low))
    assert found == [("E035", "this comparison never holds: `value` can only be 1, 2, 3, 4 or 5")]


def test_warnings(tmp_path: Path) -> None:
    found = checked(tmp_path, keyed("sum(cost 1..2)", "0 * calm + 2"))
    assert [one.message for one in found.diagnostics if one.code.severity == "warning"] == [
        "no score uses the derived value `turned`",
        "`s1` is 2 whatever is answered",
    ]


def test_derived_values_of_derived_values_have_an_end(tmp_path: Path) -> None:
    names = "abcdefghijklmnopqr"
    doubled = ["derive a = value", *(f"derive {b} = {a} + {a}" for a, b in pairwise(names))]
    found = errors(tmp_path, keyed("sum(cost 1..2)", "r calm", derived="  ".join(doubled)))
    assert found == [("E005", "more than 5000 parts of one score, derived values put in")]
    long = [
        "derive a = value",
        *(f"derive {b} = {a}{' + 1' * 9}" for a, b in pairwise(names)),
    ]
    found = errors(tmp_path, keyed("sum(cost 1..2)", "r calm", derived="  ".join(long)))
    assert found == [("E005", "more than 80 operations inside one another in one score, derived values put in")]
    nested = "abs(" * 100 + "calm" + ")" * 100
    assert codes(tmp_path, keyed(nested)) == ["E005"]


def test_a_key_lies_between_the_options(tmp_path: Path) -> None:
    found = errors(tmp_path, scale(items='"calm" key 1.5  "tense" key 7'))
    assert found == [("E015", "`key` is 7; it must be from 1 to 5, as the options are")]


def test_scores_as_the_plan_has_them(tmp_path: Path) -> None:
    spec = STUDY.replace('"calm"  "tense"  "warm"', 'calm "calm" key 2  "tense" key 4  "warm" key 1').replace(
        "subscale strain = sum(2)",
        """reverse 2
        derive off = abs(value - key)
        derive square = off * raw value
        subscale strain = mean(square calm, off 2..3) / 2
        subscale both = min(calm is key calm, item 2 is not 3)""",
    )
    (mood,) = plan_of(tmp_path, spec).scales
    assert [item.key for item in mood.items] == [2.0, 4.0, 1.0]
    off = [Call("abs", (Arithmetic("-", ItemValue(n), KeyValue(n)),)) for n in (1, 2, 3)]
    square = Arithmetic("*", off[0], ItemValue(1, raw=True))
    assert {subscale.id: subscale.score for subscale in mood.subscales} == {
        "ease": Call("sum", (ItemValue(1), ItemValue(3))),
        "strain": Arithmetic("/", Call("mean", (square, *off[1:])), Number(2)),
        "both": Call(
            "min",
            (
                Comparison("is", ItemValue(1), KeyValue(1)),
                Comparison("is not", ItemValue(2), Number(3)),
            ),
        ),
    }


GOLD = STUDY.replace('"calm"  "tense"', '"calm" key gold  "tense"').replace(
    "subscale strain = sum(2)", "subscale strain = sum(2)  subscale off = abs(item 1 - key item 1)"
)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ('{ gold "4" }', []),
        ('{ gold "4.5" }', []),
        ('{ glod "4" }', [("E010", "there is no field `gold` in the stimuli of study `mood`")]),
        ('{ gold "no" }', [("E014", '`key gold` takes numbers, not "no", as factor `home` of `anger` has it')]),
    ],
)
def test_keys_stand_in_the_stimuli(tmp_path: Path, fields: str, found: list[tuple[str, str]]) -> None:
    assert (
        errors(tmp_path, GOLD.replace('"The sink is full again."', f'"The sink is full again." {fields}'))
        == found
    )


NEGATIVE = """scale S {
  options -2..2 { -2 "cold"  2 "warm" }
  items {
    "calm"
    "tense" options { -1 "less"  0 "same"  1 "more" }
    "slow" options -1..-0.5 step 0.5
  }
  subscale s = sum(1..3)
}
"""


def test_codes_may_be_negative(tmp_path: Path) -> None:
    study = NEGATIVE + STUDY.replace("scales MOOD", "scales S")
    (spec,) = [one for one in plan_of(tmp_path, study).scales if one.id == "S"]
    codes_of = [[option.code for option in spec.options_of(item)] for item in spec.items]
    assert codes_of == [[-2, -1, 0, 1, 2], [-1, 0, 1], [-1, -0.5]]
    assert [option.anchor for option in spec.options] == ["cold", None, None, None, "warm"]


def test_an_anchor_beyond_negative_options_is_refused(tmp_path: Path) -> None:
    assert codes(tmp_path, scale(options='-2..2 { -3 "no" }')) == ["E024"]
    assert codes(tmp_path, scale(options="2..-2")) == ["E031"]
