"""One answer to one item: a number, an anchor or a letter, and what stands behind it."""

from __future__ import annotations

import msgspec

from runtime.reading.form import Form
from runtime.reading.numbers import CONTRADICTION, REASONS, doubt_behind, is_scale, number_end
from runtime.reading.tokens import Token, number_of, whole

LEADING = frozenset(":=->,;.…\"'()[]{}#*•|&")
SEPARATING = frozenset(":=>|,;([&")
LEAD_WORDS = frozenset(("score", "rating", "answer", "response", "is", "value", "rate", "points"))
SAYING = frozenset(
    (
        *(
            "i",
            "i'd",
            "i'll",
            "would",
            "will",
            "say",
            "give",
            "giving",
            "it",
            "this",
            "that",
            "a",
            "an",
            "my",
            "the",
        ),
        *(
            "choose",
            "pick",
            "select",
            "go",
            "with",
            "as",
            "at",
            "be",
            "put",
            "probably",
            "think",
            "option",
            "number",
        ),
    )
)


class Answer(msgspec.Struct, frozen=True, gc=False):
    """`value` is an option's code. Without it, `reason` says why; `out_of_range` if it was a number
    outside the scale. `end` is the index of the token behind it."""

    value: float | None
    span: tuple[int, int]
    end: int
    reason: str | None = None
    out_of_range: bool = False


def answer_at(line: list[Token], start: int, stop: int, form: Form, index: int) -> Answer | None:
    """The answer to the item at `index` in the tokens from `start` to `stop`; None where there is none."""
    at = _behind_the_scale(line, start, stop, form, index)
    separated = (at > 0 and line[at - 1].kind == "mark") or at > start
    while at < stop and line[at].kind in ("mark", "word"):
        token = line[at]
        if token.text in form.letters and token.kind == "word":
            break
        if token.kind == "mark":
            if token.text not in LEADING or _compares(line, at, stop):
                break
            if token.text == "-" and _unclear_sign(line, at, stop, form):
                return doubt(line, at + 1, stop, "a minus or a dash stands before the number")
            separated = separated or token.text in SEPARATING
        elif token.text in LEAD_WORDS and (separated or at == start):
            separated = True
        elif token.text not in SAYING or not separated:
            break
        at += 1
    if at >= stop:
        return None
    if line[at].kind == "number":
        if line[at].text[0] == "-" and not separated and at > 0 and line[at - 1].kind != "word":
            return doubt(line, at, stop, "a minus or a dash stands before the number")
        return _number(line, at, stop, form, index)
    if line[at].kind == "anchor":
        return _anchor(line, at, stop, form, index)
    return _letter(line, at, stop, form, index)


def _behind_the_scale(line: list[Token], at: int, stop: int, form: Form, index: int) -> int:
    """Behind "(1-5)", which repeats the scale."""
    bracketed = at + 4 < stop and line[at].text in "([" and line[at + 4].text in ")]"
    return at + 5 if bracketed and is_scale(line, at + 1, stop, form.codes[index]) else at


def _compares(line: list[Token], at: int, stop: int) -> bool:
    """Whether ">" says "more than": an arrow's was read as "=", a quotation's opens the line."""
    glued = at + 1 < stop and line[at + 1].kind == "number" and line[at + 1].start == line[at].end
    return line[at].text == ">" and at > 0 and glued


def _unclear_sign(line: list[Token], at: int, stop: int, form: Form) -> bool:
    """Whether the dash at `at`, before a number, may be its minus: where dashes stand together, and on scales
    with negative codes where it is glued to both sides or stands behind another separator."""
    if at + 1 >= stop or line[at + 1].kind != "number":
        return False
    before = line[at - 1] if at else None
    glued = line[at + 1].start == line[at].end
    doubled = before is not None and before.text in ("-", "+") and before.end == line[at].start
    behind_another = before is not None and before.text in (":", "=")
    return (doubled and glued) or (form.signed and (glued or behind_another))


def _number(line: list[Token], at: int, stop: int, form: Form, index: int) -> Answer:
    token = line[at]
    codes = form.codes[index]
    value = number_of(token.text, codes)
    if value is None:
        return doubt(line, at, stop, "it is no whole number")
    end, problem = number_end(line, at, stop, codes[-1] if codes else 0.0)
    outside = not codes or not codes[0] <= value <= codes[-1]
    if problem is None:
        problem = doubt_behind(line, end, stop, form, index, value, codes)
    if problem is not None and not (outside and problem == CONTRADICTION):
        return doubt(line, at, stop, problem)
    span = (token.start, line[end - 1].end)
    if value in codes:
        return Answer(value, span, end)
    reason = f"{value:g} is outside the scale" if outside else f"{value:g} is no option"
    return Answer(None, span, end, reason, out_of_range=outside)


def _anchor(line: list[Token], at: int, stop: int, form: Form, index: int) -> Answer | None:
    token = line[at]
    code = form.code_of(index, token.ref)
    if code is None:
        return None
    following = line[at + 1] if at + 1 < stop else None
    if following is not None and following.kind in ("word", "anchor") and following.text not in REASONS:
        return doubt(line, at, stop, "words follow the label")
    for number, other in enumerate(line[at + 1 : stop], at + 1):
        if other.kind == "number" and number < at + 5 and whole(other.text) != code:
            return doubt(line, at, stop, CONTRADICTION)
        if other.kind == "anchor" and form.code_of(index, other.ref) not in (code, None):
            return doubt(line, at, stop, "it names several labels")
    return Answer(code, (token.start, token.end), at + 1)


def _letter(line: list[Token], at: int, stop: int, form: Form, index: int) -> Answer | None:
    token = line[at]
    code = form.letters.get(token.text)
    if code is None or (at + 1 < stop and line[at + 1].kind not in ("mark", "anchor")):
        return None
    for other in line[at + 1 : stop]:
        if other.kind == "number" or (other.kind == "anchor" and form.code_of(index, other.ref) != code):
            return doubt(line, at, stop, "letter and label contradict each other")
        if other.text in form.letters and form.letters[other.text] != code:
            return doubt(line, at, stop, "it names several letters")
    return Answer(code, (token.start, token.end), at + 1)


def doubt(line: list[Token], at: int, stop: int, reason: str) -> Answer:
    """No value, for a reason, at the token `at`."""
    return Answer(None, (line[at].start, line[at].end), stop, reason)
