"""Planned trials as columns: what questions share is stored once, whichever model is asked."""

from __future__ import annotations

import binascii
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from schemas.derive import arrow_schema
from schemas.plan import PlannedTrial

if TYPE_CHECKING:
    import pyarrow as pa

    from compiler.lower.requests import Place

    Column = pa.ChunkedArray[Any]

KEY = 32
"""Characters of a key."""

PIECE = 20_000
"""Rows at least of what is said again and again."""


class TrialTable:
    """Collects the trials of one model after the other. A question is a place in one item order; it has
    `repeats` trials."""

    def __init__(self, orders: Sequence[int], repeats: int) -> None:
        self._orders = orders
        self._repeats = repeats
        self._rows = 0
        self._columns: dict[str, Column] = {}
        self._models: list[pa.Table] = []
        self._schema = arrow_schema(PlannedTrial)

    def places(self, places: Sequence[Place], variants: Sequence[str | None]) -> None:
        """Takes what all models share; call it first."""
        import numpy as np
        import pyarrow as pa

        each = len(self._orders) * self._repeats
        self._rows = len(places) * each
        for name in ("condition", "stimulus", "scale", "prompt", "presented"):
            self._columns[name] = self._spread(name, [getattr(place, name) for place in places], each)
        self._columns["variant"] = self._spread("variant", variants, each)
        orders = np.repeat(np.array(self._orders, np.int64), self._repeats)
        repeats = np.tile(np.arange(self._repeats, dtype=np.int64), len(self._orders))
        for name, period in (("item_order", orders), ("repeat", repeats)):
            piece = pa.array(np.tile(period, -(-PIECE // each)))
            self._columns[name] = self._again(piece)
        same: dict[str, Any] = {"stage": 0, "turn": 0, "step": "measure", "parent": None}
        for name, value in same.items():
            self._columns[name] = self._constant(name, value)

    def _again(self, piece: pa.Array[Any]) -> Column:
        """A column that says a piece again and again; the piece stands in memory once."""
        import pyarrow as pa

        whole, rest = divmod(self._rows, len(piece))
        return pa.chunked_array([*[piece] * whole, piece.slice(0, rest)])

    def _constant(self, column: str, value: Any) -> Column:
        import pyarrow as pa

        return self._again(pa.repeat(pa.scalar(value, self._schema.field(column).type), PIECE))

    def _spread(self, column: str, values: Sequence[Hashable], each: int) -> Column:
        """A column in which each value stands `each` times."""
        import numpy as np
        import pyarrow as pa

        number: dict[Hashable, int] = {}
        indices = np.array([number.setdefault(one, len(number)) for one in values], np.int32)
        if len(number) == 1:
            return self._constant(column, values[0])
        distinct: pa.Array[Any] = pa.array(list(number), self._schema.field(column).type)
        return pa.chunked_array([distinct.take(np.repeat(indices, each))])

    def add(self, model: str, requests: bytes, trials: bytearray) -> None:
        """Takes one model's keys: those of the questions as text, and those of the trials as bytes, one behind
        the other."""
        import numpy as np
        import pyarrow as pa

        asked = np.frombuffer(requests, np.dtype((np.void, KEY)))
        each = asked if self._repeats == 1 else asked.repeat(self._repeats)
        keys = _keys(binascii.hexlify(trials))
        own = {
            "trial_key": keys,
            "request_key": _keys(each.data),
            "model": self._constant("model", model),
            "conversation": keys,
        }
        columns = {**self._columns, **own}
        arrays: Any = [columns[name] for name in self._schema.names]
        self._models.append(pa.Table.from_arrays(arrays, schema=self._schema))

    def table(self) -> pa.Table:
        """The trials of every model, in the order in which models were added."""
        import pyarrow as pa

        return pa.concat_tables(self._models) if self._models else self._schema.empty_table()


def _keys(text: bytes | memoryview) -> pa.Array[Any]:
    import numpy as np
    import pyarrow as pa

    values = pa.py_buffer(text)
    count = values.size // KEY
    offsets = np.arange(count + 1, dtype=np.int32) * KEY
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets.data), values)


def repeated(keys: bytearray) -> list[int]:
    """The numbers of the questions that others ask too; `keys`: the request keys of a model."""
    import numpy as np

    halves = np.sort(np.frombuffer(keys, np.uint64)[::2])
    if not (halves[1:] == halves[:-1]).any():
        return []
    whole = np.frombuffer(keys, np.dtype((np.void, KEY // 2)))
    _, which, counts = np.unique(whole, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[which] > 1).tolist()
