"""Models behind the chat completions of OpenAI, or of anyone who speaks the same protocol.

The client of the `openai` package gives authentication and headers; the one POST goes over aiohttp,
and what it means is decided here. Retries stand above, in `runtime.asking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from runtime.transport import ConnectionFault, Rejected, Reply, Request, ServerFault, Unreachable
from runtime.transports.adapting import Taught
from runtime.transports.address import Address, address_of, certificates, proxy_for
from runtime.transports.completion import Completion, reply_of
from runtime.transports.failures import Endpoint, failure_of, is_filtered
from runtime.transports.problems import problem_of
from schemas.plan import Model

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from openai import AsyncOpenAI

CONNECT_SECONDS = 10.0
LESSONS = 8
TEACHES = (400, 422, 500, 501)
MAX_BYTES = 16 << 20


class OpenAI:
    """A transport to one model. Raises KeyMissing when made without a key for an address that is not
    local, and Unreachable where the environment leaves no way to it."""

    def __init__(self, model: Model, environment: Mapping[str, str], connections: int) -> None:
        self._model = model
        self._connections = connections
        self._address: Address = address_of(model, environment)
        self._endpoint = Endpoint(self._address.base, model.name, self._address.key_variable)
        self._proxy = proxy_for(self._address.base, environment)
        self._certificates = certificates(environment)
        self._taught = Taught(model)
        self._client: AsyncOpenAI | None = None
        self._session: ClientSession | None = None

    def __repr__(self) -> str:
        return f"OpenAI({self._model.id!r} at {self._address.base})"

    async def answer(self, request: Request) -> Reply:
        """The model's reply. What a 400 teaches about the model's parameters holds from then on."""
        body = self._taught.body(request)
        for _ in range(LESSONS):
            status, headers, content = await self._post(body)
            if status == 200:
                return self._told(self._reply(headers, content, self._taught.sent(body, request)))
            problem = problem_of(content)
            if is_filtered(status, problem):
                return self._told(_withheld(problem.message, self._taught.sent(body, request)))
            if status in TEACHES:
                self._taught.learn(problem, body)
            refused, body = body, self._taught.body(request)
            if body == refused:
                raise failure_of(self._endpoint, status, headers, problem)
        raise Rejected("the model refuses its parameters, whichever are left out", status=400)

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()
        if self._client is not None:
            await self._client.close()

    def _told(self, reply: Reply) -> Reply:
        """The reply, with what was learned since the last one."""
        notes = self._taught.take_notes()
        return msgspec.structs.replace(reply, notes=notes) if notes else reply

    async def _post(self, body: dict[str, Any]) -> tuple[int, Mapping[str, str], bytes]:
        import aiohttp

        session = self._session or self._connect()
        try:
            async with session.post(
                self._address.url, data=msgspec.json.encode(body), proxy=self._proxy, allow_redirects=False
            ) as response:
                return response.status, response.headers, await self._content(response)
        except aiohttp.ClientConnectorCertificateError as error:
            raise Unreachable(
                f"the certificate of {self._address.base} is not trusted ({error.certificate_error}). If it is "
                "your own or your company's, name a file with its authority in SSL_CERT_FILE."
            ) from error
        except aiohttp.ClientHttpProxyError as error:
            raise Unreachable(
                f"the proxy before {self._address.base} refuses: {error.status} {error.message}. "
                "Look at HTTPS_PROXY, or put the host into NO_PROXY."
            ) from error
        except (TimeoutError, aiohttp.ClientError) as error:
            raise ConnectionFault(f"no reply from {self._address.base}: {_why(error)}") from error

    async def _content(self, response: ClientResponse) -> bytes:
        """The body, unpacked, without our key: what a provider repeats is stored and shown. Raises Rejected
        where it is larger than any answer."""
        content = bytearray()
        async for chunk in response.content.iter_chunked(1 << 16):
            content += chunk
            if len(content) > MAX_BYTES:
                raise Rejected(
                    f"{self._address.base} sent more than {MAX_BYTES >> 20} MB", status=response.status
                )
        key = self._address.key
        return bytes(content).replace(key.encode(), b"[key]") if key else bytes(content)

    def _connect(self) -> ClientSession:
        import aiohttp
        from openai import AsyncOpenAI

        address = self._address
        client = AsyncOpenAI(api_key=address.key or "local", base_url=address.base, max_retries=0)
        stated = {**client.default_headers, **client.auth_headers, **address.headers}
        self._client = client
        self._session = aiohttp.ClientSession(
            headers={name: value for name, value in stated.items() if isinstance(value, str)},
            connector=aiohttp.TCPConnector(
                limit=self._connections, keepalive_timeout=60, ssl=self._certificates or True
            ),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session

    def _reply(self, headers: Mapping[str, str], content: bytes, sent: str) -> Reply:
        """The answer in a reply with status 200. Raises TransportError where there is none."""
        try:
            completion = msgspec.json.decode(content, type=Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            problem = problem_of(content)
            hint = " (does base_url lead to the interface for programs?)" if problem.page else ""
            raise ServerFault(
                f"{self._address.base} sent something that is no answer: {problem.message}{hint}", status=200
            ) from None
        if not completion.choices:
            if completion.error is None:
                raise ServerFault(f"{self._address.base} sent an answer without a choice", status=200)
            problem = problem_of(content)
            raise failure_of(self._endpoint, problem.status or 200, headers, problem)
        choice = completion.choices[0]
        if choice.broken:
            said = (
                problem_of(msgspec.json.encode(choice.error)).message if choice.error else choice.finish_reason
            )
            raise ServerFault(f"{self._address.base} broke off its reply: {said}", status=200)
        return reply_of(choice, completion, sent)


def _why(error: Exception) -> str:
    """A failure of the connection in words, without the address's query."""
    import aiohttp

    match error:
        case aiohttp.ClientResponseError():
            return error.message
        case aiohttp.ServerDisconnectedError():
            return "the connection was closed before it came"
        case aiohttp.ClientPayloadError() if "content-encoding" in str(error):
            return "it is packed in a way that cannot be undone"
        case aiohttp.ClientPayloadError():
            return "the connection broke in the middle of it"
        case aiohttp.ClientConnectorError():
            return f"cannot connect ({error.os_error.strerror or error.os_error})"
        case TimeoutError():
            return str(error) or "it took too long"
        case _:
            return str(error) or type(error).__name__


def _withheld(why: str, sent: str) -> Reply:
    return Reply(text=None, finish_reason="content_filter", request_sent=sent, error=why)
