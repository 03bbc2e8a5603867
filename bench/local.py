"""How fast a local model answers questionnaires: `python -m bench.local [--model FOLDER] [--count N]`.

The same questionnaires of 20 items go through one model in each of these ways; a generated reply has exactly
100 tokens. Without `--model` it is a Llama of 23 million random weights.

- generated, one at a time, and 16 at a time (transformers' `generate`, which keeps what it has read);
- scored item by item: 20 whole prompts a questionnaire; and behind one cached prompt;
- ebc: all items in one pass, a questionnaire a pass, and 16 questionnaires a pass;
- lm-eval's HF backend, where it is installed: generated, 16 at a time; and scored, option by option.

Every way that scores must come to the same log-probabilities as the whole prompts do, or the bench fails.
"""

from __future__ import annotations

import os
import platform
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.questionnaires import random_llama, requests
from runtime.transports.local.engine import Engine
from runtime.transports.local.files import located
from runtime.transports.local.loading import load
from runtime.transports.local.options import Questionnaire
from runtime.transports.local.scoring import EQUAL, Asked, Logs
from schemas.plan import Model, Sampling

TOGETHER = 16
NEW_TOKENS = 100
PEER = "lm_eval"

Way = Callable[[Engine, Sequence[Questionnaire]], list[Logs] | None]


def generated(rows: int) -> Way:
    """Replies of `NEW_TOKENS` tokens, greedily, `rows` at a time."""

    def way(engine: Engine, ones: Sequence[Questionnaire]) -> None:
        import torch
        from transformers import GenerationConfig

        model = engine.loaded.model
        config = GenerationConfig(
            max_new_tokens=NEW_TOKENS,
            min_new_tokens=NEW_TOKENS,
            do_sample=False,
            pad_token_id=0,
            eos_token_id=0,
        )
        for at in range(0, len(ones), rows):
            prompts = [one.prompt.tokens for one in ones[at : at + rows]]
            longest = max(map(len, prompts))
            ids = torch.tensor([[0] * (longest - len(one)) + list(one) for one in prompts])
            seen = torch.tensor([[0] * (longest - len(one)) + [1] * len(one) for one in prompts])
            with torch.inference_mode():
                found = model.generate(
                    input_ids=ids.to(model.device),
                    attention_mask=seen.to(model.device),
                    generation_config=config,
                )
            assert found.shape[1] == longest + NEW_TOKENS

    return way


def whole_prompts(engine: Engine, ones: Sequence[Questionnaire]) -> list[Logs]:
    """A pass an item, over all of its prompt."""
    return [engine.scoring.plain(engine.options.asked(one)) for one in ones]


def cached_prompt(engine: Engine, ones: Sequence[Questionnaire]) -> list[Logs]:
    """A pass over the prompt, and one an item behind it."""
    return [_behind_cache(engine, engine.options.asked(one)) for one in ones]


def _behind_cache(engine: Engine, asked: Asked) -> Logs:
    import torch

    model, found = engine.loaded.model, Logs()
    with torch.inference_mode():
        head = torch.tensor([asked.prompt[:-1]], device=model.device)
        past = model(input_ids=head, use_cache=True, logits_to_keep=1).past_key_values
        for node in sorted({node for node, _ in asked.steps}):
            tokens = [asked.prompt[-1], *asked.tree.path(node)]
            behind = torch.tensor([tokens], device=model.device)
            output = model(input_ids=behind, use_cache=True, logits_to_keep=1, **{engine.scoring.cache: past})
            logs = output.logits[0, -1].float().log_softmax(-1)
            found |= {step: float(logs[step[1]]) for step in asked.steps if step[0] == node}
            past.crop(-len(tokens))
    return found


def packed(rows: int) -> Way:
    """A pass over the prompts and all items of `rows` questionnaires, as a run does."""

    def way(engine: Engine, ones: Sequence[Questionnaire]) -> list[Logs]:
        asked = [engine.options.asked(one) for one in ones]
        return [
            logs for at in range(0, len(asked), rows) for logs in engine.scoring.logs(asked[at : at + rows])
        ]

    return way


def peer_generated(engine: Engine, ones: Sequence[Questionnaire]) -> None:
    """lm-eval: as many new tokens."""
    from lm_eval.api.instance import Instance

    told = {"until": ["<|never|>"], "max_gen_toks": NEW_TOKENS, "min_new_tokens": NEW_TOKENS}
    texts = enumerate(one.prompt.text for one in ones)
    _peer(engine).generate_until(
        [Instance("generate_until", {}, (text, told), at) for at, text in texts], disable_tqdm=True
    )


