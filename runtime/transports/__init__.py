"""The providers, one file each."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.transport import Transport
from schemas.plan import Model


def transport_for(model: Model, environment: Mapping[str, str], connections: int) -> Transport:
    """The transport that reaches a model, over at most `connections` connections. Raises KeyMissing, and
    LookupError where no provider has that name."""
    match model.provider:
        case "openai":
            from runtime.transports.openai import OpenAI

            return OpenAI(model, environment, connections)
        case "simulated":
            from runtime.transports.simulated import Simulated

            return Simulated()
        case "fake":
            from runtime.transports.fake import Fake

            return Fake()
        case _:
            raise LookupError(f"there is no provider {model.provider}")
