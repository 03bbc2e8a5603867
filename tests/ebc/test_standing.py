"""`ebc explain --results`: what a changed study keeps, asks anew, and leaves behind; and that runs do so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from ebc.standing import standing_text

SPEC = """
scale MOOD "Mood" {
  options 1..5 { 1 "not at all"  5 "very much" }
  items { "calm"  "tense"  "warm" }
  subscale ease = sum(1, 3)
}
prompt ask {
  user "{presented} Rate each word from 1 to 5.\\n{scale.items}"
  variant firm { append user "Be quick." }
}
prompt picture "Picture this: {situation}"
emotion joy "Joy" {
  factor garden "Garden" { "The roses are out."  "A robin sits on your spade." }
  factor kitchen "Kitchen" { "The cake has risen." }
}
protocol induce {
  condition default  condition evoked each situation { present picture }
  then { measure with ask }
}
model robot { provider simulated  name "a robot" }
model second { provider simulated  name "another robot" }
study mood "Mood" {
  protocol induce  scales MOOD  stimuli joy  panels robot
  seed 4  orders 2  repeats 2
}
"""
PLANNED = (1 + 3) * 2 * 2

Group = tuple[str, str | None, int, str, list[str]]
"""New or stale, the condition, how many trials, why, and what."""


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., dict[str, Any]]:
    """Runs the spec as it is given, and tells of its first panel what became of it."""
    monkeypatch.chdir(tmp_path)

    def running(spec: str, *arguments: str) -> dict[str, Any]:
        Path("mood.eb").write_text(spec, encoding="utf-8")
        assert main(["run", "mood.eb", "--results", "r", "--format", "json", *arguments]) in (0, 1)
        told: dict[str, Any] = json.loads(capsys.readouterr().out)[0]
        return told

    return running


def explained(spec: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """How the spec stands in the results, by model."""
    Path("mood.eb").write_text(spec, encoding="utf-8")
    assert main(["explain", "mood.eb", "--results", "r", "--format", "json"]) == 0
    told: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["results"]
    return told


def groups(panel: dict[str, Any]) -> list[Group]:
    return [
        (kind, one["condition"], one["trials"], one["why"], one["names"])
        for kind in ("new", "stale")
        for one in panel[kind]
    ]


CHANGES: dict[str, tuple[str, str, list[Group]]] = {
    "a repeat": (
        "repeats 2",
        "repeats 3",
        [
            ("new", "default", 2, "repeat added", ["2"]),
            ("new", "evoked", 6, "repeat added", ["2"]),
        ],
    ),
    "orders": (
        "orders 2",
        "orders 4",
        [
            ("new", "default", 4, "item order added", ["2", "3"]),
            ("new", "evoked", 12, "item order added", ["2", "3"]),
        ],
    ),
    "a factor": (
        "factor kitchen",
        'factor street "Street" { "A band plays." }  factor kitchen',
        [
            ("new", "evoked", 4, "stimulus added", ["joy.street.0"]),
        ],
    ),
    "a situation in front": (
        '{ "The roses',
        '{ "It rains at last."  "The roses',
        [
            ("new", "evoked", 4, "stimulus added", ["joy.garden.0"]),
        ],
    ),
    "no factor": (
        'factor kitchen "Kitchen" { "The cake has risen." }',
        "",
        [
            ("stale", "evoked", 4, "stimulus taken out", ["joy.kitchen.0"]),
        ],
    ),
    "a condition": (
        "condition default",
        "condition default  condition idle each situation { present picture }",
        [
            ("new", "evoked", 12, "question changed: several trials ask the same, now or before", ["MOOD"]),
            ("new", "idle", 12, "condition added", ["idle"]),
            ("stale", "evoked", 12, "question changed: several trials ask the same, now or before", ["MOOD"]),
        ],
    ),
    "a situation's text": (
        "The cake has risen.",
        "The cake has sunk.",
        [
            ("new", "evoked", 4, "stimulus changed: its situation", ["joy.kitchen.0"]),
            ("stale", "evoked", 4, "stimulus changed: its situation", ["joy.kitchen.0"]),
        ],
    ),
    "a prompt": (
        "Picture this",
        "Imagine this",
        [
            ("new", "evoked", 12, "prompt changed: its text", ["picture"]),
            ("stale", "evoked", 12, "prompt changed: its text", ["picture"]),
        ],
    ),
}
EVERYWHERE: dict[str, tuple[str, str, str, str]] = {
    "the prompt's variant": ("with ask", "with ask.firm", "asks with ask -> ask.firm", "condition"),
    "an item": ('"tense"', '"edgy"', "its items", "scale"),
    "the options": ("1..5 {", "0..5 {", "its options", "scale"),
    "the sampling": ("seed 4", "seed 4  sampling { temperature 1 }", "not set -> 1.0", "sampling"),
    "the model": ('"a robot"', '"a newer robot"', "name a robot -> a newer robot", "model"),
    "a setting": ('name "a robot"', 'name "a robot"  seed 5', "seed not set -> 5", "model"),
}


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_a_change_makes_new_and_stale(
    run: Callable[..., dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    expected: list[Group],
) -> None:
    assert run(SPEC)["asked"] == PLANNED
    assert old in SPEC
    [panel] = explained(SPEC.replace(old, new), capsys)
    assert sorted(groups(panel)) == sorted(expected)
    added = sum(one[2] for one in expected if one[0] == "new")
    assert panel["kept"] + added == panel["planned"]
    told = run(SPEC.replace(old, new))
    assert (told["asked"], told["kept"]) == (added, panel["kept"])
    [after] = explained(SPEC.replace(old, new), capsys)
    assert (after["kept"], after["new"]) == (panel["planned"], [])


@pytest.mark.parametrize(("old", "new", "change", "kind"), EVERYWHERE.values(), ids=EVERYWHERE)
def test_a_change_of_every_question(
    run: Callable[..., dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    change: str,
    kind: str,
) -> None:
    run(SPEC)
    assert old in SPEC
    [panel] = explained(SPEC.replace(old, new), capsys)
    assert (panel["kept"], panel["planned"]) == (0, PLANNED)
    for group in (*panel["new"], *panel["stale"]):
        assert group["why"].startswith(f"{kind} changed: ")
        assert change in group["why"]
    assert sum(group["trials"] for group in panel["stale"]) == PLANNED


def test_answers_come_back_when_the_spec_does(
    run: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(SPEC)
    assert run(SPEC.replace("Picture", "Imagine"))["asked"] == 12
    [panel] = explained(SPEC, capsys)
    assert (panel["kept"], panel["new"]) == (PLANNED, [])
    assert groups(panel) == [("stale", "evoked", 12, "prompt changed: its text", ["picture"])]
    assert run(SPEC)["asked"] == 0


def test_a_model_that_is_added_and_one_that_goes(
    run: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(SPEC)
    first, second = explained(SPEC.replace("panels robot", "panels robot, second"), capsys)
    assert (first["kept"], first["new"]) == (PLANNED, [])
    assert (second["run"], second["kept"]) == (None, 0)
    assert {group["why"] for group in second["new"]} == {"model added"}
    other, gone = explained(SPEC.replace("panels robot", "panels second"), capsys)
    assert other["model"] == "second"
    assert groups(gone) == [
        ("stale", "default", 4, "model taken out", ["robot"]),
        ("stale", "evoked", 12, "model taken out", ["robot"]),
    ]


def test_what_was_not_asked_yet_and_what_no_plan_is_kept_of(
    run: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(SPEC, "--limit", "5")["left"] == PLANNED - 5
    [panel] = explained(SPEC, capsys)
    assert [(one["trials"], one["why"]) for one in panel["new"]] == [(11, "not asked yet")]
    run(SPEC)
    shutil.rmtree("r/plans")
    [panel] = explained(SPEC.replace("Rate each", "Judge each"), capsys)
    assert groups(panel)[-1] == ("stale", None, PLANNED, "asked by a plan that is not kept", [])


def test_the_text(
    run: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    run(SPEC)
    more = SPEC.replace("panels robot", "panels robot, second").replace("repeats 2", "repeats 7")
    changed = more.replace('"A robin sits', '"The hedge is cut."  "Two robins sit').replace(
        "The cake", "The bread"
    )
    text = "\n".join(standing_text(explained(changed, capsys))) + "\n"
    golden("standing.txt", text)
    assert main(["explain", "mood.eb", "--results", "r"]) == 0
    assert text in capsys.readouterr().out
