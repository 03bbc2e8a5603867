"""How a request asks for a reply that can be read: by a JSON Schema, or for the probabilities of its tokens."""

from __future__ import annotations

from typing import Any

import msgspec

from runtime.transport import Form
from schemas.plan import Readout
from schemas.render import Shown

TYPES: dict[Form, str | None] = {"schema": "json_schema", "object": "json_object", "prompt": None}
"""What `response_format` is in each."""

FORMS = tuple(TYPES)


def schema_of(shown: Shown) -> dict[str, Any]:
    """The JSON Schema of a reply: an object with a code for each item, under the number that the item was shown
    with."""
    properties = {str(item.position): _codes([option.code for option in item.options]) for item in shown.items}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def parameters(readout: Readout, shown: Shown, form: Form, alternatives: int) -> dict[str, Any]:
    """What a body says of the reply's form."""
    if readout == "json" and form == "schema":
        schema = {"name": "answers", "strict": True, "schema": schema_of(shown)}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if readout == "json" and form == "object":
        return {"response_format": {"type": "json_object"}}
    if readout == "options" and alternatives:
        return {"logprobs": True, "top_logprobs": alternatives}
    return {}


def instruction(readout: Readout, shown: Shown, form: Form) -> str | None:
    """What stands at the end of the last message, where the endpoint does not hold the reply to the schema."""
    if readout != "json" or form == "schema":
        return None
    schema = msgspec.json.encode(schema_of(shown)).decode()
    return f"Reply with one JSON object that fits this JSON Schema, and with nothing else:\n{schema}"


def recorded(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as they are kept with each reply: without the schema, which follows from the plan."""
    if "json_schema" not in parameters.get("response_format", {}):
        return parameters
    return {**parameters, "response_format": {"type": "json_schema", "strict": True}}


def _codes(codes: list[float]) -> dict[str, Any]:
    if all(code == int(code) for code in codes):
        return {"type": "integer", "enum": [int(code) for code in codes]}
    return {"type": "number", "enum": codes}
