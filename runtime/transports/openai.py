"""Models behind the chat completions of OpenAI, or of anyone who speaks the same protocol.

The client of the `openai` package gives authentication and headers; the one POST goes over aiohttp, and what it
means is decided in `replying`. Retries stand above, in `runtime.asking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from runtime.transport import ConnectionFault, Rejected, Reply, Request, Unreachable
from runtime.transports.address import Address, address_of, certificates, proxy_for
from runtime.transports.replying import Replying
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
MAX_BYTES = 16 << 20


class OpenAI:
    """A transport to one model. Raises KeyMissing when made without a key for an address that is not
    local, and Unreachable where the environment leaves no way to it."""

    def __init__(self, model: Model, environment: Mapping[str, str], connections: int) -> None:
        self._model = model
        self._connections = connections
        self._address: Address = address_of(model, environment)
        self.account = f"{self._address.base} {self._address.key_variable}"
        self._proxy = proxy_for(self._address.base, environment)
        self._certificates = certificates(environment)
        self._replying = Replying(model, self._address)
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
        return self._replying.taught.most_choices

    async def answer_many(self, request: Request, choices: int) -> list[Reply]:
        """The model's replies; fewer than asked for where it does not give so many. What a 400 teaches about
        the model's parameters holds from then on."""
        taught = self._replying.taught
        for _ in range(LESSONS):
            body = taught.body(request, choices)
            sent = taught.sent(body, request)
            status, headers, content = await self._post(body)
            replies = self._replying.outcome(request, choices, body, sent, status, headers, content)
            if replies is not None:
                return replies
        raise Rejected("the model refuses its parameters, whichever are left out", status=400)

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()
        if self._client is not None:
            await self._client.close()

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
        return self._address.without_key(bytes(content))

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
