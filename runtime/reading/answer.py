"""One answer to one item: a number, an anchor or a letter, and what stands behind it."""

from __future__ import annotations

import msgspec

from runtime.reading.form import Form
from runtime.reading.tokens import Token

LEADING = frozenset(":=->,.…\"'()[]{#*•~|")
LEAD_WORDS = frozenset(("score", "rating", "answer", "response", "is", "value", "rate", "points"))
UNITS = frozenset(
    ("point", "points", "pts", "star", "stars", "分", "点", "點", "점", "puntos", "punkte", "punkt")
)
RANGE = frozenset(("-", "~", "to", "or", "and", "bis", "oder", "à", "a", "o", "ou", "到", "至", "或"))


class Answer(msgspec.Struct, frozen=True):
    """`value` is an option's code. Without it, `reason` says why; `out_of_range` if it was a number
    outside the scale. `end` is the index of the token behind it."""

    value: float | None
    span: tuple[int, int]
    end: int
    reason: str | None = None
    out_of_range: bool = False


def answer_at(line: list[Token], start: int, stop: int, form: Form, index: int) -> Answer | None:
    """The answer to the item at `index` in the tokens from `start` to `stop`; None where there is none."""
    at, sign = start, 1
    separated = start > 0 and line[start - 1].kind == "mark"
    while at < stop and line[at].kind in ("mark", "word"):
        token = line[at]
        if token.text in "+-" and _glued_number(line, at, stop) and _spaced_before(line, at):
            if not separated:
                return _doubt(line, at + 1, stop, "a minus or a dash stands before the number")
            sign = -1 if token.text == "-" else 1
        elif token.kind == "mark" and token.text in LEADING:
            separated = separated or token.text in ":=>|,"
        elif token.text not in LEAD_WORDS or (not separated and at > start):
            break
        at += 1
    if at >= stop:
        return None
    if line[at].kind == "number":
        return _number(line, at, stop, form, index, sign)
    if line[at].kind == "anchor":
        return _anchor(line, at, stop, form, index)
    return _letter(line, at, stop, form, index)


def _number(line: list[Token], at: int, stop: int, form: Form, index: int, sign: int) -> Answer:
    token = line[at]
    value = _whole(token.text)
    if value is None:
        return _doubt(line, at, stop, "it is no whole number")
    value *= sign
    end = at + 1
    following = line[end] if end < stop else None
    if following is not None and following.kind == "word" and following.start == token.end:
        if following.text not in UNITS:
            return _doubt(line, at, stop, "a word is glued to the number")
        end += 1
    elif following is not None and following.text == "%":
        return _doubt(line, at, stop, "it is per cent")
    elif following is not None and following.kind == "word" and following.text in UNITS:
        end += 1
    codes = [option.code for option in form.items[index].options]
    end, problem = _denominator(line, end, stop, max(codes, default=0.0))
    if problem:
        return _doubt(line, at, stop, problem)
    problem = _behind(line, end, stop, form, index, value, codes)
    if problem:
        return _doubt(line, at, stop, problem)
    return _in_range(value, codes, (token.start, line[end - 1].end), end)


def _in_range(value: float, codes: list[float], span: tuple[int, int], end: int) -> Answer:
    if value in codes:
        return Answer(value, span, end)
    outside = not codes or not min(codes) <= value <= max(codes)
    reason = f"{value:g} is outside the scale" if outside else f"{value:g} is no option"
    return Answer(None, span, end, reason, out_of_range=outside)


def _denominator(line: list[Token], end: int, stop: int, most: float) -> tuple[int, str | None]:
    """Behind a number: "/5" and "out of 5" where 5 is the maximum."""
    words = [token.text for token in line[end : min(stop, end + 2)]]
    if words[:1] == ["/"]:
        skip = 1
    elif words == ["out", "of"]:
        skip = 2
    else:
        return end, None
    at = end + skip
    if at < stop and line[at].kind == "number" and _whole(line[at].text) == most:
        return at + 1, None
    return end, "it is a fraction of another scale"


def _behind(
    line: list[Token], end: int, stop: int, form: Form, index: int, value: float, codes: list[float]
) -> str | None:
    """What stands behind a number that makes it doubtful."""
    at = end
    if at < stop and line[at].kind == "word" and line[at].text not in RANGE:
        return "words follow the number"
    if at + 1 < stop and line[at].text in RANGE and line[at + 1].kind == "number":
        return "it is one of several numbers"
    while at < stop and line[at].kind == "mark" and line[at].text in ".)(-:,=[\"'/|>":
        at += 1
    if at < stop and line[at].kind == "anchor":
        code = form.code_of(index, line[at].ref)
        if code is not None and code != value:
            return "number and label contradict each other"
    return _other_number(line, end, stop, value, codes)


def _other_number(line: list[Token], at: int, stop: int, value: float, codes: list[float]) -> str | None:
    while at < stop:
        token = line[at]
        if token.kind == "number":
            if _is_scale(line, at, stop, codes):
                at += 3
                continue
            if _whole(token.text) != value:
                return "other numbers follow it"
        at += 1
    return None


def _is_scale(line: list[Token], at: int, stop: int, codes: list[float]) -> bool:
    """Whether the scale's range, as in "1-5", stands at `at`."""
    if at + 2 >= stop or not codes or line[at + 1].text not in ("-", "to", "到", "至"):
        return False
    ends = [_whole(line[at].text), _whole(line[at + 2].text) if line[at + 2].kind == "number" else None]
    return ends == [min(codes), max(codes)]


def _anchor(line: list[Token], at: int, stop: int, form: Form, index: int) -> Answer | None:
    token = line[at]
    code = form.code_of(index, token.ref)
    if code is None:
        return None
    following = line[at + 1] if at + 1 < stop else None
    if following is not None and following.kind in ("word", "anchor"):
        return _doubt(line, at, stop, "words follow the label")
    for other in line[at + 1 : stop]:
        if other.kind == "number" and _whole(other.text) != code:
            return _doubt(line, at, stop, "number and label contradict each other")
        if other.kind == "anchor" and form.code_of(index, other.ref) not in (code, None):
            return _doubt(line, at, stop, "it names several labels")
    return Answer(code, (token.start, token.end), at + 1)


def _letter(line: list[Token], at: int, stop: int, form: Form, index: int) -> Answer | None:
    token = line[at]
    code = form.letters.get(token.text)
    if code is None or (at + 1 < stop and line[at + 1].kind not in ("mark", "anchor")):
        return None
    for other in line[at + 1 : stop]:
        if other.kind == "number" or (other.kind == "anchor" and form.code_of(index, other.ref) != code):
            return _doubt(line, at, stop, "letter and label contradict each other")
    return Answer(code, (token.start, token.end), at + 1)


def _doubt(line: list[Token], at: int, stop: int, reason: str) -> Answer:
    return Answer(None, (line[at].start, line[at].end), stop, reason)


def _whole(text: str) -> float | None:
    """A number as people write whole ones: "4", "4.0"; None for other decimals and for dates, versions,
    ..."""
    before, stop, behind = text.partition(".")
    if not before.isdecimal() or len(before) > 9 or (stop and behind.strip("0")):
        return None
    return float(before)


def _glued_number(line: list[Token], at: int, stop: int) -> bool:
    return at + 1 < stop and line[at + 1].kind == "number" and line[at + 1].start == line[at].end


def _spaced_before(line: list[Token], at: int) -> bool:
    return at == 0 or line[at - 1].end < line[at].start or line[at - 1].kind == "mark"
