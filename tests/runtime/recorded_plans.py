"""Plans and mappings by hand, small ones and those of the upstream files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest

from runtime.recorded import RecordedPanel
from schemas.plan import (
    FORMAT,
    Block,
    CellSpan,
    Condition,
    ConditionCells,
    Counted,
    Covariate,
    Field,
    Hole,
    Item,
    ItemValue,
    Match,
    Option,
    Place,
    Plan,
    Protocol,
    Recode,
    Responses,
    Sampling,
    Scale,
    ScaleCells,
    Stimulus,
    Study,
    Subscale,
    Template,
    Text,
)
from schemas.rows import AnswerRow
from schemas.table import Cell, Table

UPSTREAM = Path(__file__).parents[3] / "shared" / "emotionbench"

upstream_files = pytest.mark.skipif(
    not (UPSTREAM / "questionnaires.json").is_file(),
    reason="the upstream data files are not in ../shared/emotionbench beside the repository",
)


class Tables:
    """Files in memory."""

    def __init__(self, tables: dict[str, Sequence[Sequence[Cell]]]) -> None:
        self._tables = tables

    def read_text(self, path: str) -> str:
        raise FileNotFoundError(path)

    def read_table(self, path: str, sheet: str | None = None) -> Table:  # noqa: ARG002
        if path not in self._tables:
            raise FileNotFoundError(path)
        return Table(path, tuple(tuple(row) for row in self._tables[path]))

    def glob(self, pattern: str) -> list[str]:
        from fnmatch import fnmatchcase

        return sorted(path for path in self._tables if fnmatchcase(path, pattern))


def template(text: str) -> Template:
    """`{name}` is a hole."""
    parts = re.split(r"\{(\w+)\}", text)
    return tuple(
        Hole(part) if number % 2 else Text(part) for number, part in enumerate(parts) if number % 2 or part
    )


def row(at: int | str) -> Place:
    return Place("row", at if isinstance(at, int) else template(at))


def column(at: int | str) -> Place:
    return Place("column", at if isinstance(at, int) else template(at))


def match(place: Place, pattern: str, counting_from: int = 1) -> Match:
    return Match(place, template(pattern), counting_from)


def responses(
    name: str,
    path: str,
    *blocks: Block,
    kind: Literal["human", "model"] = "human",
    transposed: bool = False,
    sheet: str | None = None,
    headers: int | None = None,
    recodes: tuple[Recode, ...] = (),
) -> Responses:
    return Responses(
        id=name,
        title=name.title(),
        kind=kind,
        path=template(path),
        blocks=blocks,
        sheet=sheet,
        transposed=transposed,
        headers=headers,
        recodes=recodes,
    )


def answers(panel: RecordedPanel) -> list[list[AnswerRow]]:
    """The answers of each response."""
    found: dict[str, list[AnswerRow]] = {response.response: [] for response in panel.responses()}
    for batch in panel.answers():
        for one in batch.to_pylist():
            found[one["response"]].append(AnswerRow(**one))
    return list(found.values())


def scale(name: str, low: int, high: int, items: int) -> Scale:
    options = tuple(Option(float(code)) for code in range(low, high + 1))
    return Scale(
        id=name,
        title=name,
        options=options,
        items=tuple(Item(number, f"i{number}", f"Item {number}") for number in range(1, items + 1)),
        subscales=(Subscale("total", "Total", ItemValue(1)),),
        orders=(tuple(range(1, items + 1)),),
    )


def stimulus(emotion: str, factor: str, factor_index: int, situation: int) -> Stimulus:
    return Stimulus(
        id=f"{emotion}.{factor}.{situation}",
        emotion=emotion,
        emotion_title=emotion.title(),
        factor=factor,
        factor_title=f"Facing {factor}",
        factor_index=factor_index,
        situation=situation,
        fields={"situation": f"{factor} {situation}"},
    )


def plan(scales: Sequence[Scale], stimuli: Sequence[Stimulus], responses: Sequence[Responses]) -> Plan:
    return Plan(
        format=FORMAT,
        compiler="test",
        plan_id="0",
        study=Study(
            id="a_study",
            title="A study",
            scales=tuple(one.id for one in scales),
            panels=tuple(one.id for one in responses),
            sampling=Sampling(),
            seed=1,
            orders=(0,),
            repeats=1,
        ),
        scales=tuple(scales),
        prompts=(),
        stimuli=tuple(stimuli),
        protocol=Protocol("p", (Condition("default", False, ()), Condition("evoked", True, ()))),
        models=(),
        responses=tuple(responses),
    )


def two_emotions() -> list[Stimulus]:
    """Anger and guilt, two factors each, two situations each."""
    return [
        stimulus(emotion, f"{emotion}_{letter}", index, situation)
        for emotion in ("anger", "guilt")
        for index, letter in enumerate("ab")
        for situation in (0, 1)
    ]


# --- the upstream files -----------------------------------------------------------------------

MODEL_LABEL = "{emotion}-{factor}_scenario-{situation}_test-{repeat}_order-{order}"


def upstream_plan(responses: Sequence[Responses]) -> Plan:
    questionnaires = json.loads((UPSTREAM / "questionnaires.json").read_text(encoding="utf-8"))
    scales = []
    for one in questionnaires:
        low = 0 if one["name"] in ("BDI", "DASS-21") else 1
        scales.append(scale(_word(one["name"]), low, one["scale"] - low, len(one["questions"])))
    situations = json.loads((UPSTREAM / "situations.json").read_text(encoding="utf-8"))
    stimuli = [
        Stimulus(
            id=f"{emotion['name']}-{index}-{situation}",
            emotion=emotion["name"].lower(),
            emotion_title=emotion["name"],
            factor=_word(factor["name"]),
            factor_title=factor["name"],
            factor_index=index,
            situation=situation,
            fields={"situation": text},
        )
        for emotion in situations["emotions"]
        for index, factor in enumerate(emotion["factors"])
        for situation, text in enumerate(factor["scenarios"])
    ]
    return plan(scales, stimuli, responses)


def _word(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def recorded(name: str, path: str, items: int) -> Responses:
    """Models' answers to a scale: one column a response."""
    order = column("order-{order}")
    cells = (ScaleCells(name, (CellSpan(row(3), row(items + 2)),), order=order),)
    default = match(row(1), "General_test-{repeat}_order-{order}", 0)
    block = Block(
        conditions=(
            ConditionCells("default", cells, (default,)),
            ConditionCells("evoked", cells, (match(row(1), MODEL_LABEL, 0),)),
        )
    )
    return responses("recorded", path, block, kind="model", transposed=True)


def crowd() -> Responses:
    """People's answers: one column a person."""
    labels = {
        "gender": "Gender:",
        "birth_year": "Year of Birth: - Year - Please Select:",
        "country": "Which country are you from?",
        "employment": "Employment Status:",
        "education": "Education attainment",
    }
    block = Block(
        fields=(Field("respondent", Counted()),),
        matches=(match(row(1), "{emotion}_F{factor}S{situation}"),),
        covariates=tuple(Covariate(name, row(label)) for name, label in labels.items()),
        conditions=(
            ConditionCells("default", (ScaleCells("PANAS", (CellSpan(row(7), row(26)),)),)),
            ConditionCells("evoked", (ScaleCells("PANAS", (CellSpan(row(27), row(46)),)),)),
        ),
    )
    return responses(
        "crowd",
        "results/PANAS Test/crowd.xlsx",
        block,
        transposed=True,
        sheet="Raw",
        recodes=(Recode("emotion", {"Angry": "anger", "Jealous": "jealousy"}),),
    )
