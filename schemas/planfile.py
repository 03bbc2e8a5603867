"""A plan's folder: `plan.json` and `trials.parquet`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from schemas.columns import record_batch
from schemas.derive import arrow_schema, committed_schema
from schemas.plan import FORMAT, Plan, PlannedTrial

if TYPE_CHECKING:
    import pyarrow as pa


DIGEST = "ebc.digest"
DIGESTED = 20_000
"""Rows that are hashed, and written as a row group, at a time."""

KEYS = ("trial_key", "request_key", "conversation")
"""Columns of which most values stand once."""


class PlanError(Exception):
    """A folder that is no plan of this version: the message says why and what to do."""


def write_plan(folder: Path, plan: Plan, trials: pa.Table) -> None:
    """Writes the plan durably; each file appears whole or not at all. Raises OSError."""
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder / f".trials.{os.getpid()}.tmp"
    few: Any = [name for name in trials.schema.names if name not in KEYS]
    with (
        ThreadPoolExecutor(1) as beside,
        pq.ParquetWriter(
            scratch, trials.schema, compression="zstd", compression_level=1, use_dictionary=few
        ) as file,
    ):
        marked = beside.submit(digest, trials)
        file.write_table(trials, row_group_size=DIGESTED)
        file.add_key_value_metadata({DIGEST: marked.result()})
    _put(scratch, folder / "trials.parquet")
    scratch = folder / f".plan.{os.getpid()}.tmp"
    scratch.write_bytes(plan_bytes(plan))
    _put(scratch, folder / "plan.json")


def _put(scratch: Path, path: Path) -> None:
    with scratch.open("rb+") as file:
        os.fsync(file.fileno())
    scratch.replace(path)


def holds_others(folder: Path) -> bool:
    """Whether a folder holds other things than a plan, or what was begun of one."""
    if (folder / "plan.json").exists():
        return False
    return any(path.name != "trials.parquet" and path.suffix != ".tmp" for path in folder.iterdir())


def plan_bytes(plan: Plan) -> bytes:
    """`plan.json`: keys in the records' order, so that the same plan is the same bytes."""
    return msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=1) + b"\n"


def read_plan(folder: Path) -> tuple[Plan, pa.Table]:
    """Reads and validates a plan. Raises PlanError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        text = (folder / "plan.json").read_bytes()
        with pq.ParquetFile(folder / "trials.parquet") as file:
            trials, marked = file.read(), (file.metadata.metadata or {}).get(DIGEST.encode(), b"")
    except (OSError, pa.ArrowException) as error:
        raise PlanError(f"{folder} is no plan: {error}. Compile the spec again.") from error
    plan = decode_plan(text, str(folder / "plan.json"))
    name = folder / "trials.parquet"
    expected = arrow_schema(PlannedTrial)
    if trials.schema.names != expected.names:
        raise PlanError(f"{name} has other columns than a plan's. Compile the spec again.")
    try:
        trials = trials.cast(expected)
    except (pa.ArrowException, ValueError) as error:
        raise PlanError(f"{name} is not a plan's: {error}. Compile the spec again.") from error
    _require_known(plan, trials, str(name))
    if marked.decode() != digest(trials):
        raise PlanError(f"{name} was changed after it was compiled. Compile the spec again.")
    return plan, trials


def digest(trials: pa.Table) -> str:
    """A hash of the trials' rows, in order, whatever the pieces that they come in; it stands in the file's
    metadata."""
    state = hashlib.sha256()
    for name in trials.schema.names:
        state.update(name.encode())
        if name == "conversation" and trials.column(name).equals(trials.column("trial_key")):
            continue  # as in every plan of conversations with one question
        for start in range(0, trials.num_rows, DIGESTED):
            for part in _bytes_of(trials.column(name).slice(start, DIGESTED).combine_chunks()):
                state.update(part)
    return state.hexdigest()


def _bytes_of(column: pa.Array[Any]) -> Iterator[bytes | memoryview]:
    """What a column says, as bytes that are the same on every machine: which values are null, how long
    they are, and the values."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    kind: Any = column.type
    yield np.packbits(column.is_null().to_numpy(zero_copy_only=False)).tobytes()
    if pa.types.is_list(kind):
        yield pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False).astype("<i8").tobytes()
        yield from _bytes_of(pc.list_flatten(column))
    elif pa.types.is_string(kind):
        filled: Any = column.fill_null("")
        yield pc.binary_length(filled).to_numpy(zero_copy_only=False).astype("<i8").tobytes()
        offsets = np.frombuffer(filled.buffers()[1], np.int32)[filled.offset :][: len(filled) + 1]
        if len(filled):
            yield memoryview(filled.buffers()[2] or b"")[offsets[0] : offsets[-1]]
    else:
        yield column.fill_null(0).to_numpy(zero_copy_only=False).astype("<i8").tobytes()


