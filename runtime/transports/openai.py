"""Models behind the chat completions of OpenAI, or of anyone who speaks the same protocol.

The client of the `openai` package gives authentication and headers; the one POST goes over aiohttp,
and what it means is decided here. Retries stand above, in `runtime.asking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from runtime.stated import Stated, stated_limits
from runtime.transport import ConnectionFault, Rejected, Reply, Request, ServerFault, Unreachable
from runtime.transports.adapting import Taught
from runtime.transports.address import Address, address_of, certificates, proxy_for
from runtime.transports.completion import Choice, Completion, replies_of
from runtime.transports.failures import Endpoint, failure_of, is_filtered
from runtime.transports.problems import Problem, problem_of
from schemas.plan import Model

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from openai import AsyncOpenAI

CONNECT_SECONDS = 10.0
REACH_SECONDS = 30.0
"""From a free place to a connection, the look-up of the name included."""
SILENCE_SECONDS = 300.0
"""Without a byte for so long, a connection counts as dead."""
LESSONS = 10
TEACHES = (400, 422, 500, 501)
MAX_BYTES = 16 << 20


class OpenAI:
    """A transport to one model. Raises KeyMissing when made without a key for an address that is not
    local, and Unreachable where the environment leaves no way to it."""

    def __init__(self, model: Model, environment: Mapping[str, str], connections: int) -> None:
        self._model = model
        self._connections = connections
        self._address: Address = address_of(model, environment)
        self.account = f"{self._address.base} {self._address.key_variable}"
        self._endpoint = Endpoint(self._address.base, model.name, self._address.key_variable)
        self._proxy = proxy_for(self._address.base, environment)
        self._certificates = certificates(environment)
        self._taught = Taught(model)
        silence = model.settings.get("silence")
        self._silence = float(silence) if isinstance(silence, int | float) else SILENCE_SECONDS
        self._client: AsyncOpenAI | None = None
        self._session: ClientSession | None = None

    def __repr__(self) -> str:
        return f"OpenAI({self._model.id!r} at {self._address.base})"

    async def answer(self, request: Request) -> Reply:
        """The model's reply."""
        return (await self.answer_many(request, 1))[0]

    def most_choices(self) -> int:
        """How many replies the model gives to one request."""
        return self._taught.most_choices

    async def answer_many(self, request: Request, choices: int) -> list[Reply]:
        """The model's replies; fewer than asked for where it does not give so many. What a 400 teaches about
        the model's parameters holds from then on."""
        body = self._taught.body(request, choices)
        for _ in range(LESSONS):
            status, headers, content = await self._post(body)
            limits = stated_limits(headers) or None
            found = self._found(content) if status == 200 else problem_of(content)
            if isinstance(found, Completion):
                return self._told(self._replies(found, body, request), limits)
            if status == 200:
                status = found.status or status
            if is_filtered(status, found):
                withheld = _withheld(found.message, self._taught.sent(body, request))
                return self._told([withheld] * choices, limits)
            refused = body
            if status in TEACHES:
                self._taught.learn(found, refused)
                body = self._taught.body(request, choices)
            if body == refused:
                failure = failure_of(self._endpoint, status, headers, found)
                failure.limits = limits
                raise failure
        raise Rejected("the model refuses its parameters, whichever are left out", status=400)

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()
        if self._client is not None:
            await self._client.close()

    def _told(self, replies: list[Reply], limits: Stated | None) -> list[Reply]:
        """The replies; with the first, what was learned since the last one."""
        notes = self._taught.take_notes()
        if notes or limits:
            replies[0] = msgspec.structs.replace(replies[0], notes=notes, limits=limits)
        return replies

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
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        address = self._address
        unused = DefaultAsyncHttpxClient(trust_env=False)  # one of its own would refuse proxies we do not use
        client = AsyncOpenAI(api_key=address.key or "local", base_url=address.base, http_client=unused)
        stated = {**client.default_headers, **client.auth_headers, **address.headers}
        self._client = client
        self._session = aiohttp.ClientSession(
            headers={name: value for name, value in stated.items() if isinstance(value, str)},
            connector=aiohttp.TCPConnector(
                limit=self._connections, keepalive_timeout=60, ssl=self._certificates or True
            ),
            timeout=aiohttp.ClientTimeout(
                total=None, connect=REACH_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=self._silence
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self._session

    def _found(self, content: bytes) -> Completion | Problem:
        """What a reply with status 200 holds: answers, or an error. Raises ServerFault where it is neither."""
        try:
            completion = msgspec.json.decode(content, type=Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            problem = problem_of(content)
            hint = " (does base_url lead to the interface for programs?)" if problem.page else ""
            raise ServerFault(
                f"{self._address.base} sent something that is no answer: {problem.message}{hint}", status=200
            ) from None
        if completion.choices:
            return completion
        if completion.error is not None:
            return problem_of(content)
        raise ServerFault(f"{self._address.base} sent an answer without a choice", status=200)

    def _replies(self, completion: Completion, body: dict[str, Any], request: Request) -> list[Reply]:
        """The answers, of which there is one at least. Raises ServerFault where all were broken off."""
        asked, choices = body.get("n", 1), completion.choices or []
        self._taught.gave(len(choices), asked)
        whole = [choice for choice in choices[:asked] if not choice.broken]
        if not whole:
            raise self._broke_off(choices[0])
        return replies_of(whole, completion, self._taught.sent(body, request))

    def _broke_off(self, choice: Choice) -> ServerFault:
        said = problem_of(msgspec.json.encode(choice.error)).message if choice.error else choice.finish_reason
        return ServerFault(f"{self._address.base} broke off its reply: {said}", status=200)


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
