"""When a request that failed is asked again: pure functions of the failure and a number in 0..1."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import msgspec

from runtime.transport import ConnectionFault, QuotaExhausted, RateLimited, TransportError


class RetryPolicy(msgspec.Struct, frozen=True):
    """`tries`: how often a trial is asked at most in one run. Seconds: the first wait's bound doubles up
    to `longest`; a trial that the provider is too busy for is asked until `patience` has passed, and a provider
    that asks to wait for longer ends the run."""

    tries: int = 8
    first: float = 0.5
    longest: float = 60.0
    patience: float = 900.0


def may_try_again(policy: RetryPolicy, failure: TransportError, tries: int, since: float) -> bool:
    """Whether a request that has failed `tries` times, for the first time `since` seconds ago, is asked again.
    A provider that is too busy says nothing about the request."""
    busy = isinstance(failure, RateLimited) and since < policy.patience
    return failure.retryable and (tries < policy.tries or busy)


def wait_before(policy: RetryPolicy, tries: int, failure: TransportError, chance: float) -> float:
    """Seconds before the next try, after `tries` failed ones.

    Full jitter (Brooker 2015, "Exponential backoff and jitter"): uniform below a bound that doubles;
    where the provider names a time, that time and up to a tenth more, so that not all come back at once.
    """
    if failure.retry_after is not None:
        return failure.retry_after * (1 + 0.1 * chance)
    bound = min(policy.longest, policy.first * 2.0 ** min(tries - 1, 60))
    return bound * chance


def too_long(said: str, wait: float, status: int | None = None) -> QuotaExhausted:
    """What ends a run that would have to wait for so many seconds."""
    return QuotaExhausted(
        f"The provider asks to wait {wait / 60:.0f} minutes ({said}). Run the same command again then.",
        status=status,
        retry_after=wait,
    )


def no_way(trials: int, failure: TransportError, patience: float) -> QuotaExhausted | ConnectionFault:
    """What ends a run in which so many trials in a row came to nothing."""
    if isinstance(failure, RateLimited):
        return QuotaExhausted(
            f"{trials} trials in a row were turned away for {patience / 60:.0f} minutes ({failure.message}). "
            "Run the same command again later.",
            status=failure.status,
        )
    return ConnectionFault(f"{trials} trials in a row reached no provider: {failure.message}")


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the provider asks to wait, from `retry-after-ms` or `Retry-After` (seconds or a date,
    RFC 9110 10.2.3). `headers` has lower-case names. None where neither can be read."""
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    stated = headers.get("retry-after")
    seconds = _seconds(stated)
    if seconds is not None or stated is None:
        return seconds
    return _until(stated, now)


def _seconds(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _until(text: str, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
