"""PsychoBench's questionnaires as scales: a few by hand, and all where their file stands beside the code."""

import json
from pathlib import Path
from typing import Any

import pytest

import compiler
from compiler.format import format_file
from compiler.parse import parse
from ebc.asked import library
from ebc.cli import main
from ebc.errors import UserError
from ebc.pipeline import compile_spec
from ebc.psychobench import write_specs
from ebc.questionnaires.words import scale_name
from ebc.tables import DiskFiles
from schemas.plan import Call, ItemValue, Option, Plan, Scale, Subscale

UPSTREAM = Path(__file__).parents[3] / "shared" / "studies" / "psychobench"

upstream_file = pytest.mark.skipif(
    not (UPSTREAM / "questionnaires.json").is_file(),
    reason="PsychoBench's questionnaires are not in ../shared/studies/psychobench beside the repository",
)

CALM: dict[str, Any] = {
    "name": "Calm-R",
    "questions": {str(number): f"Statement {number}." for number in range(1, 7)},
    "compute_mode": "AVG",
    "prompt": "Reply numbers from 0 to 4 only: 0 (never), 4 (always).",
    "inner_setting": "You answer with numbers {and nothing else}.",
    "scale": 4,
    "reverse": [5, 2],
    "categories": [
        {
            "cat_name": "Calm at Home",
            "cat_questions": [3, 1, 2],
            "crowd": [
                {"crowd_name": "Women", "mean": 2, "std": 0.6854195795, "n": 58},
                {"crowd_name": "Men (all)", "mean": 0.00001, "std": 1e-05, "n": 1},
            ],
        },
        {"cat_name": "Calm Abroad", "cat_questions": [2, 5], "crowd": []},
    ],
}
KEYLESS: dict[str, Any] = {**CALM, "name": "Keyless", "prompt": "Score each statement.", "categories": []}


def source(folder: Path, *questionnaires: dict[str, Any]) -> Path:
    place = folder / "source"
    place.mkdir()
    (place / "questionnaires.json").write_text(json.dumps(questionnaires), encoding="utf-8")
    return place


def plan_of(specs: Path) -> Plan:
    checked = compiler.load("psychobench.eb", DiskFiles(specs), library())
    assert checked.diagnostics == ()
    (compiled,) = compile_spec(checked)
    return compiled.plan


def only_scale(tmp_path: Path, questionnaire: dict[str, Any]) -> Scale:
    write_specs(source(tmp_path, questionnaire), tmp_path / "specs")
    (scale,) = plan_of(tmp_path / "specs").scales
    return scale


def items_of(subscale: Subscale) -> tuple[str, list[int]]:
    """The function of a score that is one, and the items that it counts."""
    assert isinstance(subscale.score, Call)
    counted = [item for item in subscale.score.arguments if isinstance(item, ItemValue)]
    assert len(counted) == len(subscale.score.arguments)
    assert not any(item.raw for item in counted)
    return subscale.score.function, [item.item for item in counted]


# --- a few by hand ----------------------------------------------------------------------------


def test_a_questionnaire_becomes_a_scale_with_norms(tmp_path: Path) -> None:
    scale = only_scale(tmp_path, CALM)
    assert (scale.id, scale.title) == ("Calm_R", "Calm-R")
    assert scale.options == (Option(0, "never"), Option(1), Option(2), Option(3), Option(4, "always"))
    assert [item.number for item in scale.items if item.reverse] == [2, 5]
    assert [(one.id, one.title) for one in scale.subscales] == [
        ("at_home", "Calm at Home"),
        ("abroad", "Calm Abroad"),
    ]
    assert [(one.subscale, one.group, one.mean, one.sd, one.n) for one in scale.norms] == [
        ("at_home", "Women", 2, 0.6854195795, 58),
        ("at_home", "Men (all)", 0.00001, 0.00001, 1),
    ]


def test_subscales_may_share_items_and_what_is_in_none_is_a_filler(tmp_path: Path) -> None:
    scale = only_scale(tmp_path, CALM)
    assert [items_of(one) for one in scale.subscales] == [("mean", [1, 2, 3]), ("mean", [2, 5])]
    assert [item.number for item in scale.items if item.filler] == [4, 6]


@pytest.mark.parametrize(
    ("said", "anchors"),
    [
        ('0 denotes "very off" and 4 denotes "very apt"', {0: "very off", 4: "very apt"}),
        ("0 denotes 'off', 4 denotes 'apt'.", {0: "off", 4: "apt"}),
        ("0 denotes 'don't know', 4 denotes 'can't say'", {0: "don't know", 4: "can't say"}),
        ("0 denotes Off, 4 denotes Rather apt. Go.", {0: "Off", 4: "Rather apt"}),
        ("4 means 'Like', 0 means 'Dislike'", {0: "Dislike", 4: "Like"}),
        ("0 = 'No match', 4: 'Match'", {0: "No match", 4: "Match"}),
        ("from 0 (off) to 4 (apt) in the 9 statements", {0: "off", 4: "apt"}),
        ("'4' to indicate 'YES' and '0' to indicate 'NO'", {0: "NO", 4: "YES"}),
        ("If it fits, score 4 points; if not, score 0 point", {0: "not", 4: "it fits"}),
    ],
)
def test_anchors_are_read_from_the_prompt(tmp_path: Path, said: str, anchors: dict[int, str]) -> None:
    scale = only_scale(tmp_path, {**CALM, "prompt": f"Reply numbers from 0 to 4. {said}"})
    assert {one.code: one.anchor for one in scale.options if one.anchor is not None} == anchors


