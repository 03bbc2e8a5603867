from __future__ import annotations

from pathlib import Path

import pytest

from warehouse.document import reference, rewritten, undescribed

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "warehouse.md"


def test_every_column_is_described_once() -> None:
    assert undescribed() == []


def test_the_document_is_as_the_schemas_are() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert rewritten(text) == text, "run: python -m warehouse.document docs/warehouse.md"


def test_the_reference_names_types_and_views() -> None:
    text = reference()
    for line in (
        "| `value` | double, or null | the option's code as answered, before reverse keying; null if missing |",
        "| `items` | list of integer | the items that the score uses, each once |",
        "| `covariates` | map of text | what is known of a person: gender, birth year, ... |",
        "### scores (view)",
    ):
        assert line in text


def test_a_document_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        rewritten("# Nothing")
