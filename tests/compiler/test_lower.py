"""Plans: what is asked, by which key, and what may not move a key."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler import compile_study, load
from compiler.lower.permute import order_of
from ebc.tables import DiskFiles
from schemas.plan import Item, Option, Plan, PlannedTrial, Scale
from schemas.planfile import PlannedTrials, plan_bytes, read_plan, write_plan
from schemas.render import Renderer

SPEC = """
scale MOOD "Mood" {
  options 1..5 { 1 "not at all"  5 "very much" }
  items { "calm"  "tense"  "warm" }
  subscale ease = sum(1, 3) - 0.5 * item 2
}
prompt ask {
  system "Rate."  user "{presented} Rate each word.\\n{scale.items}"
  variant firm { append system "Stay firm." }
}
prompt picture "Picture this: {situation}"
emotion anger "Anger" {
  factor traffic "Traffic" { "A van cuts in front of you."  "Someone takes your parking space." }
  factor home "At home" { "The sink is full again." }
}
protocol induce {
  condition default  condition evoked each situation { present picture }
  then { measure with ask }
}
model robot { provider simulated  name "a robot" }
model other { provider openai  name "gpt" }
study mood "Mood" {
  protocol induce  scales MOOD  stimuli anger  panels robot, other
  seed 4  orders 3  repeats 2
}
"""


def compiled(tmp_path: Path, text: str) -> tuple[Plan, list[PlannedTrial]]:
    (tmp_path / "spec.eb").write_text(text, encoding="utf-8")
    files = DiskFiles(tmp_path)
    checked = load("spec.eb", files, files)
    assert checked.errors == ()
    last = compile_study(checked, checked.program.studies["mood"])[-1][1]
    return last.plan, list(PlannedTrials(last.planned()))


Place = tuple[str, str | None, int, int]


def keys(trials: list[PlannedTrial], model: str = "robot") -> dict[str, Place]:
    """What each key stands for."""
    return {t.trial_key: (t.condition, t.stimulus, t.item_order, t.repeat) for t in trials if t.model == model}


def test_trials_are_the_crossing_of_what_varies(tmp_path: Path) -> None:
    plan, trials = compiled(tmp_path, SPEC)
    assert len(trials) == 2 * (1 + 3) * 3 * 2  # models x (baseline + situations) x orders x repeats
    assert len({(t.model, t.trial_key) for t in trials}) == len(trials)
    cells = {(t.model, t.condition, t.stimulus, t.item_order, t.repeat) for t in trials}
    assert len(cells) == len(trials)
    assert {t.stimulus for t in trials if t.condition == "default"} == {None}
    assert [s.factor_index for s in plan.stimuli] == [0, 0, 1]
    assert [s.situation for s in plan.stimuli] == [0, 1, 0]


def test_repeats_share_a_request_and_differ_in_key(tmp_path: Path) -> None:
    _, trials = compiled(tmp_path, SPEC)
    by_cell = itertools.groupby(trials, lambda t: (t.model, t.condition, t.stimulus, t.item_order))
    for _, cell in by_cell:
        repeats = list(cell)
        assert [t.repeat for t in repeats] == [0, 1]
        assert len({t.request_key for t in repeats}) == 1
        assert len({t.trial_key for t in repeats}) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name "a robot"', 'name "another robot"'),
        ("Rate each word", "Judge each word"),
        ('"calm"', '"quiet"'),
        ("1..5", "1..7"),
        ("orders 3  repeats 2", "orders 3  repeats 2  sampling { temperature 1 }"),
        ("measure with ask", "measure with ask.firm"),
        ('provider simulated  name "a robot"', 'provider simulated  name "a robot"  seed 3'),
    ],
)
def test_what_determines_the_answer_is_in_the_key(tmp_path: Path, old: str, new: str) -> None:
    assert old in SPEC
    before, after = keys(compiled(tmp_path, SPEC)[1]), keys(compiled(tmp_path, SPEC.replace(old, new))[1])
    assert set(before) & set(after) == set()


def test_what_is_added_moves_no_other_trial(tmp_path: Path) -> None:
    before = keys(compiled(tmp_path, SPEC)[1])
    more = SPEC.replace(
        'factor traffic "Traffic" {',
        'factor rain "Rain" { "It pours." }\n  factor traffic "Traffic" { "A horn blares."',
    )
    more = more.replace("panels robot", "panels third, robot").replace(
        "study mood", 'model third { provider openai  name "x" }\nstudy mood'
    )
    more = more.replace("subscale ease", "subscale all = sum(1..3)\n  subscale ease").replace(
        "Mood", "The mood"
    )
    after = keys(compiled(tmp_path, more)[1])
    assert set(before) < set(after)
    moved = {key for key in before if before[key] != after[key]}  # a situation put before these moved them
    assert {before[key][1] for key in moved} == {"anger.traffic.0", "anger.traffic.1"}


def test_the_order_of_declarations_changes_no_trial(tmp_path: Path) -> None:
    head, tail = SPEC.split("emotion anger")
    emotion, rest = tail.split("protocol induce", 1)
    swapped = "protocol induce" + rest + "emotion anger" + emotion + head
    assert keys(compiled(tmp_path, SPEC)[1]) == keys(compiled(tmp_path, swapped)[1])


TWINS = SPEC.replace("condition default", "condition first  condition second").replace(
    '"The sink is full again."', '"A van cuts in front of you."'
)


def test_trials_that_ask_the_same_keep_their_keys_apart(tmp_path: Path) -> None:
    _, trials = compiled(tmp_path, TWINS)
    assert len(keys(trials)) == (2 + 3) * 3 * 2
    swapped = TWINS.replace("condition first  condition second", "condition second  condition first")
    assert keys(compiled(tmp_path, swapped)[1]) == keys(trials)
    more = TWINS.replace(
        'factor traffic "Traffic"',
        'factor again "Again" { "A van cuts in front of you." }\n  factor traffic "Traffic"',
    )
    after = keys(compiled(tmp_path, more)[1])
    assert all(after[key] == place for key, place in keys(trials).items())


def test_the_same_text_in_two_places_is_two_trials(tmp_path: Path) -> None:
    twice = SPEC.replace('"The sink is full again."', '"A van cuts in front of you."')
    _, trials = compiled(tmp_path, twice)
    same = [t for t in trials if t.model == "robot" and t.stimulus in ("anger.traffic.0", "anger.home.0")]
    assert len({t.request_key for t in same}) == 3  # one an order
    assert len({t.trial_key for t in same}) == len(same) == 12


def test_the_plan_id_is_of_the_meaning_alone(tmp_path: Path) -> None:
    plan, _ = compiled(tmp_path, SPEC)
    (tmp_path / "elsewhere").mkdir()
    spaced = SPEC.replace("  ", "\n      ").replace("scale MOOD", "# a comment\nscale MOOD")
    assert compiled(tmp_path / "elsewhere", spaced)[0].plan_id == plan.plan_id
    assert compiled(tmp_path, SPEC.replace("repeats 2", "repeats 3"))[0].plan_id != plan.plan_id


PROGRAM = """
import sys
from pathlib import Path
from compiler import compile_study, load
from ebc.tables import DiskFiles
from schemas.planfile import plan_bytes
checked = load("spec.eb", DiskFiles(Path()), DiskFiles(Path()))
last = compile_study(checked, checked.program.studies["mood"])[-1][1]
sys.stdout.buffer.write(plan_bytes(last.plan) + repr(last.planned().to_pylist()).encode())
"""


def test_the_same_plan_in_another_folder_locale_zone_and_hash_seed(tmp_path: Path) -> None:
    outputs = set()
    for folder, locale, zone, seed in [
        ("a", "C", "UTC", "0"),
        ("b/deep", "tr_TR.UTF-8", "Asia/Tokyo", "12345"),
    ]:
        place = tmp_path / folder
        place.mkdir(parents=True)
        (place / "spec.eb").write_text(SPEC, encoding="utf-8")
        environment = {**os.environ, "LC_ALL": locale, "LANG": locale, "TZ": zone, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=place, env=environment, capture_output=True, check=True
        )
        outputs.add(ran.stdout)
    assert len(outputs) == 1


def test_a_plan_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    plan, trials = compiled(tmp_path, SPEC)
    files = DiskFiles(tmp_path)
    checked = load("spec.eb", files, files)
    table = compile_study(checked, checked.program.studies["mood"])[-1][1].planned()
    write_plan(tmp_path / "mood.plan", plan, table)
    again, table_again = read_plan(tmp_path / "mood.plan")
    assert again == plan
    assert plan_bytes(again) == plan_bytes(plan)
    assert list(PlannedTrials(table_again)) == trials


def a_scale(name: str, n: int) -> Scale:
    items = tuple(Item(k, str(k), f"item {k}") for k in range(1, n + 1))
    return Scale(name, name, (Option(0), Option(1)), items, ())


def test_an_order_is_a_permutation_and_order_0_is_the_scales_own() -> None:
    scale = a_scale("S", 20)
    orders = [order_of(scale, 42, k) for k in range(50)]
    assert orders[0] == tuple(range(1, 21))
    assert all(sorted(order) == list(range(1, 21)) for order in orders)
    assert len(set(orders)) == 50
    assert order_of(scale, 43, 1) != orders[1]
    assert order_of(a_scale("T", 20), 42, 1) != orders[1]


def test_every_permutation_is_about_equally_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for k in range(1, 6001):
        order = order_of(a_scale("S", 3), 7, k)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    chi_squared = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_squared < 20.5  # the 0.999 quantile of chi-squared with 5 degrees of freedom


def test_what_was_presented_leaves_no_blank_where_it_is_nothing(tmp_path: Path) -> None:
    plan, trials = compiled(tmp_path, SPEC)
    renderer = Renderer(plan)
    bare = next(t for t in trials if t.condition == "default" and t.item_order == 0)
    evoked = next(t for t in trials if t.stimulus == "anger.home.0" and t.item_order == 0)
    assert renderer.messages(bare)[1].content == "Rate each word.\n1. calm\n2. tense\n3. warm"
    expected = "Picture this: The sink is full again. Rate each word.\n1. calm\n2. tense\n3. warm"
    assert renderer.messages(evoked)[1].content == expected


def test_a_variant_appends_and_what_has_no_place_goes_on_top(tmp_path: Path) -> None:
    text = SPEC.replace("{presented} Rate", "Rate").replace("measure with ask", "measure with ask.firm")
    plan, trials = compiled(tmp_path, text)
    evoked = next(t for t in trials if t.stimulus == "anger.home.0" and t.item_order == 0)
    system, user = Renderer(plan).messages(evoked)
    assert system.content == "Rate.\nStay firm."
    assert user.content.startswith("Picture this: The sink is full again.\n\nRate each word.")
    assert evoked.variant == "firm"
