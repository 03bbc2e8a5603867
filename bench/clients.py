"""Clients that ask the bench's server: `python -m bench.clients WHO URL REQUESTS CONNECTIONS [GROUP]`.

`bare` posts in a loop over aiohttp and stores nothing; `openai` and `openai-aiohttp` call `create()` of the
openai client, over its own connections or over aiohttp; `inspect` and `lm-eval` are other programs; `ebc` runs
a study, stored durably, with a sync of the journal every GROUP records.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bench import peers
from bench.serving import CONTEXT, spec

MESSAGES = [{"role": "user", "content": CONTEXT + "How strongly do you feel each of these? " + "1. one " * 50}]
Ask = Callable[[], Awaitable[object]]


async def _all(ask: Ask, requests: int, connections: int) -> None:
    """Asks, so many at a time."""
    left: Iterator[int] = iter(range(requests))

    async def work() -> None:
        for _ in left:
            await ask()

    await asyncio.gather(*(work() for _ in range(connections)))


async def bare(url: str, requests: int, connections: int) -> None:
    """The least that a client can do: post, and read the reply."""
    import aiohttp

    body = json.dumps({"model": "served", "messages": MESSAGES}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:

        async def ask() -> object:
            async with session.post(f"{url}/chat/completions", data=body) as response:
                return json.loads(await response.read())

        await _all(ask, requests, connections)


async def openai(url: str, requests: int, connections: int, *, aiohttp: bool) -> None:
    """The openai client."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    http = DefaultAioHttpClient() if aiohttp else None
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=http) as client:

        async def ask() -> object:
            return await client.chat.completions.create(model="served", messages=MESSAGES)

        await _all(ask, requests, connections)


def ebc(url: str, requests: int, connections: int, group: int | None) -> None:
    """`ebc run` of a study in a folder that is thrown away; `group`: records a sync of the journal."""
    from ebc.cli import main
    from runtime import journal

    if group is not None:
        journal.GROUP = group
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("trouble.eb").write_text(spec(url, requests), encoding="utf-8")
        status = main(["run", "trouble.eb", "--connections", str(connections)])
        os.chdir("/")
    sys.exit(status)


def main() -> None:
    """Asks as the arguments say."""
    who, url, requests, connections, *group = sys.argv[1:]
    match who:
        case "bare":
            asyncio.run(bare(url, int(requests), int(connections)))
        case "openai" | "openai-aiohttp":
            asyncio.run(openai(url, int(requests), int(connections), aiohttp=who.endswith("aiohttp")))
        case "inspect":
            peers.inspect(url, MESSAGES, int(requests), int(connections))
        case "lm-eval":
            peers.lm_eval(url, MESSAGES, int(requests), int(connections))
        case _:
            ebc(url, int(requests), int(connections), int(group[0]) if group else None)


if __name__ == "__main__":
    main()
