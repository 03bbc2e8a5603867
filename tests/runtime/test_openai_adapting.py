"""What a model refuses is learned from the refusal, sent otherwise from then on, told once, and recorded."""

from __future__ import annotations

import asyncio
import json

import pytest

from runtime.transport import RateLimited, Rejected, Reply, ServerFault
from runtime.transports.openai import OpenAI
from schemas.plan import Sampling
from tests.runtime.asking_openai import SYSTEM, ask, nth, requests
from tests.runtime.plans import model
from tests.runtime.server import Endpoint, Fault, Server

SAMPLING = Sampling(temperature=0.0, top_p=1, max_tokens=99, seed=7, frequency_penalty=1, presence_penalty=1)


def sent(reply: Reply) -> dict[str, object]:
    document = json.loads(reply.request_sent or "")
    assert isinstance(document, dict)
    return document


def without_messages(server: Server) -> dict[str, object]:
    return {name: value for name, value in server.bodies[-1].items() if name != "messages"}


@pytest.mark.parametrize(
    "refused",
    [
        ("temperature",),
        ("top_p", "seed"),
        ("temperature", "top_p", "seed", "frequency_penalty", "presence_penalty"),
    ],
)
def test_refused_parameters_are_left_out_from_then_on(refused: tuple[str, ...]) -> None:
    replies, server = ask(count=3, sampling=SAMPLING, endpoint=Endpoint(refuses=refused))
    assert len(server.bodies) == 3 + len(refused)
    left_out = {name: getattr(SAMPLING, name) for name in refused}
    assert [sent(reply)["adapted"] for reply in replies] == [{"left_out": left_out}] * 3
    assert {name: value for name, value in sent(replies[-1]).items() if name != "adapted"} == without_messages(
        server
    )
    assert [len(reply.notes) for reply in replies] == [len(refused), 0, 0]
    for name, note in zip(refused, replies[0].notes, strict=True):
        assert note == (
            f"Model m refuses {name}: it is left out, and the provider's own value holds. "
            f"(It said: Unsupported parameter: '{name}' is not supported with this model.)"
        )


def test_the_newer_name_of_max_tokens_is_learned() -> None:
    replies, server = ask(count=2, sampling=SAMPLING, endpoint=Endpoint(newer=True))
    assert len(server.bodies) == 3
    assert "max_tokens" not in server.bodies[-1]
    assert server.bodies[-1]["max_completion_tokens"] == 99
    assert sent(replies[1])["adapted"] == {"renamed": {"max_tokens": "max_completion_tokens"}}
    assert [len(reply.notes) for reply in replies] == [1, 0]


def test_a_system_message_that_is_refused_stands_on_top_of_the_user_s() -> None:
    replies, server = ask(count=2, endpoint=Endpoint(system=False), system=True)
    assert len(server.bodies) == 3
    (only,) = server.bodies[-1]["messages"]
    assert only["role"] == "user"
    assert only["content"].startswith(f"{SYSTEM.content}\n\n")
    assert sent(replies[1])["adapted"] == {"system": "on top of the first user message"}
    assert [len(reply.notes) for reply in replies] == [1, 0]


def test_a_system_message_that_is_taken_stays_one() -> None:
    replies, server = ask(system=True)
    assert [one["role"] for one in server.bodies[0]["messages"]] == ["system", "user"]
    assert "adapted" not in sent(replies[0])


def test_a_template_that_fails_with_500_teaches_too() -> None:
    error = {"message": "jinja2 TemplateError: System role not supported", "code": 500}
    replies, server = ask(nth(0, {"status": 500, "error": error}), system=True)
    assert [one["role"] for one in server.bodies[1]["messages"]] == ["user"]
    assert "system" in replies[0].notes[0]


@pytest.mark.parametrize("refused", ["max_tokens", "max_completion_tokens"])
def test_a_parameter_that_a_study_rests_on_is_never_left_out(refused: str) -> None:
    newer = refused == "max_completion_tokens"
    with pytest.raises(Rejected, match=refused):
        ask(sampling=SAMPLING, endpoint=Endpoint(refuses=(refused,), newer=newer))


def test_what_was_learned_is_told_by_the_next_reply_that_comes() -> None:
    async def main() -> None:
        async with Server(nth(1, {"reply": {"choices": []}}), endpoint=Endpoint(refuses=("seed",))) as server:
            transport = OpenAI(model("openai", base_url=server.url), {}, 4)
            first, second = requests(2, SAMPLING)
            with pytest.raises(ServerFault):
                await transport.answer(first)
            assert "seed" in (await transport.answer(second)).notes[0]
            await transport.close()

    asyncio.run(main())


def test_a_limit_is_kept_to_although_another_request_has_learned_meanwhile() -> None:
    def script(number: int, body: dict[str, object]) -> Fault | None:
        return {"status": 429, "slow": 0.05, "headers": {"retry-after-ms": "900"}} if number == 0 else None

    async def main() -> None:
        async with Server(script, endpoint=Endpoint(refuses=("seed",))) as server:
            transport = OpenAI(model("openai", base_url=server.url), {}, 4)
            held, learned = await asyncio.gather(
                *(transport.answer(request) for request in requests(2, SAMPLING)), return_exceptions=True
            )
            await transport.close()
            assert isinstance(held, RateLimited)
            assert isinstance(learned, Reply)
            assert len(server.bodies) == 3

    asyncio.run(main())
