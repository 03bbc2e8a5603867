"""A number as an answer, and what stands around it that makes it doubtful."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.reading.form import Form
from runtime.reading.tokens import Token, whole

UNITS = frozenset(
    (
        *(
            "point",
            "points",
            "pts",
            "star",
            "stars",
            "分",
            "点",
            "點",
            "점",
            "点です",
            "punto",
            "puntos",
            "punkte",
        ),
        *("punkt", "punkten", "ponto", "pontos", "punti", "балл", "балла", "баллов", "puan", "अंक", "étoiles"),
    )
)
RANGE = frozenset(
    ("-", "~", "to", "or", "and", "bis", "oder", "à", "a", "o", "ou", "и", "или", "到", "至", "或")
)
OF = frozenset(("of", "von", "de", "sur", "su", "van", "из", "av", "na"))
REASONS = frozenset(
    (
        "because",
        "since",
        "as",
        "due",
        "given",
        "weil",
        "denn",
        "porque",
        "car",
        "parce",
        "perché",
        "因为",
        "потому",
    )
)
OTHER_QUANTITIES = frozenset("%‰€$£¥₹°×")
EARLIER = frozenset(("from", "was", "than", "originally", "previously", "formerly", "initially"))
ALTERNATIVE = frozenset(
    (
        "or",
        "maybe",
        "perhaps",
        "but",
        "to",
        "then",
        "later",
        "no",
        "not",
        "and",
        "even",
        "almost",
        "say",
        "rather",
    )
)
SMALL = frozenset(
    ("and", "but", "for", "now", "then", "the", "too", "not", "out", "later", "maybe", "sometimes")
)


def number_end(line: list[Token], at: int, stop: int, most: float) -> tuple[int, str | None]:
    """Where the number at `at` ends, with its unit and the scale's maximum ("/5", "out of 5"); or why it is no
    answer."""
    end = at + 1
    following = line[end] if end < stop else None
    if following is None:
        return end, None
    glued = following.start == line[at].end
    if following.text in OTHER_QUANTITIES:
        return end, "it is a quantity of another kind"
    if glued and following.text == "+":
        return end, "it is a lower bound"
    if (
        glued
        and following.text == ":"
        and _number_at(line, end + 1, stop)
        and line[end + 1].start == following.end
    ):
        return end, "it is a time"
    if following.text in UNITS:
        end += 1
    elif glued and following.kind == "word":
        return end, "a word is glued to the number"
    end, problem = _denominator(line, end, stop, most)
    if problem is None and end < stop and line[end].text in UNITS:
        end += 1
    return end, problem


def _number_at(line: list[Token], at: int, stop: int) -> bool:
    return at < stop and line[at].kind == "number"


def _denominator(line: list[Token], end: int, stop: int, most: float) -> tuple[int, str | None]:
    """Behind a number: "/5", "of 5" and "out of 5" where 5 is the maximum."""
    words = [token.text for token in line[end : min(stop, end + 2)]]
    if words == ["/", "/"] or (words == ["/"] and stop < len(line)):
        return end, None
    if words[:1] == ["/"] or (words[:1] and words[0] in OF and _number_at(line, end + 1, stop)):
        at = end + 1
    elif words == ["out", "of"]:
        at = end + 2
    else:
        return end, None
    if _number_at(line, at, stop) and whole(line[at].text) == most:
        return at + 1, None
    return end, "it is a fraction of another scale"


def doubt_behind(
    line: list[Token], end: int, stop: int, form: Form, index: int, value: float, codes: Sequence[float]
) -> str | None:
    """What stands behind a number that makes it doubtful."""
    at = end
    if at < stop and line[at].text in RANGE and _number_at(line, at + 1, stop):
        return "it is one of several numbers"
    if at < stop and line[at].kind == "word" and line[at].text not in REASONS:
        return "words follow the number"
    while at < stop and line[at].kind == "mark" and line[at].text in ".)(-:,=[\"'/|>":
        at += 1
    if at < stop and line[at].kind == "anchor":
        code = form.code_of(index, line[at].ref)
        if code is not None and code != value:
            return CONTRADICTION
    return other_number(line, end, stop, value, codes)


CONTRADICTION = "number and label contradict each other"


def other_number(line: list[Token], at: int, stop: int, value: float, codes: Sequence[float]) -> str | None:
    """Whether a number behind an answer may be another answer. The scale's range and its maximum are none, nor
    are numbers in a remark that are no options, that count something, or that were the answer before."""
    begin, worded = at, False
    while at < stop:
        token = line[at]
        if token.kind == "number":
            if is_scale(line, at, stop, codes):
                at += 3
                continue
            if whole(token.text) != value and not (worded or _opens_a_remark(line, begin, at)):
                return "other numbers follow it"
            if whole(token.text) != value and not _harmless(line, at, stop, codes):
                return "other numbers follow it"
        worded = worded or token.kind in ("word", "anchor", "label")
        at += 1
    return None


def _opens_a_remark(line: list[Token], begin: int, at: int) -> bool:
    return at == begin + 1 and line[begin].text == "(" and at + 1 < len(line) and line[at + 1].kind == "word"


def _harmless(line: list[Token], at: int, stop: int, codes: Sequence[float]) -> bool:
    before = next((line[n].text for n in range(at - 1, -1, -1) if line[n].kind != "mark"), "")
    if before in EARLIER:
        return True
    if before in ALTERNATIVE or line[at - 1].text in "=/>":
        return False
    if whole(line[at].text) not in codes:
        return True
    behind = line[at + 1] if at + 1 < stop else None
    counts = behind is not None and behind.kind == "word" and behind.start > line[at].end
    return counts and behind is not None and len(behind.text) > 2 and behind.text not in UNITS | SMALL


def is_scale(line: list[Token], at: int, stop: int, codes: Sequence[float]) -> bool:
    """Whether the scale's range, as in "1-5", stands at `at`."""
    if at + 2 >= stop or not codes or line[at + 1].text not in ("-", "to", "~", "bis", "a", "à", "到", "至"):
        return False
    ends = [whole(token.text) if token.kind == "number" else None for token in (line[at], line[at + 2])]
    return ends == [codes[0], codes[-1]]
