"""The providers, one file each."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.batch.provider import Batches
from runtime.transport import Transport
from schemas.plan import Model


def transport_for(model: Model, environment: Mapping[str, str], connections: int) -> Transport:
    """The transport that reaches a model, over at most `connections` connections. Raises KeyMissing, and
    LookupError where no provider has that name."""
    match model.provider:
        case "openai":
            from runtime.transports.openai import OpenAI

            return OpenAI(model, environment, connections)
        case "local":
            from runtime.transports.local import Local

            return Local(model, environment)
        case "simulated":
            from runtime.transports.simulated import Simulated

            return Simulated()
        case "fake":
            from runtime.transports.fake import Fake

            return Fake()
        case _:
            raise LookupError(f"there is no provider {model.provider}")


def batches_for(model: Model, environment: Mapping[str, str]) -> Batches:
    """The way to a model by batches. Raises KeyMissing, Unreachable, and LookupError where its provider takes
    none."""
    if model.provider != "openai":
        raise LookupError(f"model {model.id} has provider {model.provider}, which takes no batches")
    from runtime.transports.batches import OpenAIBatches

    return OpenAIBatches(model, environment)
