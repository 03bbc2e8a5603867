"""Kinds of models whose attention differs: each is scored right, in one pass or, where it cannot be, item by
item."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime.transports.local import Local
from runtime.transports.local.checking import diagnosed
from schemas.plan import Model
from tests.runtime.local.tiny import tiny

torch = pytest.importorskip("torch", reason="torch is not installed: the extra `local` brings it")
pytest.importorskip("transformers", reason="transformers is not installed: the extra `local` brings it")
torch.set_num_threads(1)

pytestmark = pytest.mark.filterwarnings("default")

SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "initializer_range": 0.2}
LIKE_LLAMA = {**SIZE, "intermediate_size": 64, "num_key_value_heads": 2, "max_position_embeddings": 1024}
KINDS: dict[str, tuple[str, dict[str, object], bool]] = {
    "learned places": (
        "gpt2",
        {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 1024, "initializer_range": 0.2},
        True,
    ),
    "parallel layers": (
        "gpt_neox",
        {**SIZE, "intermediate_size": 64, "max_position_embeddings": 1024},
        True,
    ),
    "a window that is wide enough": ("mistral", {**LIKE_LLAMA, "sliding_window": 512}, True),
    "a window that is too narrow": ("mistral", {**LIKE_LLAMA, "sliding_window": 24}, False),
    "two kinds of layers": (
        "gemma2",
        {**LIKE_LLAMA, "head_dim": 8, "sliding_window": 512, "query_pre_attn_scalar": 8},
        True,
    ),
    "distances that a mask does not tell": ("bloom", {"hidden_size": 32, "n_layer": 2, "n_head": 4}, False),
    "a state in place of attention": (
        "mamba",
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4, "initializer_range": 0.2},
        False,
    ),
}


@pytest.mark.parametrize("named", KINDS)
def test_each_kind_of_attention_is_scored_as_item_by_item(named: str, tmp_path: Path) -> None:
    kind, settings, packs = KINDS[named]
    folder = tiny(tmp_path / "tiny", kind, **settings)
    local = Local(
        Model("tiny", "local", str(folder), {"device": "cpu"}, readout="options"),
        {"EBC_CACHE": str(tmp_path / "cache")},
    )
    engine = local.engine()
    found = diagnosed(engine)
    assert found.sound, found.checks
    assert engine.scoring.packs == packs
