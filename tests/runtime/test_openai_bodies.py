"""Errors' bodies in the shapes that providers document or send (`provider_bodies/`, a line each), and what
each means for a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.transport import Request
from runtime.transports.adapting import Taught
from runtime.transports.failures import Endpoint, failure_of, is_filtered
from runtime.transports.problems import problem_of
from schemas.plan import Sampling
from tests.runtime.asking_openai import ask, nth, requests

BODIES = Path(__file__).parent / "provider_bodies"
ENDPOINT = Endpoint("https://models.example/v1", "model-one", "MY_KEY")
EVERYTHING = Sampling(
    temperature=0.5, top_p=0.9, max_tokens=50, seed=1, frequency_penalty=0.1, presence_penalty=0.1
)
Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    return [json.loads(line) for line in (BODIES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def content(case: Case) -> bytes:
    body = case["body"]
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()


def learned(request: Request, case: Case, choices: int = 1) -> tuple[Case, Case, tuple[str, ...]]:
    """The body before a complaint about it and after, and what is told."""
    taught = Taught(request.model)
    before = taught.body(request, choices)
    taught.learn(problem_of(content(case)), before)
    return before, taught.body(request, choices), taught.take_notes()


@pytest.mark.parametrize("case", cases("failures"), ids=lambda case: case["case"])
def test_every_provider_s_failure_is_understood(case: Case) -> None:
    problem = problem_of(content(case))
    failure = failure_of(ENDPOINT, case["status"], {}, problem)
    assert type(failure).__name__ == case["means"]
    assert not is_filtered(case["status"], problem)
    assert failure.status == case["status"]
    assert problem.message in failure.message
    assert not set("<{}") & set(failure.message)
    assert len(failure.message) < 400


@pytest.mark.parametrize(
    ("message", "wait"),
    [
        ("Rate limit reached for m on requests per min (RPM): Limit 3. Please try again in 20s.", 20.0),
        ("Limit 6000, Used 5900, Requested 200. Please try again in 6m0s. Visit the console.", 360.0),
        ("Please try again in 120ms.", 0.12),
        ("Requests have exceeded call rate limit. Please retry after 8 seconds.", 8.0),
        ("Please retry after 1 minute.", 60.0),
        ("Quota exceeded for metric x. Please retry in 43.148s.", 43.148),
        ("Please try again later.", None),
    ],
)
def test_the_wait_that_a_message_names_is_kept_to_where_no_header_does(
    message: str, wait: float | None
) -> None:
    problem = problem_of(content({"body": {"error": {"message": message}}}))
    assert failure_of(ENDPOINT, 429, {}, problem).retry_after == wait
    assert failure_of(ENDPOINT, 429, {"retry-after": "2"}, problem).retry_after == 2


@pytest.mark.parametrize("case", cases("filtered"))
def test_a_filtered_prompt_is_a_refusal_that_keeps_what_was_said(case: Case) -> None:
    replies, server = ask(nth(0, {"status": case["status"], "body": json.dumps(case["body"])}))
    assert (replies[0].text, replies[0].finish_reason) == (None, "content_filter")
    assert replies[0].error == problem_of(content(case)).message
    assert len(server.bodies) == 1


def test_an_error_that_comes_with_status_200_is_the_error_that_it_names() -> None:
    flagged = {"error": {"code": 403, "message": "Your input was flagged by moderation."}}
    replies, server = ask(nth(0, {"status": 200, "body": json.dumps(flagged)}))
    assert (replies[0].finish_reason, len(server.bodies)) == ("content_filter", 1)
    refused = {"error": {"code": 400, "message": "seed is not supported", "param": "seed"}}
    replies, server = ask(nth(0, {"status": 200, "body": json.dumps(refused)}), sampling=EVERYTHING)
    assert (replies[0].finish_reason, "seed" in server.bodies[1]) == ("stop", False)


def test_a_filtered_reply_of_azure_has_no_message() -> None:
    result = {"hate": {"filtered": True}}
    choice = {"index": 0, "finish_reason": "content_filter", "content_filter_results": result}
    replies, _ = ask(nth(0, {"reply": {"choices": [choice]}}))
    assert (replies[0].text, replies[0].finish_reason) == (None, "content_filter")


@pytest.mark.parametrize("case", cases("parameters"))
def test_a_refused_parameter_is_left_out_and_one_with_a_wrong_value_is_not(case: Case) -> None:
    before, after, notes = learned(requests(1, EVERYTHING)[0], case)
    assert set(before) - set(after) == set(case["left_out"])
    assert {name: before[name] for name in after} == after
    assert len(notes) == len(case["left_out"])


@pytest.mark.parametrize("case", cases("system"))
def test_a_refused_system_message_goes_on_top_of_the_user_s(case: Case) -> None:
    before, after, notes = learned(requests(1, system=True)[0], case)
    system, user = before["messages"]
    assert after["messages"] == [{"role": "user", "content": f"{system['content']}\n\n{user['content']}"}]
    assert [note for note in notes if "system" in note] == list(notes) != []


@pytest.mark.parametrize("case", cases("choices"))
def test_refused_choices_are_asked_for_no_more(case: Case) -> None:
    before, after, notes = learned(requests(1, EVERYTHING)[0], case, choices=3)
    assert before["n"] == 3
    assert after == {name: before[name] for name in before if name != "n"}
    assert len(notes) == 1
