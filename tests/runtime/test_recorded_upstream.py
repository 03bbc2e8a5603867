"""The recorded answers and the people of the upstream checkout, whole."""

from collections import Counter

import pytest

from ebc.tables import DiskFiles
from runtime.recorded import RecordedPanel, read_responses
from tests.runtime.recorded_plans import UPSTREAM, answers, crowd, recorded, upstream_files, upstream_plan

pytestmark = upstream_files

FILES = DiskFiles(UPSTREAM)
PANAS_FILES = "results/PANAS Test/{panel}-PANAS-testing.csv"
CHALLENGING = {"AGQ": 29, "BDI": 21, "BFNE": 12, "DASS-21": 21, "FDS": 28, "FSS": 52, "GASP": 16, "MJS": 24}


@pytest.fixture(scope="module")
def models() -> dict[str, RecordedPanel]:
    mapping = recorded("PANAS", PANAS_FILES, 20)
    return {panel.panel: panel for panel in read_responses(upstream_plan([mapping]), mapping, FILES)}


@pytest.fixture(scope="module")
def people() -> RecordedPanel:
    (panel,) = read_responses(upstream_plan([crowd()]), crowd(), FILES)
    return panel


@pytest.fixture(scope="module")
def challenging() -> list[RecordedPanel]:
    panels = []
    for name, items in CHALLENGING.items():
        path = f"results/Challenging Bench/{{panel}}-{name}-testing.csv"
        mapping = recorded(name.replace("-", "_"), path, items)
        panels += read_responses(upstream_plan([mapping]), mapping, FILES)
    return panels


def test_every_response_and_every_value_is_there(
    models: dict[str, RecordedPanel], people: RecordedPanel, challenging: list[RecordedPanel]
) -> None:
    responses = [
        sum(panel.details.responses for panel in panels) for panels in (models.values(), challenging, [people])
    ]
    assert responses == [12_587, 1_830, 2_532]
    everything = [*models.values(), *challenging, people]
    assert sum(panel.details.values for panel in everything) == 348_760
    stored = sum(len(batch) - batch["value"].null_count for panel in everything for batch in panel.answers())
    assert stored == 348_760
    trials = [trial.trial for panel in everything for trial in panel.trials()]
    assert len(set(trials)) == len(trials) == 16_949


def test_panels_are_named_as_the_files_name_them(models: dict[str, RecordedPanel]) -> None:
    assert list(models) == [
        "davinci-003",
        "gpt-3.5-turbo",
        "gpt-4",
        "llama2-13b",
        "llama2-7b",
        "llama3.1-8b",
        "mixtral-8x22b",
    ]
    assert {panel.source for panel in models.values()} == {"recorded"}
    (respondent,) = models["gpt-4"].respondents()
    assert (respondent.respondent, respondent.kind, respondent.model) == ("gpt-4", "model", "gpt-4")


def test_responses_without_a_value_are_unparseable_and_null(models: dict[str, RecordedPanel]) -> None:
    panel = models["llama3.1-8b"]
    empty = [
        (trial, response, told)
        for trial, response, told in zip(panel.trials(), panel.responses(), answers(panel), strict=True)
        if response.status == "unparseable"
    ]
    blocks = Counter((trial.emotion, trial.factor_index) for trial, _, _ in empty)
    assert blocks == {("jealousy", 0): 10, ("jealousy", 1): 10, ("guilt", 0): 30, ("guilt", 1): 10}
    assert all(len(told) == 20 for _, _, told in empty)
    assert {answer.value for _, _, told in empty for answer in told} == {None}
    assert {answer.reason for _, _, told in empty for answer in told} == {"blank"}
    assert {response.text for _, response, _ in empty} == {None}
    assert sum(panel.details.statuses.values()) == 1_800


def test_a_known_column_lands_at_its_place(models: dict[str, RecordedPanel]) -> None:
    panel = models["gpt-4"]
    places = [
        number
        for number, trial in enumerate(panel.trials())
        if (trial.emotion, trial.factor_index, trial.situation, trial.repeat) == ("anger", 0, 0, 0)
    ]
    (number,) = places
    told = answers(panel)[number]
    table = FILES.read_table("results/PANAS Test/gpt-4-PANAS-testing.csv")
    column = table.rows[0].index("Anger-0_scenario-0_test-0_order-0")
    assert [answer.value for answer in told] == [float(str(row[column])) for row in table.rows[2:]]
    assert [answer.item for answer in told] == [answer.position for answer in told]
    trial = list(panel.trials())[number]
    assert (trial.condition, trial.factor) == ("evoked", "Facing_Self_Opinioned_People")
    assert (trial.item_order, trial.scale, trial.subject, trial.request_key) == (0, "PANAS", "gpt-4", None)


def test_what_fits_no_pattern_is_listed(models: dict[str, RecordedPanel]) -> None:
    (left_out,) = models["gpt-4"].details.left_out
    assert (left_out.axis, left_out.places, left_out.count) == ("columns", "1-2", 2)
    assert left_out.example == "question-0"
    assert "does not fit" in left_out.why


def test_people_are_paired_with_themselves_and_have_covariates(people: RecordedPanel) -> None:
    assert len(people.respondents()) == 1_266
    assert (people.panel, people.source) == ("crowd", "human")
    names = {"gender", "birth_year", "country", "employment", "education"}
    assert all(person.covariates.keys() == names for person in people.respondents())
    genders = Counter(person.covariates["gender"] for person in people.respondents())
    assert genders == {"Female": 685, "Male": 576, "Prefer not to say": 5}
    assert people.respondents()[0].covariates["birth_year"] == "1995"
    conditions: dict[str, list[str]] = {}
    for trial in people.trials():
        conditions.setdefault(trial.subject, []).append(trial.condition)
    assert set(map(tuple, conditions.values())) == {("default", "evoked")}
    default, evoked = list(people.trials())[:2]
    assert (default.emotion, default.stimulus) == (None, None)
    assert (evoked.emotion, evoked.factor_index, evoked.situation) == ("anger", 0, 0)


def test_the_default_scores_of_the_people_are_those_of_the_paper(people: RecordedPanel) -> None:
    negative = {2, 4, 6, 7, 8, 11, 13, 15, 18, 20}
    scores = [
        sum(answer.value or 0 for answer in told if answer.item in negative)
        for trial, told in zip(people.trials(), answers(people), strict=True)
        if trial.condition == "default"
    ]
    assert sum(scores) / len(scores) == pytest.approx(13.61769352)


def test_a_second_import_is_the_same_run(people: RecordedPanel) -> None:
    (again,) = read_responses(upstream_plan([crowd()]), crowd(), FILES)
    assert (again.run, list(again.trials())) == (people.run, list(people.trials()))
    assert answers(again) == answers(people)
