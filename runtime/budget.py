"""What one call of `ebc run` may spend: it stops before more is asked than the budget bears."""

from __future__ import annotations

from runtime.sizes import Take
from schemas.plan import Price


class Budget:
    """Dollars and requests of one call, whichever models it asks; None: as many as it takes.

    What is in flight counts with the most that it may cost. A request whose reply was lost on the way counts so
    too: the provider may have been paid for it.
    """

    def __init__(self, dollars: float | None = None, requests: int | None = None) -> None:
        self._dollars = dollars
        self._requests = requests
        self._sent = 0
        self._spent = 0.0
        self._reserved = 0.0
        self._answers = 0
        self._paid = 0.0
        self.batches: set[str] = set()
        """The batches whose requests are reserved."""

    def bears(self, dollars: float) -> bool:
        """Whether one more request, which costs at most so much, stays within."""
        if self._requests is not None and self._sent >= self._requests:
            return False
        return self._dollars is None or self._spent + self._reserved + dollars <= self._dollars

    def reserve(self, dollars: float) -> None:
        """A request was sent that costs at most so much."""
        self._sent += 1
        self._reserved += dollars

    def settle(self, reserved: float, dollars: float, answers: int) -> None:
        """A request for which so much was reserved has ended, with so many answers, and cost `dollars`."""
        self._reserved -= reserved
        self._spent += dollars
        self._answers += answers
        self._paid += dollars if answers else 0.0

    def why_spent(self, left: int, likely: float | None) -> str:
        """What is said when it is used up and `left` trials have no answer. `likely`: what one costs, where no
        answer has shown it."""
        if self._requests is not None and self._sent >= self._requests:
            said = f"the {self._requests:,} requests of --max-requests are used up."
        else:
            said = (
                f"the next request might pass --max-cost: ${self._spent:.4f} of ${self._dollars or 0:.4f} "
                "are spent."
            )
        each = self._paid / self._answers if self._answers else likely
        rest = f", and would cost about ${each * left:.4f}" if each else ""
        trials = "1 trial has" if left == 1 else f"{left:,} trials have"
        return f"{said} {trials} no answer yet{rest}; run the same command again to go on, with a new budget."


def most(price: Price | None, take: Take) -> float:
    """The most dollars that a request may cost; 0 where the model has no price."""
    if price is None:
        return 0.0
    dearest = max(price.input, price.cached or 0.0)
    return (take.most_in * dearest + take.most_out * price.output) / 1_000_000
