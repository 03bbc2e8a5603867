"""What a provider says of its limits in the headers of its replies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

Kind = Literal["requests", "tokens"]
KINDS: tuple[Kind, ...] = get_args(Kind)

PREFIX = "x-ratelimit-"
SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
SPAN = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
STEP = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


class Quota(msgspec.Struct, frozen=True):
    """`limit` in all, of which `remaining` are left; everything is back after `reset` seconds (None: not
    said)."""

    limit: float
    remaining: float
    reset: float | None = None


Stated = Mapping[Kind, Quota]


def stated_limits(headers: Mapping[str, str]) -> Stated:
    """The limits in `x-ratelimit-limit-`, `-remaining-` and `-reset-requests` (and `-tokens`), as OpenAI, Groq
    and others send them. What cannot be read is left out. `headers` has names in any case, or in lower case."""
    found: dict[Kind, Quota] = {}
    for kind in KINDS:
        limit = _count(headers.get(f"{PREFIX}limit-{kind}"))
        if limit is None or limit < 1:
            continue
        remaining = _count(headers.get(f"{PREFIX}remaining-{kind}"))
        reset = seconds(headers.get(f"{PREFIX}reset-{kind}"))
        found[kind] = Quota(limit, limit if remaining is None else min(remaining, limit), reset)
    return found


def seconds(text: str | None) -> float | None:
    """The seconds of a time such as "1s", "6m0s", "120ms", "1h2m3.5s" or "7.5"; None where it is none."""
    stated = (text or "").strip()
    if SPAN.fullmatch(stated):
        return sum(float(amount) * SECONDS[unit] for amount, unit in STEP.findall(stated))
    return _count(stated)


def _count(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
