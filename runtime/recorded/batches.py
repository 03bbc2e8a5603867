"""Answers as columns: no object an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from runtime.recorded.gathering import Taken
from schemas.derive import arrow_schema
from schemas.rows import AnswerRow

if TYPE_CHECKING:
    import pyarrow as pa

RESPONSES = 5_000


def answer_batches(run: str, ids: Sequence[str], taken: Sequence[Taken]) -> Iterator[pa.RecordBatch]:
    """The rows of `answers` of some responses, whose ids are `ids`; position counts from 1 as the answers
    stood."""
    for first in range(0, len(taken), RESPONSES):
        yield _batch(run, ids[first : first + RESPONSES], taken[first : first + RESPONSES])


def _batch(run: str, ids: Sequence[str], taken: Sequence[Taken]) -> pa.RecordBatch:
    import numpy as np
    import pyarrow as pa

    schema = arrow_schema(AnswerRow)
    counts = np.array([len(one.values) for one in taken])
    total = int(counts.sum())
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    values = list(chain.from_iterable(one.values for one in taken))
    columns: dict[str, pa.Array[Any]] = {
        "response": pa.array(ids, pa.string()).take(np.repeat(np.arange(len(taken)), counts)),
        "run": pa.repeat(pa.scalar(run), total),
        "item": pa.array(np.fromiter(chain.from_iterable(one.items for one in taken), np.int64, total)),
        "position": pa.array(np.arange(total) - starts + 1),
        "part": pa.array(np.zeros(total, np.int64)),
        "value": pa.array([value.value for value in values], pa.float64()),
        "choice": pa.array([value.choice for value in values], pa.string()),
        "reason": pa.array([value.reason for value in values], pa.string()),
    }
    arrays = [columns.get(field.name, pa.nulls(total, field.type)) for field in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
