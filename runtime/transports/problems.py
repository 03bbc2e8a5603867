"""An error's body, in every shape that providers give it, as one message and what it may be known by."""

from __future__ import annotations

import re
from typing import Any

import msgspec

MESSAGE_LENGTH = 600
SAID_IN = ("message", "msg", "detail", "error", "errors", "description", "title")
NAMED_BY = ("code", "type", "status", "error_type")
UNSUPPORTED = (
    "unsupported",
    "not support",
    "only the default",
    "not allowed",
    "not permitted",
    "not enabled",
    "not available",
    "unrecognized",
    "unknown name",
    "unknown field",
    "unknown parameter",
    "deprecated",
    "extra_forbidden",
    "use 'max_completion_tokens'",
)
TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


class Problem(msgspec.Struct, frozen=True):
    """What an error's body says. `signs`: its codes and types, in lower case. `param`: the parameter that it
    names. `status`: the HTTP status that stands in the body. `page`: it is a web page."""

    message: str
    signs: frozenset[str] = frozenset()
    param: str = ""
    status: int | None = None
    page: bool = False

    @property
    def said(self) -> str:
        """The message in lower case."""
        return self.message.lower()

    @property
    def words(self) -> frozenset[str]:
        """The words of the message and the parameter, each in lower case without underscores, so that
        `frequencyPenalty` is `frequency_penalty`."""
        return frozenset(
            word.replace("_", "").lower() for word in re.findall(r"\w+", f"{self.message} {self.param}")
        )

    @property
    def about_support(self) -> bool:
        """Whether it says that something is not supported, rather than wrong."""
        said = f"{self.said} {' '.join(self.signs)}"
        return any(sign in said for sign in UNSUPPORTED)


def problem_of(content: bytes) -> Problem:
    """What an error's body says, JSON or not.

    Providers nest it under `error` (OpenAI), or do not (vLLM), put it into a list (Gemini), give `error` as
    a text (xAI, TGI), a `detail` as a list of complaints (FastAPI), JSON within a text (Mistral), or what the
    provider behind them said as `metadata.raw` (OpenRouter).
    """
    text = content.decode("utf-8", errors="replace")
    document = _decoded(text)
    if document is None:
        return _unstructured(text)
    outer = _first(document)
    nested = outer.get("error")
    inner = nested if isinstance(nested, dict) else outer
    raw = _first(inner.get("metadata")).get("raw")
    message = ": ".join(_short(part) for part in (_said(inner), _said(raw)) if part) or _short(text)
    return Problem(
        message=message,
        signs=frozenset(_signs(outer) | _signs(inner) | _signs(_first(inner.get("innererror")))),
        param=str(inner.get("param") or ""),
        status=next(
            (status for status in map(_status, (inner.get("code"), inner.get("status"))) if status), None
        ),
    )


def _unstructured(text: str) -> Problem:
    if not text.lstrip().startswith("<"):
        return Problem(_short(text) or "an empty body")
    title = TITLE.search(text)
    named = f', "{_short(title[1])}"' if title and title[1].strip() else ""
    return Problem(f"a web page{named}", page=True)


def _first(value: object) -> dict[str, Any]:
    """The object, or the first of a list of objects."""
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else {}


def _signs(found: dict[str, Any]) -> set[str]:
    return {str(found[name]).lower() for name in NAMED_BY if isinstance(found.get(name), str | int)}


def _status(code: object) -> int | None:
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _said(value: object) -> str:
    """The text within what was said."""
    match value:
        case str():
            inner = _decoded(value) if value.lstrip().startswith(("{", "[")) else None
            return value if inner is None else _said(inner)
        case list():
            return "; ".join(said for said in map(_said, value) if said)
        case dict():
            said = next((said for said in (_said(value.get(name)) for name in SAID_IN) if said), "")
            place = value.get("loc")
            return f"{'.'.join(map(str, place))}: {said}" if isinstance(place, list) else said
        case _:
            return ""


def _decoded(text: str) -> dict[str, Any] | list[Any] | None:
    try:
        document = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None
    return document if isinstance(document, dict | list) else None


def _short(text: str) -> str:
    line = " ".join(text[: 2 * MESSAGE_LENGTH].split())
    return line if len(line) <= MESSAGE_LENGTH else f"{line[:MESSAGE_LENGTH]} ..."
