"""A checkout as specs: a small one by hand, and the whole one where it stands beside the repository."""

import json
from pathlib import Path
from typing import Any

import pytest

import compiler
from compiler.format import format_file
from compiler.parse import parse
from ebc.asked import library
from ebc.cli import main
from ebc.emotionbench import write_specs
from ebc.errors import UserError
from ebc.pipeline import compile_spec
from ebc.questionnaires.words import numbers, subscale_names, unique
from ebc.tables import DiskFiles
from schemas.plan import Call, Option, Plan
from tests.runtime.recorded_plans import UPSTREAM, upstream_files

MOOD: dict[str, Any] = {
    "name": "Mood-2",
    "questions": {"1": "Light {of heart}", "2": 'Heavy "as lead"', "3": "Steady"},
    "compute_mode": "SUM*2",
    "prompt": 'Answer with numbers from 1 to 3. SCENARIO Rate: 1 denotes "no", 3 denotes "yes":',
    "inner_setting": "You answer with numbers.",
    "scale": 4,
    "reverse": [2],
    "categories": [
        {"cat_name": "Light Mood (L)", "cat_questions": [1, 3]},
        {"cat_name": "Heavy Mood", "cat_questions": [2]},
    ],
}
CHOICES: dict[str, Any] = {
    "name": "CH",
    "questions": {"1": "0. I rest. 1. I work. 2. I work 10 hours.", "2": "0. Tea. 1. Coffee. 2. Milk."},
    "compute_mode": "AVG",
    "prompt": "Answer with numbers from 0 to 2. SCENARIO Choose:",
    "inner_setting": "You choose.",
    "scale": 2,
    "reverse": [],
    "categories": [{"cat_name": "Overall", "cat_questions": [1, 2]}],
}
SITUATIONS: dict[str, Any] = {
    "emotions": [
        {
            "name": "Calm",
            "factors": [
                {"name": "At the Sea (Alone)", "scenarios": ["You hear waves.", 'A sign says "rest".']},
                {"name": "At the Sea (Alone)", "scenarios": ["You count gulls."]},
            ],
        },
        {"name": "Awe", "factors": [{"name": "Mountains", "scenarios": ["You see a summit {at dawn}."]}]},
    ]
}


def checkout(folder: Path, *, choices: dict[str, Any] = CHOICES) -> Path:
    """A checkout with answers to both questionnaires: to one after every emotion, to the other after one."""
    source = folder / "source"
    results = source / "results" / "All"
    results.mkdir(parents=True)
    (source / "questionnaires.json").write_text(json.dumps([MOOD, choices]), encoding="utf-8")
    (source / "situations.json").write_text(json.dumps(SITUATIONS), encoding="utf-8")
    (results / "small-1-Mood-2-testing.csv").write_text(
        "question-0,order-0,General_test-0_order-0,Calm-0_scenario-1_test-0_order-0,Awe-0_scenario-0_test-0_order-0\n"
        'Prompt,Prompt, ,"Think of this: ""You hear waves."".",x\n'
        "1,1,1,2,3\n2,2,1,1,1\n3,3,3,2,1\n",
        encoding="utf-8",
    )
    (results / "small-1-CH-testing.csv").write_text(
        "question-0,order-0,General_test-0_order-0,Awe-0_scenario-0_test-0_order-0\n"
        "Prompt,Prompt, ,x\n1,2,0,1\n2,1,2,2\n",
        encoding="utf-8",
    )
    return source


def written(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.eb")
    }


def plan_of(specs: Path, name: str) -> Plan:
    checked = compiler.load(name, DiskFiles(specs), library())
    assert checked.errors == ()
    (compiled,) = compile_spec(checked)
    return compiled.plan


def test_the_files_and_the_studies(tmp_path: Path) -> None:
    studies = write_specs(checkout(tmp_path), tmp_path / "specs", None)
    assert [path.name for path in studies] == ["emotionbench_mood_2.eb", "emotionbench_ch.eb"]
    assert set(written(tmp_path / "specs")) == {
        "emotionbench_ch.eb",
        "emotionbench_mood_2.eb",
        "emotions/awe.eb",
        "emotions/calm.eb",
        "prompts.eb",
        "scales/ch.eb",
        "scales/mood_2.eb",
    }


