"""Items that a sentence corrects: "Actually, make item 3 a 4". What was meant is for a person to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.reading.answer import doubt
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.tokens import Token

CUES = frozenset(
    (
        "actually",
        "correction",
        "edit",
        "wait",
        "change",
        "make",
        "scratch",
        "erratum",
        "correct",
        "update",
        "oops",
    )
)
NAMING = frozenset(("item", "items", "question", "statement", "number", "q", "no"))


def corrections(lines: Sequence[list[Token]], form: Form) -> Iterator[Finding]:
    """A doubt for each item that a line names which opens with a correcting word and holds a number."""
    for line in lines:
        cued = any(token.text in CUES for token in line[:5])
        if not cued or not any(token.kind in ("number", "anchor") for token in line):
            continue
        for at, token in enumerate(line):
            index = _named(line, at, form) if token.kind == "number" else None
            if token.kind == "label":
                index = token.ref
            if index is not None and index >= 0:
                yield Finding(index, doubt(line, at, at + 1, "a sentence corrects it"))


def _named(line: list[Token], at: int, form: Form) -> int | None:
    before = next((token.text for token in reversed(line[max(0, at - 2) : at]) if token.kind == "word"), "")
    return form.marks.get(line[at].text) if before in NAMING else None
