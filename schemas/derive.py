"""JSON Schema and Arrow schema, derived from the record types.

`python -m schemas.derive` writes the committed `*.schema.json` anew.
"""

from __future__ import annotations

import types
import typing
from datetime import datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import msgspec

from schemas.plan import Plan
from schemas.report import Report
from schemas.rows import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENTS: dict[str, type[msgspec.Struct]] = {
    "plan": Plan,
    "report": Report,
    **{f"tables/{name}": record for name, record in TABLES.items()},
}


def json_schema(record: type[msgspec.Struct]) -> dict[str, Any]:
    """JSON Schema (2020-12) of a record type."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(record)}


def committed_schema(name: str) -> dict[str, Any]:
    """The committed schema of a document, as `name` in `DOCUMENTS`."""
    text = resources.files("schemas").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    return typing.cast(dict[str, Any], msgspec.json.decode(text))


def schema_text(record: type[msgspec.Struct]) -> str:
    """The committed form of a record's schema."""
    encoded = msgspec.json.format(msgspec.json.encode(json_schema(record), order="sorted"), indent=1)
    return encoded.decode() + "\n"


@cache
def arrow_schema(record: type[msgspec.Struct]) -> pa.Schema:
    """Arrow schema of a record type; a column is nullable where its type has None."""
    import pyarrow as pa

    hints = typing.get_type_hints(record)
    fields = []
    for name in record.__struct_fields__:
        kind, nullable = _without_none(hints[name])
        fields.append(pa.field(name, _arrow_type(kind), nullable=nullable))
    return pa.schema(fields)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    rest = [arg for arg in get_args(hint) if arg is not type(None)]
    if len(rest) != 1:
        raise TypeError(f"no Arrow type for {hint}")
    return rest[0], len(rest) < len(get_args(hint))


def _arrow_type(hint: Any) -> pa.DataType:
    import pyarrow as pa

    plain: dict[Any, pa.DataType] = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: pa.timestamp("us", tz="UTC"),
    }
    origin = get_origin(hint)
    if hint in plain:
        return plain[hint]
    if origin is Literal:
        return pa.string()
    if origin is tuple:
        return pa.list_(_arrow_type(get_args(hint)[0]))
    if origin is dict:
        key, value = get_args(hint)
        return pa.map_(_arrow_type(key), _arrow_type(value))
    raise TypeError(f"no Arrow type for {hint}")


def write_schemas(folder: Path) -> None:
    """Writes every document's schema below `folder`."""
    for name, record in DOCUMENTS.items():
        path = folder / f"{name}.schema.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(schema_text(record), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(str(resources.files("schemas"))))
