"""A server for the benches, in a process of its own, and the study that asks it.

It answers every request after the same time with a list of twenty numbers, drawn from the request's hash, and
does as little as it can beyond that, so that what is measured is the client. `Served.expect` has it say when
the first, a tenth, nine tenths and the last of the coming requests were answered.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

ORDERS = 10
ITEMS = 20
CONTEXT = "You were looking forward to this day for a long time, and so were the people who came with you. " * 9
"""What makes a request about 300 tokens long."""
BODY = json.dumps(
    {
        "id": "one",
        "object": "chat.completion",
        "created": 1,
        "model": "served",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "@"}, "finish_reason": "stop"},
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": 80, "total_tokens": 380},
    }
).encode()
ROOT = Path(__file__).parents[1]


class Served:
    """The server's address, and what it says of the requests to come."""

    def __init__(self, url: str, process: subprocess.Popen[str]) -> None:
        self.url = url
        self._process = process

    def expect(self, requests: int) -> None:
        """Counts from 0 again: `marks` comes as often as it has marks."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{requests}\n")
        self._process.stdin.flush()

    def marks(self) -> Iterator[int]:
        """The number of the requests that were answered, each time that a mark is passed."""
        assert self._process.stdout is not None
        for _ in range(4):
            yield int(self._process.stdout.readline())


@contextmanager
def serving(latency: float) -> Iterator[Served]:
    """A server that answers after so many seconds."""
    command = [sys.executable, "-m", "bench.serving", str(latency)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        assert process.stdout is not None
        try:
            yield Served(process.stdout.readline().strip(), process)
        finally:
            process.kill()


class _Count:
    """Says on stdout when marks are passed."""

    def __init__(self) -> None:
        self._answered = 0
        self._marks: list[int] = []

    def expect(self, line: str) -> None:
        wanted = int(line)
        self._answered = 0
        self._marks = [1, wanted // 10, wanted - wanted // 10, wanted]

    def one(self) -> None:
        self._answered += 1
        if self._marks and self._answered >= self._marks[0]:
            print(self._marks.pop(0), flush=True)


class _Connection(asyncio.Protocol):
    """One connection, whose requests come one after the other."""

    def __init__(self, latency: float, count: _Count) -> None:
        self._latency = latency
        self._count = count
        self._came = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._came += data
        head, end, body = self._came.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if end and len(body) >= int(length or 0):
            self._came = b""
            asyncio.get_running_loop().call_later(self._latency, self._answer, _reply(body))

    def _answer(self, reply: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(reply)
            self._count.one()


def _reply(asked: bytes) -> bytes:
    drawn = blake2b(asked, digest_size=ITEMS).digest()
    lines = "\\n".join(f"{number}. {byte % 5 + 1}" for number, byte in enumerate(drawn, 1))
    body = BODY.replace(b"@", lines.encode())
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
        len(body),
        body,
    )


async def _serve(latency: float) -> None:
    loop, count = asyncio.get_running_loop(), _Count()
    server = await loop.create_server(lambda: _Connection(latency, count), "127.0.0.1", 0, backlog=2048)
    loop.add_reader(sys.stdin.fileno(), lambda: count.expect(sys.stdin.readline()))
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


def spec(url: str, requests: int) -> str:
    """A study of so many requests, each of which asks something else."""
    situations = "\n".join(f'    "Thing number {number} goes wrong."' for number in range(requests // ORDERS))
    return f"""
use "lib/panas"  use "lib/prompts"  use "lib/appraisal"
emotion trouble "Trouble" {{
  factor all "All" {{
{situations}
  }}
}}
protocol only {{ condition evoked each situation {{ present imagine_aloud }}  then {{ measure with ask_all }} }}
prompt imagine_aloud "Imagine: {{situation}}"
prompt ask_all "{{presented}} How strongly do you feel each of these? {{scale.items}}"
model served {{ provider openai  name "served"  base_url "{url}" }}
study trouble "Trouble" {{
  protocol only  scales PANAS  stimuli trouble  panels served  seed 1  orders {ORDERS}
}}
"""


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
