"""A small study of people, and its data file in many states, for tests of the import."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl

from ebc.pipeline import Compiled
from ebc.recording import Imported, read_recorded, store_recorded
from schemas.derive import arrow_schema
from schemas.plan import (
    FORMAT,
    Block,
    Call,
    Condition,
    ConditionCells,
    Covariate,
    Difference,
    Field,
    Item,
    ItemValue,
    Match,
    Option,
    Part,
    Place,
    Plan,
    PlannedTrial,
    Protocol,
    Responses,
    Sampling,
    Scale,
    ScaleCells,
    Split,
    Stimulus,
    Study,
    Subscale,
    Text,
)

HEAD = ("who", "born", "story", "consent", "q1", "q2", "q3", "habits")
ROWS: tuple[tuple[object, ...], ...] = (
    ("ann", 1990, "harbour", "yes", 1, 2, 3, "[1, 2]"),
    ("bob", 1985, "harbour", "yes", 4, 5, 1, "[3, 4]"),
    ("ann", 1990, "orchard", "yes", 5, 5, 5, "[1, 2]"),
)


def column(label: str) -> Place:
    return Place("column", (Text(label),))


def scale(name: str, items: int) -> Scale:
    questions = tuple(Item(number, f"i{number}", f"Question {number}") for number in range(1, items + 1))
    total = Subscale("total", "Total", Call("sum", tuple(ItemValue(item.number) for item in questions)))
    return Scale(name, name, tuple(Option(float(code)) for code in range(1, 6)), questions, (total,))


def wide_block() -> Block:
    """One row a person and story."""
    return Block(
        fields=(Field("respondent", column("who")), Field("stimulus", column("story"))),
        matches=(Match(column("consent"), (Text("yes"),)),),
        conditions=(ConditionCells("told", (ScaleCells("MOOD", column("q1"), column("q3")),)),),
        covariates=(Covariate("age", Difference(2020, column("born"))),),
        profile=(ScaleCells("HABITS", column("habits"), column("habits"), "list"),),
    )


def long_block() -> Block:
    """One row an answer."""
    return Block(
        fields=(
            Field("respondent", column("who")),
            Field("stimulus", column("story")),
            Field("item", column("item")),
        ),
        conditions=(ConditionCells("told", (ScaleCells("MOOD", column("answer"), column("answer"), "long"),)),),
    )


def plan(
    path: str,
    block: Block | None = None,
    sheet: str | None = None,
    split: Sequence[Part] = (),
    between: Sequence[str] = (),
    more: Sequence[Block] = (),
) -> Plan:
    blocks = (block or wide_block(), *more)
    mapping = Responses("people", "People", "human", (Text(path),), blocks, sheet)
    splits = (Split("people", tuple(split)),) if split else ()
    return Plan(
        format=FORMAT,
        compiler="test",
        plan_id="p1",
        study=Study(
            id="moods",
            title="Moods",
            scales=("MOOD", "HABITS"),
            panels=("people",),
            sampling=Sampling(),
            seed=1,
            orders=(0,),
            repeats=1,
            between=tuple(between),
            splits=splits,
        ),
        scales=(scale("MOOD", 3), scale("HABITS", 2)),
        prompts=(),
        stimuli=tuple(
            Stimulus(f"stories.{n}", n, {"text": f"In the {name}."}, name=name)
            for n, name in enumerate(("harbour", "orchard"))
        ),
        protocol=Protocol("p", (Condition("told", True, ()),)),
        models=(),
        responses=(mapping,),
    )


def import_plan(of: Plan, data: Path, results: Path) -> list[Imported]:
    """As `ebc import responses` does with a compiled study."""
    compiled = Compiled(of, arrow_schema(PlannedTrial).empty_table(), ())
    return store_recorded([read_recorded(compiled, data)], results)


def csv(*rows: Sequence[object], head: Sequence[object] = HEAD, separator: str = ",") -> bytes:
    """A CSV file; texts with the separator in them are quoted."""
    lines = [separator.join(_quoted(cell, separator) for cell in row) for row in (head, *rows)]
    return ("\n".join(lines) + "\n").encode()


def _quoted(cell: object, separator: str) -> str:
    text = "" if cell is None else str(cell)
    return f'"{text}"' if separator in text else text


def workbook(*rows: Sequence[object], head: Sequence[object] = HEAD, merge: str = "") -> bytes:
    """A workbook with the sheets Data and Notes, the latter blank."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Data"
    for row in (head, *rows):
        sheet.append(list(row))
    if merge:
        sheet.merge_cells(merge)
    book.create_sheet("Notes")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
