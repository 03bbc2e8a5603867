"""Addresses of models: no secret stands in a spec, a version of an interface may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.checking import STUDY, codes

DEPLOYMENT = "https://r.openai.azure.com/openai/deployments/d"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://localhost:8000/v1", []),
        ("https://x.example/v1/chat/completions", []),
        (f"{DEPLOYMENT}?api-version=2024-10-21", []),
        (f"{DEPLOYMENT}/chat/completions?api-version=2024-10-21", []),
        (f"{DEPLOYMENT}?api-version=2024-10-21&api-key=abc", ["E016"]),
        (f"{DEPLOYMENT}?api-version=2024-10-21#abc", ["E016"]),
        (f"{DEPLOYMENT}?api-key=abc", ["E016"]),
        ("https://x.example/v1?key=api-version=1", ["E016"]),
        ("https://me:word@x.example/v1", ["E016"]),
    ],
)
def test_an_address_may_hold_a_version_and_nothing_that_may_be_a_key(
    tmp_path: Path, address: str, said: list[str]
) -> None:
    spec = STUDY.replace('name "gpt" }', f'name "gpt"  base_url "{address}" }}')
    assert spec != STUDY
    assert codes(tmp_path, spec) == said
