"""What a reply that is no answer means for the run: ask again, give this one up, or stop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from runtime.retry import retry_after
from runtime.stated import seconds
from runtime.transport import (
    QuotaExhausted,
    RateLimited,
    Rejected,
    ServerFault,
    TransportError,
    Unauthorized,
    UnknownModel,
)
from runtime.transports.problems import Problem

QUOTA_SIGNS = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
        "exceeded_current_quota_error",
        "insufficient_balance",
        "access_terminated",
    }
)
QUOTA_SAID = re.compile(r"insufficient (?:balance|credits|funds)|credit balance is too low")
KEY_SAID = re.compile(r"(?:incorrect|invalid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid|expired)")
REGION_SIGNS = frozenset({"unsupported_country_region_territory"})
MODEL_SIGNS = frozenset({"model_not_found", "invalid_model", "deploymentnotfound", "model_not_supported"})
MODEL_SAID = re.compile(
    r"not a valid model|model not exist|invalid model\b|model\b.{0,80}\b(?:does not exist|not found)"
)
FILTER_SIGNS = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "contentpolicyviolation",
        "moderation_blocked",
        "responsibleaipolicyviolation",
        "data_inspection_failed",
        "invalid_prompt",
    }
)
FILTER_SAID = re.compile(
    r"content management policy|content exists risk|contentpolicyviolation|"
    r"flagged as potentially violating|inappropriate content"
)
AGAIN = re.compile(r"(?:try again|retry) (?:in|after) (\d[\w.]*(?: (?:second|minute))?)")
MODERATION = re.compile(r"flagged|moderation")


class Endpoint(msgspec.Struct, frozen=True):
    """What messages call an endpoint by: its address, the model's name there, the variable that holds the
    key."""

    address: str
    model: str
    key_variable: str


def is_filtered(status: int, problem: Problem) -> bool:
    """Whether the provider withheld an answer because of what the prompt says."""
    if problem.signs & FILTER_SIGNS or FILTER_SAID.search(problem.said):
        return status in (400, 403, 422) or problem.status in (400, 403)
    return status == 403 and MODERATION.search(problem.said) is not None


def failure_of(endpoint: Endpoint, status: int, headers: Mapping[str, str], problem: Problem) -> TransportError:
    """The failure that an error's status, headers (with names in any case, or in lower case) and body stand
    for."""
    said = f"{status} from {endpoint.address}: {problem.message}"
    if problem.signs & QUOTA_SIGNS or status == 402 or QUOTA_SAID.search(problem.said):
        return QuotaExhausted(f"The quota is used up. {said}", status=status)
    if status == 401 or (400 <= status < 500 and KEY_SAID.search(problem.said)):
        return Unauthorized(f"The key in {endpoint.key_variable} was refused. {said}", status=status)
    if status == 403:
        return Unauthorized(f"{_no_access(endpoint, problem)} {said}", status=status)
    if 300 <= status < 400:
        place = headers.get("location") or "another address"
        return UnknownModel(
            f"{endpoint.address} sends on to {place}: set base_url to where it leads.", status=status
        )
    if 400 <= status < 500 and (problem.signs & MODEL_SIGNS or MODEL_SAID.search(problem.said)):
        return UnknownModel(f"Model {endpoint.model!r} was not found. {said}", status=status)
    if status in (404, 405):
        return UnknownModel(_no_address(endpoint, said), status=status)
    wait = retry_after(headers, datetime.now(UTC))
    if wait is None and status in (429, 503):
        wait = _wait_said(problem)
    if status == 429:
        return RateLimited(said, status=status, retry_after=wait)
    if status in (408, 409, 425) or status >= 500 or status == 200:
        return ServerFault(said, status=status, retry_after=wait)
    return Rejected(said, status=status)


def _wait_said(problem: Problem) -> float | None:
    """The seconds until the next try that the message names, as in "Please try again in 6m0s", None where it
    names none."""
    found = AGAIN.search(problem.said)
    return seconds(found[1].rstrip(".").replace(" second", "s").replace(" minute", "m")) if found else None


def _no_access(endpoint: Endpoint, problem: Problem) -> str:
    if problem.signs & REGION_SIGNS:
        return "The provider does not serve this region."
    if problem.page:
        return (
            f"Something before the provider (a proxy, a wall against robots) keeps {endpoint.address} closed."
        )
    return f"The key in {endpoint.key_variable} was refused, or does not allow model {endpoint.model!r}."


def _no_address(endpoint: Endpoint, said: str) -> str:
    return (
        f"There is no chat completions address at {endpoint.address}, or no model {endpoint.model!r} "
        f"(does base_url lack a path such as /v1?). {said}"
    )
