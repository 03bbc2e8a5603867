"""The specs that come with ebc: they are sound, laid out, and say what the instruments say."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from compiler import compile_study, load
from compiler.diagnostics import frame
from compiler.format import format_file
from ebc.asked import library
from ebc.tables import DiskFiles
from schemas.plan import Call, ItemValue, Plan

SPECS = Path(__file__).parents[2] / "specs"
SHARED = Path(__file__).parents[3] / "shared" / "studies"
OTHERS_DATA = ("empathetic_responding", "story_similarity")
FILES = sorted(path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.eb"))

PANAS_WORDS = (
    "interested distressed excited upset strong guilty scared hostile enthusiastic proud irritable alert "
    "ashamed inspired nervous determined attentive jittery active afraid"
)
POSITIVE = {1, 3, 5, 9, 10, 12, 14, 16, 17, 19}


def plan_of(path: str, root: Path = SPECS) -> Plan:
    checked = load(path, DiskFiles(root), library())
    assert not checked.errors
    (study,) = checked.program.own_studies()
    return compile_study(checked, study)[-1][1].plan


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The specs, with other people's data where these are at hand."""
    made = tmp_path_factory.mktemp("specs")
    shutil.copytree(SPECS, made, dirs_exist_ok=True)
    for data in OTHERS_DATA if SHARED.is_dir() else ():
        shutil.copytree(SHARED / data, made / "studies" / data)
    return made


def require_data(path: str) -> None:
    text = (SPECS / path).read_text(encoding="utf-8")
    if not SHARED.is_dir() and any(f'from "{data}/' in text for data in OTHERS_DATA):
        pytest.skip("the studies' data are not in ../shared/studies beside the repository")


def test_every_kind_of_spec_is_here() -> None:
    assert {"anger.eb", "emotions.eb", "emotions/anger.eb", "emotions/joy.eb"} < set(FILES)
    assert {"lib/panas.eb", "lib/prompts.eb", "lib/appraisal.eb", "lib/models.eb"} < set(FILES)


@pytest.mark.parametrize("path", FILES)
def test_nothing_is_wrong(path: str, root: Path) -> None:
    require_data(path)
    checked = load(path, DiskFiles(root), library())
    said = [frame(one, checked.sources) for one in checked.diagnostics]
    assert not said, "\n".join(said)


@pytest.mark.parametrize("path", FILES)
def test_is_in_the_one_layout(path: str) -> None:
    checked = load(path, DiskFiles(SPECS), library())
    assert format_file(checked.program.files[path]) == (SPECS / path).read_text(encoding="utf-8")


def test_every_file_but_whole_studies_may_be_used_at_once(tmp_path: Path) -> None:
    lines = [f'use "{path}"' for path in FILES if not path.startswith("studies/")]
    (tmp_path / "all.eb").write_text("\n".join(lines), encoding="utf-8")
    checked = load("all.eb", DiskFiles(tmp_path), library())
    assert not [frame(one, checked.sources) for one in checked.diagnostics]


def test_panas_is_the_instrument() -> None:
    (panas,) = plan_of("anger.eb").scales
    assert " ".join(item.text for item in panas.items) == PANAS_WORDS
    assert [item.number for item in panas.items] == list(range(1, 21))
    assert [(option.code, option.anchor is None) for option in panas.options] == [
        (code, False) for code in range(1, 6)
    ]
    assert not any(item.reverse or item.filler for item in panas.items)
    assert panas.doi == "10.1037/0022-3514.54.6.1063"


def test_panas_keys() -> None:
    (panas,) = plan_of("anger.eb").scales
    keys = {}
    for subscale in panas.subscales:
        assert isinstance(subscale.score, Call)
        assert subscale.score.function == "sum"
        keys[subscale.id] = [one.item for one in subscale.score.arguments if isinstance(one, ItemValue)]
    assert keys["positive"] == sorted(POSITIVE)
    assert keys["negative"] == sorted(set(range(1, 21)) - POSITIVE)
    assert [subscale.title for subscale in panas.subscales] == ["Positive Affect", "Negative Affect"]


