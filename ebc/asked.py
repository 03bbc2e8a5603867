"""Which models are asked: those that a spec or the library declares, or that are named by their provider."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import compiler
from compiler import Checked
from ebc.errors import UserError
from ebc.tables import DiskFiles
from schemas.plan import Model, Plan

MODELS = "lib/models.eb"


def library() -> DiskFiles:
    """The specs that come with ebc."""
    return DiskFiles(Path(str(resources.files("specs"))))


def shipped_models() -> Checked:
    """The models that come with ebc."""
    return compiler.load(f"ebc:{MODELS}", library(), library())


def named_model(checked: Checked, name: str) -> Model:
    """The model called `name` in the spec or the library, or what `PROVIDER:NAME` says. Raises UserError."""
    from compiler.lower.study import model_record
    from compiler.settings import PROVIDERS

    declared = {**shipped_models().program.models, **checked.program.models}
    if name in declared:
        return model_record(declared[name])
    provider, colon, model = name.partition(":")
    if colon and model and provider in PROVIDERS:
        return Model(id=model, provider=provider, name=model)
    if colon:
        raise UserError(f"there is no provider `{provider}`. Providers: {', '.join(PROVIDERS)}.")
    raise UserError(
        f"no model `{name}` is declared. Declared: {', '.join(sorted(declared))}. "
        f"Or name a provider with it: openai:{name}."
    )


def distinct(models: list[Model]) -> tuple[Model, ...]:
    """The models. Raises UserError where two would be one panel."""
    seen: dict[str, Model] = {}
    for model in models:
        if model.id in seen:
            raise UserError(f"--model names `{model.id}` twice: its panel would hold the answers of both.")
        seen[model.id] = model
    return tuple(models)


def refuse_namesakes(plan: Plan) -> None:
    """Raises UserError where a model of a plan has the name of recorded answers."""
    for model in plan.models:
        if model.id in {responses.id for responses in plan.responses}:
            raise UserError(
                f"study {plan.study.id} has a panel `{model.id}` of recorded answers: a model of that name "
                "would be taken for it. Declare the model under another name."
            )
