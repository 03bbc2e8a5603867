"""Replies in free text: prompts of like length are written to together, each with random numbers of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from runtime.transports.local import libraries
from schemas.plan import Sampling

MOST_TOKENS = 1024
"""Of a reply, where the study states no `max_tokens`."""


class Written(NamedTuple):
    """The tokens of a reply, and why it ended."""

    tokens: tuple[int, ...]
    finish_reason: str


class Writer:
    """Writes with one model. `dropped` says whether nobody waits for it any more."""

    def __init__(self, model: Any, stops: frozenset[int], context: int, dropped: Callable[[], bool]) -> None:
        self._model = model
        self._stops = stops
        self._context = context
        self._dropped = dropped

    def written(
        self, prompts: Sequence[tuple[int, ...]], sampling: Sampling, seeds: Sequence[str]
    ) -> list[Written]:
        """A reply to each prompt. `seeds`: what the random numbers of each begin with."""
        torch, transformers = libraries.torch(), libraries.transformers()
        longest = max(map(len, prompts))
        ids = torch.zeros(len(prompts), longest, dtype=torch.long)
        seen = torch.zeros(len(prompts), longest, dtype=torch.long)
        for at, prompt in enumerate(prompts):
            ids[at, longest - len(prompt) :] = torch.tensor(prompt)
            seen[at, longest - len(prompt) :] = 1
        most = min(sampling.max_tokens or MOST_TOKENS, self._context - longest)
        with torch.inference_mode():
            output = self._model.generate(
                input_ids=ids.to(self._model.device),
                attention_mask=seen.to(self._model.device),
                generation_config=transformers.GenerationConfig(
                    max_new_tokens=most,
                    do_sample=False,
                    eos_token_id=sorted(self._stops) or None,
                    pad_token_id=min(self._stops, default=0),
                ),
                logits_processor=transformers.LogitsProcessorList(_choosing(sampling, seeds, longest)),
                stopping_criteria=transformers.StoppingCriteriaList([self._stop]),
            )
        return [self._ended(row, most) for row in output[:, longest:].tolist()]

    def _stop(self, ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ARG002
        torch = libraries.torch()
        return torch.full((len(ids),), self._dropped(), dtype=torch.bool, device=ids.device)

    def _ended(self, tokens: list[int], most: int) -> Written:
        end = next((at for at, token in enumerate(tokens) if token in self._stops), None)
        if end is not None:
            return Written(tuple(tokens[: end + 1]), "stop")
        return Written(tuple(tokens), "length" if len(tokens) >= most else "stop")


def _choosing(sampling: Sampling, seeds: Sequence[str], begin: int) -> list[Callable[[Any, Any], Any]]:
    """What is done to the scores of the next token, after which the highest is taken. Without a temperature it
    is 1: the model's own probabilities."""
    temperature = 1.0 if sampling.temperature is None else sampling.temperature
    steps: list[Callable[[Any, Any], Any]] = []
    if sampling.frequency_penalty or sampling.presence_penalty:
        steps.append(_penalties(sampling.frequency_penalty or 0.0, sampling.presence_penalty or 0.0, begin))
    if temperature > 0:
        top_p = 1.0 if sampling.top_p is None else sampling.top_p
        steps.append(_drawn(temperature, top_p, [_generator(sampling, seed) for seed in seeds]))
    return steps


def _generator(sampling: Sampling, seed: str) -> random.Random:
    digest = blake2b(f"{sampling.seed or 0}\x1f{seed}".encode(), digest_size=16).digest()
    return random.Random(int.from_bytes(digest, "big"))


def _penalties(frequency: float, presence: float, begin: int) -> Callable[[Any, Any], Any]:
    """OpenAI's two penalties, of the tokens of the reply so far."""

    def processor(ids: Any, scores: Any) -> Any:
        torch = libraries.torch()
        said = ids[:, begin:]
        counts = torch.zeros_like(scores).scatter_add_(
            1, said, torch.ones(said.shape, dtype=scores.dtype, device=scores.device)
        )
        return scores - frequency * counts - presence * (counts > 0)

    return processor


def _drawn(temperature: float, top_p: float, draws: Sequence[random.Random]) -> Callable[[Any, Any], Any]:
    """Draws a token of each row, from the row's own random numbers: what is written beside it changes nothing
    about them. Of the likeliest tokens, those count that come to `top_p`."""

    def processor(ids: Any, scores: Any) -> Any:  # noqa: ARG001
        torch = libraries.torch()
        shares, order = (scores.float() / temperature).softmax(-1).sort(dim=-1, descending=True, stable=True)
        sums = shares.double().cumsum(-1)
        kept = ((sums - shares) < top_p).sum(-1, keepdim=True).clamp(min=1)
        whole = sums.gather(1, kept - 1)
        points = torch.tensor([[draw.random()] for draw in draws], dtype=torch.float64, device=scores.device)
        places = torch.searchsorted(sums, points * whole, right=True).minimum(kept - 1)
        return torch.full_like(scores, -torch.inf).scatter_(1, order.gather(1, places), 0.0)

    return processor
