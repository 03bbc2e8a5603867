"""How requests, batches and runs by way of batches end, other than well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runtime.outcome import Outcome
from tests.runtime.asking_batches import KEY, REPEATS, SITUATIONS, Study, at_a_server
from tests.runtime.server_batches import Course, Script
from tests.runtime.server_endpoint import Endpoint

QUESTIONS = 2 * (SITUATIONS + 1)
TRIALS = QUESTIONS * REPEATS
EXPIRED = {"code": "batch_expired", "message": "This request could not be executed in time."}


def test_lines_that_never_come_are_asked_a_few_times_only(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.asked, outcome.left) == ("incomplete", TRIALS - REPEATS, REPEATS)
        assert len(study.server.batches.batches) == 5
        assert (await study.run()).left == REPEATS

    at_a_server(tmp_path, main, *[Course(lost=("1",))] * 20)


def test_a_refused_batch_says_why_and_the_next_call_makes_another(tmp_path: Path) -> None:
    errors = ({"code": "invalid_json_line", "message": "This line is not valid JSON.", "line": 3},)

    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.fault, outcome.asked) == ("failed", "provider", 0)
        assert (
            "refuses the batch batch_1: line 3: This line is not valid JSON. Nothing of it" in outcome.message
        )
        assert study.out == 0
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main, Course(errors=errors), Course())


def test_an_account_that_cannot_queue_so_many_tokens_says_what_helps(tmp_path: Path) -> None:
    errors = ({"code": "token_limit_exceeded", "message": "Enqueued token limit reached for gpt."},) * 5

    async def main(study: Study) -> Outcome:
        return await study.run()

    message = at_a_server(tmp_path, main, Course(errors=errors)).message
    assert "Enqueued token limit reached for gpt; " in message
    assert "(and 2 more)" in message
    assert "Put fewer trials into a batch, with --limit." in message


def test_a_batch_cancelled_at_the_provider_is_not_put_again_in_the_same_call(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.asked) == ("failed", 4 * REPEATS)
        assert "batch_1 was cancelled at the provider; what it had answered is kept" in outcome.message
        assert len(study.server.batches.batches) == 1
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main, Course(status="cancelled", answers=4), Course())


@pytest.mark.parametrize(
    ("line", "statuses"),
    [
        (
            {"status": 400, "error": {"message": "not to our taste"}},
            {"complete": TRIALS - REPEATS, "error": REPEATS},
        ),
        ({"status": 429, "error": {"message": "slow down"}}, {"complete": TRIALS}),
        ({"status": 500, "error": {"message": "oh"}}, {"complete": TRIALS}),
        ({"error": EXPIRED}, {"complete": TRIALS}),
        (
            {"status": 400, "error": {"message": "flagged", "code": "content_filter"}},
            {"complete": TRIALS - REPEATS, "refused": REPEATS},
        ),
    ],
)
def test_a_request_that_fails_ends_as_in_a_live_run(
    tmp_path: Path, line: dict[str, Any], statuses: dict[str, int]
) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert outcome.counts == statuses
        study.judge_server()
        assert study.out == 0
        if "error" in statuses:
            assert (await study.run()).state == "finished"
            study.judge()

    single = (
        [Course(lines={str(number): line for number in range(1, REPEATS + 1)})]
        if line.get("status") == 400
        else []
    )
    at_a_server(tmp_path, main, Course(lines={"2": line}), *single, Course())


def test_a_request_that_fails_again_and_again_is_kept_as_an_error(tmp_path: Path) -> None:
    line = {"status": 500, "error": {"message": "oh"}}

    async def main(study: Study) -> None:
        outcome = await study.run()
        assert outcome.counts == {"complete": TRIALS - REPEATS, "error": REPEATS}
        assert len(study.server.batches.batches) == 5

    at_a_server(tmp_path, main, *[Course(lines={"1": line})] * 9)


def test_a_quota_that_ends_within_a_batch_stops_the_run_and_keeps_what_came(tmp_path: Path) -> None:
    async def main(study: Study) -> None:
        outcome = await study.run()
        assert outcome.state == "failed"
        assert "quota is used up" in outcome.message
        assert 0 < outcome.asked < TRIALS
        assert study.out == 0
        assert len(study.server.batches.batches) == 1
        study.judge_server()

    at_a_server(tmp_path, main, endpoint=Endpoint(quota=300))


def test_a_refused_key_stops_before_anything_is_out(tmp_path: Path) -> None:
    refusal = {"status": 401, "error": {"message": f"Incorrect API key provided: {KEY}."}}

    async def main(study: Study) -> None:
        outcome = await study.run()
        assert (outcome.state, outcome.fault) == ("failed", "key")
        assert "[key]" in outcome.message
        assert (await study.run()).state == "finished"
        study.judge()

    at_a_server(tmp_path, main, script=Script(faults={"upload": [refusal]}))


def test_an_address_without_batches_says_so(tmp_path: Path) -> None:
    async def main(study: Study) -> Outcome:
        return await study.run()

    outcome = at_a_server(tmp_path, main, script=Script(faults={"upload": [{"status": 404}]}))
    assert "There are no batches at this address: 404 from" in outcome.message
    assert "Run without --batch." in outcome.message
