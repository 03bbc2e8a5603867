"""A chat completion, and a complaint, as providers send them: only what is used of them."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from runtime.transport import Reply

THINKING = re.compile(r"\s*<(think|thinking|reasoning|thought)>(.*?)(?:</\1>\s*|\Z)", re.DOTALL | re.IGNORECASE)
UNSUPPORTED = ("unsupported", "not support", "only the default", "not allowed", "use 'max_completion_tokens'")


class Text(msgspec.Struct):
    text: str = ""


class ChatMessage(msgspec.Struct):
    """Where providers put the thinking differs: `reasoning_content` (vLLM, DeepSeek), `reasoning`
    (OpenRouter)."""

    content: str | list[Text] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class Choice(msgspec.Struct):
    message: ChatMessage
    finish_reason: str | None = None


Tokens = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class PromptDetails(msgspec.Struct):
    cached_tokens: Tokens | None = None


class Usage(msgspec.Struct):
    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None
    prompt_tokens_details: PromptDetails | None = None


class Completion(msgspec.Struct):
    """An answer. What is not the answer itself may be anything: it is taken where it makes sense."""

    choices: list[Choice]
    model: Any = None
    system_fingerprint: Any = None
    usage: Any = None


class Problem(msgspec.Struct, frozen=True):
    """What an error's body says."""

    message: str
    code: str = ""
    param: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The message's words, as parameters are written."""
        return tuple(re.findall(r"\w+", self.message))

    @property
    def about_support(self) -> bool:
        """Whether it says that something is not supported, rather than wrong."""
        said = f"{self.code} {self.message}".lower()
        return any(sign in said for sign in UNSUPPORTED)


def reply_of(completion: Completion, sent: str) -> Reply:
    """The first choice as a reply, the thinking kept apart from the text."""
    choice = completion.choices[0]
    message = choice.message
    text, thought = _apart(_joined(message.content))
    usage = _usage(completion.usage)
    versions = [
        one for one in (completion.model, completion.system_fingerprint) if isinstance(one, str) and one
    ]
    return Reply(
        text=message.refusal if message.refusal and not text else text,
        reasoning=message.reasoning_content or message.reasoning or thought,
        finish_reason="refusal" if message.refusal and not text else choice.finish_reason,
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
        tokens_cached=usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None,
        model_version=" ".join(versions) or None,
        request_sent=sent,
    )


def _usage(stated: object) -> Usage:
    """The counts of tokens, as far as they are counts."""
    try:
        return msgspec.convert(stated, Usage)
    except msgspec.ValidationError:
        return Usage()


def problem_of(content: bytes) -> Problem:
    """An error's body; providers nest it under `error`, or do not, or send a page."""
    try:
        document = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Problem(_short(content.decode("utf-8", errors="replace")))
    inner = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(inner, dict):
        return Problem(_short(str(inner)))
    message = inner.get("message") or inner.get("detail") or content.decode("utf-8", errors="replace")
    return Problem(_short(str(message)), str(inner.get("code") or ""), str(inner.get("param") or ""))


def _short(text: str) -> str:
    return " ".join(text[:600].split()) or "no reason given"


def _joined(content: str | list[Text] | None) -> str | None:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content


def _apart(text: str | None) -> tuple[str | None, str | None]:
    """Thinking at the beginning of a text, in tags; one that does not end leaves no text."""
    found = THINKING.match(text or "")
    if text is None or found is None:
        return text, None
    return text[found.end() :], found[2].strip() or None
