"""Plans by hand, and a sink of files, for the tests of the runtime."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec
import pyarrow as pa

from schemas.plan import (
    FORMAT,
    Call,
    Condition,
    Hole,
    Item,
    ItemValue,
    Measure,
    Message,
    Model,
    Option,
    Plan,
    PlannedTrial,
    Present,
    Prompt,
    Protocol,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Subscale,
    Text,
)
from schemas.planfile import PlannedTrials
from schemas.rows import Answered, RespondentRow, RunRow, Status

WORDS = ("Calm", "Tense", "Cheerful", "Gloomy", "Alert")
ANCHORS = ("not at all", "a little", "moderately", "quite a bit", "extremely")


def scale() -> Scale:
    """Five moods, two subscales, one item reversed; order 1 is the items backwards."""
    return Scale(
        id="MOODS",
        title="Moods",
        options=tuple(Option(float(code), anchor) for code, anchor in enumerate(ANCHORS, start=1)),
        items=tuple(
            Item(number, word.lower(), word, reverse=number == 5) for number, word in enumerate(WORDS, 1)
        ),
        subscales=(
            Subscale("good", "Good", Call("sum", (ItemValue(1), ItemValue(3)))),
            Subscale("bad", "Bad", Call("sum", (ItemValue(2), ItemValue(4), ItemValue(5)))),
        ),
        orders=((1, 2, 3, 4, 5), (5, 4, 3, 2, 1)),
    )


def model(provider: str = "fake", **settings: str | float | dict[str, str | int | float | bool]) -> Model:
    """A model of the given provider."""
    return Model(id="m", provider=provider, name="model-one", settings=dict(settings))


def plan(situations: int, who: Model, repeats: int = 1, sampling: Sampling = Sampling()) -> Plan:  # noqa: B008
    """A study of `situations` situations, before and after."""
    stimuli = tuple(
        Stimulus(
            id=f"anger.one.{i}",
            situation=i,
            fields={"situation": f"Situation {i}."},
            emotion="anger",
            emotion_title="Anger",
            factor="one",
            factor_title="Factor one",
            factor_index=0,
        )
        for i in range(situations)
    )
    ask = Prompt("ask", (Message("user", (Hole("presented"), Text(" Rate each: "), Hole("scale.items"))),))
    imagine = Prompt("imagine", (Message("user", (Text("Imagine: "), Hole("situation"))),))
    measure = Measure("ask")
    protocol = Protocol(
        "appraisal",
        (Condition("default", False, (measure,)), Condition("evoked", True, (Present("imagine"), measure))),
    )
    study = Study("moods", "Moods", ("MOODS",), (who.id,), sampling, 42, (0, 1), repeats)
    return Plan(FORMAT, "test", "plan-1", study, (scale(),), (ask, imagine), stimuli, protocol, (who,))


def trials(of: Plan) -> list[PlannedTrial]:
    """The plan's trials: a baseline and every situation, in each order, `repeats` times."""
    return [
        _trial(of.models[0].id, stimulus, order, repeat)
        for stimulus in (None, *(stimulus.id for stimulus in of.stimuli))
        for order in of.study.orders
        for repeat in range(of.study.repeats)
    ]


def planned(of: Plan) -> PlannedTrials:
    """The same, as a plan's folder holds them."""
    return PlannedTrials.of(trials(of))


def _trial(who: str, stimulus: str | None, order: int, repeat: int) -> PlannedTrial:
    request_key = _key(f"{who} {stimulus} {order}")
    return PlannedTrial(
        trial_key=_key(f"{request_key} {repeat}"),
        request_key=request_key,
        model=who,
        conversation=f"{stimulus} {order} {repeat}",
        condition="default" if stimulus is None else "evoked",
        scale="MOODS",
        prompt="ask",
        presented=() if stimulus is None else ("imagine",),
        item_order=order,
        repeat=repeat,
        stimulus=stimulus,
    )


def _key(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


class FileSink:
    """Keeps parts as JSON lines in a folder, each by atomic rename."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def open(self, run: RunRow, respondents: Sequence[RespondentRow], trials: Iterable[pa.RecordBatch]) -> None:
        """Replaces the run, its respondents and trials."""
        self._store(f"{run.run}.trials", [row for batch in trials for row in batch.to_pylist()])
        self._store(f"{run.run}.respondents", list(respondents))
        self._store(f"{run.run}.run", [run])

    def parts(self) -> set[int]:
        """The numbers of the parts."""
        return {int(path.name.removeprefix("part.")) for path in self.folder.glob("part.*")}

    def write(self, part: int, answered: Iterable[Answered]) -> None:
        """One part."""
        self._store(f"part.{part}", list(answered))

    def flush(self) -> None:
        """Nothing waits."""

    def close(self, run: RunRow) -> None:
        """The run's last row."""
        self._store(f"{run.run}.run", [run])

    def answers(self) -> list[Answered]:
        """Everything that was written."""
        return [
            msgspec.json.decode(line, type=Answered)
            for path in sorted(self.folder.glob("part.*"))
            for line in path.read_bytes().splitlines()
        ]

    def newest(self) -> dict[str, tuple[Status, int]]:
        """The newest status and attempt of each trial."""
        rows = sorted((a.response for a in self.answers()), key=lambda response: response.attempt)
        return {row.trial: (row.status, row.attempt) for row in rows}

    def run(self, run: str) -> RunRow:
        """The run's row."""
        return msgspec.json.decode((self.folder / f"{run}.run").read_bytes(), type=RunRow)

    def trials(self, run: str) -> list[dict[str, object]]:
        """The run's trials."""
        return [json.loads(line) for line in (self.folder / f"{run}.trials").read_bytes().splitlines()]

    def _store(self, name: str, rows: Sequence[object]) -> None:
        scratch = self.folder / f"tmp.{name}"
        scratch.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        scratch.replace(self.folder / name)
