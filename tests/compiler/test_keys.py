"""Keys of answers: all that determines an answer is in them, and nothing else. They are a public contract."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.lower.draft import Draft
from compiler.lower.expand import NOT_OF_THE_ANSWER, expand
from schemas.plan import (
    Condition,
    Hole,
    Item,
    Measure,
    Message,
    Model,
    Option,
    Plan,
    PlannedTrial,
    Present,
    Price,
    Prompt,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Template,
    Text,
)
from schemas.planfile import PlannedTrials, digest
from schemas.render import Renderer
from tests.compiler.test_lower import SPEC, TWINS, compiled
from tests.runtime.plans import plan as a_plan

MODEL = Model("m", "openai", "gpt", {"base_url": "http://localhost/v1"})


def trials_of(plan: Plan) -> list[PlannedTrial]:
    return list(PlannedTrials(expand(Draft(plan)).planned()))


def trial_keys(plan: Plan) -> set[str]:
    return {trial.trial_key for trial in trials_of(plan)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [(SPEC, "9763c2d62b00eecc"), (TWINS, "d8e197203ed5d2e6")],
    ids=["each question once", "questions that stand twice"],
)
def test_keys_are_those_of_every_version(tmp_path: Path, text: str, expected: str) -> None:
    """Kept answers are found by these keys: when this fails, every study that anybody began is asked anew."""
    _, trials = compiled(tmp_path, text)
    said = "\n".join(f"{trial.trial_key} {trial.request_key}" for trial in trials)
    assert hashlib.blake2b(said.encode(), digest_size=8).hexdigest() == expected


def _study(plan: Plan, **changes: object) -> Plan:
    return msgspec.structs.replace(plan, study=msgspec.structs.replace(plan.study, **changes))


def _model(plan: Plan, **changes: object) -> Plan:
    return msgspec.structs.replace(plan, models=(msgspec.structs.replace(plan.models[0], **changes),))


def _prompt(plan: Plan, number: int, *templates: Message) -> Plan:
    prompts = [*plan.prompts]
    prompts[number] = Prompt(prompts[number].id, templates)
    return msgspec.structs.replace(plan, prompts=tuple(prompts))


def _scale(plan: Plan, **changes: object) -> Plan:
    return msgspec.structs.replace(plan, scales=(msgspec.structs.replace(plan.scales[0], **changes),))


def _items(plan: Plan, **changes: object) -> Plan:
    items = plan.scales[0].items
    return _scale(plan, items=tuple(msgspec.structs.replace(item, **changes) for item in items))


def _stimuli(plan: Plan, **changes: object) -> Plan:
    return msgspec.structs.replace(
        plan, stimuli=tuple(msgspec.structs.replace(one, **changes) for one in plan.stimuli)
    )


SAMPLING = Sampling(temperature=1.0, max_tokens=50)
PLAN = a_plan(2, MODEL, repeats=2, sampling=SAMPLING)
OPTIONS = PLAN.scales[0].options

OF_THE_ANSWER: dict[str, Plan] = {
    "the provider": _model(PLAN, provider="simulated"),
    "the model's name": _model(PLAN, name="gpt-2"),
    "the address": _model(PLAN, settings={"base_url": "http://other/v1"}),
    "a setting": _model(PLAN, settings={**MODEL.settings, "effort": "high"}),
    "the readout": _model(PLAN, readout="json"),
    **{
        f"sampling: {name}": _study(
            PLAN, sampling=msgspec.structs.replace(PLAN.study.sampling, **{name: value})
        )
        for name, value in {
            "temperature": 0.0,
            "top_p": 0.5,
            "max_tokens": 60,
            "seed": 1,
            "frequency_penalty": 0.1,
            "presence_penalty": 0.1,
        }.items()
    },
    "what is not said of the sampling": _study(PLAN, sampling=Sampling(max_tokens=50)),
    "the question's words": _prompt(PLAN, 0, Message("user", (Text("Say: "), Hole("scale.items")))),
    "a system message": _prompt(PLAN, 0, Message("system", (Text("Be calm."),)), *PLAN.prompts[0].messages),
    "the role": _prompt(PLAN, 0, Message("system", PLAN.prompts[0].messages[0].template)),
    "an item's words": _items(PLAN, text="Other"),
    "an item's number": _scale(
        PLAN,
        items=tuple(msgspec.structs.replace(one, number=one.number + 5) for one in PLAN.scales[0].items),
        orders=tuple(tuple(number + 5 for number in order) for order in PLAN.scales[0].orders),
    ),
    "the options' codes": _scale(PLAN, options=tuple(Option(one.code - 1, one.anchor) for one in OPTIONS)),
    "the scale": msgspec.structs.replace(
        _study(PLAN, scales=("FEELINGS",)),
        scales=(msgspec.structs.replace(PLAN.scales[0], id="FEELINGS"),),
    ),
}

NOT_OF_IT: dict[str, Plan] = {
    "the model's name in the study": _model(PLAN, id="other", title="Other"),
    "its price": _model(PLAN, price=Price(1.0, 2.0)),
    **{f"setting {name}": _model(PLAN, settings={**MODEL.settings, name: 1}) for name in NOT_OF_THE_ANSWER},
    "the study's name": _study(PLAN, id="other", title="Other"),
    "the seed, where the orders are the same": _study(PLAN, seed=7),
    "the scale's title": _scale(PLAN, title="Other"),
    "subscales, norms, missing": _scale(PLAN, subscales=(), missing_allowed=2, citation="Doe"),
    "reverse keying and fillers": _items(PLAN, reverse=True, filler=True, name="x", key=1.0),
    "anchors that are not shown": _scale(PLAN, options=tuple(Option(one.code) for one in OPTIONS)),
    "names of emotion and factor": _stimuli(PLAN, emotion="joy", factor="two", factor_index=3, situation=9),
    "the compiler and the plan's id": msgspec.structs.replace(PLAN, compiler="9", plan_id="x"),
}


@pytest.mark.parametrize("changed", OF_THE_ANSWER.values(), ids=OF_THE_ANSWER)
def test_what_determines_an_answer_changes_every_key(changed: Plan) -> None:
    assert trial_keys(changed).isdisjoint(trial_keys(PLAN))


@pytest.mark.parametrize("changed", NOT_OF_IT.values(), ids=NOT_OF_IT)
def test_what_does_not_changes_none(changed: Plan) -> None:
    assert trial_keys(changed) == trial_keys(PLAN)


def test_what_is_presented_changes_the_keys_of_its_condition_alone() -> None:
    changed = _prompt(PLAN, 1, Message("user", (Text("Think of: "), Hole("situation"))))
    kept = trial_keys(changed) & trial_keys(PLAN)
    assert {trial.condition for trial in trials_of(PLAN) if trial.trial_key in kept} == {"default"}
    assert {trial.condition for trial in trials_of(PLAN) if trial.trial_key not in kept} == {"evoked"}


def test_a_situation_changes_its_own_keys_alone() -> None:
    first, second = PLAN.stimuli
    changed = msgspec.structs.replace(first, fields={"situation": "Another."})
    gone = trial_keys(PLAN) - trial_keys(msgspec.structs.replace(PLAN, stimuli=(changed, second)))
    assert {trial.stimulus for trial in trials_of(PLAN) if trial.trial_key in gone} == {first.id}


def test_the_digest_is_of_the_rows_however_they_are_stored() -> None:
    trials = expand(Draft(a_plan(40, MODEL, repeats=3))).planned()
    pieces = pa.concat_tables([trials.slice(0, 7), trials.slice(7, 90), trials.slice(97)])
    copied = pa.Table.from_pylist(trials.to_pylist(), schema=trials.schema)
    assert digest(pieces) == digest(copied) == digest(trials)
    rows = trials.to_pylist()
    for column, value in {
        "repeat": 5,
        "presented": ["x", "y"],
        "stimulus": None,
        "condition": "defaul",
    }.items():
        edited = [*rows[:-1], {**rows[-1], column: value}]
        assert digest(pa.Table.from_pylist(edited, schema=trials.schema)) != digest(trials)
    assert digest(trials.slice(1)) != digest(trials)


def _mood(text: str) -> Scale:
    return Scale("S", text, (Option(0), Option(1)), (Item(1, "one", "One"),), (), orders=((1,),))


@pytest.mark.parametrize(
    ("template", "title", "situation", "expected"),
    [
        ((Text("a "), Hole("scale.title"), Text(" b")), "", "s", "a b"),
        ((Text("a "), Hole("scale.title"), Text(" b")), " t ", "s", "a  t  b"),
        ((Hole("situation"), Hole("scale.title"), Text(" b")), " t", "", "t b"),
        ((Text("x "), Hole("situation"), Hole("scale.title")), " t", "", "x  t"),
        ((Hole("scale.title"), Hole("situation"), Text(" b")), "t ", "", "t b"),
        ((Text("x"), Hole("scale.title"), Hole("situation"), Text("\nb")), "", "", "x\nb"),
        ((Text("x\n"), Hole("situation"), Text("\nb "), Hole("scale.title"), Text(" c")), "", "", "x\nb c"),
    ],
)
def test_blanks_around_what_is_empty(
    template: tuple[Text | Hole, ...], title: str, situation: str, expected: str
) -> None:
    study = Study("s", "S", ("S",), (), Sampling(), 1, (0,), 1)
    stimulus = Stimulus("one", 0, {"situation": situation})
    prompt = Prompt("ask", (Message("user", template),))
    plan = msgspec.structs.replace(
        PLAN, study=study, scales=(_mood(title),), prompts=(prompt,), stimuli=(stimulus,)
    )
    [message] = Renderer(plan).question("ask", (), "one", "S", 0)
    assert message.content == expected


_words = st.text(alphabet='a %\n"{\\é', max_size=6)
_parts = st.one_of(
    st.builds(Text, _words),
    st.sampled_from([Hole(name) for name in ("presented", "situation", "more", "scale.items", "scale.title")]),
)
_templates = st.lists(_parts, max_size=6).map(tuple)
_roles = st.sampled_from(("user", "system"))


@settings(max_examples=300, deadline=None)
@given(
    asked=st.lists(st.builds(Message, _roles, _templates), min_size=1, max_size=3),
    shown=_templates.map(lambda template: tuple(part for part in template if part != Hole("presented"))),
    fields=st.lists(st.fixed_dictionaries({"situation": _words, "more": _words}), min_size=1, max_size=4),
    title=_words,
)
def test_a_key_is_of_what_is_sent(
    asked: list[Message], shown: Template, fields: list[dict[str, str]], title: str
) -> None:
    """The keys, of which most is hashed once for many, are those of the messages that a run renders."""
    known = tuple(part for part in shown if not isinstance(part, Hole) or not part.name.startswith("scale"))
    first, second = (
        Condition("a", True, (Present("shown"), Measure("ask"))),
        Condition("b", True, (Measure("ask"),)),
    )
    plan = msgspec.structs.replace(
        PLAN,
        protocol=msgspec.structs.replace(PLAN.protocol, conditions=(first, second)),
        scales=(msgspec.structs.replace(PLAN.scales[0], title=title),),
        prompts=(Prompt("ask", tuple(asked)), Prompt("shown", (Message("user", known),))),
        stimuli=tuple(Stimulus(f"s.{number}", number, each) for number, each in enumerate(fields)),
        models=(MODEL, msgspec.structs.replace(MODEL, id="n", name="other")),
    )
    who = {model.id: (model.provider, model.name, model.settings, "text", SAMPLING) for model in plan.models}
    renderer = Renderer(plan)
    for trial in trials_of(plan):
        items = [
            (item.number, [option.code for option in item.options]) for item in renderer.shown(trial).items
        ]
        sent = msgspec.json.encode([trial.scale, items, renderer.messages(trial)])
        parts = (msgspec.json.encode(who[trial.model], order="sorted"), sent)
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        assert trial.request_key == hashlib.blake2b(framed, digest_size=16).hexdigest()
