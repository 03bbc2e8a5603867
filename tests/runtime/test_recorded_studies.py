"""The recorded answers of two published studies, whole: raters of replies, and annotators of story pairs."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from ebc.tables import DiskFiles
from runtime.recorded import RecordedPanel, read_responses
from schemas.plan import (
    Block,
    CellSpan,
    Condition,
    ConditionCells,
    Constant,
    Counted,
    Field,
    Item,
    Option,
    Plan,
    Protocol,
    Recode,
    Responses,
    Scale,
    ScaleCells,
    Stimulus,
)
from tests.runtime.recorded_plans import answers, column, plan, responses, scale

STUDIES = Path(__file__).parents[3] / "shared" / "studies"
RATINGS = STUDIES / "empathetic_responding" / "ratings.csv"
PAIRS = STUDIES / "story_similarity" / "urdu_annotations.csv"
ARMS = ("human", "chatgpt", "chatgpt_empathy")
REVERSED = {2, 4, 7, 10, 11, 12, 14, 15}
ASPECTS = ("event", "emotion", "empathy")

pytestmark = pytest.mark.skipif(
    not (RATINGS.is_file() and PAIRS.is_file()),
    reason="the studies' data files are not in ../shared/studies beside the repository",
)


def judged_plan(scales: list[Scale], stimuli: list[Stimulus], mapping: Responses) -> Plan:
    protocol = Protocol("p", (Condition("judged", True, ()),))
    return msgspec.structs.replace(plan(scales, stimuli, [mapping]), protocol=protocol)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def raters() -> RecordedPanel:
    blocks = [
        Block(
            levels={"arm": arm},
            fields=(Field("respondent", column(f"rater_{arm}")), Field("stimulus", column("dialog_id"))),
            conditions=(
                ConditionCells(
                    "judged",
                    (ScaleCells("RATING", (CellSpan(column(f"rating_{arm}"), column(f"rating_{arm}")),)),),
                ),
            ),
            profile=(
                ScaleCells(
                    "EMPATHY", (CellSpan(column(f"empathy_arr_{arm}"), column(f"empathy_arr_{arm}")),), "list"
                ),
            ),
        )
        for arm in ARMS
    ]
    recode = Recode("EMPATHY", {str(code): str(code + 2) for code in range(-2, 3)})
    mapping = responses("raters", "ratings.csv", *blocks, recodes=(recode,))
    stimuli = [
        Stimulus(f"openings.{number}", number, {"valence": row["sentiment"]}, name=row["dialog_id"])
        for number, row in enumerate(rows(RATINGS))
    ]
    study = judged_plan([scale("RATING", 1, 3, 1), scale("EMPATHY", 0, 4, 16)], stimuli, mapping)
    study = msgspec.structs.replace(study, study=msgspec.structs.replace(study.study, between=("arm",)))
    (panel,) = read_responses(study, mapping, DiskFiles(RATINGS.parent))
    return panel


def test_every_rating_is_there_by_arm(raters: RecordedPanel) -> None:
    assert (len(raters.respondents()), raters.details.responses) == (600, 6_600)
    found: Counter[tuple[str, float | None]] = Counter()
    for trial, told in zip(raters.trials(), answers(raters), strict=True):
        if trial.condition == "judged":
            found[trial.levels["arm"], told[0].value] += 1
    assert [[found[arm, code] for code in (1, 2, 3)] for arm in ARMS] == [
        [342, 672, 986],
        [156, 576, 1_268],
        [142, 563, 1_295],
    ]


def test_a_raters_profile_is_stored_once_and_sums_to_what_the_file_says(raters: RecordedPanel) -> None:
    sums = {
        trial.respondent: sum(
            4 - (one.value or 0) if one.item in REVERSED else (one.value or 0) for one in told
        )
        for trial, told in zip(raters.trials(), answers(raters), strict=True)
        if trial.condition is None
    }
    printed = {
        row[f"rater_{arm}"]: float(row[f"empathy_propensity_{arm}"]) for row in rows(RATINGS) for arm in ARMS
    }
    assert len(sums) == 600
    assert sums == printed


def test_annotators_side_by_side_are_respondents_of_pairs_that_are_counted() -> None:
    halves = tuple(Option(code / 2) for code in range(2, 9))
    items = tuple(Item(number, aspect, aspect) for number, aspect in enumerate(ASPECTS, start=1))
    similarity = msgspec.structs.replace(scale("PAIR", 1, 4, 3), options=halves, items=items)
    blocks = [
        Block(
            fields=(Field("respondent", Constant(f"person_{number}")), Field("stimulus", Counted())),
            conditions=(
                ConditionCells(
                    "judged",
                    (
                        ScaleCells(
                            "PAIR",
                            (
                                CellSpan(
                                    column(f"Person_{number}_event_score"),
                                    column(f"Person_{number}_empathy_score"),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        )
        for number in range(1, 5)
    ]
    mapping = responses("annotators", "urdu_annotations.csv", *blocks)
    stimuli = [Stimulus(f"pairs.{number}", number, {"n": "x"}, name=str(number + 1)) for number in range(291)]
    study = judged_plan([similarity], stimuli, mapping)
    (panel,) = read_responses(study, mapping, DiskFiles(PAIRS.parent))
    assert (len(panel.respondents()), panel.details.responses, panel.details.values) == (4, 1_164, 3_492)
    told = [
        [one.value for one in told]
        for trial, told in zip(panel.trials(), answers(panel), strict=True)
        if trial.respondent == "person_1"
    ]
    assert told == [[float(row[f"Person_1_{aspect}_score"]) for aspect in ASPECTS] for row in rows(PAIRS)]
    (file,) = panel.details.files
    assert file.unused == ("gpt_score", "Event_AVG", "Emo_AVG", "Emp_AVG")
