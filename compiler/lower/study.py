"""From a checked study to the head of its plan: all that the study uses, as the plan's records."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, cast

from compiler import ast
from compiler.lower.analyses import association_record, contrast_record, expectation_records
from compiler.lower.mappings import responses_record
from compiler.lower.scales import scale_record
from compiler.model.prompts import asked, conditions_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import between_of, panels_of, protocol_of, scales_of, splits_of, statements
from compiler.model.variables import profile_scales
from compiler.resolve import Program
from compiler.settings import values
from schemas.plan import (
    FORMAT,
    Again,
    Condition,
    Measure,
    Model,
    Part,
    Plan,
    Present,
    Price,
    Prompt,
    Protocol,
    Readout,
    Sampling,
    Setting,
    Split,
    Step,
    Study,
)


def plan_head(program: Program, study: ast.StudyDecl, models: tuple[Model, ...] | None) -> Plan:
    """The plan without orders, id and trials. `models` take the place of the study's own, where given.
    Assumes that the program was checked and has no error."""
    protocol = protocol_of(program, study)
    assert protocol is not None, "a study without a protocol does not pass the checks"
    panels = [panel.text for panel in panels_of(study)]
    own = tuple(model_record(program.models[name]) for name in panels if name in program.models)
    recorded = [name for name in panels if name in program.responses]
    chosen = own if models is None else models
    order = panels if models is None else [*(model.id for model in models), *recorded]
    return Plan(
        format=FORMAT,
        compiler=version("ebc"),
        plan_id="",
        study=_study(study, order),
        scales=tuple(scale_record(program, scale) for scale in _scales(program, study)),
        prompts=_prompts(program, protocol),
        stimuli=tuple(placed.stimulus for placed in study_stimuli(program, study)),
        protocol=_protocol(program, protocol),
        models=chosen,
        responses=tuple(responses_record(program, program.responses[name], protocol) for name in recorded),
        contrasts=tuple(contrast_record(program, study, c) for c in statements(study, ast.ContrastDecl)),
        associations=tuple(
            association_record(program, study, one) for one in statements(study, ast.AssociationDecl)
        ),
        expectations=expectation_records(program, study),
    )


def _scales(program: Program, study: ast.StudyDecl) -> list[ast.ScaleDecl]:
    """The scales that are asked, then those that respondents answered once."""
    measured = scales_of(program, study)
    return measured + [scale for scale in profile_scales(program, study) if scale not in measured]


def model_record(model: ast.ModelDecl) -> Model:
    """A declared model as a plan holds it."""
    settings = values(model.settings)
    price = settings.pop("usd_per_million_tokens", None)
    return Model(
        id=model.name.text,
        provider=str(settings.pop("provider")),
        name=str(settings.pop("name")),
        readout=cast(Readout, settings.pop("readout", "text")),
        settings=settings,
        price=_price(price),
        title=None if model.title is None else model.title.text,
    )


def _price(price: Setting | None) -> Price | None:
    if not isinstance(price, dict):
        return None
    numbers = {key: float(value) for key, value in price.items() if isinstance(value, int | float)}
    return Price(numbers["input"], numbers["output"], numbers.get("cached"), numbers.get("batch"))


def _study(study: ast.StudyDecl, panels: list[str]) -> Study:
    counted = {one.what: one for one in statements(study, ast.Counted)}
    orders = counted.get("orders")
    count = orders.value.whole if orders is not None else 1
    first = 1 if orders is not None and orders.shuffled else 0
    sampling = [setting for part in statements(study, ast.SamplingOf) for setting in part.settings]
    uses = [use for part in statements(study, ast.ScalesOf) for use in part.scales]
    return Study(
        id=study.name.text,
        title=study.name.text if study.title is None else study.title.text,
        scales=tuple(use.scale.text for use in uses),
        scales_for={use.scale.text: tuple(e.text for e in use.stimuli) for use in uses if use.stimuli},
        panels=tuple(panels),
        sampling=_sampling(values(tuple(sampling))),
        seed=counted["seed"].value.whole if "seed" in counted else 0,
        orders=tuple(range(first, first + count)),
        repeats=counted["repeats"].value.whole if "repeats" in counted else 1,
        between=tuple(between_of(study)),
        splits=tuple(
            Split(split.panel.text, tuple(Part(part.name.text, part.count.whole) for part in split.parts))
            for split in splits_of(study)
        ),
    )


def _sampling(settings: dict[str, Setting]) -> Sampling:
    def number(key: str) -> float | None:
        value = settings.get(key)
        return float(value) if isinstance(value, int | float) else None

    def whole(key: str) -> int | None:
        value = settings.get(key)
        return int(value) if isinstance(value, int | float) else None

    return Sampling(
        temperature=number("temperature"),
        top_p=number("top_p"),
        max_tokens=whole("max_tokens"),
        seed=whole("seed"),
        frequency_penalty=number("frequency_penalty"),
        presence_penalty=number("presence_penalty"),
    )


def _prompts(program: Program, protocol: ast.ProtocolDecl) -> tuple[Prompt, ...]:
    used: dict[str, Prompt] = {}
    for _, steps in conditions_of(protocol):
        for step in steps:
            use = asked(program, step.prompt)
            if use is not None:
                used.setdefault(use.id, use.prompt())
    return tuple(used.values())


def _protocol(program: Program, protocol: ast.ProtocolDecl) -> Protocol:
    conditions = tuple(
        Condition(
            condition.name.text, condition.each is not None, tuple(_step(program, step) for step in steps)
        )
        for condition, steps in conditions_of(protocol)
    )
    return Protocol(protocol.name.text, conditions)


def _step(program: Program, step: ast.StepNode) -> Step:
    use = asked(program, step.prompt)
    assert use is not None, "a step without a prompt does not pass the checks"
    if isinstance(step, ast.PresentStep):
        return Present(use.id)
    again = None if step.again is None else _again(step.again)
    return Measure(use.id, None if step.scale is None else step.scale.text, again)


def _again(again: ast.Again) -> Again:
    statuses: Any = tuple(status.text for status in again.statuses)
    return Again(statuses, int(again.times.value))
