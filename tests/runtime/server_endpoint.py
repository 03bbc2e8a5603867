"""How a test server behaves when nothing is scripted: what it refuses, its limits, its keys, its replies."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

Body = dict[str, Any]
Place = Literal["reasoning_content", "reasoning", "reasoning_details", "thinking", "tags", "parts"]
THOUGHT = "Let me think about each."
PREFIX = 64


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`refuses`: parameters that end as a 400; `newer`: max_tokens must be called max_completion_tokens;
    `system`: whether it takes system messages; `most_choices`: at most so many come back, whatever `n` is.
    `expires_after`: a key is refused after so many requests; `quota`: tokens until the account is empty.
    `burst`: how many seconds' worth of its limits may come at once; `tells`: the headers that go with a 429
    and, `x-ratelimit`, with every reply. `most_logprobs`: for so many tokens a place it gives probabilities;
    for none where it is 0, without a word."""

    refuses: tuple[str, ...] = ()
    newer: bool = False
    system: bool = True
    most_choices: int | None = None
    usage: bool = True
    caches: bool = False
    thinks: Place | None = None
    finish_reason: str = "stop"
    key: str | None = None
    expires_after: int | None = None
    quota: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    burst: float = 60.0
    tells: tuple[Literal["retry-after", "retry-after-ms", "x-ratelimit"], ...] = ()
    encoding: Literal["gzip", "deflate"] | None = None
    most_logprobs: int = 20


class Bucket:
    """A token bucket: `rate` a second flow in, at most `room`."""

    def __init__(self, per_minute: float, burst: float, clock: Callable[[], float]) -> None:
        self.per_minute = per_minute
        self._rate = per_minute / 60
        self._room = max(1.0, self._rate * burst)
        self._level = self._room
        self._clock = clock
        self._at = clock()

    def take(self, amount: float) -> float:
        """Takes `amount` if it is there; gives the seconds until it would be, 0 where it was taken."""
        self._flow()
        if self._level >= min(amount, self._room):
            self._level -= amount
            return 0.0
        return (min(amount, self._room) - self._level) / self._rate

    def headers(self, what: str) -> dict[str, str]:
        """The limit, what is left of it, and when it is whole again."""
        self._flow()
        return {
            f"x-ratelimit-limit-{what}": f"{self.per_minute:.0f}",
            f"x-ratelimit-remaining-{what}": f"{max(0, int(self._level))}",
            f"x-ratelimit-reset-{what}": f"{(self._room - self._level) / self._rate * 1000:.0f}ms",
        }

    def _flow(self) -> None:
        now = self._clock()
        self._level = min(self._room, self._level + (now - self._at) * self._rate)
        self._at = now


class Refusal(msgspec.Struct, frozen=True):
    """An error in place of a reply."""

    status: int
    error: dict[str, Any]
    headers: dict[str, str] = {}