def test_the_study_of_anger() -> None:
    plan = plan_of("anger.eb")
    situations = Counter(stimulus.factor for stimulus in plan.stimuli)
    assert len(situations) >= 5
    assert min(situations.values()) >= 4
    assert {stimulus.emotion for stimulus in plan.stimuli} == {"anger"}
    assert [model.provider for model in plan.models] == ["simulated"]
    assert plan.study.panels == ("simulated",)
    assert plan.study.orders == tuple(range(10))
    assert plan.study.seed > 0
    (contrast,) = plan.contrasts
    assert [side.level for side in contrast.sides] == ["evoked", "default"]
    assert contrast.by == ((), ("factor",))
    assert (contrast.test, contrast.alpha, contrast.effect, contrast.adjust) == (
        "welch",
        0.01,
        "hedges_g",
        "holm",
    )


def test_baseline_is_asked_without_a_situation() -> None:
    default, evoked = plan_of("anger.eb").protocol.conditions
    assert (default.name, default.each_stimulus, len(default.steps)) == ("default", False, 1)
    assert (evoked.name, evoked.each_stimulus, len(evoked.steps)) == ("evoked", True, 2)


def test_joy_is_one_file_that_the_study_takes_up() -> None:
    told = [path for path in FILES if "joy" in path]
    assert told == ["emotions/joy.eb"]
    situations = Counter(s.factor for s in plan_of("emotions.eb").stimuli if s.emotion == "joy")
    assert len(situations) >= 3
    assert min(situations.values()) >= 4


def test_a_new_emotion_is_a_new_file(tmp_path: Path) -> None:
    shutil.copytree(SPECS, tmp_path / "specs", ignore=shutil.ignore_patterns("__pycache__", "*.plan"))
    before = {stimulus.emotion for stimulus in plan_of("emotions.eb", tmp_path / "specs").stimuli}
    pride = 'emotion pride {\n  factor craft { "The chair that you built carries its first guest." }\n}\n'
    (tmp_path / "specs" / "emotions" / "pride.eb").write_text(pride, encoding="utf-8")
    after = {stimulus.emotion for stimulus in plan_of("emotions.eb", tmp_path / "specs").stimuli}
    assert after - before == {"pride"}


def test_no_situation_stands_twice() -> None:
    texts = [stimulus.fields["situation"].casefold() for stimulus in plan_of("emotions.eb").stimuli]
    assert [text for text, count in Counter(texts).items() if count > 1] == []


def test_factors_have_their_share() -> None:
    factors = Counter((s.emotion, s.factor) for s in plan_of("emotions.eb").stimuli)
    assert min(factors.values()) >= 4
    assert min(Counter(emotion for emotion, _ in factors).values()) >= 3


def test_the_library_is_found_from_anywhere(tmp_path: Path) -> None:
    text = 'use "lib/appraisal"\nuse "lib/panas"\nuse "lib/models"\nuse "emotions/joy"\n' + (
        "study own { protocol appraisal scales PANAS stimuli joy panels simulated_unmoved }"
    )
    (tmp_path / "own.eb").write_text(text, encoding="utf-8")
    assert plan_of("own.eb", tmp_path).study.id == "own"


def test_the_steady_variant_only_adds_to_the_system_message(tmp_path: Path) -> None:
    head = 'use "lib/prompts"\nuse "lib/panas"\nuse "lib/models"\n'
    protocol = "protocol calm { condition plain { measure with self_report }"
    protocol += " condition steadied { measure with self_report.steady } }\n"
    study = "study own { protocol calm scales PANAS panels simulated }"
    (tmp_path / "own.eb").write_text(head + protocol + study, encoding="utf-8")
    plain, steady = plan_of("own.eb", tmp_path).prompts
    assert steady.id == "self_report.steady"
    assert steady.messages[1:] == plain.messages[1:]
    assert steady.messages[0].template[:-1] == plain.messages[0].template[:-1]
    assert steady.messages[0] != plain.messages[0]
