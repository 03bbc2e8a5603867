"""Records as Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import pyarrow as pa


def record_batch(rows: Sequence[msgspec.Struct], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as an Arrow batch; a number that is not finite is null."""
    import pyarrow as pa

    columns = zip(*map(msgspec.structs.astuple, rows), strict=True) if rows else [()] * len(schema)
    arrays = [_array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_map(kind):
        values = [list(value.items()) for value in values]
    array: pa.Array[Any] = pa.array(values, kind)
    if pa.types.is_floating(kind):
        array = pc.if_else(pc.is_finite(array), array, pa.scalar(None, kind))
    return array
