"""A panel is run: every trial once, whatever happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runtime.execute import run_panel
from runtime.flights import Settings
from runtime.journal import segments
from runtime.lock import RunBusy, held
from runtime.runs import trial_id
from runtime.transport import (
    ConnectionFault,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Reply,
    Request,
    ServerFault,
    TransportError,
    Unauthorized,
)
from runtime.transports.fake import Fake, Script, in_the_middle
from runtime.transports.simulated import Simulated
from schemas.plan import Price
from schemas.planfile import PlannedTrials
from tests.runtime.plans import FileSink, model, plan, trials
from tests.runtime.scripted import QUICK, Study


def once(failure: TransportError, trial_key: str) -> Script:
    """Fails the first try of one trial."""

    def script(request: Request, attempt: int) -> Reply | TransportError:
        return failure if request.trial_key == trial_key and attempt == 0 else in_the_middle(request, attempt)

    return script


def always(failure: TransportError, trial_key: str) -> Script:
    def script(request: Request, attempt: int) -> Reply | TransportError:
        return failure if request.trial_key == trial_key else in_the_middle(request, attempt)

    return script


def test_every_trial_is_asked_once_and_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    study = Study(tmp_path)
    outcome = study.run()
    assert (outcome.state, outcome.asked, outcome.kept, outcome.left) == ("finished", 12, 0, 0)
    answers = study.sink.answers()
    assert {one.response.trial for one in answers} == study.trial_ids()
    assert len({one.response.response for one in answers}) == 12
    assert segments(study.journal, "run") == []
    row = study.sink.run("run")
    assert (row.state, row.planned, row.source, row.note) == ("finished", 12, "simulated", None)
    assert row.finished is not None
    assert row.finished >= row.started

    def nobody(request: Request, attempt: int) -> Reply:
        raise AssertionError(f"asked {request.trial_key} again ({attempt})")

    again = study.run(nobody)
    assert (again.state, again.asked, again.kept) == ("finished", 0, 12)
    assert study.sink.answers() == answers


def test_rows_say_what_was_asked_and_how_it_was_read(tmp_path: Path) -> None:
    study = Study(tmp_path, situations=1)
    study.run()
    rows = {str(row["trial"]): row for row in study.sink.trials("run")}
    assert set(rows) == study.trial_ids()
    backwards = next(trial for trial in study.trials if trial.item_order == 1 and trial.stimulus)
    row = rows[trial_id("run", backwards.trial_key)]
    assert (row["panel"], row["subject"], row["condition"]) == ("m", "m", "evoked")
    assert (row["emotion"], row["factor"], row["factor_index"], row["situation"]) == ("anger", "one", 0, 0)
    found = next(one for one in study.sink.answers() if one.response.trial == row["trial"])
    assert [(value.position, value.item) for value in found.answers] == [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)]
    assert {(value.value, value.choice) for value in found.answers} == {(3.0, "moderately")}
    assert found.response.latency is not None


@pytest.mark.parametrize(
    "failure",
    [
        RateLimited("429", status=429, retry_after=0.001),
        ServerFault("500", status=500),
        ServerFault("503", status=503),
        ConnectionFault("dropped"),
    ],
)
def test_a_passing_failure_is_asked_again(tmp_path: Path, failure: TransportError) -> None:
    study = Study(tmp_path)
    transport = Fake(once(failure, study.trials[3].trial_key))
    outcome = study.run(transport)
    assert outcome.state == "finished"
    assert transport.asked[study.trials[3].trial_key] == 2
    assert len(study.sink.answers()) == 12


@pytest.mark.parametrize(
    ("failure", "tries"),
    [(ServerFault("500 all day", status=500), 3), (Rejected("400: too long", status=400), 1)],
)
def test_a_failure_becomes_a_row_that_a_later_run_asks_again(
    tmp_path: Path, failure: TransportError, tries: int
) -> None:
    study = Study(tmp_path)
    failing = study.trials[2].trial_key
    transport = Fake(always(failure, failing))
    outcome = study.run(transport)
    assert (outcome.state, outcome.counts, outcome.left) == ("incomplete", {"complete": 11, "error": 1}, 1)
    assert transport.asked[failing] == tries
    row = next(one for one in study.sink.answers() if one.response.status == "error")
    assert (row.response.text, row.response.error, row.answers) == (None, failure.message, ())
    later = Fake()
    outcome = study.run(later)
    assert (outcome.state, outcome.kept, outcome.asked) == ("finished", 11, 1)
    assert list(later.asked) == [failing]
    attempts = [one.response for one in study.sink.answers() if one.response.trial == row.response.trial]
    assert sorted((one.attempt, one.status) for one in attempts) == [(0, "error"), (1, "complete")]
    assert len({one.response for one in attempts}) == 2


@pytest.mark.parametrize(
    ("failure", "fault"),
    [
        (Unauthorized("the key in SOME_KEY was refused", status=401), "key"),
        (QuotaExhausted("nothing left", status=429), "provider"),
        (RateLimited("come back tomorrow", status=429, retry_after=86_400.0), "provider"),
    ],
)
def test_what_no_request_can_pass_stops_the_run(tmp_path: Path, failure: TransportError, fault: str) -> None:
    study = Study(tmp_path, situations=50)
    transport = Fake(always(failure, study.trials[10].trial_key))
    outcome = study.run(transport)
    assert (outcome.state, outcome.fault) == ("failed", fault)
    assert failure.message in outcome.message
    assert sum(transport.asked.values()) < len(study.trials)
    assert study.sink.run("run").state == "failed"
    assert {one.response.status for one in study.sink.answers()} == {"complete"}
    assert study.run().state == "finished"
    assert len(study.sink.answers()) == len(study.trials)


def test_a_provider_that_is_not_there_stops_the_run(tmp_path: Path) -> None:
    study = Study(tmp_path, situations=50)
    outcome = study.run(lambda request, attempt: ConnectionFault("refused"))  # noqa: ARG005
    assert (outcome.state, outcome.fault) == ("failed", "provider")
    assert outcome.asked < 30


def test_a_dead_connection_does_not_hang_the_run(tmp_path: Path) -> None:
    class Hanging(Fake):
        async def answer(self, request: Request) -> Reply:
            if request.trial_key == study.trials[0].trial_key:
                self.asked[request.trial_key] += 1
                await asyncio.Event().wait()
            return await super().answer(request)

    study = Study(tmp_path)
    outcome = study.run(Hanging(), Settings(retry=QUICK.retry, deadline=0.05))
    assert outcome.counts == {"complete": 11, "error": 1}
    assert any("no reply within" in (one.response.error or "") for one in study.sink.answers())


def test_statuses_follow_from_why_the_reply_ended(tmp_path: Path) -> None:
    endings: dict[int, Reply] = {
        0: Reply("1. 2\n2. 3\n3. 1", finish_reason="length"),
        1: Reply("1. 2\n2. 3\n3. 1\n4. 1\n5. 2", finish_reason="content_filter"),
        2: Reply(None, finish_reason="length"),
        3: Reply("No idea.", finish_reason="stop"),
    }
    study = Study(tmp_path, situations=1)
    numbers = {trial.trial_key: number for number, trial in enumerate(study.trials)}
    study.run(lambda request, attempt: endings[numbers[request.trial_key]])  # noqa: ARG005
    by_trial = {one.response.trial: one for one in study.sink.answers()}
    found = [by_trial[trial_id("run", trial.trial_key)] for trial in study.trials]
    assert [one.response.status for one in found] == ["truncated", "refused", "truncated", "unparseable"]
    assert [value.value for value in found[0].answers] == [2.0, 3.0, None, None, None]
    assert all(value.value is None and value.reason for one in found[1:] for value in one.answers)
    assert found[1].response.text == endings[1].text


def test_money_is_counted_from_tokens(tmp_path: Path) -> None:
    study = Study(tmp_path, situations=0)
    study.who = model()
    study.who = type(study.who)(
        id="m", provider="fake", name="n", price=Price(input=2.0, output=10.0, cached=1.0)
    )
    study.run(lambda request, attempt: Reply("1. 3", tokens_in=1000, tokens_out=100, tokens_cached=400))  # noqa: ARG005
    assert {one.response.cost for one in study.sink.answers()} == {(600 * 2 + 400 * 1 + 100 * 10) / 1e6}


def test_the_limit_asks_so_many_and_the_next_run_goes_on(tmp_path: Path) -> None:
    study = Study(tmp_path)
    outcome = study.run(settings=Settings(limit=5))
    assert (outcome.state, outcome.asked, outcome.left) == ("incomplete", 5, 7)
    outcome = study.run(settings=Settings(limit=5))
    assert (outcome.asked, outcome.kept, outcome.left) == (5, 5, 2)
    assert study.run().state == "finished"
    assert len(study.sink.answers()) == 12


def test_a_long_run_is_folded_as_it_goes(tmp_path: Path) -> None:
    study = Study(tmp_path, situations=200)
    outcome = study.run(settings=Settings(fold_after=50, max_connections=8))
    assert outcome.state == "finished"
    assert len(study.sink.parts()) >= 2
    assert len(study.sink.answers()) == len(study.trials) == 402


def test_two_runs_of_one_panel_do_not_work_at_once(tmp_path: Path) -> None:
    study = Study(tmp_path)
    with held(study.journal, "run"), pytest.raises(RunBusy, match="is working on this run"):
        study.run()
    assert not list(study.sink.folder.iterdir())


def test_an_error_of_ours_is_not_taken_for_the_providers(tmp_path: Path) -> None:
    def broken(request: Request, attempt: int) -> Reply:
        if request.trial_key == study.trials[5].trial_key:
            raise ZeroDivisionError("a mistake in a transport")
        return in_the_middle(request, attempt)

    study = Study(tmp_path)
    with pytest.raises(ZeroDivisionError):
        study.run(broken, Settings(max_connections=1))
    assert len(study.sink.answers()) == 5
    assert study.run().state == "finished"


def test_the_order_of_asking_changes_no_simulated_answer(tmp_path: Path) -> None:
    def texts(folder: Path, backwards: int) -> dict[str, str | None]:
        who = model("simulated", effect={"MOODS.bad": 1.5}, spread=0.5, refuse=0.2)
        of = plan(20, who)
        planned = PlannedTrials.of(trials(of)[::-1] if backwards else trials(of))
        sink = FileSink(folder)
        settings = Settings(max_connections=1 + 8 * backwards)
        run_panel(of, planned, who, Simulated(), sink, folder / "j", "run", sink.newest, settings)
        return {one.response.trial: one.response.text for one in sink.answers()}

    first = texts(tmp_path / "a", 0)
    assert first == texts(tmp_path / "b", 1)
    assert len(set(first.values())) > 10
