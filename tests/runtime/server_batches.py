"""The files and batches of a test server: uploads, batches, what comes of them, and faults on demand.

A batch is worked off when it is created, whoever asks for it later: what it answered stands in the server's
log, with that of live requests. It shows as done after some looks at it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from typing import Any

import msgspec
from aiohttp import web

from tests.runtime.server_endpoint import Account, text_of, tokens_in
from tests.runtime.server_log import Event, Log, request_hash, request_key

Fault = dict[str, Any]
FIRST_NUMBER = 1_000_000
"""Requests in batches are counted from here, apart from live ones."""


class Course(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of a batch. `looks`: how often it shows as in progress; `status`: how it ends; `answers`:
    how many of its requests are worked off (None: all); `told`: the others stand in the error file, as expired.
    `errors`: why it is refused (then it is `failed`); `lines`: by custom_id, an error in place of an answer
    (`status` with `error`, or `error` alone: not sent on); `lost`: custom_ids whose lines are missing;
    `doubled`: each line stands twice; `shuffled`; `strange`: lines that stand there too."""

    looks: int = 1
    status: str = "completed"
    answers: int | None = None
    told: bool = False
    errors: tuple[dict[str, Any], ...] = ()
    lines: dict[str, dict[str, Any]] = {}
    lost: tuple[str, ...] = ()
    doubled: bool = False
    shuffled: bool = False
    strange: tuple[str, ...] = ()


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`faults`: for each kind of call (upload, create, list, retrieve, content, cancel, delete), what goes
    wrong with the first, the second, ...: `status` with `error` and `headers`; `drop`: the connection breaks
    before anything was done, `lost`: afterwards; `hangs`: no reply comes (the log says so); `page`: a web page.
    `courses`: of the first batch, the second, ...; the last is that of all others. `lag`: so many lists do not
    show a batch that is new; `page`: batches a list."""

    faults: dict[str, list[Fault | None]] = {}
    courses: tuple[Course, ...] = (Course(),)
    lag: int = 0
    page: int = 100


class Made(msgspec.Struct):
    """A batch at the server. `ids`: its output and error file."""

    id: str
    input_file_id: str
    metadata: dict[str, str]
    total: int
    course: Course
    created_at: int
    looks: int = 0
    lists: int = 0
    cancelled: bool = False
    output: str | None = None
    errors: str | None = None
    answered: int = 0

    @property
    def status(self) -> str:
        """What it shows as now."""
        if self.cancelled:
            return "cancelled"
        if self.looks <= self.course.looks:
            return "validating" if self.looks == 0 else "in_progress"
        return "failed" if self.course.errors else self.course.status

    def shown(self) -> dict[str, Any]:
        """It as the interface describes it."""
        done = self.status in ("completed", "failed", "expired", "cancelled")
        seen = self.answered if done else min(self.answered, self.looks)
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": self.input_file_id,
            "created_at": self.created_at,
            "metadata": self.metadata,
            "status": self.status,
            "request_counts": {"total": self.total, "completed": seen, "failed": 0},
            "output_file_id": self.output if done else None,
            "error_file_id": self.errors if done else None,
            "errors": {"object": "list", "data": list(self.course.errors)}
            if done and self.course.errors
            else None,
        }


class BatchService:
    """What a server keeps of files and batches; `inputs`: the uploaded files by id, `names` what they are
    called."""

    def __init__(self, account: Account, log: Log, script: Script) -> None:
        self.batches: dict[str, Made] = {}
        self.inputs: dict[str, bytes] = {}
        self.names: dict[str, str] = {}
        self.calls: Counter[str] = Counter()
        self._account = account
        self._log = log
        self._script = script
        self._numbers = itertools.count(FIRST_NUMBER)

    def add_routes(self, app: web.Application) -> None:
        """Serves under any path."""
        routes = app.router
        routes.add_post("/{path:.*}/files", self._call("upload", self._upload))
        routes.add_get("/{path:.*}/files", self._call("list_files", self._list_files))
        routes.add_get("/{path:.*}/files/{id}/content", self._call("content", self._content))
        routes.add_delete("/{path:.*}/files/{id}", self._call("delete", self._delete))
        routes.add_post("/{path:.*}/batches", self._call("create", self._create))
        routes.add_get("/{path:.*}/batches", self._call("list", self._list))
        routes.add_get("/{path:.*}/batches/{id}", self._call("retrieve", self._retrieve))
        routes.add_post("/{path:.*}/batches/{id}/cancel", self._call("cancel", self._cancel))

    def _call(self, kind: str, work: Any) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            number = self.calls[kind]
            self.calls[kind] += 1
            faults = self._script.faults.get(kind, [])
            fault = (faults[number] if number < len(faults) else None) or {}
            if "drop" in fault:
                return _broken(request)
            if "status" in fault:
                error = fault.get("error", {"message": f"scripted {fault['status']}"})
                return web.json_response({"error": error}, status=fault["status"], headers=fault.get("headers"))
            if "page" in fault:
                return web.Response(text="<html><title>Sign in</title></html>", content_type="text/html")
            response: web.StreamResponse = await work(request)
            if "hangs" in fault:
                self._log.note(Event("hangs", kind, kind, next(self._numbers)))
                await asyncio.Event().wait()
            return _broken(request) if "lost" in fault else response

        return handle

    async def _upload(self, request: web.Request) -> web.Response:
        purpose, name, data = "", "", b""
        async for part in await request.multipart():
            if part.name == "purpose":
                purpose = await part.text()
            elif part.name == "file":
                name, data = part.filename or "", bytes(await part.read())
        assert purpose == "batch"
        file_id = f"file-{len(self.names) + 1}"
        self.inputs[file_id], self.names[file_id] = data, name
        return web.json_response(self._file(file_id))

    def _file(self, file_id: str) -> dict[str, Any]:
        return {"id": file_id, "object": "file", "purpose": "batch", "filename": self.names[file_id]}

    async def _list_files(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [self._file(one) for one in self.inputs]})

    async def _delete(self, request: web.Request) -> web.Response:
        file_id = request.match_info["id"]
        if self.inputs.pop(file_id, None) is None:
            return _not_found(file_id)
        return web.json_response({"id": file_id, "object": "file", "deleted": True})

    async def _content(self, request: web.Request) -> web.Response:
        data = self.inputs.get(request.match_info["id"])
        if data is None:
            return _not_found(request.match_info["id"])
        return web.Response(body=data)

    async def _create(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
        data = self.inputs.get(body["input_file_id"])
        if data is None:
            return _not_found(body["input_file_id"])
        courses = self._script.courses
        course = courses[min(len(self.batches), len(courses) - 1)]
        requests = [json.loads(line) for line in data.splitlines()]
        assert len({one["custom_id"] for one in requests}) == len(requests)
        batch_id = f"batch_{len(self.batches) + 1}"
        now = int(time.time())
        batch = Made(batch_id, body["input_file_id"], body["metadata"], len(requests), course, now)
        self.batches[batch.id] = batch
        if not course.errors:
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            self._work_off(batch, requests, key)
        return web.json_response(batch.shown())

    async def _list(self, request: web.Request) -> web.Response:
        shown = []
        for batch in reversed(self.batches.values()):
            batch.lists += 1
            if batch.lists > self._script.lag:
                shown.append(batch.shown())
        after = request.query.get("after")
        start = next((at + 1 for at, one in enumerate(shown) if one["id"] == after), 0)
        end = start + min(int(request.query.get("limit", 20)), self._script.page)
        return web.json_response({"object": "list", "data": shown[start:end], "has_more": end < len(shown)})

    async def _retrieve(self, request: web.Request) -> web.Response:
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            return _not_found(request.match_info["id"])
        batch.looks += 1
        return web.json_response(batch.shown())

    async def _cancel(self, request: web.Request) -> web.Response:
        batch = self.batches[request.match_info["id"]]
        batch.cancelled = True
        return web.json_response(batch.shown())

    def _work_off(self, batch: Made, requests: list[dict[str, Any]], key: str) -> None:
        """Answers a batch's requests, and writes its files."""
        course = batch.course
        answered, failed = [], []
        for at, one in enumerate(requests):
            custom_id, body = one["custom_id"], one["body"]
            assert (one["method"], one["url"]) == ("POST", "/v1/chat/completions")
            if course.answers is not None and at >= course.answers:
                if course.told:
                    error = {"code": "batch_expired", "message": "The completion window was over before it."}
                    failed.append(_line(custom_id, None, None, error))
                continue
            if (refusal := course.lines.get(custom_id) or self._refusal(body, key)) is not None:
                failed.append(_refused(custom_id, refusal))
                continue
            completion = self._answer(body)
            batch.answered += 1
            if custom_id not in course.lost:
                answered.append(_line(custom_id, 200, completion))
        for kind, lines in (("output", answered), ("errors", failed)):
            if kind == "output":
                lines = [*lines, *course.strange]
            if course.doubled:
                lines = lines * 2
            if course.shuffled:
                random.Random(7).shuffle(lines)
            if lines:
                file_id = f"file-{batch.id}-{kind}"
                self.inputs[file_id], self.names[file_id] = ("\n".join(lines) + "\n").encode(), f"{kind}.jsonl"
                setattr(batch, kind, file_id)

    def _refusal(self, body: dict[str, Any], key: str) -> dict[str, Any] | None:
        refusal = self._account.refusal(body, key)
        return None if refusal is None else {"status": refusal.status, "error": refusal.error}

    def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        raw = json.dumps(body).encode()
        came = Event("request", request_hash(raw), request_key(body), next(self._numbers))
        self._log.note(came)
        completion = self._account.completion(body)
        choices = len(completion["choices"])
        tokens_out = sum(len(text_of(body, index)) // 4 for index in range(choices))
        self._log.note(
            msgspec.structs.replace(
                came,
                event="answered",
                status=200,
                choices=choices,
                tokens_in=tokens_in(body),
                tokens_out=tokens_out,
            )
        )
        return completion


def _line(custom_id: str, status: int | None, body: Any, error: Any = None) -> str:
    response = None if status is None else {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": f"line-{custom_id}", "custom_id": custom_id, "response": response, "error": error})


def _refused(custom_id: str, refusal: dict[str, Any]) -> str:
    if "status" not in refusal:
        return _line(custom_id, None, None, refusal["error"])
    return _line(custom_id, refusal["status"], {"error": refusal["error"]})


def _not_found(what: str) -> web.Response:
    error = {"message": f"No such object: {what}", "type": "invalid_request_error", "code": None}
    return web.json_response({"error": error}, status=404)


def _broken(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.close()
    return web.Response()
