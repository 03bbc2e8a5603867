"""Chat completions, against a server of our own on the loopback: what is sent, what comes back, what fails."""

from __future__ import annotations

import asyncio
import json

import pytest

from runtime.panel import Panel
from runtime.transport import KeyMissing, TransportError
from runtime.transports.openai import OpenAI
from schemas.plan import Sampling
from tests.runtime.asking_openai import KEY, ask, failure, message, nth, requests
from tests.runtime.plans import model, plan, trials
from tests.runtime.server import Fault, Server

THOUGHT = "I think."


def test_what_is_sent_and_what_comes_back() -> None:
    replies, server = ask(sampling=Sampling(temperature=0.5, top_p=1, max_tokens=99, seed=7))
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
    assert "api-key" not in {name.lower() for name in server.headers[0]}
    reply = replies[0]
    assert reply.text is not None
    assert reply.text.startswith("1. ")
    assert (reply.finish_reason, reply.model_version) == ("stop", "model-one-2026")
    asked = sum(len(one["content"]) for one in body["messages"])
    assert (reply.tokens_in, reply.tokens_out) == (asked // 4, len(reply.text) // 4)
    assert json.loads(reply.request_sent or "") == {name: body[name] for name in body if name != "messages"}
    assert KEY not in repr(reply)


@pytest.mark.parametrize(
    ("fields", "text", "reasoning"),
    [
        ({"content": "1. 3", "reasoning_content": THOUGHT}, "1. 3", THOUGHT),
        ({"content": "1. 3", "reasoning": THOUGHT}, "1. 3", THOUGHT),
        ({"content": "1. 3", "thinking": THOUGHT}, "1. 3", THOUGHT),
        (
            {
                "content": "1. 3",
                "reasoning": None,
                "reasoning_details": [
                    {"type": "reasoning.summary", "summary": "I "},
                    {"type": "reasoning.encrypted", "data": "QUJD"},
                    {"type": "reasoning.text", "text": "think.", "signature": "x"},
                ],
            },
            "1. 3",
            THOUGHT,
        ),
        ({"content": "<think>I think.</think>\n\n1. 3"}, "1. 3", THOUGHT),
        ({"content": "I think.\n</think>\n\n1. 3"}, "1. 3", THOUGHT),
        ({"content": "<think>I think."}, "", THOUGHT),
        ({"content": "1. 3 < 4"}, "1. 3 < 4", None),
        ({"content": None, "reasoning_content": THOUGHT}, None, THOUGHT),
        ({"content": [{"type": "text", "text": "1. "}, {"type": "text", "text": "3"}]}, "1. 3", None),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}], "closed": True},
                    {"type": "text", "text": "1. 3"},
                ]
            },
            "1. 3",
            THOUGHT,
        ),
        ({"content": [{"type": "thinking", "thinking": THOUGHT}]}, "", THOUGHT),
        ({"content": "1. 3", "reasoning_content": "", "reasoning": {"effort": "low"}}, "1. 3", None),
    ],
)
def test_thinking_is_kept_apart_wherever_it_stands(
    fields: dict[str, object], text: str | None, reasoning: str | None
) -> None:
    replies, _ = ask(nth(0, message(**fields)))
    assert (replies[0].text, replies[0].reasoning) == (text, reasoning)


def test_a_refusal_of_the_model_is_said_as_one() -> None:
    replies, _ = ask(nth(0, message(content=None, refusal="No.")))
    assert (replies[0].text, replies[0].finish_reason) == ("No.", "refusal")


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (
            {"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 4}},
            (9, 8, 4),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": None}, (9, 8, None)),
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_cache_hit_tokens": 3}, (9, 8, 3)),
        (None, (None, None, None)),
        ({}, (None, None, None)),
        ({"prompt_tokens": "many"}, (None, None, None)),
    ],
)
def test_usage_is_what_is_said_and_nothing_where_nothing_is(
    usage: object, counts: tuple[int | None, ...]
) -> None:
    reply = ask(nth(0, message(content="1. 3", usage=usage)))[0][0]
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == counts
    assert reply.model_version == "model-one-2026 fp_1"


@pytest.mark.parametrize(
    ("ending", "kept"),
    [
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("stop", "stop"),
        (None, None),
    ],
)
def test_a_reply_that_is_cut_off_says_so_whatever_a_provider_calls_it(ending: object, kept: str | None) -> None:
    reply = ask(nth(0, message(content="", finish_reason=ending, reasoning_content=THOUGHT)))[0][0]
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("", THOUGHT, kept)


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
        ({"status": 308, "headers": {"Location": "https://elsewhere/v1"}}, "UnknownModel", False, None),
        ({"drop": True}, "ConnectionFault", True, None),
        ({"lost": True}, "ConnectionFault", True, None),
        ({"half": True}, "ConnectionFault", True, None),
        ({"encoding": "gzip", "reply": {"choices": []}}, "ServerFault", True, None),
        ({"encoding": "br"}, "ConnectionFault", True, None),
        ({"html": True}, "ServerFault", True, None),
        ({"status": 200, "body": '{"choices": [{"message"'}, "ServerFault", True, None),
        ({"status": 200, "body": "null"}, "ServerFault", True, None),
        ({"status": 200, "body": ""}, "ServerFault", True, None),
        ({"reply": {"choices": []}}, "ServerFault", True, None),
        ({"reply": {"choices": None}}, "ServerFault", True, None),
        ({"reply": {"choices": [], "error": {"message": "down", "code": 502}}}, "ServerFault", True, None),
        ({"reply": {"choices": None, "error": {"message": "slow", "code": 429}}}, "RateLimited", True, None),
        (message(content="", finish_reason="error"), "ServerFault", True, None),
        (message(content="1.", finish_reason="insufficient_system_resource"), "ServerFault", True, None),
    ],
)
def test_every_failure_has_its_name(
    fault: Fault, name: str, retryable: bool, retry_after: float | None
) -> None:
    caught = failure(fault)
    assert (type(caught).__name__, caught.retryable, caught.retry_after) == (name, retryable, retry_after)
    assert KEY not in f"{caught!r} {caught}"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_packed_replies_are_unpacked(encoding: str) -> None:
    replies, server = ask(nth(0, {"encoding": encoding}))
    assert (replies[0].text or "").startswith("1. ")
    assert encoding in server.headers[0]["Accept-Encoding"]


def test_a_slow_reply_is_waited_for() -> None:
    replies, server = ask(nth(0, {"trickle": 0.01}))
    assert (replies[0].text or "").startswith("1. ")
    assert [event.event for event in server.log.events] == ["request", "answered"]


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
        with pytest.raises(TransportError, match=r"no reply from http://127\.0\.0\.1:9/v1: cannot connect"):
            await transport.answer(Panel(of, who, "run").request(trials(of)[0]))
        await transport.close()

    asyncio.run(main())


def test_requests_that_begin_together_share_their_connections() -> None:
    async def main() -> None:
        async with Server(latency=0.01) as server:
            transport = OpenAI(model("openai", base_url=server.url), {}, 4)
            replies = await asyncio.gather(*(transport.answer(request) for request in requests(4)))
            again = await asyncio.gather(*(transport.answer(request) for request in requests(4)))
            assert [reply.text for reply in again] == [reply.text for reply in replies]
            assert len(set(server.peers)) == 4
            await transport.close()

    asyncio.run(main())
