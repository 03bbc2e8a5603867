"""Planned trials as columns: what questions share is stored once, whichever model is asked."""

from __future__ import annotations

import binascii
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from schemas.derive import arrow_schema
from schemas.plan import PlannedTrial

if TYPE_CHECKING:
    import pyarrow as pa

    from compiler.lower.expand import Place

KEY = 32
"""Characters of a key."""

T = TypeVar("T", bound=Hashable)


class TrialTable:
    """Collects one record batch a model. A question is a place in one item order; it has `repeats` trials."""

    def __init__(self, orders: Sequence[int], repeats: int) -> None:
        self._orders = orders
        self._repeats = repeats
        self._columns: dict[str, pa.Array[Any]] = {}
        self._batches: list[pa.RecordBatch] = []
        self._schema = arrow_schema(PlannedTrial)

    def places(self, places: Sequence[Place], variants: Sequence[str | None]) -> None:
        """Takes what all models share; call it first."""
        import numpy as np
        import pyarrow as pa

        each = len(self._orders) * self._repeats
        for name in ("condition", "stimulus", "scale", "prompt", "presented"):
            self._columns[name] = self._spread(name, [getattr(place, name) for place in places], each)
        self._columns["variant"] = self._spread("variant", variants, each)
        orders = np.tile(np.repeat(np.array(self._orders, np.int64), self._repeats), len(places))
        repeats = np.tile(np.arange(self._repeats, dtype=np.int64), len(places) * len(self._orders))
        self._columns |= {"item_order": pa.array(orders), "repeat": pa.array(repeats)}
        same: dict[str, Any] = {"stage": 0, "turn": 0, "step": "measure", "parent": None}
        for name, value in same.items():
            kind = self._schema.field(name).type
            self._columns[name] = pa.repeat(pa.scalar(value, kind), len(orders))

    def _spread(self, column: str, values: Sequence[T], each: int) -> pa.Array[Any]:
        """A column in which each value stands `each` times."""
        import numpy as np
        import pyarrow as pa

        number: dict[T, int] = {}
        indices = np.array([number.setdefault(one, len(number)) for one in values], np.int32)
        distinct: pa.Array[Any] = pa.array(list(number), self._schema.field(column).type)
        spread: pa.Array[Any] = distinct.take(np.repeat(indices, each))
        return spread

    def shared(self, digests: bytearray) -> list[bool]:
        """Of each question, whether another asks the same; `digests`: a model's request keys."""
        import numpy as np
        import pyarrow as pa

        width = KEY // 2
        keys = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), len(digests) // width, [None, pa.py_buffer(digests)]
        )
        indices = keys.dictionary_encode().indices.to_numpy()
        twins: list[bool] = (np.bincount(indices)[indices] > 1).tolist()
        return twins

    def add(self, model: str, requests: bytes, trials: bytearray) -> None:
        """Takes one model's keys: those of the questions as text, and those of the trials as bytes, one behind
        the other."""
        import numpy as np
        import pyarrow as pa

        each = np.frombuffer(requests, np.dtype((np.void, KEY))).repeat(self._repeats)
        keys = _keys(binascii.hexlify(trials))
        own = {
            "trial_key": keys,
            "request_key": _keys(each.data),
            "model": pa.repeat(pa.scalar(model), len(keys)),
            "conversation": keys,
        }
        columns = {**self._columns, **own}
        arrays = [columns[name] for name in self._schema.names]
        self._batches.append(pa.RecordBatch.from_arrays(arrays, schema=self._schema))

    def table(self) -> pa.Table:
        """The trials of every model, in the order in which models were added."""
        import pyarrow as pa

        return pa.Table.from_batches(self._batches, schema=self._schema)


def _keys(text: bytes | memoryview) -> pa.Array[Any]:
    import numpy as np
    import pyarrow as pa

    values = pa.py_buffer(text)
    count = values.size // KEY
    offsets = (np.arange(count + 1, dtype=np.int32) * KEY).tobytes()
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), values)
