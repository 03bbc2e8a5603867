"""A study of a scripted model, and where its run keeps things."""

from __future__ import annotations

from pathlib import Path

from runtime.execute import run_panel
from runtime.flights import Settings
from runtime.outcome import Outcome
from runtime.retry import RetryPolicy
from runtime.runs import trial_id
from runtime.transports.fake import Fake, Script, in_the_middle
from tests.runtime.plans import FileSink, model, plan, planned, trials

QUICK = Settings(retry=RetryPolicy(tries=3, first=0.001, longest=0.002))


class Study:
    """A study of so many situations, and where its run keeps things."""

    def __init__(self, folder: Path, situations: int = 5) -> None:
        self.who = model()
        self.plan = plan(situations, self.who)
        self.trials = trials(self.plan)
        self.planned = planned(self.plan)
        self.sink = FileSink(folder / "sink")
        self.journal = folder / "journal"

    def run(self, script: Script | Fake = in_the_middle, settings: Settings = QUICK) -> Outcome:
        transport = script if isinstance(script, Fake) else Fake(script)
        outcome = run_panel(
            *(self.plan, self.planned, self.who, transport, self.sink, self.journal, "run", self.sink.newest),
            settings=settings,
        )
        assert transport.closed
        return outcome

    def trial_ids(self) -> set[str]:
        return {trial_id("run", trial.trial_key) for trial in self.trials}
