"""EmotionBench's recorded PANAS answers as rows of the contract, from the checkout beside the repository."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from schemas.plan import (
    Call,
    Condition,
    Contrast,
    Expectation,
    Expected,
    ExpectedCell,
    Item,
    ItemValue,
    Option,
    Plan,
    Predicate,
    Protocol,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Subscale,
)
from schemas.rows import Answered, AnswerRow, RespondentRow, ResponseRow, RunRow, TrialRow
from warehouse.parquet import ParquetSink
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
ARROWS = {"up": "up", "down": "down", "ns": "none"}
POSITIVE = (1, 3, 5, 9, 10, 12, 14, 16, 17, 19)
NEGATIVE = tuple(n for n in range(1, 21) if n not in POSITIVE)
MOMENT = datetime(2024, 1, 1, tzinfo=UTC)


class Recorded(NamedTuple):
    """One observation: who, where, and twenty values."""

    subject: str
    condition: str
    place: tuple[str, int, int] | None
    repeat: int
    values: list[float | None]


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
        _store(results, model, "model", list(_model_answers(path)), {})
    answers, covariates = _people(data / "results" / "PANAS Test" / "crowd.xlsx")
    _store(results, "crowd", "human", answers, covariates)
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
    paper = dict(a="evoked", b="default", by=((), ("emotion",), ("factor",)), alpha=0.01, adjust="none")
    models = Contrast(
        "shift", test="f_then_t", effect="hedges_g", where=(Predicate("kind", ("model",)),), **paper
    )
    people = Contrast(
        "people",
        test="paired_t",
        effect="paired_d",
        where=(Predicate("panel", ("crowd",)),),
        paired_by="respondent",
        **paper,
    )
    return Plan(
        1,
        "test",
        "emotionbench",
        Study("panas", "PANAS", ("PANAS",), (*MODELS, "crowd"), Sampling(), 1, (0,), 1),
        (scale,),
        (),
        tuple(_stimuli(data)),
        Protocol("appraisal", (Condition("default", False, ()), Condition("evoked", True, ()))),
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
                    f"{name}.{index}.{situation}",
                    name,
                    emotion["name"],
                    f"{name}_{index}",
                    factor["name"],
                    index,
                    situation,
                    {"situation": text},
                )


def _expectations(data: Path) -> Iterator[Expectation]:
    with (data / "published" / "published_by_factor.csv").open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    for contrast, tables in (("people", ("T8",)), ("shift", ("T9", "T10", "T11"))):
        cells = tuple(_expected(row) for row in printed if row["table"] in tables)
        yield Expectation(contrast, f"Tables {', '.join(tables)}", cells)


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


def _model_answers(path: Path) -> Iterator[Recorded]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    for column, title in enumerate(head):
        general = re.fullmatch(r"General_test-(\d+)_order-0", title)
        evoked = re.fullmatch(r"(\w+)-(\d+)_scenario-(\d+)_test-(\d+)_order-0", title)
        values = (
            [float(row[column]) if row[column] else None for row in rows[-20:]] if general or evoked else []
        )
        if general:
            yield Recorded("model", "default", None, int(general[1]), values)
        elif evoked:
            place = (evoked[1].lower(), int(evoked[2]), int(evoked[3]))
            yield Recorded("model", "evoked", place, int(evoked[4]), values)


def _people(path: Path) -> tuple[list[Recorded], dict[str, dict[str, str]]]:
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
        answers.append(Recorded(subject, "default", None, 0, [float(v) for v in column[6:26]]))
        answers.append(Recorded(subject, "evoked", place, 0, [float(v) for v in column[26:46]]))
    return answers, covariates


def _store(
    results: Path, panel: str, kind: str, answers: list[Recorded], covariates: dict[str, dict[str, str]]
) -> None:
    run = RunRow(
        f"run-{panel}",
        "panas",
        panel,
        "emotionbench",
        "human" if kind == "human" else "recorded",
        "finished",
        len(answers),
        MOMENT,
        MOMENT,
    )
    subjects = dict.fromkeys(answer.subject for answer in answers)
    sink = ParquetSink(results)
    sink.open(
        run,
        [
            RespondentRow(s, run.run, "panas", panel, kind, None, None, covariates.get(s, {}))  # type: ignore[arg-type]
            for s in subjects
        ],
        (_trial(run, number, answer) for number, answer in enumerate(answers)),
    )
    sink.write(0, _answered(run, answers))
    sink.flush()
    sink.close(run)


def _trial(run: RunRow, number: int, answer: Recorded) -> TrialRow:
    emotion, index, situation = answer.place or (None, None, None)
    return TrialRow(
        trial=f"{run.panel}-{number}",
        run=run.run,
        study="panas",
        respondent=answer.subject,
        panel=run.panel,
        subject=answer.subject,
        conversation=str(number),
        stage=0,
        step="measure",
        turn=0,
        parent=None,
        condition=answer.condition,
        emotion=emotion,
        factor=None if emotion is None else f"{emotion}_{index}",
        factor_index=index,
        situation=situation,
        stimulus=None if emotion is None else f"{emotion}.{index}.{situation}",
        scale="PANAS",
        item_order=0,
        variant=None,
        repeat=answer.repeat,
        request_key=None,
    )


def _answered(run: RunRow, answers: Iterable[Recorded]) -> Iterator[Answered]:
    for number, answer in enumerate(answers):
        response = f"{run.panel}-{number}.0"
        known = any(value is not None for value in answer.values)
        row = ResponseRow(
            response=response,
            trial=f"{run.panel}-{number}",
            run=run.run,
            attempt=0,
            source=run.source,
            text=None,
            reasoning=None,
            status="complete" if known else "unparseable",
            finish_reason=None,
            tokens_in=None,
            tokens_out=None,
            tokens_cached=None,
            cost=None,
            latency=None,
            model_version=None,
            request_sent=None,
            error=None,
            asked=None,
            answered=None,
        )
        values = (
            tuple(
                AnswerRow(response, run.run, item, item, 0, value, None, None)
                for item, value in enumerate(answer.values, start=1)
            )
            if known
            else ()
        )
        yield Answered(row, values)
