"""Runs by way of batches against a test server, each with its rows and ledgers in a folder."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from runtime.batch.ledger import Ledgers
from runtime.batch.settings import BatchSettings
from runtime.budget import Budget
from runtime.execute import run_panel_async
from runtime.flights import Settings
from runtime.interrupt import Stop
from runtime.outcome import Outcome
from runtime.progress import Progress
from runtime.retry import RetryPolicy
from runtime.runs import trial_id
from runtime.transports.batches import OpenAIBatches
from runtime.transports.openai import OpenAI
from schemas.plan import Model, Plan, Price, Sampling
from tests.runtime.asking_openai import KEY, WITH_KEY, Notes
from tests.runtime.plans import FileSink, model, plan, planned, trials
from tests.runtime.server import PLAIN, Server
from tests.runtime.server_batches import Course, Script
from tests.runtime.server_endpoint import Endpoint
from tests.runtime.server_log import paid_twice

T = TypeVar("T")

SITUATIONS, REPEATS = 4, 3
QUICK = Settings(
    retry=RetryPolicy(tries=5, first=0.001, longest=0.002),
    batch=BatchSettings(first=0.001, longest=0.002, patience=5.0),
)
NOT_SAID = Sampling()
PRICE = Price(2.0, 8.0, batch=0.5)


def quick(**batch: Any) -> Settings:
    """The settings with others for batches."""
    return msgspec.structs.replace(QUICK, batch=msgspec.structs.replace(QUICK.batch, **batch))


class Study:
    """A study whose run is begun, broken off and gone on with, at one server."""

    def __init__(
        self,
        folder: Path,
        server: Server,
        situations: int = SITUATIONS,
        sampling: Sampling = NOT_SAID,
        price: Price | None = None,
    ) -> None:
        self.folder = folder
        self.server = server
        self.who: Model = msgspec.structs.replace(model("openai", base_url=server.url), price=price)
        self.plan: Plan = plan(situations, self.who, REPEATS, sampling)
        self.trials = trials(self.plan)
        self.planned = planned(self.plan)
        self.sink = FileSink(folder / "sink")
        self.journal = folder / "journal"
        self.notes: list[str] = []

    async def run(
        self,
        settings: Settings = QUICK,
        stop: Stop | None = None,
        budget: Budget | None = None,
        told: Progress | None = None,
        batch: bool = True,
    ) -> Outcome:
        """One call of the run."""
        notes = Notes()
        way = OpenAIBatches(self.who, WITH_KEY) if batch else OpenAI(self.who, WITH_KEY, 8)
        outcome = await run_panel_async(
            *(self.plan, self.planned, self.who, way, self.sink, self.journal, "run", self.sink.newest),
            *(settings, told or notes, None, stop or Stop(), None, budget),
        )
        self.notes = notes.notes
        return outcome

    @property
    def out(self) -> int:
        """How many ledgers stand."""
        return len(Ledgers(self.journal, "run").open())

    def judge(self, lost: int = 0) -> None:
        """Every trial has one answer, none was paid for twice, and nothing lies about."""
        answers = self.sink.answers()
        complete = Counter(row.response.trial for row in answers if row.response.status == "complete")
        assert complete == Counter(trial_id("run", trial.trial_key) for trial in self.trials)
        assert len({row.response.response for row in answers}) == len(answers)
        self.judge_server(lost)
        assert [path.name for path in self.journal.iterdir()] in ([], ["run.lock"])

    def judge_server(self, lost: int = 0) -> None:
        """No question was answered more often than it has repeats, but for `lost` requests."""
        assert len(paid_twice(self.server.log.events, REPEATS)) <= lost
        for path in self.folder.rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes()


def at_a_server(
    folder: Path,
    main: Callable[[Study], Coroutine[Any, Any, T]],
    *courses: Course,
    endpoint: Endpoint = PLAIN,
    script: Script | None = None,
    **study: Any,
) -> T:
    """What `main` gives for a study at a server that does as it is told."""

    async def through() -> T:
        folder.mkdir(exist_ok=True)
        told = script or Script(courses=courses or (Course(),))
        async with asyncio.timeout(60), Server(log=folder / "log", endpoint=endpoint, batches=told) as server:
            return await main(Study(folder, server, **study))

    return asyncio.run(through())
