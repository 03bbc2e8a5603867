"""How fast recorded answers come in, and in how much memory: `python -m bench.recorded [--rows N]`.

N people (50,000) answer a scale of 20 items: one row a person, and the same with one row an answer, through all
of `ebc import responses` but the compiler. Each step runs in a process of its own; the floor is pyarrow reading
the same CSV and writing it as Parquet.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

from schemas.derive import arrow_schema
from schemas.plan import (
    FORMAT,
    Block,
    Call,
    CellSpan,
    Condition,
    ConditionCells,
    Covariate,
    Field,
    Item,
    ItemValue,
    Option,
    Place,
    Plan,
    PlannedTrial,
    Protocol,
    Responses,
    Sampling,
    Scale,
    ScaleCells,
    Stimulus,
    Study,
    Subscale,
    Text,
)

ITEMS = 20
STIMULI = 40


def column(label: str) -> Place:
    return Place("column", (Text(label),))


def mapping(form: str) -> Responses:
    """The mapping of the file `form`.csv."""
    fields = [Field("respondent", column("person")), Field("stimulus", column("story"))]
    cells = ScaleCells("S", (CellSpan(column("q1"), column(f"q{ITEMS}")),))
    if form == "long":
        fields.append(Field("item", column("question")))
        cells = ScaleCells("S", (CellSpan(column("answer"), column("answer")),), form="long")
    block = Block(
        fields=tuple(fields),
        conditions=(ConditionCells("told", (cells,)),),
        covariates=(Covariate("age", column("age")),),
    )
    return Responses("people", "People", "human", (Text(f"{form}.csv"),), (block,))


def plan(form: str) -> Plan:
    """A study of stories, and a scale of 20 items from 1 to 7."""
    items = tuple(Item(number, f"q{number}", f"Question {number}") for number in range(1, ITEMS + 1))
    total = Subscale("total", "Total", Call("sum", tuple(ItemValue(item.number) for item in items)))
    options = tuple(Option(float(code)) for code in range(1, 8))
    stimuli = tuple(Stimulus(f"stories.{n}", n, {"text": f"Story {n}"}, name=f"s{n}") for n in range(STIMULI))
    return Plan(
        format=FORMAT,
        compiler="bench",
        plan_id=f"bench-{form}",
        study=Study("bench", "Bench", ("S",), ("people",), Sampling(), 1, (0,), 1),
        scales=(Scale("S", "S", options, items, (total,)),),
        prompts=(),
        stimuli=stimuli,
        protocol=Protocol("p", (Condition("told", True, ()),)),
        models=(),
        responses=(mapping(form),),
    )


def generate(folder: Path, rows: int) -> None:
    """Writes `wide.csv` and `long.csv`, with the same answers."""
    draw = random.Random(1)
    names = [f"q{number}" for number in range(1, ITEMS + 1)]
    with (folder / "wide.csv").open("w") as wide, (folder / "long.csv").open("w") as long:
        wide.write(",".join(["person", "age", "story", *names]) + "\n")
        long.write("person,age,story,question,answer\n")
        for number in range(rows):
            who = f"p{number:06d},{draw.randint(18, 80)},s{draw.randrange(STIMULI)}"
            answers = [str(draw.randint(1, 7)) for _ in names]
            wide.write(f"{who},{','.join(answers)}\n")
            long.writelines(f"{who},{name},{answer}\n" for name, answer in zip(names, answers, strict=True))


def floor(folder: Path, form: str) -> int:
    """Reads the CSV and writes it as Parquet; the number of its rows."""
    import pyarrow.csv
    import pyarrow.parquet

    table = pyarrow.csv.read_csv(folder / f"{form}.csv")
    pyarrow.parquet.write_table(table, folder / f"{form}.parquet", compression="zstd")
    return int(table.num_rows)


def imported(folder: Path, form: str) -> int:
    """Reads and stores the CSV as an import does; the number of its answers."""
    from ebc.pipeline import Compiled
    from ebc.recording import read_recorded, store_recorded

    compiled = Compiled(plan(form), arrow_schema(PlannedTrial).empty_table(), ())
    (one,) = store_recorded([read_recorded(compiled, folder)], folder / f"results-{form}")
    return one.details.values


STEPS = {"floor": floor, "import": imported}


def measured(folder: Path, step: str, form: str) -> dict[str, float]:
    """Seconds and MB (peak) of a step in a process of its own."""
    command = [sys.executable, "-m", "bench.recorded", "--step", step, form, str(folder)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(told)
    return found


def step(name: str, form: str, folder: str) -> None:
    """Runs one step and prints what it took."""
    began = time.perf_counter()
    count = STEPS[name](Path(folder), form)
    seconds, mb = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "mb": mb, "n": count}))


def main() -> None:
    """Prints a line a form."""
    parser = ArgumentParser()
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--step", nargs=3)
    options = parser.parse_args()
    if options.step:
        step(*options.step)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder, options.rows)
        for form in ("wide", "long"):
            least, whole = measured(folder, "floor", form), measured(folder, "import", form)
            told = [f"{one['seconds']:.2f} s, {one['mb']:.0f} MB" for one in (whole, least)]
            ratio = whole["seconds"] / least["seconds"]
            print(f"{form}: {whole['n']:,.0f} answers in {told[0]}; floor {told[1]}; {ratio:.0f} times it")


if __name__ == "__main__":
    main()
