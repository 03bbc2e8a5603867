"""Batches of chat completions, as OpenAI takes them: files and batches over the client of the `openai`
package."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from runtime.batch.provider import Batch, Gone
from runtime.transport import ConnectionFault, Lessons, Reply, Request, ServerFault, TransportError, Unreachable
from runtime.transports.adapting import Taught
from runtime.transports.address import Address, address_of, certificates, proxy_for
from runtime.transports.failures import failure_of
from runtime.transports.problems import problem_of
from runtime.transports.replying import Replying
from schemas.plan import Model

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

ENDPOINT: Final = "/v1/chat/completions"
NONCE = "ebc"
"""The nonce's name in a batch's metadata."""
SILENCE_SECONDS = 120.0
PAGE = 100

T = TypeVar("T")


class _Uploaded(msgspec.Struct, frozen=True):
    id: str
    filename: str = ""


class _Page(msgspec.Struct, frozen=True):
    data: list[msgspec.Raw]
    has_more: bool = False


class OpenAIBatches:
    """A way to one model by batches. Raises KeyMissing and Unreachable as the transport `OpenAI` does."""

    def __init__(self, model: Model, environment: Mapping[str, str]) -> None:
        self._model = model
        self._where: Address = address_of(model, environment)
        self.address = self._where.base
        self.account = f"{self._where.base} {self._where.key_variable}"
        self._proxy = proxy_for(self._where.base, environment)
        self._certificates = certificates(environment)
        self._replying = Replying(model, self._where)
        self._made: AsyncOpenAI | None = None

    @property
    def lessons(self) -> Lessons:
        """What the model has taught so far."""
        return self._replying.taught.lessons

    def remember(self, lessons: Lessons) -> None:
        """Takes in what it had taught an earlier process."""
        self._replying.taught = Taught(self._model, lessons)

    def notes(self) -> tuple[str, ...]:
        """What was learned and has not been told yet."""
        return self._replying.taught.take_notes()

    def most_choices(self) -> int:
        """How many replies the model gives to one request."""
        return self._replying.taught.most_choices

    def line(self, custom_id: str, request: Request, choices: int) -> bytes:
        """A request as a line of a batch's input."""
        body = self._replying.taught.body(request, choices)
        return (
            msgspec.json.encode({"custom_id": custom_id, "method": "POST", "url": ENDPOINT, "body": body})
            + b"\n"
        )

    def outcome(
        self, request: Request, choices: int, lessons: Lessons, status: int | None, content: bytes
    ) -> list[Reply] | None:
        """What became of a request that was written with those lessons. `status` None: it was not sent on."""
        content = self._where.without_key(content)
        if status is None:
            raise ServerFault(f"{self.address} did not come to it: {problem_of(content).message}")
        then = Taught(self._model, lessons)
        body = then.body(request, choices)
        return self._replying.outcome(request, choices, body, then.sent(body, request), status, {}, content)

    async def upload(self, path: Path, name: str) -> str:
        """The id of the uploaded file."""
        with path.open("rb") as file:
            sent = self._client.files.with_raw_response.create(file=(name, file), purpose="batch")
            return (await self._answer(sent, _Uploaded)).id

    async def create(self, file_id: str, nonce: str) -> Batch:
        """Sets a batch going."""
        sent = self._client.batches.with_raw_response.create(
            input_file_id=file_id, endpoint=ENDPOINT, completion_window="24h", metadata={NONCE: nonce}
        )
        return await self._answer(sent, Batch)

    async def find(self, nonce: str) -> list[Batch]:
        """The batches with that nonce, oldest first."""
        found = []
        after: dict[str, str] = {}
        while True:
            sent = self._client.batches.with_raw_response.list(limit=PAGE, **after)  # type: ignore[arg-type]
            page = await self._answer(sent, _Page)
            batches = [msgspec.json.decode(raw, type=Batch) for raw in page.data]
            found += [batch for batch in batches if (batch.metadata or {}).get(NONCE) == nonce]
            if not page.has_more or not batches:
                return sorted(found, key=lambda batch: batch.created_at)
            after = {"after": batches[-1].id}

    async def look(self, batch_id: str) -> Batch:
        """A batch as it is now."""
        return await self._answer(self._client.batches.with_raw_response.retrieve(batch_id), Batch)

    async def cancel(self, batch_id: str) -> None:
        """Stops a batch."""
        await self._answer(self._client.batches.with_raw_response.cancel(batch_id), Batch)

    async def download(self, file_id: str, path: Path) -> None:
        """Writes a file's content to `path`."""
        with path.open("wb") as file:
            async for chunk in self._chunks(file_id):
                file.write(chunk)

    async def discard(self, name: str, keep: str | None) -> None:
        """Removes uploaded files of that name, but for the one with the id `keep`."""
        sent = self._client.files.with_raw_response.list(purpose="batch", limit=10_000, order="desc")
        page = await self._answer(sent, _Page)
        for one in (msgspec.json.decode(raw, type=_Uploaded) for raw in page.data):
            if one.filename == name and one.id != keep:
                with self._failures():
                    await self._client.files.delete(one.id)

    async def close(self) -> None:
        """Closes the connections."""
        if self._made is not None:
            await self._made.close()

    @property
    def _client(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        if self._made is None:
            where = self._where
            http = DefaultAsyncHttpxClient(
                trust_env=False, proxy=self._proxy, verify=self._certificates or True, follow_redirects=False
            )
            self._made = AsyncOpenAI(
                api_key=where.key or "local",
                base_url=where.base,
                default_headers=where.headers,
                default_query=dict(where.query),
                max_retries=0,
                timeout=SILENCE_SECONDS,
                http_client=http,
            )
        return self._made

    async def _chunks(self, file_id: str) -> AsyncIterator[bytes]:
        with self._failures():
            async with self._client.files.with_streaming_response.content(file_id) as response:
                chunks = aiter(response.iter_bytes())
                while (chunk := await self._next(chunks)) is not None:
                    yield chunk

    async def _next(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        """The next piece of a body. Whatever library of HTTP is below the client, its errors are its own."""
        try:
            return await anext(chunks, None)
        except Exception as error:
            raise ConnectionFault(f"the connection to {self.address} broke in the middle of a file") from error

    async def _answer(self, sent: Awaitable[Any], wanted: type[T]) -> T:
        with self._failures():
            content = (await sent).content
        try:
            return msgspec.json.decode(content, type=wanted)
        except (msgspec.DecodeError, UnicodeDecodeError):
            said = problem_of(self._where.without_key(content)).message
            raise ServerFault(f"{self.address} sent something that is no answer: {said}", status=200) from None

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Turns the client's errors into ours."""
        from openai import APIConnectionError, APIStatusError

        try:
            yield
        except APIStatusError as error:
            raise self._refused(error) from error
        except APIConnectionError as error:
            raise self._lost(error) from error

    def _refused(self, error: APIStatusError) -> TransportError:
        problem = problem_of(self._where.without_key(error.response.content))
        status = error.status_code
        if status in (404, 405):
            return Gone(f"{status} from {self.address}: {problem.message}", status=status)
        return failure_of(self._replying.endpoint, status, error.response.headers, problem)

    def _lost(self, error: Exception) -> TransportError:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return Unreachable(
                    f"the certificate of {self.address} is not trusted ({cause.verify_message}). If it is your "
                    "own or your company's, name a file with its authority in SSL_CERT_FILE."
                )
            cause = cause.__cause__ or cause.__context__
        why = error.__cause__ or error
        return ConnectionFault(f"no reply from {self.address}: {why or type(why).__name__}")
