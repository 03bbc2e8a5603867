"""The ways to an endpoint: forms of its address, Azure's, proxies and certificates from the environment."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Mapping
from pathlib import Path

import pytest
import trustme

from runtime.transport import KeyMissing, Unreachable
from runtime.transports.address import address_of, certificates, proxy_for
from runtime.transports.openai import OpenAI
from tests.runtime.asking_openai import KEY, WITH_KEY, requests
from tests.runtime.plans import model
from tests.runtime.server import Server

AZURE = "https://rooms.openai.azure.com"
NAMED = "models.example"


@pytest.mark.parametrize(
    ("stated", "url"),
    [
        ("https://x.example/v1", "https://x.example/v1/chat/completions"),
        ("https://x.example/v1/", "https://x.example/v1/chat/completions"),
        ("https://x.example/v1/chat/completions", "https://x.example/v1/chat/completions"),
        ("https://x.example/v1/chat/completions/", "https://x.example/v1/chat/completions"),
        (" https://x.example:8443/a/b ", "https://x.example:8443/a/b/chat/completions"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1/chat/completions"),
        (
            f"{AZURE}/openai/deployments/d/chat/completions?api-version=2024-10-21",
            f"{AZURE}/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ),
        (f"{AZURE}/openai/v1/", f"{AZURE}/openai/v1/chat/completions"),
    ],
)
def test_every_form_of_an_address_leads_to_the_same_place(stated: str, url: str) -> None:
    assert address_of(model("openai", base_url=stated), WITH_KEY).url == url
    assert address_of(model("openai"), {**WITH_KEY, "OPENAI_BASE_URL": stated}).url == url


@pytest.mark.parametrize(
    "stated",
    ["x.example/v1", "ftp://x.example", "https://", "localhost:8000/v1", "http://[::1/v1", "http://x:y/v1"],
)
def test_what_is_no_address_is_said_to_be_none(stated: str) -> None:
    with pytest.raises(Unreachable, match="must be of the form https://HOST/v1"):
        address_of(model("openai", base_url=stated), WITH_KEY)


def test_an_address_that_holds_a_password_is_refused_and_never_shown() -> None:
    with pytest.raises(KeyMissing) as caught:
        address_of(model("openai", base_url=f"https://me:{KEY}@x.example/v1"), WITH_KEY)
    assert KEY not in caught.value.message


@pytest.mark.parametrize("key", ["sk-one sk-two", "sk-one\nsk-two", "“sk-one”"])
def test_what_is_no_key_is_said_without_being_shown(key: str) -> None:
    with pytest.raises(KeyMissing, match="what OPENAI_API_KEY holds is no key") as caught:
        address_of(model("openai"), {"OPENAI_API_KEY": key})
    assert "sk-one" not in caught.value.message
    assert address_of(model("openai"), {"OPENAI_API_KEY": f" {KEY}\n"}).key == KEY


def test_azure_gets_its_version_and_its_own_header_for_the_key() -> None:
    plain = address_of(
        model("openai", base_url=f"{AZURE}/openai/deployments/d"),
        {**WITH_KEY, "OPENAI_API_VERSION": "2024-10-21"},
    )
    assert plain.url == f"{AZURE}/openai/deployments/d/chat/completions?api-version=2024-10-21"
    assert plain.headers == {"api-key": KEY}
    elsewhere = address_of(
        model("openai", base_url="https://x.example/v1"), {**WITH_KEY, "OPENAI_API_VERSION": "2024-10-21"}
    )
    assert (elsewhere.query, elsewhere.headers) == ((), {})


def test_the_query_of_an_address_goes_with_every_request_and_stands_in_no_message() -> None:
    async def main() -> None:
        async with Server(lambda number, _: {"status": 500} if number else None) as server:
            environment = {**WITH_KEY, "OPENAI_BASE_URL": f"{server.url}/?api-version=1&sig=secret"}
            transport = OpenAI(model("openai"), environment, 2)
            await transport.answer(requests(1)[0])
            with pytest.raises(Exception, match="500 from") as caught:
                await transport.answer(requests(1)[0])
            await transport.close()
            assert server.paths == ["/v1/chat/completions?api-version=1&sig=secret"] * 2
            assert server.headers[0]["api-key"] == KEY
            assert "secret" not in f"{caught.value} {transport!r}"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("url", "environment", "proxy"),
    [
        ("https://x.example/v1", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://x.example/v1", {"https_proxy": "http://p:1", "HTTPS_PROXY": "http://q:1"}, "http://p:1"),
        ("https://x.example/v1", {"HTTPS_PROXY": "p:1"}, "http://p:1"),
        ("https://x.example/v1", {"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ("https://x.example/v1", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://x.example/v1", {"HTTP_PROXY": "http://p:1"}, "http://p:1"),
        ("https://x.example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "a.b, x.example"}, None),
        ("https://x.example/v1", {"HTTPS_PROXY": "http://p:1", "no_proxy": ".example"}, None),
        ("https://x.example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, None),
        ("https://x.example:1/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "x.example:1"}, None),
        ("https://x.example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "ample"}, "http://p:1"),
        ("https://10.1.2.3/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "10.0.0.0/8"}, None),
        ("https://11.1.2.3/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "10.0.0.0/8"}, "http://p:1"),
        ("http://localhost:1/v1", {"HTTP_PROXY": "http://p:1"}, None),
    ],
)
def test_the_environment_names_the_proxy(url: str, environment: Mapping[str, str], proxy: str | None) -> None:
    assert proxy_for(url, environment) == proxy


@pytest.mark.parametrize(
    ("proxy", "said"), [("socks5://me:word@p:1", "of the kind socks5://"), ("http://me:word@p:x", "no address")]
)
def test_a_proxy_that_cannot_be_used_is_said_before_anything_is_sent(proxy: str, said: str) -> None:
    with pytest.raises(Unreachable, match=said) as caught:
        OpenAI(model("openai"), {**WITH_KEY, "ALL_PROXY": proxy}, 2)
    assert "word" not in caught.value.message


def test_a_request_goes_through_the_proxy_that_the_environment_names() -> None:
    async def main() -> None:
        async with Server() as server:
            proxy = server.url.removesuffix("/v1")
            transport = OpenAI(
                model("openai", base_url=f"http://{NAMED}/v1"), {**WITH_KEY, "http_proxy": proxy}, 2
            )
            assert (await transport.answer(requests(1)[0])).text
            await transport.close()
            assert server.headers[0]["Host"] == NAMED

    asyncio.run(main())


def test_a_proxy_that_wants_a_password_is_said_without_ours() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async def main() -> None:
        proxy = await asyncio.start_server(refuse, "127.0.0.1", 0)
        async with proxy:
            address = f"http://me:word@127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
            transport = OpenAI(
                model("openai", base_url=f"https://{NAMED}/v1"), {**WITH_KEY, "HTTPS_PROXY": address}, 2
            )
            with pytest.raises(Unreachable, match="407 Proxy Authentication Required") as caught:
                await transport.answer(requests(1)[0])
            await transport.close()
        assert "word" not in caught.value.message
        assert "HTTPS_PROXY" in caught.value.message

    asyncio.run(main())


def test_a_proxy_for_others_is_not_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")

    async def main() -> None:
        async with Server() as server:
            transport = OpenAI(model("openai", base_url=server.url), os.environ, 2)
            assert (await transport.answer(requests(1)[0])).text
            await transport.close()

    asyncio.run(main())


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def authority_file(authority: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    return path


def certificate(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*names).configure_cert(context)
    return context


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_an_own_authority_is_trusted_where_the_environment_names_it(
    authority: trustme.CA, authority_file: Path, variable: str
) -> None:
    async def main() -> None:
        async with Server(certificate=certificate(authority, "127.0.0.1")) as server:
            environment = {**WITH_KEY, variable: str(authority_file)}
            transport = OpenAI(model("openai", base_url=server.url), environment, 2)
            assert (await transport.answer(requests(1)[0])).text
            await transport.close()

    asyncio.run(main())


def test_a_certificate_that_nobody_vouches_for_stops_the_run(authority: trustme.CA) -> None:
    async def main() -> None:
        async with Server(certificate=certificate(authority, "127.0.0.1")) as server:
            transport = OpenAI(model("openai", base_url=server.url), WITH_KEY, 2)
            with pytest.raises(Unreachable, match="SSL_CERT_FILE"):
                await transport.answer(requests(1)[0])
            await transport.close()
            assert server.bodies == []

    asyncio.run(main())


def test_a_tls_address_is_reached_through_a_proxy(authority: trustme.CA, authority_file: Path) -> None:
    asked: list[bytes] = []

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(1 << 16):
            writer.write(piece)
        writer.close()

    async def main() -> None:
        async with Server(certificate=certificate(authority, NAMED)) as server:
            port = int(server.url.removesuffix("/v1").rpartition(":")[2])

            async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
                inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

            proxy = await asyncio.start_server(tunnel, "127.0.0.1", 0)
            async with proxy:
                environment = {
                    **WITH_KEY,
                    "HTTPS_PROXY": f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}",
                    "SSL_CERT_FILE": str(authority_file),
                }
                transport = OpenAI(model("openai", base_url=f"https://{NAMED}/v1"), environment, 2)
                assert (await transport.answer(requests(1)[0])).text
                await transport.close()
                assert asked == [f"CONNECT {NAMED}:443 HTTP/1.1".encode()]

    asyncio.run(main())


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_said_with_their_variable(
    tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "authority.pem"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(Unreachable, match=r"SSL_CERT_FILE names .*authority\.pem"):
        certificates({"SSL_CERT_FILE": str(path)})
    assert certificates({}) is None