def peer_scored(engine: Engine, ones: Sequence[Questionnaire]) -> list[Logs]:
    """lm-eval: the prompt with an item's line begun, and each option's token behind it."""
    every = [engine.options.asked(one) for one in ones]
    wanted = [(at, step) for at, asked in enumerate(every) for step in asked.steps]
    behind = [(None, [*every[at].prompt, *every[at].tree.path(node)], [token]) for at, (node, token) in wanted]
    found: list[Logs] = [{} for _ in ones]
    told = _peer(engine)._loglikelihood_tokens(behind, disable_tqdm=True)
    for (at, step), (log, _) in zip(wanted, told, strict=True):
        found[at][step] = log
    return found


def _peer(engine: Engine) -> Any:
    from lm_eval.models.huggingface import HFLM

    return HFLM(engine.loaded.model, tokenizer=engine.loaded.tokenizer, batch_size=TOGETHER)


WAYS: dict[str, Way] = {
    "generated, one at a time": generated(1),
    f"generated, {TOGETHER} at a time": generated(TOGETHER),
    "item by item, whole prompts": whole_prompts,
    "item by item, cached prompt": cached_prompt,
    "ebc, one pass a questionnaire": packed(1),
    f"ebc, {TOGETHER} questionnaires a pass": packed(TOGETHER),
    f"lm-eval, generated, {TOGETHER} at a time": peer_generated,
    "lm-eval, scored": peer_scored,
}
GENERATED, SCORED, OURS = (list(WAYS)[at] for at in (0, 2, 4))


def compare(engine: Engine, ones: Sequence[Questionnaire]) -> None:
    """Prints a line a way. Raises SystemExit where two come to different log-probabilities."""
    took: dict[str, float] = {}
    right: list[Logs] | None = None
    print(f"{'':<34}{'s a questionnaire':>18}{'apart from whole prompts':>26}")
    for name, way in WAYS.items():
        if way in (peer_generated, peer_scored) and find_spec(PEER) is None:
            print(f"{name:<34}  is not installed")
            continue
        way(engine, ones[:2])
        began = time.perf_counter()
        found = way(engine, ones)
        took[name] = (time.perf_counter() - began) / len(ones)
        right = right or found
        apart = None if right is None or found is None else _apart(right, found)
        print(f"{name:<34}{took[name]:>18.3f}{'' if apart is None else f'{apart:.1e}':>26}", flush=True)
        if apart is not None and apart > EQUAL[engine.loaded.dtype]:
            raise SystemExit(f"{name}: log-probabilities are {apart} apart")
    for name in (GENERATED, SCORED):
        print(f"{took[name] / took[OURS]:.1f} times as fast as {name}")


def _apart(a: Sequence[Logs], b: Sequence[Logs]) -> float:
    assert all(one.keys() == other.keys() for one, other in zip(a, b, strict=True))
    return max(abs(one[step] - other[step]) for one, other in zip(a, b, strict=True) for step in one)


def main() -> None:
    """Prints the figures."""
    parser = ArgumentParser(description="how fast a local model answers")
    parser.add_argument("--model", help="a folder with a model, or `smollm2`; else one of random weights")
    parser.add_argument("--count", type=int, default=64, help="questionnaires")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as scratch:
        name = options.model or str(random_llama(Path(scratch)))
        model = Model(
            "bench", "local", name, {"device": options.device, "dtype": options.dtype}, readout="options"
        )
        engine = Engine(model, load(model, located(model), os.environ), "bench")
        asked = requests(options.count, model, Sampling())
        ones = [Questionnaire(engine.prompt(one.messages), one.shown) for one in asked]
        lengths = [len(one.prompt.tokens) for one in ones]
        parameters = sum(one.numel() for one in engine.loaded.model.parameters()) / 1e6
        print(
            f"{platform.machine()}, {options.device}, {options.threads} threads, torch {version('torch')}, "
            f"transformers {version('transformers')}; {parameters:.0f} million parameters, {options.dtype}; "
            f"{len(ones)} questionnaires, prompts of {min(lengths)} to {max(lengths)} tokens"
        )
        compare(engine, ones)


if __name__ == "__main__":
    main()