class Account:
    """An endpoint in use: what was asked of it so far."""

    def __init__(self, endpoint: Endpoint, clock: Callable[[], float] = time.monotonic) -> None:
        self.endpoint = endpoint
        self.spent = 0
        self._uses: Counter[str] = Counter()
        self._prefixes: set[str] = set()
        made = {"requests": endpoint.requests_per_minute, "tokens": endpoint.tokens_per_minute}
        self._buckets = {what: Bucket(rate, endpoint.burst, clock) for what, rate in made.items() if rate}

    def refusal(self, body: Body, key: str) -> Refusal | None:
        """Why a request is not answered, None where it is."""
        return self._key(key) or self._quota() or self._limited(body) or self._parameters(body)

    def headers(self) -> dict[str, str]:
        """What goes with every reply."""
        if "x-ratelimit" not in self.endpoint.tells:
            return {}
        return {
            name: value
            for what, bucket in self._buckets.items()
            for name, value in bucket.headers(what).items()
        }

    def completion(self, body: Body) -> dict[str, Any]:
        """The reply to a request: choices, the usage of all of them, and what was cached."""
        endpoint = self.endpoint
        made = min(body.get("n") or 1, endpoint.most_choices or 1_000)
        choices = [choice(body, index, endpoint) for index in range(made)]
        tokens_out = sum(len(text_of(body, index)) // 4 for index in range(made))
        usage: dict[str, Any] = {"prompt_tokens": tokens_in(body), "completion_tokens": tokens_out}
        if endpoint.caches:
            usage["prompt_tokens_details"] = {"cached_tokens": self._cached(body)}
        self.spent += tokens_in(body) + tokens_out
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": f"{body['model']}-2026",
            "choices": choices,
            **({"usage": usage} if endpoint.usage else {}),
        }

    def _key(self, key: str) -> Refusal | None:
        endpoint = self.endpoint
        self._uses[key] += 1
        expired = endpoint.expires_after is not None and self._uses[key] > endpoint.expires_after
        if not expired and endpoint.key in (None, key):
            return None
        said = f"Incorrect API key provided: {key}."
        return Refusal(401, {"message": said, "type": "invalid_request_error", "code": "invalid_api_key"})

    def _quota(self) -> Refusal | None:
        if self.endpoint.quota is None or self.spent < self.endpoint.quota:
            return None
        said = "You exceeded your current quota, please check your plan and billing details."
        return Refusal(429, {"message": said, "type": "insufficient_quota", "code": "insufficient_quota"})

    def _limited(self, body: Body) -> Refusal | None:
        amounts = {"requests": 1.0, "tokens": float(tokens_in(body) + (body.get("max_tokens") or 0))}
        waits = {what: bucket.take(amounts[what]) for what, bucket in self._buckets.items()}
        what = max(waits, key=lambda name: waits[name], default=None)
        if what is None or not waits[what]:
            return None
        wait = math.ceil(waits[what] * 1000) / 1000
        headers = self.headers()
        if "retry-after" in self.endpoint.tells:
            headers["retry-after"] = f"{wait:.3f}"
        if "retry-after-ms" in self.endpoint.tells:
            headers["retry-after-ms"] = f"{wait * 1000:.0f}"
        said = f"Rate limit reached for {body['model']} on {what} per min. Please try again in {wait:.3f}s."
        return Refusal(429, {"message": said, "type": what, "code": "rate_limit_exceeded"}, headers)

    def _parameters(self, body: Body) -> Refusal | None:
        if self.endpoint.newer and "max_tokens" in body:
            instead = "Use 'max_completion_tokens' instead."
            return _unsupported("max_tokens", f"'max_tokens' is not supported with this model. {instead}")
        for name in self.endpoint.refuses:
            if name in body:
                return _unsupported(name, f"'{name}' is not supported with this model.")
        if body.get("top_logprobs", 0) > self.endpoint.most_logprobs > 0:
            said = f"top_logprobs must be less than or equal to {self.endpoint.most_logprobs}."
            return Refusal(400, {"message": said, "type": "invalid_request_error", "param": "top_logprobs"})
        if not self.endpoint.system and any(message["role"] == "system" for message in body["messages"]):
            said = "'messages[0].role' does not support 'system' with this model."
            return _unsupported("messages[0].role", said)
        return None

    def _cached(self, body: Body) -> int:
        text = "".join(message["content"] for message in body["messages"])
        prefixes = [text[:end] for end in range(PREFIX, len(text) + 1, PREFIX)]
        known = [prefix for prefix in prefixes if prefix in self._prefixes]
        self._prefixes.update(prefixes)
        return len(known[-1]) // 4 if known else 0


def _unsupported(name: str, said: str) -> Refusal:
    error = {"type": "invalid_request_error", "param": name, "code": "unsupported_parameter"}
    return Refusal(400, {"message": f"Unsupported parameter: {said}", **error})


def tokens_in(body: Mapping[str, Any]) -> int:
    """Tokens of all messages, as this server counts them: four characters each."""
    return sum(len(message["content"]) for message in body["messages"]) // 4


def text_of(body: Mapping[str, Any], index: int = 0) -> str:
    """A value, of its text and the choice's index, for each numbered line of the last message; as JSON where
    that is asked for."""
    asked = body["messages"][-1]["content"]
    items = re.findall(r"^(?:.*: )?(\d+)\. (.+)$", asked, re.MULTILINE)
    values = {number: 1 + (sum(words.encode()) + index) % 5 for number, words in items}
    if "response_format" in body or "JSON Schema" in asked:
        return json.dumps(values)
    return "\n".join(f"{number}. {value}" for number, value in values.items())


def logprobs_of(text: str) -> dict[str, Any]:
    """A text's tokens with their probabilities. A number of one digit has 0.5, with a blank before it 0.1, the
    next higher one (above 5: 1) 0.3, and a word 0.1."""

    def place(token: str) -> dict[str, Any]:
        if not re.fullmatch("[1-5]", token):
            return {"token": token, "logprob": 0.0, "top_logprobs": []}
        shares = {token: 0.5, f" {token}": 0.1, str(int(token) % 5 + 1): 0.3, "Well": 0.1}
        top = [{"token": said, "logprob": math.log(share)} for said, share in shares.items()]
        return {"token": token, "logprob": math.log(0.5), "top_logprobs": top}

    return {"content": [place(token) for token in re.findall(r"\d+|\D+", text)]}


def choice(body: Mapping[str, Any], index: int, endpoint: Endpoint) -> dict[str, Any]:
    """One reply, its thinking where the endpoint puts it; without a text where it ends for length."""
    text = "" if endpoint.finish_reason == "length" else text_of(body, index)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    match endpoint.thinks:
        case None:
            pass
        case "tags":
            message["content"] = f"<think>{THOUGHT}</think>\n{text}"
        case "parts":
            thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
            message["content"] = [thinking, {"type": "text", "text": text}]
        case "reasoning_details":
            message["reasoning_details"] = [{"type": "reasoning.text", "text": THOUGHT}]
        case place:
            message[place] = THOUGHT
    made = {"index": index, "finish_reason": endpoint.finish_reason, "message": message}
    if body.get("logprobs") and endpoint.most_logprobs:
        made["logprobs"] = logprobs_of(text)
    return made
