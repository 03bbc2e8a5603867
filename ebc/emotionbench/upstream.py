"""What the checkout says: questionnaires, situations, and where recorded answers stand."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import msgspec

from ebc.errors import UserError
from ebc.questionnaires.records import FILE, Questionnaire, read_json

BENCHMARK = "EmotionBench"
CHECKOUT = "Name the folder of an EmotionBench checkout."
LABEL = re.compile(r"(?P<emotion>.+)-\d+_scenario-\d+_test-\d+_order-\d+")


class Factor(msgspec.Struct, frozen=True):
    name: str
    scenarios: tuple[str, ...]


class Emotion(msgspec.Struct, frozen=True):
    name: str
    factors: tuple[Factor, ...]


class Situations(msgspec.Struct, frozen=True):
    emotions: tuple[Emotion, ...]


class Recordings(msgspec.Struct, frozen=True):
    """Models' answers to one questionnaire. `path` is a pattern with {panel}, below the checkout; `people` the
    file of the people's answers, if there is one. `emotions` are those that were evoked; `presented` is what a
    model was told before the questionnaire, {situation} in place of the situation."""

    path: str
    people: str | None
    emotions: tuple[str, ...]
    presented: str | None


class Checkout(msgspec.Struct, frozen=True):
    questionnaires: tuple[Questionnaire, ...]
    emotions: tuple[Emotion, ...]
    recordings: dict[str, Recordings]


def read_checkout(folder: Path) -> Checkout:
    """The checkout in a folder. Raises UserError where it is none."""
    questionnaires = read_json(folder / FILE, tuple[Questionnaire, ...], BENCHMARK, CHECKOUT)
    situations = read_json(folder / "situations.json", Situations, BENCHMARK, CHECKOUT)
    found = {one.name: _recordings(folder, one.name, situations) for one in questionnaires}
    recordings = {name: one for name, one in found.items() if one is not None}
    if not recordings:
        raise UserError(f"{folder / 'results'} has no file like MODEL-QUESTIONNAIRE-testing.csv. {CHECKOUT}")
    return Checkout(questionnaires, situations.emotions, recordings)


def _recordings(folder: Path, name: str, situations: Situations) -> Recordings | None:
    """The first folder of results with answers to a questionnaire."""
    files = sorted((folder / "results").glob(f"*/*-{name}-testing.csv"))
    if not files:
        return None
    place = files[0].parent
    columns = {path: _first_rows(path) for path in files if path.parent == place}
    labels = [label for rows in columns.values() for label in rows]
    said = {match["emotion"].casefold() for label in labels if (match := LABEL.fullmatch(label))}
    people = place / "crowd.xlsx"
    return Recordings(
        path=f"results/{place.name}/{{panel}}-{name}-testing.csv",
        people=f"results/{place.name}/crowd.xlsx" if people.is_file() else None,
        emotions=tuple(one.name for one in situations.emotions if one.name.casefold() in said),
        presented=_presented(list(columns.values()), situations),
    )


def _first_rows(path: Path) -> dict[str, str]:
    """Each column's label, and the text below it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            labels, below = next(reader, []), next(reader, [])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} cannot be read: {error}.") from error
    return dict(zip(labels, below, strict=False))


def _presented(files: list[dict[str, str]], situations: Situations) -> str | None:
    """The words around the situation, taken from the first column that holds one whole."""
    texts = {text for one in situations.emotions for factor in one.factors for text in factor.scenarios}
    for columns in files:
        for label, below in columns.items():
            quoted = re.fullmatch(r'(?P<before>[^"]*")(?P<situation>.*)(?P<after>"[^"]*)', below, re.DOTALL)
            if LABEL.fullmatch(label) and quoted and quoted["situation"] in texts:
                return f"{quoted['before']}{{situation}}{quoted['after']}"
    return None
