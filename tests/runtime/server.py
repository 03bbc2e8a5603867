"""A server that speaks chat completions on the loopback, with faults on demand and a log of what it did.

`python -m tests.runtime.server --log FILE [--latency MS] [--faults FILE]` prints its address and serves until
it is ended. The log is append-only: a JSON line {"event": "request" | "answered", "hash", "number"} each.
Replies take between half and one and a half of the latency, so that they do not come in bursts.

A fault is a dict: {"status": 429, "headers": {...}, "error": {...}}, {"drop": true}, {"html": true},
{"half": true}, {"slow": seconds}, {"hang": true} or {"reply": {...}} (fields that replace the completion's).
`--faults` is a JSON list with one fault or null a request, in order.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import web

Fault = dict[str, Any]
Script = Callable[[int, dict[str, Any]], Fault | None]


def no_faults(number: int, body: dict[str, Any]) -> None:
    """Answers everything."""


class Server:
    """Serves on a free port; `script` says for a request's number (from 0) and its body what goes wrong."""

    def __init__(self, script: Script = no_faults, log: Path | None = None, latency: float = 0.0) -> None:
        self.url = ""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._script = script
        self._latency = latency
        self._log = None if log is None else os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o644)
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Server:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()
        if self._log is not None:
            os.close(self._log)

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        number = len(self.bodies)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        digest = hashlib.blake2b(raw, digest_size=16).hexdigest()
        self._note("request", digest, number)
        fault = self._script(number, body) or {}
        jitter = 0.5 + int(digest[:8], 16) / 2**32
        await asyncio.sleep(fault.get("slow", self._latency * jitter))
        if "hang" in fault:
            await asyncio.Event().wait()
        response = self._response(body, fault)
        if "drop" in fault or "half" in fault:
            return await self._break(request, response, fault)
        try:
            await response.prepare(request)
            await response.write_eof()
        except ConnectionResetError:
            return response
        if response.status == 200 and "html" not in fault:
            self._note("answered", digest, number)
        return response

    def _response(self, body: dict[str, Any], fault: Fault) -> web.Response:
        if "html" in fault:
            return web.Response(text="<html><body>Please wait.</body></html>", content_type="text/html")
        if "status" in fault:
            error = fault.get("error", {"message": f"scripted {fault['status']}"})
            return web.json_response({"error": error}, status=fault["status"], headers=fault.get("headers"))
        return web.json_response({**completion(body), **fault.get("reply", {})})

    async def _break(self, request: web.Request, response: web.Response, fault: Fault) -> web.StreamResponse:
        assert request.transport is not None
        if "half" in fault:
            broken = web.StreamResponse(headers={"Content-Length": "5000"})
            await broken.prepare(request)
            await broken.write(b'{"choices": [')
        request.transport.close()
        return response

    def _note(self, event: str, digest: str, number: int) -> None:
        if self._log is not None:
            line = json.dumps({"event": event, "hash": digest, "number": number}) + "\n"
            os.write(self._log, line.encode())


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """A completion that answers each numbered line of the last message with a value of its text."""
    asked = body["messages"][-1]["content"]
    items = re.findall(r"^(?:.*: )?(\d+)\. (.+)$", asked, re.MULTILINE)
    text = "\n".join(f"{number}. {1 + sum(words.encode()) % 5}" for number, words in items)
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": f"{body['model']}-2026",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": len(asked) // 4, "completion_tokens": len(text) // 4},
    }


def answered_twice(log: Path) -> list[str]:
    """Hashes of requests that came again after they had been answered."""
    answered: set[str] = set()
    twice = []
    for line in log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["event"] == "answered":
            answered.add(entry["hash"])
        elif entry["hash"] in answered:
            twice.append(entry["hash"])
    return twice


async def _serve(log: Path, latency: float, faults: list[Fault | None]) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return faults[number] if number < len(faults) else None

    async with Server(script, log, latency) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serves until the process is ended."""
    parser = argparse.ArgumentParser(description="a chat completions server for tests")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds")
    parser.add_argument("--faults", type=Path)
    given = parser.parse_args()
    faults = json.loads(given.faults.read_text(encoding="utf-8")) if given.faults else []
    asyncio.run(_serve(given.log, given.latency / 1000, faults))


if __name__ == "__main__":
    main()