def _require_known(plan: Plan, trials: pa.Table, name: str) -> None:
    """Every id of the trials is one of the plan's."""
    known: dict[str, set[object]] = {
        "model": {model.id for model in plan.models},
        "condition": {condition.name for condition in plan.protocol.conditions},
        "scale": {scale.id for scale in plan.scales},
        "prompt": {prompt.id for prompt in plan.prompts},
        "stimulus": {None, *(stimulus.id for stimulus in plan.stimuli)},
        "item_order": set(plan.study.orders),
    }
    for column, ids in known.items():
        strange = [one for one in trials.column(column).unique().to_pylist() if one not in ids]
        if strange:
            raise PlanError(
                f"{name} names {column} {strange[0]}, which plan.json lacks. Compile the spec again."
            )


def plan_id(plan: Plan) -> str:
    """16 bytes as hex: a hash of everything that a plan means, and of nothing else (not of the compiler's
    version)."""
    meaning = msgspec.structs.replace(plan, plan_id="", compiler="")
    return hashlib.blake2b(msgspec.json.encode(meaning, order="sorted"), digest_size=16).hexdigest()


def decode_plan(text: bytes, name: str) -> Plan:
    """`plan.json` as a record. Raises PlanError where it is not valid JSON of this format."""
    try:
        plan = msgspec.json.decode(text, type=Plan)
    except msgspec.MsgspecError as error:
        raise _no_plan(text, name, error) from error
    if plan.format != FORMAT:
        raise PlanError(f"{name} has format {plan.format}; this ebc reads {FORMAT}. Compile the spec again.")
    if plan.plan_id != plan_id(plan):
        raise PlanError(
            f"{name} was changed after it was compiled: its id is another's. Compile the spec again."
        )
    return plan


def _no_plan(text: bytes, name: str, error: Exception) -> PlanError:
    """Says what is wrong with a document that is no plan, by the committed schema."""
    import jsonschema

    try:
        document = msgspec.json.decode(text)
    except msgspec.DecodeError as broken:
        return PlanError(f"{name} is not JSON: {broken}. Compile the spec again.")
    if isinstance(document, dict) and document.get("format") not in (FORMAT, None):
        return PlanError(
            f"{name} has format {document['format']}; this ebc reads {FORMAT}. Compile the spec again."
        )
    problem = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(committed_schema("plan")).iter_errors(document)
    )
    if problem is None:
        return PlanError(f"{name} is not a plan: {error}. Compile the spec again.")
    where = "/".join(str(part) for part in problem.absolute_path) or "the top"
    return PlanError(f"{name} is not a plan, at {where}: {problem.message[:300]}. Compile the spec again.")


def planned_in(batch: pa.RecordBatch) -> Iterator[PlannedTrial]:
    """The rows of a batch as records."""
    columns: dict[str, list[Any]] = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    columns["presented"] = [tuple(prompts) for prompts in columns["presented"]]
    return map(PlannedTrial, *columns.values())


class PlannedTrials(Collection[PlannedTrial]):
    """The rows of `trials.parquet` as records, read as often as is asked, few in memory at a time."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    @classmethod
    def of(cls, trials: Sequence[PlannedTrial]) -> PlannedTrials:
        """Records as a plan's trials."""
        import pyarrow as pa

        return cls(pa.Table.from_batches([record_batch(trials, arrow_schema(PlannedTrial))]))

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[PlannedTrial]:
        for batch in self.batches():
            yield from planned_in(batch)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The same as columns, a thousand rows at a time."""
        names = PlannedTrial.__struct_fields__
        return iter(self._table.select(names).to_batches(max_chunksize=1_000))

    def __contains__(self, trial: object) -> bool:
        return any(trial == one for one in self)

    def of_model(self, model: str) -> PlannedTrials:
        """Those that one model answers."""
        return self.where("model", model)

    def where(self, column: str, value: str) -> PlannedTrials:
        """Those that have `value` in a column of text."""
        import pyarrow as pa
        import pyarrow.compute as pc

        own = pc.equal(self._table.column(column), pa.scalar(value))
        return self if pc.all(own).as_py() else PlannedTrials(self._table.filter(own))
