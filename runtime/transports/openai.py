"""Models behind the chat completions of OpenAI, or of anyone who speaks the same protocol.

The client of the `openai` package gives address, authentication and headers; the one POST goes over aiohttp,
and what it means is decided here. Retries stand above, in `runtime.asking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import msgspec

from runtime.retry import retry_after
from runtime.transport import (
    ConnectionFault,
    KeyMissing,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Reply,
    Request,
    ServerFault,
    TransportError,
    Unauthorized,
    UnknownModel,
)
from runtime.transports.completion import Completion, Problem, problem_of, reply_of
from schemas.plan import Model, Sampling

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

DEFAULT_URL = "https://api.openai.com/v1"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
CONNECT_SECONDS = 10.0
QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
FILTER_CODES = ("content_filter", "content_policy_violation", "moderation_blocked")
MODERATION = ("flagged", "moderation")
ADAPTATIONS = 4
MAX_BYTES = 16 << 20


class OpenAI:
    """A transport to one model. Raises KeyMissing when made without a key for an address that is not
    local."""

    def __init__(self, model: Model, environment: Mapping[str, str], connections: int) -> None:
        self._model = model
        self._connections = connections
        self._key_variable = _text(model, "key_env") or "OPENAI_API_KEY"
        self._base_url = _text(model, "base_url") or environment.get("OPENAI_BASE_URL") or DEFAULT_URL
        self._key = environment.get(self._key_variable, "")
        if "@" in urlsplit(self._base_url).netloc:
            raise KeyMissing(
                f"the address of model {model.id} holds a user name or a password: take it out, and set the "
                f"environment variable {self._key_variable}."
            )
        if not self._key and urlsplit(self._base_url).hostname not in LOOPBACK:
            raise KeyMissing(
                f"model {model.id} needs a key for {self._base_url}: "
                f"set the environment variable {self._key_variable}, or put it in a file .env."
            )
        self._renamed: dict[str, str] = {}
        self._refused: set[str] = set()
        self._session: ClientSession | None = None
        self._url = ""
        self._proxy = proxy_for(self._base_url)

    def __repr__(self) -> str:
        return f"OpenAI({self._model.id!r} at {self._base_url})"

    async def answer(self, request: Request) -> Reply:
        """The model's reply. What a 400 teaches about the model's parameters holds from then on."""
        for _ in range(ADAPTATIONS):
            body = self._body(request)
            status, headers, content = await self._post(body)
            if status == 200:
                return self._reply(content, body)
            problem = problem_of(content)
            if problem.code in FILTER_CODES:
                return Reply(text=None, finish_reason="content_filter", request_sent=_sent(body))
            if status != 400 or not self._learn(problem, body):
                raise self._failure(status, headers, problem)
        raise Rejected("the model refuses its parameters, whichever are left out", status=400)

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()

    def _body(self, request: Request) -> dict[str, Any]:
        stated = msgspec.structs.asdict(request.sampling)
        parameters = {
            self._renamed.get(name, name): value
            for name, value in stated.items()
            if value is not None and name not in self._refused
        }
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        return {"model": self._model.name, **parameters, "messages": messages}

    async def _post(self, body: dict[str, Any]) -> tuple[int, Mapping[str, str], bytes]:
        import aiohttp

        session = self._session or await self._connect()
        try:
            async with session.post(
                self._url, data=msgspec.json.encode(body), proxy=self._proxy, allow_redirects=False
            ) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return response.status, headers, await self._content(response)
        except (TimeoutError, aiohttp.ClientError) as error:
            raise ConnectionFault(
                f"no reply from {self._base_url}: {str(error) or type(error).__name__}"
            ) from error

    async def _content(self, response: ClientResponse) -> bytes:
        """The body, unpacked, without our key: what a provider repeats is stored and shown. Raises Rejected
        where it is larger than any answer."""
        content = bytearray()
        async for chunk in response.content.iter_chunked(1 << 16):
            content += chunk
            if len(content) > MAX_BYTES:
                raise Rejected(f"{self._base_url} sent more than {MAX_BYTES >> 20} MB", status=response.status)
        return bytes(content).replace(self._key.encode(), b"[key]") if self._key else bytes(content)

    async def _connect(self) -> ClientSession:
        import aiohttp
        from openai import AsyncOpenAI

        client = AsyncOpenAI(api_key=self._key or "local", base_url=self._base_url, max_retries=0)
        stated = {**client.default_headers, **client.auth_headers}
        self._url = f"{str(client.base_url).rstrip('/')}/chat/completions"
        await client.close()
        self._session = aiohttp.ClientSession(
            headers={name: value for name, value in stated.items() if isinstance(value, str)},
            connector=aiohttp.TCPConnector(limit=self._connections, keepalive_timeout=60),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session

    def _reply(self, content: bytes, body: dict[str, Any]) -> Reply:
        try:
            completion = msgspec.json.decode(content, type=Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise ServerFault(
                f"{self._base_url} sent a page that is no answer: {_start(content)}", status=200
            ) from None
        if not completion.choices:
            raise ServerFault(
                f"{self._base_url} sent an answer without a choice: {_start(content)}", status=200
            )
        return reply_of(completion, _sent(body))

    def _learn(self, problem: Problem, body: dict[str, Any]) -> bool:
        """Whether the complaint is about a parameter that can be sent under its newer name, or left out."""
        if not problem.about_support:
            return False
        if "max_tokens" in body and "max_completion_tokens" in problem.message:
            self._renamed["max_tokens"] = "max_completion_tokens"
            return True
        optional = [name for name in Sampling.__struct_fields__ if name in body and name != "max_tokens"]
        named = [name for name in optional if name in (problem.param, *problem.words)]
        self._refused.update(named)
        return bool(named) or any(name in self._refused | set(self._renamed) for name in problem.words)

    def _failure(self, status: int, headers: Mapping[str, str], problem: Problem) -> TransportError:
        said = f"{status} from {self._base_url}: {problem.message}"
        wait = retry_after(headers, datetime.now(UTC))
        if problem.code in QUOTA_CODES or status == 402:
            return QuotaExhausted(f"The quota is used up. {said}", status=status)
        match status:
            case 403 if any(sign in problem.message.lower() for sign in MODERATION):
                return Rejected(said, status=status)
            case 401 | 403:
                return Unauthorized(f"The key in {self._key_variable} was refused. {said}", status=status)
            case 301 | 302 | 303 | 307 | 308:
                place = headers.get("location", "another address")
                return UnknownModel(f"{self._base_url} sends on to {place}: set base_url to where it leads.")
            case 404:
                return UnknownModel(f"Model {self._model.name!r} was not found. {said}", status=status)
            case 429:
                return RateLimited(said, status=status, retry_after=wait)
            case 408 | 409 | 425:
                return ServerFault(said, status=status, retry_after=wait)
            case _ if status >= 500:
                return ServerFault(said, status=status, retry_after=wait)
            case _:
                return Rejected(said, status=status)


def proxy_for(url: str) -> str | None:
    """The proxy that the environment or the system names for an address, None where it is reached directly."""
    parts = urlsplit(url)
    if parts.hostname in (None, *LOOPBACK) or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)


def _text(model: Model, name: str) -> str:
    value = model.settings.get(name, "")
    if not isinstance(value, str):
        raise Rejected(f"model {model.id}: {name} is {value!r}; it must be a text")
    return value


def _sent(body: dict[str, Any]) -> str:
    return msgspec.json.encode({name: value for name, value in body.items() if name != "messages"}).decode()


def _start(content: bytes) -> str:
    return repr(content[:80].decode("utf-8", errors="replace"))
