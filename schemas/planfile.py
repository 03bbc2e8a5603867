"""A plan's folder: `plan.json` and `trials.parquet`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from schemas.derive import arrow_schema, committed_schema
from schemas.plan import FORMAT, Plan, PlannedTrial

if TYPE_CHECKING:
    import pyarrow as pa


class PlanError(Exception):
    """A folder that is no plan of this version: the message says why and what to do."""


def write_plan(folder: Path, plan: Plan, trials: pa.Table) -> None:
    """Writes the plan; each file appears whole or not at all. Raises OSError."""
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder / f"trials.parquet.{os.getpid()}"
    pq.write_table(trials, scratch, compression="zstd")
    scratch.replace(folder / "trials.parquet")
    scratch = folder / f"plan.json.{os.getpid()}"
    scratch.write_bytes(plan_bytes(plan))
    scratch.replace(folder / "plan.json")


def plan_bytes(plan: Plan) -> bytes:
    """`plan.json`: keys in the records' order, so that the same plan is the same bytes."""
    return msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=1) + b"\n"


def read_plan(folder: Path) -> tuple[Plan, pa.Table]:
    """Reads and validates a plan. Raises PlanError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        text = (folder / "plan.json").read_bytes()
        trials = pq.read_table(folder / "trials.parquet")
    except (OSError, pa.ArrowException) as error:
        raise PlanError(f"{folder} is no plan: {error}. Compile the spec again.") from error
    plan = decode_plan(text, str(folder / "plan.json"))
    expected = arrow_schema(PlannedTrial)
    if trials.schema.names != expected.names:
        raise PlanError(f"{folder / 'trials.parquet'} has other columns than a plan's. Compile the spec again.")
    return plan, trials.cast(expected)


def decode_plan(text: bytes, name: str) -> Plan:
    """`plan.json` as a record. Raises PlanError where it is not valid JSON of this format."""
    import jsonschema

    try:
        document = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise PlanError(f"{name} is not JSON: {error}. Compile the spec again.") from error
    if isinstance(document, dict) and document.get("format") not in (FORMAT, None):
        raise PlanError(
            f"{name} has format {document['format']}; this ebc reads {FORMAT}. Compile the spec again."
        )
    problem = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(committed_schema("plan")).iter_errors(document)
    )
    if problem is not None:
        where = "/".join(str(part) for part in problem.absolute_path) or "the top"
        raise PlanError(f"{name} is not a plan, at {where}: {problem.message[:300]}. Compile the spec again.")
    return msgspec.convert(document, Plan)


def planned_trials(table: pa.Table) -> Iterator[PlannedTrial]:
    """The rows of `trials.parquet` as records, a batch in memory at a time."""
    for batch in table.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            yield msgspec.convert(row, PlannedTrial)
