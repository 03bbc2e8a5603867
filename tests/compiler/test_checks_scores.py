"""Numbers in scales: whole where a whole one is meant, and never beyond what a score can hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, codes, errors, only_error

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
        STUDY.replace("columns 2..4", "columns 2..4 in order column 5.5"),
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