def test_the_study_asks_every_scale_once_without_a_situation(tmp_path: Path) -> None:
    other = {**CALM, "name": "Other", "compute_mode": "SUM"}
    written = write_specs(source(tmp_path, CALM, other), tmp_path / "specs")
    assert (written.study, written.scales, written.refused) == (
        tmp_path / "specs" / "psychobench.eb",
        ("Calm_R", "Other"),
        (),
    )
    plan = plan_of(tmp_path / "specs")
    assert [one.id for one in plan.models] == ["simulated_unmoved"]
    assert [one.name for one in plan.protocol.conditions] == ["default"]
    assert plan.stimuli == ()
    assert [items_of(one)[0] for one in plan.scales[1].subscales] == ["sum", "sum"]


def test_what_is_told_to_a_model_is_the_questionnaires_own_text(tmp_path: Path) -> None:
    write_specs(source(tmp_path, CALM), tmp_path / "specs")
    text = (tmp_path / "specs" / "scales" / "calm_r.eb").read_text(encoding="utf-8")
    assert 'system "You answer with numbers {{and nothing else}}."' in text
    assert f"    {CALM['prompt']}\n    {{scale.items}}\n" in text


def test_one_without_a_scoring_key_is_left_out(tmp_path: Path) -> None:
    written = write_specs(source(tmp_path, KEYLESS, CALM), tmp_path / "specs")
    assert written.scales == ("Calm_R",)
    assert [one.name for one in written.refused] == ["Keyless"]
    assert "gives it no subscales" in written.refused[0].message
    assert sorted(path.name for path in (tmp_path / "specs").rglob("*.eb")) == ["calm_r.eb", "psychobench.eb"]


def test_some_can_be_named(tmp_path: Path) -> None:
    write_specs(source(tmp_path, CALM, {**CALM, "name": "Other"}), tmp_path / "specs", ["Other"])
    assert [one.id for one in plan_of(tmp_path / "specs").scales] == ["Other"]


@pytest.mark.parametrize(
    ("questionnaires", "only", "said"),
    [
        ([KEYLESS], [], "Keyless is left out: .* There is nothing else to import"),
        ([KEYLESS, CALM], ["Keyless"], "Keyless is left out: .* There is nothing else to import"),
        ([CALM], ["CalmR"], r"no questionnaire CalmR\. Did you mean Calm-R\? It has: Calm-R\."),
        ([CALM], ["xyz"], r"no questionnaire xyz\. It has: Calm-R\."),
        ([], [], "is empty"),
        ([CALM, {**CALM, "name": "calm r"}], [], r"2 questionnaires whose file would be scales/calm_r\.eb"),
        ([{**CALM, "scale": 5}], [], r"its `scale` must be A \+ B"),
        ([{**CALM, "compute_mode": "MEDIAN"}], [], "is not as PsychoBench has it.*compute_mode"),
        ([{**CALM, "categories": [{"cat_name": "A"}]}], [], "is not as PsychoBench has it.*cat_questions"),
    ],
)
def test_what_cannot_be_imported_is_told_and_nothing_is_written(
    tmp_path: Path, questionnaires: list[dict[str, Any]], only: list[str], said: str
) -> None:
    place = source(tmp_path, *questionnaires)
    with pytest.raises(UserError, match=said):
        write_specs(place, tmp_path / "specs", only)
    assert not (tmp_path / "specs").exists()


