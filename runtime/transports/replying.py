"""What one model's replies come to, whichever way they came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from runtime.stated import Stated, stated_limits
from runtime.transport import Reply, Request, ServerFault
from runtime.transports.adapting import Taught
from runtime.transports.address import Address
from runtime.transports.completion import Choice, Completion, replies_of
from runtime.transports.failures import Endpoint, failure_of, is_filtered
from runtime.transports.problems import Problem, problem_of
from schemas.plan import Model

TEACHES = (400, 403, 422, 500, 501)


class Replying:
    """Reads the replies of one model, and learns from them what it takes."""

    def __init__(self, model: Model, address: Address) -> None:
        self.taught = Taught(model)
        self.endpoint = Endpoint(address.base, model.name, address.key_variable)

    def outcome(
        self,
        request: Request,
        choices: int,
        body: dict[str, Any],
        sent: str,
        status: int,
        headers: Mapping[str, str],
        content: bytes,
    ) -> list[Reply] | None:
        """The replies to a request that was sent as `body` (`sent`: its parameters, as they are recorded);
        fewer than `choices` where the model does not give so many. None where it taught something: the request
        is then to be sent in its new form. Raises TransportError."""
        limits = stated_limits(headers) or None
        found = self._found(content) if status == 200 else problem_of(content)
        if isinstance(found, Completion):
            return self._told(self._replies(found, body, sent), limits)
        if status == 200:
            status = found.status or status
        if is_filtered(status, found):
            return self._told([_withheld(found.message, sent)] * choices, limits)
        if status in TEACHES:
            self.taught.learn(found, body)
            if self.taught.body(request, choices) != body:
                return None
        failure = failure_of(self.endpoint, status, headers, found)
        failure.limits = limits
        raise failure

    def _told(self, replies: list[Reply], limits: Stated | None) -> list[Reply]:
        """The replies; with the first, what was learned since the last one."""
        notes = self.taught.take_notes()
        if notes or limits:
            replies[0] = msgspec.structs.replace(replies[0], notes=notes, limits=limits)
        return replies

    def _found(self, content: bytes) -> Completion | Problem:
        """What a reply with status 200 holds: answers, or an error. Raises ServerFault where it is neither."""
        try:
            completion = msgspec.json.decode(content, type=Completion)
        except (msgspec.DecodeError, UnicodeDecodeError):
            problem = problem_of(content)
            hint = " (does base_url lead to the interface for programs?)" if problem.page else ""
            raise ServerFault(
                f"{self.endpoint.address} sent something that is no answer: {problem.message}{hint}", status=200
            ) from None
        if completion.choices:
            return completion
        if completion.error is not None:
            return problem_of(content)
        raise ServerFault(f"{self.endpoint.address} sent an answer without a choice", status=200)

    def _replies(self, completion: Completion, body: dict[str, Any], sent: str) -> list[Reply]:
        """The answers, of which there is one at least. Raises ServerFault where all were broken off."""
        asked, choices = body.get("n", 1), completion.choices or []
        self.taught.gave(len(choices), asked)
        whole = [choice for choice in choices[:asked] if not choice.broken]
        if not whole:
            raise self._broke_off(choices[0])
        replies = replies_of(whole, completion, sent)
        if "logprobs" in body:
            self.taught.weighed(replies[0])
        return replies

    def _broke_off(self, choice: Choice) -> ServerFault:
        said = problem_of(msgspec.json.encode(choice.error)).message if choice.error else choice.finish_reason
        return ServerFault(f"{self.endpoint.address} broke off its reply: {said}", status=200)


def _withheld(why: str, sent: str) -> Reply:
    return Reply(text=None, finish_reason="content_filter", request_sent=sent, error=why)
