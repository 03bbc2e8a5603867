"""Where an endpoint is, and how it is reached: address, key, proxy, certificates, all from the environment."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import msgspec

from runtime.transport import KeyMissing, Rejected, Unreachable
from schemas.plan import Model

DEFAULT_URL = "https://api.openai.com/v1"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
COMPLETIONS = "/chat/completions"
VERSION = "api-version"
AZURE = (".azure.com", ".azure-api.net")
CERTIFICATE_FILES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")

SHORTEST_KEY = 8


class Address(msgspec.Struct, frozen=True):
    """An endpoint. `base` is its address without path and query of a single request; it stands in messages.
    `query` goes with every request."""

    base: str
    query: tuple[tuple[str, str], ...]
    key: str
    key_variable: str

    @property
    def url(self) -> str:
        """What is posted to."""
        query = f"?{urlencode(self.query)}" if self.query else ""
        return f"{self.base}{COMPLETIONS}{query}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the address asks for: Azure's own, where a version of its API is named."""
        return {"api-key": self.key} if VERSION in dict(self.query) else {}

    def without_key(self, content: bytes) -> bytes:
        """What came, without the key: what a provider repeats is stored and shown. A word as short as those
        that stand for no key would be found in replies."""
        return content.replace(self.key.encode(), b"[key]") if len(self.key) >= SHORTEST_KEY else content


def address_of(model: Model, environment: Mapping[str, str]) -> Address:
    """The address of a model: its `base_url`, or OPENAI_BASE_URL, or OpenAI's own. Raises Unreachable where it
    is none, and KeyMissing where it holds a key, or needs one and there is none."""
    stated = _text(model, "base_url") or environment.get("OPENAI_BASE_URL") or DEFAULT_URL
    variable = _text(model, "key_env") or "OPENAI_API_KEY"
    key = _key(variable, environment)
    parts = _parts(stated.strip())
    if parts is None:
        shown = re.sub(r"//[^/]*@", "//", stated).partition("?")[0]
        raise Unreachable(
            f'the address of model {model.id} is "{shown}"; it must be of the form https://HOST/v1 or http://HOST/v1.'
        )
    host = parts.hostname or ""
    if "@" in parts.netloc:
        raise KeyMissing(
            f"the address of model {model.id} holds a user name or a password: take it out, and set the "
            f"environment variable {variable}."
        )
    base = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/").removesuffix(COMPLETIONS), "", ""))
    if not key and host not in LOOPBACK:
        raise KeyMissing(
            f"model {model.id} needs a key for {base}: "
            f"set the environment variable {variable}, or put it in a file .env."
        )
    query = parse_qsl(parts.query, keep_blank_values=True)
    version = environment.get("OPENAI_API_VERSION")
    if version and host.endswith(AZURE) and VERSION not in dict(query) and "/openai/v1" not in base:
        query.append((VERSION, version))
    return Address(base, tuple(query), key, variable)


def proxy_for(url: str, environment: Mapping[str, str]) -> str | None:
    """The proxy that the environment or the system names for an address, None where it is reached directly.
    Raises Unreachable for a proxy that does not speak HTTP."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("", *LOOPBACK):
        return None
    stated = _stated_proxies(environment)
    direct = _is_among(parts, stated.get("no", "")) if stated else proxy_bypass(parts.netloc)
    proxies = stated or getproxies()
    proxy = None if direct else proxies.get(parts.scheme) or proxies.get("all")
    if proxy is None:
        return None
    kind = urlsplit(proxy).scheme if "://" in proxy else ""
    if kind not in ("", "http", "https"):
        raise Unreachable(
            f"the proxy for {host} is of the kind {kind}://, which cannot be used: "
            "name one that speaks HTTP in HTTPS_PROXY, or put the host into NO_PROXY."
        )
    full = proxy if kind else f"http://{proxy}"
    if _parts(full) is None:
        raise Unreachable(f"the proxy for {host} is no address: look at HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.")
    return full


def certificates(environment: Mapping[str, str]) -> ssl.SSLContext | None:
    """What a server's certificate is checked against, where the environment names a file or a folder of
    certificates; None for the system's own. Raises Unreachable where it cannot be read."""
    variable = next((name for name in CERTIFICATE_FILES if environment.get(name)), None)
    folder = environment.get("SSL_CERT_DIR")
    if variable is None and not folder:
        return None
    stated = environment[variable] if variable else None
    if stated and Path(stated).is_dir():
        stated, folder = None, stated
    try:
        return ssl.create_default_context(cafile=stated, capath=folder)
    except (OSError, ssl.SSLError) as error:
        named = f"{variable or 'SSL_CERT_DIR'} names {stated or folder}"
        raise Unreachable(
            f"{named}, whose certificates cannot be read ({error.strerror or error}): "
            "it must be a file in PEM format."
        ) from error


def _key(variable: str, environment: Mapping[str, str]) -> str:
    key = environment.get(variable, "").strip()
    if not key.isascii() or any(character.isspace() for character in key):
        raise KeyMissing(
            f"what {variable} holds is no key: it has a space, a line break or a letter that no key has."
        )
    return key


def _parts(address: str) -> SplitResult | None:
    """An address in its parts; None where it is none."""
    try:
        parts = urlsplit(address)
        valid = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    return parts if valid else None


def _stated_proxies(environment: Mapping[str, str]) -> dict[str, str]:
    """Proxies by scheme, and `no` for who needs none; lower-case names count before upper-case ones."""
    upper = {name: value for name, value in environment.items() if name != name.lower()}
    lower = {name: value for name, value in environment.items() if name == name.lower()}
    return {
        name.lower().removesuffix("_proxy"): value
        for name, value in (*upper.items(), *lower.items())
        if name.lower().endswith("_proxy") and value
    }


def _is_among(address: SplitResult, hosts: str) -> bool:
    """Whether a host is named by NO_PROXY: itself, a domain it is in, a network, or `*`."""
    host = address.hostname or ""
    for stated in (one.strip().lstrip(".") for one in hosts.split(",")):
        if stated == "*" or stated in (host, address.netloc) or (stated and host.endswith(f".{stated}")):
            return True
        with suppress(ValueError):
            if ip_address(host) in ip_network(stated, strict=False):
                return True
    return False


def _text(model: Model, name: str) -> str:
    value = model.settings.get(name, "")
    if not isinstance(value, str):
        raise Rejected(f"model {model.id}: {name} is {value!r}; it must be a text")
    return value
