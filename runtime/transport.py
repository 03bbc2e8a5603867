"""What the runtime asks of a provider: one method, one tree of failures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from runtime.stated import Stated
from schemas.plan import MOST_CHOICES, Model, PlannedTrial, Sampling, Scale, Stimulus
from schemas.render import ChatMessage, Shown


class Request(msgspec.Struct, frozen=True):
    """One question to one model, with everything that a transport may need to answer it.

    `repeat` and `item_order` count from 0.
    """

    trial_key: str
    request_key: str
    messages: tuple[ChatMessage, ...]
    model: Model
    sampling: Sampling
    shown: Shown
    stimulus: Stimulus | None
    condition: str
    item_order: int
    repeat: int
    scale: Scale

    def of(self, trial: PlannedTrial) -> Request:
        """The same request, as that of another trial that sends it."""
        return msgspec.structs.replace(self, trial_key=trial.trial_key, repeat=trial.repeat)


Form = Literal["schema", "object", "prompt"]
"""How a JSON reply is asked for: by a schema that the endpoint holds it to; as any object, or by words alone,
with the schema in the prompt."""

ALTERNATIVES = 20
"""For how many tokens that might have stood in a place the probability is asked for: OpenAI's most."""


class Chance(msgspec.Struct, frozen=True):
    """A token of a reply's text, from character `start`, and tokens that might have stood in its place (itself
    among them), each with the logarithm of its probability."""

    start: int
    token: str
    alternatives: tuple[tuple[str, float], ...]


class Weights(msgspec.Struct, frozen=True):
    """`probabilities` of the options, in their order, add up to 1. `value`: the code of the most probable one,
    the first of several; `expected`: the mean code. `off_scale_mass`: the probability that fell on no option;
    what was not among the alternatives counts to it."""

    probabilities: tuple[float, ...]
    value: float
    expected: float
    off_scale_mass: float

    @staticmethod
    def of(codes: Sequence[float], masses: Sequence[float]) -> Weights:
        """Of the probability `masses` that fell on the options; some did."""
        whole = math.fsum(masses)
        shares = tuple(mass / whole for mass in masses)
        value = codes[shares.index(max(shares))]
        expected = math.fsum(share * code for share, code in zip(shares, codes, strict=True))
        return Weights(shares, value, expected, max(0.0, 1.0 - whole))


class Reply(msgspec.Struct, frozen=True):
    """What came back. `request_sent` is the body's parameters as JSON, without messages and without keys.
    `error`: what the provider said in place of an answer. `notes`: what the user should know, said once.
    `limits`: what it said of its limits. `chances`: the text's tokens, where their probabilities came.
    `weights`: of each item that was shown, where the options themselves were weighed."""

    text: str | None
    reasoning: str | None = None
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    model_version: str | None = None
    request_sent: str | None = None
    error: str | None = None
    notes: tuple[str, ...] = ()
    limits: Stated | None = None
    chances: tuple[Chance, ...] | None = None
    weights: tuple[Weights, ...] | None = None


class Lessons(msgspec.Struct, frozen=True):
    """What a model has taught about the requests that it takes: parameters that have another name or are left
    out, whether the system message goes on top of the first user message, how many choices it gives, how JSON
    is asked of it, and for how many tokens it gives probabilities."""

    renamed: dict[str, str] = {}
    refused: frozenset[str] = frozenset()
    no_system: bool = False
    most_choices: int = MOST_CHOICES
    form: Form = "schema"
    alternatives: int = ALTERNATIVES


class Transport(Protocol):
    """A way to a model. `account`: transports of one name share a provider's limits."""

    account: str

    async def answer(self, request: Request) -> Reply:
        """The model's reply. Raises TransportError."""
        ...

    async def close(self) -> None:
        """Ends its connections; called once, in the loop that asked."""
        ...


@runtime_checkable
class Folding(Protocol):
    """A transport whose model may give several replies to one request."""

    def most_choices(self) -> int:
        """How many replies may be asked for at once, as far as is known now."""
        ...

    async def answer_many(self, request: Request, choices: int) -> list[Reply]:
        """One to `choices` replies to one request; what it took is shared out among them. Raises
        TransportError."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """A transport that knows before it asks what will answer."""

    def version(self) -> str:
        """The `model_version` of its replies: a run is answered by one alone. Raises TransportError."""
        ...


class TransportError(Exception):
    """A request that was not answered. The message says why, and never holds a key.

    ```
    TransportError
    |-- RateLimited        429, asked again after `retry_after` seconds
    |-- ServerFault        5xx, or a body that is no answer: asked again
    |-- ConnectionFault    refused, dropped, too slow: asked again
    |-- Rejected           another 4xx: asking again changes nothing
    `-- StopRun            no other request would be answered either: ends the run
        |-- QuotaExhausted
        |-- Unauthorized   the key was refused
        |-- KeyMissing     there is no key
        |-- Unreachable    a proxy or a certificate stands in the way
        |-- UnknownModel   no such model, or no such address
        `-- NotInstalled   what reaches it is not installed here
    ```

    `status` is the HTTP status, None where there was none; `limits` what the provider said of its limits.
    """

    retryable = False

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.retry_after = retry_after
        self.limits: Stated | None = None


class RateLimited(TransportError):
    """The provider asks to come back later."""

    retryable = True


class ServerFault(TransportError):
    """The provider failed; the same request may succeed."""

    retryable = True


class ConnectionFault(TransportError):
    """No reply came over the connection."""

    retryable = True


class Rejected(TransportError):
    """The provider will never answer this request."""


class StopRun(TransportError):
    """The provider will answer no request of this run."""


class QuotaExhausted(StopRun):
    """The account has nothing left, or must wait longer than a run can."""


class Unauthorized(StopRun):
    """The key was refused."""


class KeyMissing(StopRun):
    """The environment holds no key."""


class Unreachable(StopRun):
    """As things are set here, the provider cannot be reached: its address, a proxy, a certificate."""


class UnknownModel(StopRun):
    """The provider knows no such model, or the address is wrong."""


class NotInstalled(StopRun):
    """A library that reaches the model is not installed."""
