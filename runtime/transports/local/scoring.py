"""Log-probabilities of what could be said behind prompts: in one pass, or plainly, one reply at a time."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.transports.local import libraries
from runtime.transports.local.tree import Step, Tree

EQUAL = {"float32": 1e-4, "bfloat16": 0.25, "float16": 0.05}
"""How far the two ways may be apart in a log-probability, for reasons of rounding alone."""
BEARABLE = {**EQUAL, "float32": 1e-3}
"""How far they may be in the trial: large models round more, a mask that is not heeded makes more than that."""

Logs = dict[Step, float]
"""The logarithm of the probability of each step's token at its node."""


class Asked(NamedTuple):
    """A prompt, of which others share the first `shared` tokens, and the steps of a tree to be told of."""

    prompt: tuple[int, ...]
    shared: int
    tree: Tree
    steps: Sequence[Step]


class Scoring:
    """Scores with one model. `packs`: whether it bears a tree behind its prompt, as was tried at the beginning:
    not every kind of model lets a mask say what each token sees. `cache`: the name of the model's argument for
    what it has read."""

    def __init__(self, model: Any, trial: Asked | None = None, dtype: str = "float32") -> None:
        self._model = model
        self._device = model.device
        self._window = getattr(model.config.get_text_config(), "sliding_window", None)
        takes = inspect.signature(model.forward).parameters
        self._keeps = "logits_to_keep" in takes
        self.cache = "cache" if "cache" in takes else "past_key_values"  # its name until transformers 5.24
        self._begun: tuple[tuple[int, ...], Any] | None = None
        self._visible: dict[Tree, Any] = {}
        self.packs = True
        if trial is not None:
            self.packs = self._bears(trial, BEARABLE[dtype])

    def logs(self, rows: Sequence[Asked]) -> list[Logs]:
        """What is asked of each row, all in one pass. Rows share their first tokens, or nothing."""
        if not self.packs or any(self._beyond_window(row) for row in rows):
            return [self.plain(row) for row in rows]
        first = rows[0]
        shared = first.shared if len({row.prompt[: row.shared] for row in rows}) == 1 else 0
        past = self._begin(first.prompt[:shared], len(rows)) if shared else None
        return self._packed(rows, shared, past)

    def behind(self, row: Asked, past: Any) -> Logs:
        """What is asked of a row whose first tokens (`row.shared`) are in `past`, which stays as it is."""
        if past is None or self._beyond_window(row):
            return self.plain(row)
        return self._packed([row], row.shared, copy.deepcopy(past))[0]

    def past(self, prompt: tuple[int, ...], shared: int) -> Any:
        """A prompt but its last token, as the model has read it; None where it scores plainly."""
        return self._read(prompt[shared:-1], shared, self._begin(prompt[:shared], 1)) if self.packs else None

    def further(self, past: Any, tokens: Sequence[int], begin: int) -> None:
        """Reads more tokens, the first of which is the `begin`th."""
        if past is not None and tokens:
            self._read(tokens, begin, past)

    def plain(self, row: Asked) -> Logs:
        """The same with no cache and no mask: a pass for each node, over the prompt and what leads to it."""
        torch = libraries.torch()
        found: Logs = {}
        nodes = sorted({node for node, _ in row.steps})
        with torch.inference_mode():
            for node in nodes:
                ids = torch.tensor([[*row.prompt, *row.tree.path(node)]], device=self._device)
                last = self._forward(input_ids=ids, use_cache=False, keep=1)[0, -1].float()
                logs = last.log_softmax(-1)
                found |= {step: float(logs[step[1]]) for step in row.steps if step[0] == node}
        return found

    def _bears(self, trial: Asked, tolerance: float) -> bool:
        plain = self.plain(trial)
        try:
            (packed,) = self._packed([trial], 0, None)
            (again,) = self.logs([trial])
        except (TypeError, ValueError, RuntimeError, AttributeError, NotImplementedError) as error:
            if isinstance(error, RuntimeError) and libraries.out_of_memory(error):
                raise
            return False
        return all(
            abs(found[step] - plain[step]) <= tolerance for found in (packed, again) for step in trial.steps
        )

    def _beyond_window(self, row: Asked) -> bool:
        """Whether a layer that sees a window of tokens alone would have to leave some out."""
        return (
            isinstance(self._window, int) and len(row.prompt) + max(row.tree.depths, default=-1) >= self._window
        )

    def _begin(self, tokens: tuple[int, ...], rows: int) -> Any:
        """Shared tokens as the model has read them, for so many rows; those of the last call are at hand."""
        if not tokens:
            return libraries.transformers().DynamicCache(config=self._model.config)
        if self._begun is None or self._begun[0] != tokens:
            self._begun = (tokens, self._read(tokens, 0, None))
        past = copy.deepcopy(self._begun[1])
        if rows > 1:
            past.batch_repeat_interleave(rows)
        return past

    def _read(self, tokens: Sequence[int], begin: int, past: Any) -> Any:
        torch = libraries.torch()
        if not tokens:
            return past
        with torch.inference_mode():
            output = self._model(
                input_ids=torch.tensor([list(tokens)], device=self._device),
                position_ids=torch.arange(begin, begin + len(tokens), device=self._device)[None],
                use_cache=True,
                **{self.cache: past},
                **({"logits_to_keep": 1} if self._keeps else {}),
            )
        return output.past_key_values

    def _packed(self, rows: Sequence[Asked], shared: int, past: Any) -> list[Logs]:
        """One pass over [shared] [padding, rest of the prompt] [tree, padding] of each row."""
        torch = libraries.torch()
        longest = max(len(row.prompt) for row in rows) - shared
        width = longest + max(len(row.tree.tokens) for row in rows)
        ids = torch.zeros(len(rows), width, dtype=torch.long)
        places = torch.zeros(len(rows), width, dtype=torch.long)
        seen = torch.zeros(len(rows), width, shared + width, dtype=torch.bool)
        seen[:, :, :shared] = True
        seen[:, :, shared:] = torch.eye(width, dtype=torch.bool)
        for at, row in enumerate(rows):
            rest, nodes = torch.tensor(row.prompt[shared:]), len(row.tree.tokens)
            pad, end = longest - len(rest), longest + nodes
            ids[at, pad:longest], ids[at, longest:end] = rest, torch.tensor(row.tree.tokens)
            places[at, pad:longest] = torch.arange(shared, len(row.prompt))
            places[at, longest:end] = torch.tensor(row.tree.depths) + len(row.prompt)
            seen[at, pad:longest, shared + pad : shared + longest] = torch.ones(
                len(rest), len(rest), dtype=torch.bool
            ).tril()
            seen[at, longest:end, shared + pad : shared + longest] = True
            seen[at, longest:end, shared + longest : shared + end] = self._sees(row.tree)
        columns = sorted({longest + node for row in rows for node, _ in row.steps})
        hidden = torch.zeros(seen.shape, dtype=self._model.dtype)
        hidden.masked_fill_(~seen, torch.finfo(self._model.dtype).min)
        with torch.inference_mode():
            logits = self._forward(
                input_ids=ids.to(self._device),
                position_ids=places.to(self._device),
                attention_mask=hidden[:, None].to(self._device),
                use_cache=past is not None,
                **{self.cache: past},
                keep=torch.tensor(columns, device=self._device),
            )
            return [_told(logits[at], row.steps, longest, columns) for at, row in enumerate(rows)]

    def _forward(self, keep: Any, **inputs: Any) -> Any:
        """The logits of the places to keep: a number from the end, or a tensor of columns."""
        if self._keeps:
            return self._model(**inputs, logits_to_keep=keep).logits
        logits = self._model(**inputs).logits
        return logits[:, -keep:] if isinstance(keep, int) else logits[:, keep]

    def _sees(self, tree: Tree) -> Any:
        """Which of a tree's tokens each sees: itself and those that lead to it."""
        torch = libraries.torch()
        if tree not in self._visible:
            sees = torch.zeros(len(tree.tokens), len(tree.tokens), dtype=torch.bool)
            for node, parent in enumerate(tree.parents):
                if parent >= 0:
                    sees[node] = sees[parent]
                sees[node, node] = True
            self._visible[tree] = sees
        return self._visible[tree]


def _told(logits: Any, steps: Sequence[Step], longest: int, columns: Sequence[int]) -> Logs:
    torch = libraries.torch()
    at = {column: row for row, column in enumerate(columns)}
    rows = torch.tensor([at[longest + node] for node, _ in steps], device=logits.device)
    tokens = torch.tensor([token for _, token in steps], device=logits.device)
    logs = logits.float()
    found = logs[rows, tokens] - logs.logsumexp(-1)[rows]
    return dict(zip(steps, found.tolist(), strict=True))
