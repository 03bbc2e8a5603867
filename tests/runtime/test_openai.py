"""Chat completions, against a server of our own on the loopback."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from runtime.asking import Settings
from runtime.execute import Outcome, run_panel_async
from runtime.interrupt import Stop
from runtime.panel import Panel
from runtime.progress import Silent
from runtime.retry import RetryPolicy
from runtime.transport import KeyMissing, Reply, TransportError, UnknownModel
from runtime.transports.openai import OpenAI
from schemas.plan import Model, Sampling
from tests.runtime.plans import FileSink, model, plan, trials
from tests.runtime.server import Fault, Script, Server, no_faults

KEY = "sk-test-0123456789"
NOT_SAID = Sampling()
QUICK = Settings(max_connections=8, retry=RetryPolicy(tries=4, first=0.001, longest=0.01), deadline=10)


def nth(number: int, fault: Fault) -> Script:
    return lambda at, body: fault if at == number else None  # noqa: ARG005


def ask(
    script: Script, count: int = 1, sampling: Sampling = NOT_SAID, **settings: str
) -> tuple[list[Reply], Server]:
    """The replies to the first `count` trials, asked one after the other, and the server."""

    async def main() -> tuple[list[Reply], Server]:
        async with Server(script) as server:
            who = model("openai", base_url=server.url, **settings)
            of = plan(count, who, sampling=sampling)
            panel = Panel(of, who, "run")
            transport = OpenAI(who, {"OPENAI_API_KEY": KEY}, 4)
            try:
                return [await transport.answer(panel.request(trial)) for trial in trials(of)[:count]], server
            finally:
                await transport.close()

    return asyncio.run(main())


def failure(fault: Fault) -> TransportError:
    with pytest.raises(TransportError) as caught:
        ask(nth(0, fault))
    return caught.value


def test_what_is_sent_and_what_comes_back() -> None:
    replies, server = ask(no_faults, sampling=Sampling(temperature=0.5, top_p=1, max_tokens=99, seed=7))
    body = server.bodies[0]
    assert {name: body[name] for name in body if name != "messages"} == {
        "model": "model-one",
        "temperature": 0.5,
        "top_p": 1,
        "max_tokens": 99,
        "seed": 7,
    }
    assert body["messages"][0]["role"] == "user"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    reply = replies[0]
    assert reply.text is not None
    assert reply.text.startswith("1. ")
    assert (reply.finish_reason, reply.model_version) == ("stop", "model-one-2026")
    assert reply.tokens_in is not None
    assert json.loads(reply.request_sent or "") == {name: body[name] for name in body if name != "messages"}
    assert KEY not in repr(reply)


def test_usage_thinking_and_refusals_have_their_places() -> None:
    def message(**fields: Any) -> Fault:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **fields}}
        usage = {"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 4}}
        return {"reply": {"choices": [choice], "usage": usage, "system_fingerprint": "fp_1"}}

    faults = [
        message(content="1. 3", reasoning_content="I think."),
        message(content="1. 3", reasoning="I think."),
        message(content="<think>I think.</think>\n\n1. 3"),
        message(content="<think>I think."),
        message(content=None, refusal="No."),
        message(content=[{"type": "text", "text": "1. "}, {"type": "text", "text": "3"}]),
    ]
    replies, _ = ask(lambda number, body: faults[number], count=len(faults))  # noqa: ARG005
    assert [reply.text for reply in replies] == ["1. 3", "1. 3", "1. 3", "", "No.", "1. 3"]
    assert [reply.reasoning for reply in replies] == ["I think."] * 4 + [None, None]
    assert replies[4].finish_reason == "refusal"
    assert {reply.tokens_cached for reply in replies} == {4}
    assert replies[0].model_version == "model-one-2026 fp_1"


def test_a_refused_parameter_is_learnt_once() -> None:
    def unsupported(param: str, text: str) -> Fault:
        return {"status": 400, "error": {"message": text, "code": "unsupported_value", "param": param}}

    def script(number: int, body: dict[str, Any]) -> Fault | None:
        if "max_tokens" in body:
            instead = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
            return unsupported("max_tokens", f"Unsupported parameter: {instead}")
        if "temperature" in body:
            return unsupported("temperature", "'temperature' does not support 0 with this model.")
        return None

    replies, server = ask(script, count=3, sampling=Sampling(temperature=0, max_tokens=99))
    assert len(server.bodies) == 5
    adapted = {"left_out": {"temperature": 0}, "renamed": {"max_tokens": "max_completion_tokens"}}
    sent = {"model": "model-one", "max_completion_tokens": 99, "adapted": adapted}
    assert [json.loads(reply.request_sent or "") for reply in replies] == [sent] * 3
    assert [len(reply.notes) for reply in replies] == [2, 0, 0]
    assert "max_completion_tokens" in replies[0].notes[0]
    assert "temperature" in replies[0].notes[1]


@pytest.mark.parametrize(
    ("fault", "name", "retryable", "retry_after"),
    [
        ({"status": 429, "headers": {"Retry-After": "3"}}, "RateLimited", True, 3.0),
        ({"status": 429, "headers": {"retry-after-ms": "250"}}, "RateLimited", True, 0.25),
        (
            {"status": 429, "error": {"message": "x", "code": "insufficient_quota"}},
            "QuotaExhausted",
            False,
            None,
        ),
        ({"status": 500}, "ServerFault", True, None),
        ({"status": 503, "headers": {"Retry-After": "2"}}, "ServerFault", True, 2.0),
        ({"status": 400, "error": {"message": "context too long"}}, "Rejected", False, None),
        ({"status": 401}, "Unauthorized", False, None),
        ({"status": 403}, "Unauthorized", False, None),
        ({"status": 404}, "UnknownModel", False, None),
        ({"drop": True}, "ConnectionFault", True, None),
        ({"half": True}, "ConnectionFault", True, None),
        ({"html": True}, "ServerFault", True, None),
        ({"reply": {"choices": []}}, "ServerFault", True, None),
    ],
)
def test_every_failure_has_its_name(
    fault: Fault, name: str, retryable: bool, retry_after: float | None
) -> None:
    caught = failure(fault)
    assert (type(caught).__name__, caught.retryable, caught.retry_after) == (name, retryable, retry_after)
    assert KEY not in f"{caught!r} {caught}"


def test_a_filtered_prompt_is_a_refusal() -> None:
    fault = {"status": 400, "error": {"message": "filtered", "code": "content_filter"}}
    replies, _ = ask(nth(0, fault))
    assert (replies[0].text, replies[0].finish_reason) == (None, "content_filter")


def test_a_key_in_an_error_is_hidden() -> None:
    caught = failure({"status": 401, "error": {"message": f"Incorrect API key provided: {KEY}."}})
    assert KEY not in caught.message
    assert "OPENAI_API_KEY" in caught.message


def test_a_missing_key_is_said_before_anything_is_sent() -> None:
    with pytest.raises(KeyMissing, match="MY_KEY"):
        OpenAI(model("openai", key_env="MY_KEY"), {"OPENAI_API_KEY": KEY}, 4)
    local = OpenAI(model("openai", base_url="http://localhost:1/v1"), {}, 4)
    assert "localhost" in repr(local)
    elsewhere = OpenAI(model("openai", key_env="MY_KEY"), {"MY_KEY": KEY, "OPENAI_BASE_URL": "http://x/v1"}, 4)
    assert "http://x/v1" in repr(elsewhere)
    assert KEY not in repr(elsewhere)


def test_a_wrong_address_is_a_connection_fault() -> None:
    async def main() -> None:
        who = model("openai", base_url="http://127.0.0.1:9/v1")
        of = plan(1, who)
        transport = OpenAI(who, {}, 4)
        with pytest.raises(TransportError, match="no reply from"):
            await transport.answer(Panel(of, who, "run").request(trials(of)[0]))
        await transport.close()

    asyncio.run(main())


def run(
    folder: Path, script: Script, situations: int = 20, settings: Settings = QUICK
) -> tuple[Outcome, Server]:
    """A whole run against a server."""

    async def main() -> tuple[Outcome, Server]:
        async with Server(script) as server:
            who: Model = model("openai", base_url=server.url)
            of = plan(situations, who)
            sink = FileSink(folder / "sink")
            outcome = await run_panel_async(
                *(of, trials(of), who, OpenAI(who, {}, 8), sink, folder / "journal", "run", sink.newest),
                *(settings, Silent(), None, Stop()),
            )
            return outcome, server

    return asyncio.run(main())


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 429, "headers": {"Retry-After": "0.1"}},
        {"status": 500},
        {"drop": True},
        {"half": True},
        {"html": True},
    ],
)
def test_one_fault_costs_one_more_request(tmp_path: Path, fault: Fault) -> None:
    outcome, server = run(tmp_path, nth(5, fault))
    assert (outcome.state, outcome.asked) == ("finished", 42)
    assert len(server.bodies) == 43
    answers = FileSink(tmp_path / "sink").answers()
    assert len({one.response.trial for one in answers}) == len(answers) == 42
    assert all(one.response.status == "complete" for one in answers)


def test_retry_after_is_waited_for_by_the_whole_run(tmp_path: Path) -> None:
    times: list[float] = []

    def script(number: int, body: dict[str, Any]) -> Fault | None:
        times.append(time.monotonic())
        return {"status": 429, "headers": {"Retry-After": "0.4"}} if number == 12 else None

    outcome, _ = run(tmp_path, script, settings=Settings(max_connections=1, retry=QUICK.retry))
    assert outcome.state == "finished"
    assert times[13] - times[12] >= 0.4


def test_faults_that_stay_end_as_rows(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return {"status": 500} if "Situation 3." in body["messages"][0]["content"] else None

    outcome, server = run(tmp_path, script)
    assert (outcome.state, outcome.counts) == ("incomplete", {"complete": 40, "error": 2})
    assert len(server.bodies) == 40 + 2 * 4
    errors = [one.response for one in FileSink(tmp_path / "sink").answers() if one.response.status == "error"]
    assert all("500 from" in (row.error or "") and row.text is None for row in errors)


def test_an_unknown_model_stops_the_run(tmp_path: Path) -> None:
    error = {"status": 404, "error": {"message": "The model does not exist", "code": "model_not_found"}}
    outcome, server = run(tmp_path, lambda number, body: error)  # noqa: ARG005
    assert (outcome.state, outcome.fault) == ("failed", "provider")
    assert "model-one" in outcome.message
    assert len(server.bodies) <= 8
    assert issubclass(UnknownModel, TransportError)
