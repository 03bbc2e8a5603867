"""Was anything lost, doubled or asked again? The server's log and what is on the disk say so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from ebc.pipeline import compile_spec, load_spec
from runtime.journal import records, segments
from runtime.runs import run_id, trial_id
from schemas.planfile import PlannedTrials
from schemas.render import Renderer
from tests.runtime.server_log import Event, request_key


class Judge:
    """Of one study with one panel, each of whose trials asks something of its own."""

    def __init__(self, spec: Path, log: Path, results: Path) -> None:
        [compiled] = compile_spec(load_spec(str(spec)))
        [model] = compiled.plan.models
        renderer = Renderer(compiled.plan)
        self.run = run_id(compiled.plan.study.id, model.id, 0)
        self._log = log
        self._results = results
        self.questions: dict[str, str] = {}
        """The question of each trial, as the server's log names it."""
        for trial in PlannedTrials(compiled.trials):
            messages = [{"content": message.content} for message in renderer.messages(trial)]
            self.questions[trial_id(self.run, trial.trial_key)] = request_key(
                {"model": model.name, "messages": messages}
            )

    def durable(self) -> set[str]:
        """The questions whose answer is on the disk."""
        kept = {
            record.response.trial
            for segment in segments(self._results / "journal", self.run)
            for record in records(segment, [])
        }
        for part in (self._results / "responses").glob(f"{self.run}.*.parquet"):
            kept |= {str(trial) for trial in pq.read_table(part, columns=["trial"]).column("trial")}
        return {self.questions[trial] for trial in kept}

    def events(self, since: int = 0) -> tuple[list[Event], int]:
        """What the server noted from a place in its log on, and the place where it ends."""
        with self._log.open("rb") as file:
            file.seek(since)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        return [msgspec.json.decode(line, type=Event) for line in whole.splitlines()], since + len(whole)

    def everything_is_there_once(self) -> None:
        """Every trial has one response, each with one value an item; nothing of the run lies about."""
        trials = [str(trial) for trial in pq.read_table(self._results / "trials").column("trial")]
        responses = (
            pq.read_table(self._results / "responses").select(["response", "trial", "status"]).to_pylist()
        )
        assert sorted(trials) == sorted(self.questions)
        assert sorted(row["trial"] for row in responses) == sorted(self.questions)
        assert {row["status"] for row in responses} == {"complete"}
        answers = pq.read_table(self._results / "answers").select(["response", "item"]).to_pylist()
        counts = Counter(row["response"] for row in answers)
        assert counts.keys() == {row["response"] for row in responses}
        assert set(counts.values()) == {20}
        assert len({(row["response"], row["item"]) for row in answers}) == len(answers)
        assert segments(self._results / "journal", self.run) == []
        assert list(self._results.glob(f"*/.{self.run}*.tmp")) == []
        assert list(self._results.glob("journal/*.damaged")) == []
