"""Asks a test server through the openai transport: some replies, a failure, or a whole run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from runtime.asking import Settings
from runtime.execute import run_panel_async
from runtime.interrupt import Stop
from runtime.outcome import Outcome
from runtime.panel import Panel
from runtime.progress import Silent
from runtime.retry import RetryPolicy
from runtime.transport import Reply, Request, TransportError
from runtime.transports.openai import OpenAI
from schemas.plan import Sampling
from schemas.render import ChatMessage
from tests.runtime.plans import FileSink, model, plan, planned, trials
from tests.runtime.server import PLAIN, Endpoint, Fault, Script, Server, no_faults

KEY = "sk-test-0123456789"
WITH_KEY: Mapping[str, str] = MappingProxyType({"OPENAI_API_KEY": KEY})
NOT_SAID = Sampling()
QUICK = Settings(max_connections=8, retry=RetryPolicy(tries=4, first=0.001, longest=0.01), deadline=10)
SYSTEM = ChatMessage("system", "You answer as a person would.")


def nth(number: int, fault: Fault) -> Script:
    """A fault for one request only."""
    return lambda at, _: fault if at == number else None


def always(fault: Fault) -> Script:
    """The same fault for every request."""
    return lambda _at, _body: fault


def requests(
    count: int, sampling: Sampling = NOT_SAID, *, system: bool = False, **settings: str
) -> list[Request]:
    """The first `count` requests of a plan, with a system message if wanted."""
    who = model("openai", **settings)
    of = plan(count, who, sampling=sampling)
    panel = Panel(of, who, "run")
    made = [panel.request(trial) for trial in trials(of)[:count]]
    if not system:
        return made
    return [msgspec.structs.replace(one, messages=(SYSTEM, *one.messages)) for one in made]


def ask(
    script: Script = no_faults,
    count: int = 1,
    sampling: Sampling = NOT_SAID,
    endpoint: Endpoint = PLAIN,
    *,
    system: bool = False,
) -> tuple[list[Reply], Server]:
    """The replies to the first `count` trials, asked one after the other, and the server."""

    async def main() -> tuple[list[Reply], Server]:
        async with Server(script, endpoint=endpoint) as server:
            transport = OpenAI(model("openai", base_url=server.url), WITH_KEY, 4)
            try:
                asked = requests(count, sampling, system=system)
                return [await transport.answer(request) for request in asked], server
            finally:
                await transport.close()

    return asyncio.run(main())


def failure(fault: Fault) -> TransportError:
    """What a request that meets a fault fails with."""
    with pytest.raises(TransportError) as caught:
        ask(always(fault))
    return caught.value


def run(
    folder: Path,
    script: Script = no_faults,
    situations: int = 20,
    settings: Settings = QUICK,
    endpoint: Endpoint = PLAIN,
    told: Silent | None = None,
    sampling: Sampling = NOT_SAID,
    seconds: float = 60,
) -> tuple[Outcome, Server]:
    """A whole run against a server, with its rows in `folder`; it may take so many seconds."""

    async def main() -> tuple[Outcome, Server]:
        async with Server(script, folder / "log", endpoint=endpoint) as server:
            who = model("openai", base_url=server.url)
            of = plan(situations, who, sampling=sampling)
            sink = FileSink(folder / "sink")
            transport = OpenAI(who, WITH_KEY, settings.max_connections)
            outcome = await run_panel_async(
                *(of, planned(of), who, transport, sink, folder / "journal", "run", sink.newest),
                *(settings, told or Silent(), None, Stop()),
            )
            return outcome, server

    async def in_time() -> tuple[Outcome, Server]:
        async with asyncio.timeout(seconds):
            return await main()

    return asyncio.run(in_time())


class Notes(Silent):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Keeps one."""
        self.notes.append(text)


def message(**fields: Any) -> Fault:
    """A reply with a message of its own; `finish_reason` and `usage` may be among the fields."""
    ending = fields.pop("finish_reason", "stop")
    usage = {"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 4}}
    usage = fields.pop("usage", usage)
    choice = {"index": 0, "finish_reason": ending, "message": {"role": "assistant", **fields}}
    return {"reply": {"choices": [choice], "usage": usage, "system_fingerprint": "fp_1"}}
