"""How many tokens a request will take: first by rule, then by what the replies showed.

A token is about four characters of text. Without `max_tokens` nothing bounds a reply for certain; what is
called a bound here then is twice the longest reply seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runtime.transport import Reply, Request

CHARACTERS_A_TOKEN = 4
TOKENS_AN_ITEM = 8
MOST_TOKENS_A_CHARACTER = 0.5
"""Before any reply was seen: twice the rule, for languages that take more tokens."""

CAUTION_IN, CAUTION_OUT = 1.1, 2.0


class Take(msgspec.Struct, frozen=True):
    """Tokens of one request with all its choices: `likely`, for limits a minute; `most_in` and `most_out`, for
    budgets."""

    likely: float
    most_in: float
    most_out: float


class Sizes:
    """What one model's replies were like so far."""

    def __init__(self) -> None:
        self._requests = 0
        self._characters = 0
        self._tokens_in = 0
        self._ratio_most = 0.0
        self._replies = 0
        self._tokens_out = 0
        self._longest = 0

    def take(self, request: Request, choices: int) -> Take:
        """What a request will take."""
        characters = _characters(request)
        limit = request.sampling.max_tokens
        by_rule = TOKENS_AN_ITEM * len(request.shown.items)
        mean_in = characters / CHARACTERS_A_TOKEN
        ratio = MOST_TOKENS_A_CHARACTER
        if self._requests:
            mean_in = characters * self._tokens_in / self._characters
            ratio = CAUTION_IN * self._ratio_most
        if self._replies:
            mean_out, most_out = self._tokens_out / self._replies, CAUTION_OUT * self._longest
        else:
            mean_out, most_out = by_rule if limit is None else limit, CAUTION_OUT * by_rule
        return Take(
            likely=mean_in + choices * mean_out,
            most_in=ratio * characters,
            most_out=choices * (most_out if limit is None else limit),
        )

    def learn(self, request: Request, replies: Sequence[Reply]) -> float | None:
        """Takes in what a request took; gives its tokens, None where the provider did not say."""
        said_in = [reply.tokens_in for reply in replies if reply.tokens_in is not None]
        said_out = [reply.tokens_out for reply in replies if reply.tokens_out is not None]
        if len(said_in) < len(replies) or len(said_out) < len(replies):
            return None
        characters, tokens = max(1, _characters(request)), sum(said_in)
        self._requests += 1
        self._characters += characters
        self._tokens_in += tokens
        self._ratio_most = max(self._ratio_most, tokens / characters)
        self._replies += len(said_out)
        self._tokens_out += sum(said_out)
        self._longest = max(self._longest, *said_out)
        return tokens + sum(said_out)


def _characters(request: Request) -> int:
    return sum(len(message.content) for message in request.messages)
