"""A chat completion as providers send it: only what is used of it."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from runtime.folding import shares
from runtime.transport import Chance, Reply

TAGGED = re.compile(r"\s*<(think|thinking|reasoning|thought)>(.*?)(?:</\1>\s*|\Z)", re.DOTALL | re.IGNORECASE)
CLOSED = re.compile(r"(.*?)</(?:think|thinking)>\s*", re.DOTALL | re.IGNORECASE)
LENGTH = ("length", "max_tokens", "model_length", "max_output_tokens")
BROKEN = ("error", "network_error", "insufficient_system_resource", "abort")


class ChatMessage(msgspec.Struct, frozen=True):
    """The thinking stands in `reasoning_content` (vLLM, DeepSeek), `reasoning` (OpenRouter, Groq, Ollama),
    `reasoning_details` (OpenRouter), `thinking`, parts of the content (Mistral), or tags in the text."""

    content: str | list[Any] | None = None
    refusal: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    reasoning_details: Any = None
    thinking: Any = None


class Choice(msgspec.Struct, frozen=True):
    """One reply. `error`: what went wrong while it was made (OpenRouter)."""

    message: ChatMessage | None = None
    finish_reason: Any = None
    logprobs: Any = None
    error: Any = None

    @property
    def broken(self) -> bool:
        """Whether the provider failed while it made the reply."""
        return self.error is not None or self.finish_reason in BROKEN


class Alternative(msgspec.Struct, frozen=True):
    token: str
    logprob: float


class Place(msgspec.Struct, frozen=True):
    """A token, and what might have stood in its place."""

    token: str
    logprob: float
    top_logprobs: list[Alternative] = []


class Places(msgspec.Struct, frozen=True):
    content: list[Place] | None = None


Tokens = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class PromptDetails(msgspec.Struct, frozen=True):
    cached_tokens: Tokens | None = None


class Usage(msgspec.Struct, frozen=True):
    """`prompt_cache_hit_tokens` is DeepSeek's name for cached tokens."""

    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None
    prompt_tokens_details: PromptDetails | None = None
    prompt_cache_hit_tokens: Tokens | None = None

    @property
    def cached(self) -> int | None:
        """How many tokens of the prompt came from the provider's cache."""
        details = self.prompt_tokens_details
        stated = details.cached_tokens if details else None
        return self.prompt_cache_hit_tokens if stated is None else stated


NO_USAGE = Usage()


class Completion(msgspec.Struct, frozen=True):
    """An answer, or an error that came with status 200. What is not the answer itself may be anything: it is
    taken where it makes sense."""

    choices: list[Choice] | None = None
    model: Any = None
    system_fingerprint: Any = None
    usage: Any = None
    error: Any = None

    @property
    def version(self) -> str | None:
        """What answered: the model's name and the fingerprint of its set-up."""
        stated = [one for one in (self.model, self.system_fingerprint) if isinstance(one, str) and one]
        return " ".join(stated) or None


def replies_of(choices: list[Choice], completion: Completion, sent: str) -> list[Reply]:
    """Choices as replies, the thinking kept apart from the text.

    The usage is that of all of them. The prompt was read once: its tokens are divided evenly. Those of the
    replies are divided by how long each is. Either adds up to what was stated.
    """
    replies = [_reply_of(choice, completion, sent) for choice in choices]
    usage = _usage(completion.usage)
    even = [1] * len(replies)
    long = [len(reply.text or "") + len(reply.reasoning or "") for reply in replies]
    shared = zip(
        replies,
        shares(usage.prompt_tokens, even),
        shares(usage.completion_tokens, long),
        shares(usage.cached, even),
        strict=True,
    )
    return [
        msgspec.structs.replace(reply, tokens_in=tokens_in, tokens_out=tokens_out, tokens_cached=cached)
        for reply, tokens_in, tokens_out, cached in shared
    ]


def _reply_of(choice: Choice, completion: Completion, sent: str) -> Reply:
    message = choice.message or ChatMessage()
    content, in_parts = _parts(message.content)
    text, in_tags = apart(content)
    refused = isinstance(message.refusal, str) and bool(message.refusal) and not text
    return Reply(
        text=message.refusal if refused else text,
        reasoning=_reasoning(message) or in_parts or in_tags,
        finish_reason="refusal" if refused else _ending(choice.finish_reason),
        model_version=completion.version,
        request_sent=sent,
        chances=_chances(choice.logprobs, text),
    )


def _chances(stated: object, text: str | None) -> tuple[Chance, ...] | None:
    """The tokens of a text (thinking stands before it, marks of its end behind), with their probabilities."""
    if not stated or not text:
        return None
    try:
        places = msgspec.convert(stated, Places).content or []
    except msgspec.ValidationError:
        return None
    start = -"".join(place.token for place in places).rfind(text)
    if start > 0:
        return None
    chances = []
    for place in places:
        alternatives = [(one.token, one.logprob) for one in place.top_logprobs]
        if place.token not in dict(alternatives):
            alternatives.append((place.token, place.logprob))
        chances.append(Chance(start, place.token, tuple(alternatives)))
        start += len(place.token)
    return tuple(chances)


def _ending(stated: object) -> str | None:
    """Why the reply ended: `length` whatever a provider calls it."""
    if not isinstance(stated, str):
        return None
    return "length" if stated.lower() in LENGTH else stated


def _usage(stated: object) -> Usage:
    """The counts of tokens, as far as they are counts."""
    try:
        return msgspec.convert(stated, Usage)
    except msgspec.ValidationError:
        return NO_USAGE


def _reasoning(message: ChatMessage) -> str | None:
    for stated in (message.reasoning_content, message.reasoning, message.thinking, message.reasoning_details):
        if stated and (found := _text_in(stated)):
            return found
    return None


def _parts(content: str | list[Any] | None) -> tuple[str | None, str | None]:
    """The text and the thinking of a content, which may be a list of parts."""
    if not isinstance(content, list):
        return content, None
    texts = [part for part in content if not _is_thought(part)]
    thoughts = [part for part in content if _is_thought(part)]
    return _text_in(texts), _text_in(thoughts) or None


def _is_thought(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") in ("thinking", "reasoning", "redacted_thinking")


def _text_in(value: object) -> str:
    """The text within parts, however deep: `text`, `thinking`, `summary` or `content`."""
    match value:
        case str():
            return value
        case list():
            return "".join(_text_in(part) for part in value)
        case {"text": inner} | {"thinking": inner} | {"summary": inner} | {"content": inner}:
            return _text_in(inner)
        case _:
            return ""


def apart(text: str | None) -> tuple[str | None, str | None]:
    """Thinking in tags at the beginning of a text; one that does not end leaves no text. Templates that open
    the tag themselves leave only its end in the text."""
    if not text or "<" not in text:
        return text, None
    found = TAGGED.match(text)
    if found is None:
        found = CLOSED.match(text)
        return (text, None) if found is None else (text[found.end() :], found[1].strip() or None)
    return text[found.end() :], found[2].strip() or None
