"""A line's tokens, with items and anchors found among them."""

from __future__ import annotations

from runtime.reading.form import Form
from runtime.reading.tokens import Token, tokens

GROUP = "\0"


def grouped(line: str, offset: int, form: Form) -> list[Token]:
    """The tokens of a plain line; words that are an item or an anchor are one token. The longer wins,
    then the item."""
    plain = tokens(line, offset)
    if form.openers.isdisjoint([token.text for token in plain]):
        return plain
    found: list[Token] = []
    at = 0
    while at < len(plain):
        if plain[at].text not in form.openers:
            found.append(plain[at])
            at += 1
            continue
        label = form.labels.longest(plain, at)
        anchor = form.anchors.longest(plain, at)
        if label is not None and (anchor is None or label[1] >= anchor[1]):
            index, end = label
            found.append(Token("label", GROUP, plain[at].start, plain[end - 1].end, index))
        elif anchor is not None:
            index, end = anchor
            found.append(Token("anchor", GROUP, plain[at].start, plain[end - 1].end, index))
        else:
            found.append(plain[at])
            end = at + 1
        at = end
    return found
