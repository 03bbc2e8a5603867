"""doctor."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING

from ebc.asked import named_model, shipped_models
from ebc.cli.language import checked_specs
from ebc.errors import UserError
from ebc.pipeline import read_environment

if TYPE_CHECKING:
    from runtime.transports.local.checking import Check, Diagnosis


def local(options: Namespace) -> int:
    """Loads a local model and prints what was seen of it; exit status 1 where something does not hold."""
    from runtime.transport import TransportError
    from runtime.transports.local import Local
    from runtime.transports.local.checking import diagnosed

    checked = shipped_models() if options.spec is None else checked_specs([options.spec])[0]
    model = named_model(checked, options.model)
    if model.provider != "local":
        raise UserError(
            f"model {model.id} has provider {model.provider}: it is no model whose weights are here."
        )
    try:
        engine = Local(model, read_environment()).engine()
        found = diagnosed(engine)
    except TransportError as error:
        raise UserError(error.message) from error
    if options.format == "json":
        whole = {**found._asdict(), "sound": found.sound}
        whole |= {name: [one._asdict() for one in getattr(found, name)] for name in ("options", "checks")}
        print(json.dumps({"model": model.id, **whole}, ensure_ascii=False, indent=1))
    else:
        print(_text(model.id, found))
    return 0 if found.sound else 1


def _text(model: str, found: Diagnosis) -> str:
    from runtime.transports.local.checking import option_line

    prompt = [f"  {line}" for line in found.prompt.splitlines()]
    return "\n".join(
        (
            f"{model}: {found.kind}, {found.parameters:,} parameters, {found.dtype} on {found.device}",
            f"files: {found.version}",
            "",
            f"What it reads ({found.tokens} tokens, marks of a beginning: {found.begins}; {found.turn}):",
            *prompt,
            "",
            "The options of item 1, as tokens:",
            *(f"  {option_line(option)}" for option in found.options),
            f"  what is no option has a probability of {found.off_scale:.2g} (mean over items)",
            "",
            *map(_line, found.checks),
        )
    )


def _line(check: Check) -> str:
    word = "holds" if check.holds else "FAILS"
    if check.apart is None:
        return f"{word}  {check.what}"
    told = "to the last digit" if check.apart == 0 else f"at most {check.apart:.1e} apart"
    return f"{word}  {check.what} ({told}; allowed: {check.bound:g})"
