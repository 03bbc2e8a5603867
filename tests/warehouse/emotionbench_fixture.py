"""EmotionBench's recorded PANAS answers as rows of the contract, from the checkout beside the repository."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.plan import (
    Call,
    Expectation,
    Expected,
    ExpectedCell,
    Item,
    ItemValue,
    Option,
    Plan,
    Predicate,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Subscale,
)
from schemas.rows import Status
from tests.warehouse.builder import PROTOCOL, Seen, contrast, store
from warehouse.register import register_plan

DATA = Path(__file__).resolve().parents[3] / "shared" / "emotionbench"
MODELS = (
    "davinci-003",
    "gpt-3.5-turbo",
    "gpt-4",
    "llama2-7b",
    "llama2-13b",
    "llama3.1-8b",
    "mixtral-8x22b",
)
PRINTED = {
    "text-davinci-003": "davinci-003",
    "llama-2-7b-chat": "llama2-7b",
    "llama-2-13b-chat": "llama2-13b",
    "llama-3.1-8b-instruct": "llama3.1-8b",
    "mixtral-8x22b-instruct": "mixtral-8x22b",
}
PEOPLE_NAMES = {"Angry": "anger", "Jealous": "jealousy"}
BY = ((), ("emotion",), ("factor",))
ARROWS = {"up": "up", "down": "down", "ns": "none"}
POSITIVE = (1, 3, 5, 9, 10, 12, 14, 16, 17, 19)
NEGATIVE = tuple(n for n in range(1, 21) if n not in POSITIVE)


def data_folder() -> Path:
    if not DATA.is_dir():
        pytest.skip("EmotionBench's files do not stand beside the repository (../shared/emotionbench)")
    return DATA


def load(results: Path) -> Plan:
    """Fills a warehouse with seven models and 1,266 people; returns the plan."""
    data = data_folder()
    the_plan = plan(data)
    register_plan(results, the_plan)
    for model in MODELS:
        path = data / "results" / "PANAS Test" / f"{model}-PANAS-testing.csv"
        store(results, the_plan.study, model, list(_model_answers(path)))
    answers, covariates = _people(data / "results" / "PANAS Test" / "crowd.xlsx")
    store(results, the_plan.study, "crowd", answers, kind="human", covariates=covariates)
    return the_plan


def plan(data: Path) -> Plan:
    words = next(q for q in json.loads(_text(data / "questionnaires.json")) if q["name"] == "PANAS")
    scale = Scale(
        "PANAS",
        "Positive and Negative Affect Schedule",
        tuple(Option(code) for code in range(1, 6)),
        tuple(Item(int(number), number, text) for number, text in words["questions"].items()),
        (
            Subscale("positive", "Positive Affect", Call("sum", tuple(map(ItemValue, POSITIVE)))),
            Subscale("negative", "Negative Affect", Call("sum", tuple(map(ItemValue, NEGATIVE)))),
        ),
    )
    models = contrast(
        by=BY, test="f_then_t", alpha=0.01, effect="hedges_g", where=(Predicate("kind", ("model",)),)
    )
    people = contrast(
        name="people",
        by=BY,
        test="paired_t",
        alpha=0.01,
        effect="paired_d",
        where=(Predicate("panel", ("crowd",)),),
        paired_by="respondent",
    )
    return Plan(
        1,
        "test",
        "emotionbench",
        Study("panas", "PANAS", ("PANAS",), (*MODELS, "crowd"), Sampling(), 1, (0,), 1),
        (scale,),
        (),
        tuple(_stimuli(data)),
        PROTOCOL,
        (),
        contrasts=(models, people),
        expectations=tuple(_expectations(data)),
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _stimuli(data: Path) -> Iterator[Stimulus]:
    for emotion in json.loads(_text(data / "situations.json"))["emotions"]:
        name = emotion["name"].lower()
        for index, factor in enumerate(emotion["factors"]):
            for situation, text in enumerate(factor["scenarios"]):
                yield Stimulus(
                    id=f"{name}.{index}.{situation}",
                    situation=situation,
                    fields={"situation": text},
                    emotion=name,
                    emotion_title=emotion["name"],
                    factor=f"{name}_{index}",
                    factor_title=factor["name"],
                    factor_index=index,
                )


def _expectations(data: Path) -> Iterator[Expectation]:
    with (data / "published" / "published_by_factor.csv").open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    for name, tables in (("people", ("T8",)), ("shift", ("T9", "T10", "T11"))):
        cells = tuple(_expected(row) for row in printed if row["table"] in tables)
        yield Expectation(name, f"Tables {', '.join(tables)}", cells)


def _expected(row: dict[str, str]) -> ExpectedCell:
    overall = row["emotion"] == "Overall"
    return ExpectedCell(
        {
            "panel": PRINTED.get(row["model"], row["model"]),
            "subscale": "positive" if row["affect"] == "P" else "negative",
            "emotion": None if overall else row["emotion"].lower(),
            "factor_index": None if row["factor_index"] == "avg" else int(row["factor_index"]),
        },
        (Expected("estimate", float(row["change"]), 0.1, 1),),
        ARROWS[row["arrow"]],
    )


def _model_answers(path: Path) -> Iterator[Seen]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    for column, title in enumerate(head):
        general = re.fullmatch(r"General_test-(\d+)_order-0", title)
        evoked = re.fullmatch(r"(\w+)-(\d+)_scenario-(\d+)_test-(\d+)_order-0", title)
        if general or evoked:
            values = [float(row[column]) if row[column] else None for row in rows[-20:]]
            status: Status = "complete" if any(value is not None for value in values) else "unparseable"
            place = (evoked[1].lower(), int(evoked[2]), int(evoked[3])) if evoked else None
            repeat = int(evoked[4] if evoked else general[1])  # type: ignore[index]
            yield Seen("evoked" if evoked else "default", values, place, repeat=repeat, status=status)


def _people(path: Path) -> tuple[list[Seen], dict[str, dict[str, str]]]:
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    columns = list(zip(*book["Raw"].iter_rows(max_row=46, values_only=True), strict=True))[2:]
    book.close()
    answers, covariates = [], {}
    for number, column in enumerate(columns):
        subject = f"person-{number}"
        name, factor, situation = re.fullmatch(r"(\w+)_F(\d+)S(\d+)", str(column[0])).groups()  # type: ignore[union-attr]
        place = (PEOPLE_NAMES.get(name, name.lower()), int(factor) - 1, int(situation) - 1)
        covariates[subject] = {"gender": str(column[1])}
        answers.append(Seen("default", [float(v) for v in column[6:26]], subject=subject))
        answers.append(Seen("evoked", [float(v) for v in column[26:46]], place, subject))
    return answers, covariates
