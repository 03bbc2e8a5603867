"""A server that speaks chat completions on the loopback, with faults on demand and a log of what it did.

`python -m tests.runtime.server --log FILE [--latency MS] [--faults FILE] [--endpoint FILE] [--batches FILE]`
prints its address and serves until it is ended. The log is that of `server_log`; `--endpoint` is a
`server_endpoint.Endpoint` as JSON, `--batches` a `server_batches.Script`; `--faults` is a JSON list with one
`Fault` or null a request, in order. Replies take between half and one and a half of the latency, so that they
do not come in bursts.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import ssl
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from tests.runtime import server_batches
from tests.runtime.server_endpoint import Account, Endpoint, text_of, tokens_in
from tests.runtime.server_log import Event, Log, answered_twice, request_hash, request_key

__all__ = ["Endpoint", "Fault", "Script", "Server", "answered_twice", "no_faults"]

Fault = dict[str, Any]
"""What goes wrong with one request, by name.

`status` (with `error`, an object, or `body`, a text of type `type`) and `headers`: this in place of an answer;
`reply`: fields that replace the completion's; `encoding`: gzip, deflate, or one that is a lie; `drop`: the
connection breaks before anything was done; `lost`: when the answer was made; `half`: in the middle of it;
`hang`: nothing ever comes; `slow`: seconds until the answer; `trickle`: seconds between the pieces of it;
`html`: a web page with status 200.
"""
Script = Callable[[int, dict[str, Any]], Fault | None]
PAGE = "<html><head><title>Please wait</title></head><body>...</body></html>"
PIECES = 8
PLAIN = Endpoint()
NO_FAULTS = server_batches.Script()


def no_faults(number: int, body: dict[str, Any]) -> None:
    """Answers everything."""


class Server:
    """Serves on a free port; `script` says for a request's number (from 0) and its body what goes wrong,
    `endpoint` how it behaves otherwise, `batches` what its batches do. `bodies`, `headers`, `paths` (with
    query) and `peers` (who asked): what came, in order; `log`: what it did."""

    def __init__(
        self,
        script: Script = no_faults,
        log: Path | None = None,
        latency: float = 0.0,
        endpoint: Endpoint = PLAIN,
        certificate: ssl.SSLContext | None = None,
        batches: server_batches.Script = NO_FAULTS,
    ) -> None:
        self.url = ""
        self.paths: list[str] = []
        self.peers: list[object] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.log = Log(log)
        self._script = script
        self._latency = latency
        self._account = Account(endpoint)
        self.batches = server_batches.BatchService(self._account, self.log, batches)
        self._certificate = certificate
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Server:
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/{path:.*}/chat/completions", self._complete)
        self.batches.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._certificate)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"{'https' if self._certificate else 'http'}://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()
        self.log.close()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        number = len(self.bodies)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.path_qs)
        self.peers.append(request.transport.get_extra_info("peername") if request.transport else None)
        came = Event("request", request_hash(raw), request_key(body), number)
        self.log.note(came)
        fault = self._script(number, body) or {}
        jitter = 0.5 + int(came.hash[:8], 16) / 2**32
        await asyncio.sleep(fault.get("slow", self._latency * jitter))
        if "hang" in fault:
            await asyncio.Event().wait()
        response, event = self._response(request, body, fault, came)
        if fault.keys() & {"drop", "lost", "half"}:
            return await self._break(request, response, event, fault)
        return await self._deliver(request, response, event, fault)

    def _response(
        self, request: web.Request, body: dict[str, Any], fault: Fault, came: Event
    ) -> tuple[web.Response, Event]:
        """The reply, and what the log says when it is out."""
        if "html" in fault:
            fault = {"status": 200, "body": PAGE, "type": "text/html", **fault}
        if "status" not in fault:
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            refusal = None if "reply" in fault else self._account.refusal(body, key)
            if refusal is not None:
                fault = msgspec.structs.asdict(refusal)
        if "status" in fault:
            return _error(fault), msgspec.structs.replace(came, event="refused", status=fault["status"])
        completion = {**self._account.completion(body), **fault.get("reply", {})}
        choices = len(completion["choices"] or ())
        made = msgspec.structs.replace(
            came,
            event="answered",
            status=200,
            choices=choices,
            tokens_in=tokens_in(body),
            tokens_out=sum(len(text_of(body, index)) // 4 for index in range(choices)),
        )
        encoding = fault.get("encoding", self._account.endpoint.encoding)
        headers = {**self._account.headers(), **fault.get("headers", {})}
        return _encoded(json.dumps(completion).encode(), encoding, headers), made

    async def _deliver(
        self, request: web.Request, response: web.Response, event: Event, fault: Fault
    ) -> web.StreamResponse:
        try:
            if "trickle" in fault:
                return await self._trickle(request, response, event, fault["trickle"])
            await response.prepare(request)
            await response.write_eof()
        except ConnectionResetError:
            event = msgspec.structs.replace(event, event="lost") if event.event == "answered" else event
        self.log.note(event)
        return response

    async def _trickle(
        self, request: web.Request, response: web.Response, event: Event, pause: float
    ) -> web.StreamResponse:
        assert isinstance(response.body, bytes)
        slow = web.StreamResponse(status=response.status, headers={"Content-Type": "application/json"})
        await slow.prepare(request)
        size = -(-len(response.body) // PIECES)
        for start in range(0, len(response.body), size):
            await asyncio.sleep(pause)
            await slow.write(response.body[start : start + size])
        await slow.write_eof()
        self.log.note(event)
        return slow

    async def _break(
        self, request: web.Request, response: web.Response, event: Event, fault: Fault
    ) -> web.StreamResponse:
        assert request.transport is not None
        if "half" in fault:
            broken = web.StreamResponse(headers={"Content-Length": "5000"})
            await broken.prepare(request)
            await broken.write(b'{"choices": [')
        if "drop" not in fault:
            self.log.note(msgspec.structs.replace(event, event="lost"))
        request.transport.close()
        return response


def _error(fault: Fault) -> web.Response:
    status, headers = fault["status"], fault.get("headers")
    if "body" in fault:
        kind = fault.get("type", "application/json")
        return web.Response(text=fault["body"], content_type=kind, status=status, headers=headers)
    error = fault.get("error", {"message": f"scripted {status}"})
    return web.json_response({"error": error}, status=status, headers=headers)


def _encoded(content: bytes, encoding: str | None, headers: dict[str, str]) -> web.Response:
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}.get(encoding or "", bytes)(content)
    stated = {"Content-Encoding": encoding} if encoding else {}
    return web.Response(body=packed, content_type="application/json", headers={**headers, **stated})


async def _serve(
    log: Path, latency: float, faults: list[Fault | None], endpoint: Endpoint, batches: server_batches.Script
) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return faults[number] if number < len(faults) else None

    async with Server(script, log, latency, endpoint, batches=batches) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serves until the process is ended."""
    parser = argparse.ArgumentParser(description="a chat completions server for tests")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds")
    parser.add_argument("--faults", type=Path)
    parser.add_argument("--endpoint", type=Path)
    parser.add_argument("--batches", type=Path)
    given = parser.parse_args()
    faults = json.loads(given.faults.read_text(encoding="utf-8")) if given.faults else []
    endpoint = msgspec.json.decode(given.endpoint.read_bytes(), type=Endpoint) if given.endpoint else PLAIN
    batches = (
        msgspec.json.decode(given.batches.read_bytes(), type=server_batches.Script)
        if given.batches
        else NO_FAULTS
    )
    asyncio.run(_serve(given.log, given.latency / 1000, faults, endpoint, batches))


if __name__ == "__main__":
    main()
