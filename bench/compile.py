"""How fast a plan of a million trials is compiled, in how much memory: `python -m bench.compile [--trials N]`.

`ebc compile`, from the text of a spec to the written plan, in two shapes: eight models asked each question ten
times, and one model asked every question once. Each step runs in a process of its own, three times, of which
the fastest counts; seconds are those of the whole process, imports included. The floor is what cannot be left
out: one hash a trial, and the columns of the trials built by numpy and written by pyarrow.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple


class Shape(NamedTuple):
    """What is crossed, besides the situations that make up the number of trials."""

    models: int
    orders: int
    repeats: int


SHAPES = {"8 models, 10 repeats": Shape(8, 5, 10), "1 model, no repeats": Shape(1, 10, 1)}


TIMES = 3


def generate(folder: Path, shape: Shape, trials: int) -> None:
    """Writes `study.eb` and its situations."""
    count = trials // (shape.models * shape.orders * shape.repeats)
    rows = (
        f"Somebody has taken place number {n} in the queue and looks at you as if that were theirs."
        for n in range(count)
    )
    (folder / "situations.csv").write_text("\n".join(["situation", *rows]) + "\n", encoding="utf-8")
    names = [f"m{number}" for number in range(shape.models)]
    models = "\n".join(f'model {name} {{ provider openai  name "{name}" }}' for name in names)
    (folder / "study.eb").write_text(
        f"""
use "lib/panas"  use "lib/appraisal"
emotion anger "Anger" {{ factor queue "Queue" from "situations.csv" column "situation" }}
{models}
study queue "Queue" {{
  protocol appraisal  scales PANAS  stimuli anger  panels {", ".join(names)}
  seed 1  orders {shape.orders}  repeats {shape.repeats}
  contrast shift = evoked - default by overall {{ test welch }}
}}
""",
        encoding="utf-8",
    )


def compiled(folder: Path) -> int:
    """Calls `ebc compile`; the number of the plan's trials."""
    from ebc.cli import main

    said = io.StringIO()
    with redirect_stdout(said):
        status = main(["compile", str(folder / "study.eb"), "--format", "json"])
    if status != 0:
        raise SystemExit("the spec of the bench has a mistake")
    return int(json.loads(said.getvalue())["trials"])


def floor(folder: Path) -> int:
    """Hashes and writes as many trials as the compiled plan has, all other columns being of few values."""
    import hashlib

    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    count = pq.read_metadata(folder / "queue.plan" / "trials.parquet").num_rows
    text = b"\0" * 32
    keys = pa.array([hashlib.blake2b(text + b"%d" % n, digest_size=16).hexdigest() for n in range(count)])
    columns: dict[str, Any] = dict.fromkeys(("trial_key", "request_key", "conversation"), keys)
    few = pa.array(["one", "two", "three"])
    for number in range(8):
        columns[f"text{number}"] = few.take(np.arange(count, dtype=np.int64) % 3)
    for number in range(4):
        columns[f"number{number}"] = pa.array(np.arange(count, dtype=np.int64) % 10)
    names: Any = [name for name in columns if name.startswith("text")]
    pq.write_table(pa.table(columns), folder / "floor.parquet", compression="zstd", use_dictionary=names)
    return count


STEPS = {"compile": compiled, "floor": floor}


def measured(step: str, folder: Path) -> dict[str, float]:
    """Seconds, seconds of CPU and MB (peak) of a step in a process of its own, the fastest of three."""
    command = [sys.executable, "-m", "bench.compile", "--step", step, str(folder)]
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found.append({"seconds": time.perf_counter() - began, **json.loads(told)})
    return min(found, key=lambda one: one["seconds"])


def main() -> None:
    """Prints a line a shape."""
    parser = ArgumentParser()
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--step", nargs=2)
    options = parser.parse_args()
    if options.step:
        count = STEPS[options.step[0]](Path(options.step[1]))
        mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"trials": count, "mb": mb, "cpu": time.process_time()}))
        return
    for name, shape in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            generate(Path(folder), shape, options.trials)
            whole, least = (measured(step, Path(folder)) for step in STEPS)
        told = [
            f"{one['seconds']:.2f} s ({one['cpu']:.2f} of CPU), {one['mb']:.0f} MB" for one in (whole, least)
        ]
        ratio = whole["seconds"] / least["seconds"]
        print(f"{name}: {whole['trials']:,} trials in {told[0]}; floor {told[1]}; {ratio:.1f} times it")


if __name__ == "__main__":
    main()
