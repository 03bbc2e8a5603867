"""Runs by way of batches: what is sent, what becomes of what comes back. The server's log is the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runtime.budget import Budget
from schemas.plan import Price, Sampling
from tests.runtime.asking_batches import PRICE, REPEATS, SITUATIONS, Study, at_a_server, quick
from tests.runtime.server_batches import Course
from tests.runtime.server_endpoint import Endpoint

QUESTIONS = 2 * (SITUATIONS + 1)
TRIALS = QUESTIONS * REPEATS


def lines(study: Study, file: str = "file-1") -> list[dict[str, Any]]:
    """What was uploaded."""
    return [json.loads(line) for line in study.server.batches.inputs[file].splitlines()]


def test_a_batch_is_one_file_of_requests_with_all_repeats_in_each(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.asked, outcome.left) == ("finished", TRIALS, 0)
        study.judge()
        sent = lines(study)
        assert [line["custom_id"] for line in sent] == [str(number + 1) for number in range(QUESTIONS)]
        assert {line["body"]["n"] for line in sent} == {REPEATS}
        [batch] = study.server.batches.batches.values()
        [nonce] = batch.metadata.values()
        assert study.server.batches.names["file-1"] == f"ebc-{nonce}.jsonl"
        rows = [answered.response for answered in study.sink.answers()]
        assert {(row.source, row.latency, row.cost) for row in rows} == {("batch", None, None)}
        assert all(
            row.asked is not None and row.answered is not None and row.asked <= row.answered for row in rows
        )
        assert study.sink.run("run").source == "batch"
        assert (await study.run()).asked == 0
        assert len(study.server.batches.batches) == 1

    at_a_server(tmp_path, main)


def test_what_is_sent_and_kept_is_what_a_live_run_sends_and_keeps(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        live = Study(study.folder / "live", study.server, sampling=Sampling(temperature=0.5, max_tokens=50))
        assert (await live.run(batch=False)).state == "finished"
        sent = {json.dumps(line["body"], sort_keys=True) for line in lines(study)}
        assert sent == {json.dumps(body, sort_keys=True) for body in study.server.bodies}

        def seen(of: Study) -> set[tuple[object, ...]]:
            rows = [(answered.response, answered.answers) for answered in of.sink.answers()]
            return {
                (
                    row.trial,
                    row.text,
                    row.tokens_in,
                    row.tokens_out,
                    row.request_sent,
                    tuple(a.value for a in values),
                )
                for row, values in rows
            }

        assert seen(study) == seen(live)

    at_a_server(tmp_path, main, sampling=Sampling(temperature=0.5, max_tokens=50))


@pytest.mark.parametrize(("price", "share"), [(PRICE, 0.5), (Price(2.0, 8.0), 1.0)])
def test_a_batch_costs_the_share_that_its_price_names(tmp_path: Path, price: Price, share: float) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        rows = [answered.response for answered in study.sink.answers()]
        tokens = [(row.tokens_in or 0, row.tokens_out or 0) for row in rows]
        full = sum(tokens_in * 2 + tokens_out * 8 for tokens_in, tokens_out in tokens) / 1e6
        assert sum(row.cost or 0 for row in rows) == pytest.approx(full * share)
        assert any("does not say what share" in note for note in study.notes) == (share == 1.0)

    at_a_server(tmp_path, main, price=price)


@pytest.mark.parametrize("limits", [{"requests": 3}, {"size": 2000}])
def test_what_does_not_fit_into_one_file_goes_into_several(tmp_path: Path, limits: dict[str, int]) -> None:
    async def main(study: Study) -> None:
        assert (await study.run(quick(**limits))).state == "finished"
        study.judge()
        sizes = [len(data) for name, data in study.server.batches.inputs.items() if "batch" not in name]
        counts = [batch.total for batch in study.server.batches.batches.values()]
        assert len(sizes) == len(counts) > 1
        assert sum(counts) == QUESTIONS
        assert max(counts) <= limits.get("requests", QUESTIONS)
        assert max(sizes) <= limits.get("size", 10**6)

    at_a_server(tmp_path, main)


def test_lines_come_in_any_order_twice_with_strangers_between(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        study.judge()
        assert any("2 lines of what came of batch_1 cannot be read" in note for note in study.notes)

    strange = ('{"custom_id": "nobody", "response": null}',)
    at_a_server(tmp_path, main, Course(shuffled=True, doubled=True, strange=strange))


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("status", ["expired", "completed"])
def test_what_a_batch_did_not_come_to_goes_into_the_next(tmp_path: Path, told: bool, status: str) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.asked) == ("finished", TRIALS)
        study.judge()
        assert [batch.total for batch in study.server.batches.batches.values()] == [QUESTIONS, QUESTIONS - 4]
        assert any("6 requests of it came back without" in note for note in study.notes) != told

    at_a_server(tmp_path, main, Course(status=status, answers=4, told=told), Course())


def test_what_a_model_refuses_is_learned_and_asked_again_in_the_next_batch(tmp_path: Path) -> None:
    endpoint = Endpoint(refuses=("temperature", "n"), newer=True)

    async def main(study: Study) -> None:
        assert (await study.run()).state == "finished"
        study.judge()
        adapted = {
            json.loads(row.response.request_sent or "{}")["max_completion_tokens"]
            for row in study.sink.answers()
        }
        assert adapted == {50}
        assert sum("refuses temperature" in note for note in study.notes) == 1
        assert [batch.total for batch in study.server.batches.batches.values()][-1] == TRIALS

    at_a_server(tmp_path, main, endpoint=endpoint, sampling=Sampling(temperature=0.5, max_tokens=50))


def test_what_was_learned_is_recorded_by_who_collects_it_later(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        handed = quick(wait=False)
        assert (await study.run(handed)).state == "running"
        assert (await study.run()).state == "finished"
        sent = {row.response.request_sent for row in study.sink.answers()}
        assert {tuple(json.loads(one or "{}")["adapted"]) for one in sent} == {("left_out",)}
        study.judge()

    at_a_server(tmp_path, main, endpoint=Endpoint(refuses=("temperature",)), sampling=Sampling(temperature=0.5))


@pytest.mark.parametrize(
    ("limit", "budget", "asked"),
    [
        (REPEATS * 2, None, REPEATS * 2),
        (None, Budget(requests=4), REPEATS * 4),
        (None, Budget(dollars=0.001), None),
    ],
)
def test_limits_bound_what_is_put_into_batches(
    tmp_path: Path, limit: int | None, budget: Budget | None, asked: int | None
) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run(msgspec.structs.replace(quick(requests=3), limit=limit), budget=budget)
        assert outcome.state == "incomplete"
        assert asked in (None, outcome.asked)
        assert 0 < outcome.asked < TRIALS
        cost = sum(row.response.cost or 0 for row in study.sink.answers())
        assert cost <= 0.001 or budget is None or asked is not None
        if budget is not None:
            assert f"{outcome.left} trials have no answer yet" in outcome.message
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main, price=PRICE, sampling=Sampling(max_tokens=50))