def test_a_file_of_the_users_is_not_written_over(tmp_path: Path) -> None:
    place = source(tmp_path, CALM)
    mine = tmp_path / "specs" / "psychobench.eb"
    mine.parent.mkdir()
    mine.write_text("# mine\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"psychobench\.eb was not written by this command"):
        write_specs(place, tmp_path / "specs")
    assert [path.name for path in (tmp_path / "specs").rglob("*")] == ["psychobench.eb"]


def test_a_key_that_names_no_item_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beyond = {**CALM, "categories": [{"cat_name": "All", "cat_questions": [1, 1, 9]}]}
    place = str(source(tmp_path, beyond))
    assert main(["import", "psychobench", place, "--specs", str(tmp_path / "specs")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "error[E032]" in said.err
    assert "error[E022]" in said.err
    assert "calm_r.eb" in said.err


# --- all of them ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def upstream() -> dict[str, dict[str, Any]]:
    entries = json.loads((UPSTREAM / "questionnaires.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in entries}


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("specs")
    write_specs(UPSTREAM, folder)
    return folder


@pytest.fixture(scope="module")
def scales(specs: Path) -> dict[str, Scale]:
    return {scale.title: scale for scale in plan_of(specs).scales}


@upstream_file
def test_upstream_all_but_one_are_scales(upstream: dict[str, dict[str, Any]], scales: dict[str, Scale]) -> None:
    assert len(scales) == 13
    assert set(upstream) - set(scales) == {"16P"}
    assert [scale.id for scale in scales.values()] == [scale_name(name) for name in scales]


@upstream_file
def test_upstream_options_items_and_reverse_keys_are_the_files(
    upstream: dict[str, dict[str, Any]], scales: dict[str, Scale]
) -> None:
    for name, scale in scales.items():
        entry = upstream[name]
        codes = [int(option.code) for option in scale.options]
        assert codes == list(range(codes[0], codes[-1] + 1))
        assert f"numbers from {codes[0]} to {codes[-1]}" in entry["inner_setting"]
        assert codes[0] + codes[-1] == entry["scale"]
        assert {str(item.number): item.text for item in scale.items} == entry["questions"]
        assert [item.number for item in scale.items] == list(range(1, len(entry["questions"]) + 1))
        assert {item.number for item in scale.items if item.reverse} == set(entry["reverse"])
        assert all(item.options is None for item in scale.items)


@upstream_file
def test_upstream_subscales_and_norms_are_the_files(
    upstream: dict[str, dict[str, Any]], scales: dict[str, Scale]
) -> None:
    for name, scale in scales.items():
        entry = upstream[name]
        function = {"AVG": "mean", "SUM": "sum"}[entry["compute_mode"]]
        assert [(one.title, items_of(one)) for one in scale.subscales] == [
            (category["cat_name"], (function, sorted(category["cat_questions"])))
            for category in entry["categories"]
        ]
        titles = {one.id: one.title for one in scale.subscales}
        assert [(titles[one.subscale], one.group, one.mean, one.sd, one.n) for one in scale.norms] == [
            (category["cat_name"], crowd["crowd_name"], crowd["mean"], crowd["std"], crowd["n"])
            for category in entry["categories"]
            for crowd in category["crowd"]
        ]


@upstream_file
def test_upstream_counts(scales: dict[str, Scale]) -> None:
    assert sum(len(scale.items) for scale in scales.values()) == 512
    assert sum(len(scale.subscales) for scale in scales.values()) == 69
    assert sum(len(scale.norms) for scale in scales.values()) == 83
    fillers = {name: [one.number for one in scale.items if one.filler] for name, scale in scales.items()}
    assert {name: items for name, items in fillers.items() if items} == {
        "BSRI": list(range(41, 61)),
        "LOT-R": [2, 5, 6, 8],
    }


@upstream_file
def test_upstream_anchors_stand_where_the_prompts_name_them(
    upstream: dict[str, dict[str, Any]], scales: dict[str, Scale]
) -> None:
    named = {name: [option.code for option in scale.options if option.anchor] for name, scale in scales.items()}
    ends_only = {"Empathy": [1, 7], "BSRI": [1, 7], "DTDD": [1, 9]}
    for name, scale in scales.items():
        assert named[name] == ends_only.get(name, [option.code for option in scale.options])
        assert all(option.anchor in upstream[name]["prompt"] for option in scale.options if option.anchor)
    assert scales["EPQ-R"].options == (Option(0, "NO"), Option(1, "YES"))
    assert [option.anchor for option in scales["GSE"].options] == [
        "Disagree",
        "Somewhat disagree",
        "Somewhat agree",
        "Agree",
    ]


@upstream_file
def test_upstream_specs_are_in_the_one_layout(specs: Path) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in specs.rglob("*.eb")}
    assert len(texts) == 14
    assert all(format_file(parse(name, text)[0]) == text for name, text in texts.items())


@upstream_file
def test_upstream_from_the_file_to_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    specs, results = tmp_path / "specs", str(tmp_path / "results")
    assert main(["import", "psychobench", str(UPSTREAM), "--specs", str(specs)]) == 0
    said = capsys.readouterr()
    assert "13 scales: Empathy, BFI, BSRI, " in said.out
    assert said.out.endswith("left out: 16P\n")
    assert said.err.count("\n") == 1
    assert said.err.startswith("ebc: 16P is left out: ")
    assert "a web service scores its answers" in said.err

    assert main(["run", str(specs / "psychobench.eb"), "--results", results]) == 0
    capsys.readouterr()
    query = (
        "SELECT count(DISTINCT scale) AS scales, count(DISTINCT (scale, subscale)) AS subscales, "
        "count(*) AS scores, count(score) AS whole FROM scores"
    )
    assert main(["sql", query, "--results", results, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"scales": 13, "subscales": 69, "scores": 690, "whole": 690}]


@upstream_file
def test_upstream_the_refused_one_alone_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["import", "psychobench", str(UPSTREAM), "--specs", str(tmp_path / "specs")]
    assert main([*arguments, "--only", "16P"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("ebc: 16P is left out: ")
    assert not (tmp_path / "specs").exists()

    assert main([*arguments, "--only", "16P", "--only", "BFI", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["scales"] == ["BFI"]
    assert [one["name"] for one in told["refused"]] == ["16P"]