def test_every_file_is_in_the_one_layout(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    for name, text in written(tmp_path / "specs").items():
        file, found = parse(name, text)
        assert not found
        assert format_file(file) == text


def test_a_questionnaire_becomes_a_scale(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    (scale,) = plan_of(tmp_path / "specs", "emotionbench_mood_2.eb").scales
    assert (scale.id, scale.title) == ("Mood_2", "Mood-2")
    assert scale.options == (Option(1, "no"), Option(2), Option(3, "yes"))
    assert [item.text for item in scale.items] == ["Light {of heart}", 'Heavy "as lead"', "Steady"]
    assert [item.reverse for item in scale.items] == [False, True, False]
    assert [(one.id, one.title) for one in scale.subscales] == [
        ("light", "Light Mood (L)"),
        ("heavy", "Heavy Mood"),
    ]


def test_items_that_are_their_options_get_options_of_their_own(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    (scale,) = plan_of(tmp_path / "specs", "emotionbench_ch.eb").scales
    assert scale.items[0].options == (
        Option(0, "I rest."),
        Option(1, "I work."),
        Option(2, "I work 10 hours."),
    )
    overall, as_given = scale.subscales
    assert isinstance(overall.score, Call)
    assert (overall.id, overall.score.function) == ("overall", "mean")
    assert isinstance(as_given.score, Call)
    assert (as_given.id, as_given.score.function) == ("as_given", "sum")


def test_items_may_differ_in_their_anchors(tmp_path: Path) -> None:
    grouped = {
        **MOOD,
        "name": "Grouped",
        "compute_mode": "SUM",
        "reverse": [],
        "prompt": 'Use numbers from 1 to 3. SCENARIO 1 denotes "a" and 3 denotes "b" for question 1 to 1, '
        'and question 3 to 3. While 1 denotes "c" for questions 2 to 2.',
    }
    source = checkout(tmp_path, choices=grouped)
    results = source / "results" / "All"
    (results / "small-1-CH-testing.csv").rename(results / "small-1-Grouped-testing.csv")
    write_specs(source, tmp_path / "specs", None)
    (scale,) = plan_of(tmp_path / "specs", "emotionbench_grouped.eb").scales
    anchors = [[option.anchor for option in scale.options_of(item)] for item in scale.items]
    assert anchors == [["a", None, "b"], ["c", None, None], ["a", None, "b"]]
    assert [one.id for one in scale.subscales] == ["light", "heavy", "total"]


def test_situations_keep_their_places_and_braces(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    stimuli = plan_of(tmp_path / "specs", "emotionbench_mood_2.eb").stimuli
    assert [(one.emotion, one.factor, one.factor_index, one.situation) for one in stimuli] == [
        ("awe", "mountains", 0, 0),
        ("calm", "at_the_sea_alone", 0, 0),
        ("calm", "at_the_sea_alone", 0, 1),
        ("calm", "at_the_sea_alone_2", 1, 0),
    ]
    assert stimuli[0].fields["situation"] == "You see a summit {at dawn}."
    assert stimuli[2].fields["situation"] == 'A sign says "rest".'


def test_a_scale_recorded_after_one_emotion_is_asked_after_that_one(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    plan = plan_of(tmp_path / "specs", "emotionbench_ch.eb")
    assert {one.emotion for one in plan.stimuli} == {"awe"}
    (mapping,) = plan.responses
    assert mapping.kind == "model"


def test_what_models_were_told_is_taken_from_the_recordings(tmp_path: Path) -> None:
    write_specs(checkout(tmp_path), tmp_path / "specs", None)
    assert 'prompt imagine "Think of this: \\"{situation}\\"."' in written(tmp_path / "specs")["prompts.eb"]


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    source = checkout(tmp_path)
    write_specs(source, tmp_path / "specs", None)
    first = written(tmp_path / "specs")
    write_specs(source, tmp_path / "specs", None)
    assert written(tmp_path / "specs") == first


def test_a_file_of_the_users_is_not_written_over(tmp_path: Path) -> None:
    source = checkout(tmp_path)
    mine = tmp_path / "specs" / "prompts.eb"
    mine.parent.mkdir()
    mine.write_text("# mine\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"prompts\.eb was not written by this command"):
        write_specs(source, tmp_path / "specs", None)
    assert list(written(tmp_path / "specs")) == ["prompts.eb"]


def test_printed_numbers_are_copied_and_mapped(tmp_path: Path) -> None:
    printed = tmp_path / "printed"
    printed.mkdir()
    content = "emotion,scale,default_mean,default_sd,arrow,change\nAwe,CH,1.0,0.0,ns,0.5\n"
    (printed / "table5_challenging.csv").write_text(content, encoding="utf-8")
    write_specs(checkout(tmp_path), tmp_path / "specs", printed)
    assert (tmp_path / "specs" / "published" / "table5_challenging.csv").read_text(encoding="utf-8") == content
    (expectation,) = plan_of(tmp_path / "specs", "emotionbench_ch.eb").expectations
    (cell,) = expectation.cells
    assert cell.direction == "none"
    assert [(one.column, one.value, one.decimals) for one in cell.numbers] == [
        ("b_mean", 1.0, 1),
        ("b_sd", 0.0, 1),
        ("estimate", 0.5, 1),
    ]


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("questionnaires.json", None, "there is no "),
        ("questionnaires.json", b"[{]", "is not as EmotionBench has it"),
        ("questionnaires.json", b'[{"name": 3}]', "is not as EmotionBench has it"),
        ("questionnaires.json", b"\xff", "is not as EmotionBench has it"),
        ("situations.json", b'{"emotions": 1}', "is not as EmotionBench has it"),
        ("questionnaires.json", json.dumps([{**MOOD, "scale": 9}]).encode(), "must be A + B"),
        ("questionnaires.json", json.dumps([{**MOOD, "name": "Other"}]).encode(), "has no file like"),
        ("results/All/small-1-CH-testing.csv", b"\xff\xfe", "cannot be read"),
        ("questionnaires.json", json.dumps([{**MOOD, "questions": {"one": "x"}}]).encode(), "is not as"),
    ],
)
def test_what_is_no_checkout_is_told(tmp_path: Path, file: str, content: bytes | None, said: str) -> None:
    source = checkout(tmp_path)
    if content is None:
        (source / file).unlink()
    else:
        (source / file).write_bytes(content)
    with pytest.raises(UserError) as raised:
        write_specs(source, tmp_path / "specs", None)
    assert said in str(raised.value)
    assert not (tmp_path / "specs").exists()


def test_a_folder_without_printed_numbers_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"neither published_by_factor\.csv nor"):
        write_specs(checkout(tmp_path), tmp_path / "specs", tmp_path)


def test_words() -> None:
    assert subscale_names(["Positive Affect", "Negative Affect"]) == ["positive", "negative"]
    assert subscale_names(["Overall"]) == ["overall"]
    assert subscale_names(["Overall", "Social Fears (SOC)"]) == ["overall", "social_fears"]
    assert unique(["a", "b", "a", "a"]) == ["a", "b", "a_2", "a_3"]
    assert numbers([1, 2, 3, 5, 6, 9]) == "1..3, 5, 6, 9"


# --- the whole checkout -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("specs")
    write_specs(UPSTREAM, folder, UPSTREAM / "published")
    return folder


@upstream_files
def test_the_upstream_specs_are_checked_and_formatted(specs: Path) -> None:
    texts = written(specs)
    assert len(texts) == 9 + 9 + 8 + 1
    assert all(format_file(parse(name, text)[0]) == text for name, text in texts.items())
    for name in sorted(name for name in texts if name.startswith("emotionbench_")):
        diagnostics = compiler.load(name, DiskFiles(specs), library()).diagnostics
        assert [one.message for one in diagnostics if "stands twice" not in one.message] == []


@upstream_files
def test_the_upstream_panas_study(specs: Path) -> None:
    plan = plan_of(specs, "emotionbench_panas.eb")
    assert len(plan.stimuli) == 428
    assert len({(one.emotion, one.factor_index) for one in plan.stimuli}) == 36
    assert [one.id for one in plan.scales[0].subscales] == ["positive", "negative"]
    assert [one.id for one in plan.responses] == ["recorded", "crowd"]
    assert {one.name: (one.test, one.alpha, one.adjust, one.paired_by) for one in plan.contrasts} == {
        "shift": ("f_then_t", 0.01, "none", None),
        "shift_by_situation": ("welch", 0.01, "holm", None),
        "as_people": ("equivalence", 0.05, "holm", "stimulus"),
        "people": ("paired_t", 0.01, "none", "respondent"),
        "people_by": ("paired_t", 0.01, "none", "respondent"),
    }
    assert [(one.name, one.count) for split in plan.study.splits for one in split.parts] == [
        ("train", 866),
        ("test", 400),
    ]
    assert [(one.contrast, len(one.cells)) for one in plan.expectations] == [("shift", 630), ("people", 90)]


@upstream_files
def test_the_upstream_challenging_scales_are_keyed(specs: Path) -> None:
    reversed_items = {"agq": [7, 18], "bfne": [2, 4, 7, 10], "bdi": [], "gasp": []}
    for name, items in reversed_items.items():
        (scale,) = plan_of(specs, f"emotionbench_{name}.eb").scales
        assert [item.number for item in scale.items if item.reverse] == items
    (bdi,) = plan_of(specs, "emotionbench_bdi.eb").scales
    assert {len(bdi.options_of(item)) for item in bdi.items} == {4}
    totals = [plan_of(specs, f"emotionbench_{name}.eb").scales[0].subscales[-1].id for name in ("gasp", "mjs")]
    assert totals == ["total", "total"]


KEYS = {
    "agq": {"overall": (117.3, 9.6, 6.7), "as_given": (128.3, 8.9, 1.3)},
    "bfne": {"overall": (42.2, 2.6, -2.6), "as_given": (39.0, 1.9, 0.2)},
    "dass_21": {"overall": (65.0, 20.0, -4.6), "as_given": (32.5, 10.0, -2.3)},
    "bdi": {"overall": (0.2, 0.6, 12.6)},
    "mjs": {"total": (83.7, 20.3, 0.1)},
    "gasp": {"total": (81.3, 9.7, -2.6)},
}
"""Mean, sd and change by the scale's own key, and by that of the print."""


@upstream_files
def test_from_the_upstream_checkout_to_the_papers_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    specs, results = str(tmp_path / "specs"), str(tmp_path / "results")
    bring_in = ["import", "emotionbench", str(UPSTREAM), "--specs", specs, "--results", results]
    bring_in += ["--published", str(UPSTREAM / "published"), "--format", "json"]
    assert main(bring_in) == 0
    imports = json.loads(capsys.readouterr().out)["imports"]
    assert sum(one["responses"] for one in imports) == 16_949
    assert sum(one["values"] for one in imports) == 348_760
    assert sum(one["without_value"] for one in imports) == 60

    assert main(["report", "emotionbench_panas", "--results", results, "--format", "json"]) == 0
    expectations = json.loads(capsys.readouterr().out)["expectations"]
    assert (expectations["within"], expectations["outside"]) == (609 + 53, 21 + 37)
    assert all(cell["agrees"] or cell["erratum"] for cell in expectations["cells"])

    for name in ("agq", "bdi", "bfne", "dass_21", "fds", "fss", "gasp", "mjs"):
        assert main(["report", f"emotionbench_{name}", "--results", results, "--format", "json"]) == 0
        report = json.loads(capsys.readouterr().out)
        (cell,) = report["expectations"]["cells"]
        assert cell["agrees"] is (name not in ("bdi", "mjs"))
        assert (cell["erratum"] is None) is cell["agrees"]
        overall = {row["subscale"]: row for row in report["rows"] if row["group_kind"] == "overall"}
        for subscale, wanted in KEYS.get(name, {}).items():
            found = overall[subscale]
            assert tuple(round(found[one], 1) for one in ("b_mean", "b_sd", "estimate")) == wanted

    assert main(bring_in) == 0
    assert {one["new"] for one in json.loads(capsys.readouterr().out)["imports"]} == {False}
