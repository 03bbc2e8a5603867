"""Answers that stand beside an item's label or its number, a line or a part of a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runtime.reading.answer import LEAD_WORDS, Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.tokens import Token

BULLETS = frozenset("-*•·#>+~◦▪●\"'{[(,|")
ITEM_WORDS = frozenset(
    ("item", "question", "statement", "q", "no", "nr", "number", "frage", "pregunta", "第", "项目")
)
PAIR_ENDS = frozenset(",;|")


class Found(msgspec.Struct):
    """The findings of a reply's lines, by what names the item. `echoes` may be lines of the answer key;
    `strange`: there are marks that no item has; `spelled`: an item was answered by an option's label
    alone."""

    labelled: list[Finding]
    marked: list[Finding]
    echoes: list[Finding]
    strange: bool = False
    spelled: bool = False


class Mark(msgspec.Struct, frozen=True):
    """An item's mark at the start of a line, and the token behind it."""

    index: int
    end: int


def line_findings(lines: Sequence[list[Token]], form: Form) -> Found:
    """What the lines say."""
    found = Found([], [], [])
    waiting: int | None = None
    for line in lines:
        if not line:
            continue
        labels = [at for at, token in enumerate(line) if token.kind == "label" and not _in_remark(line, at)]
        if labels:
            waiting = _labelled(line, labels, form, found)
        elif waiting is not None and _answers_the_line_above(line):
            answer = answer_at(line, _first(line), len(line), form, waiting)
            if answer is not None:
                found.labelled.append(Finding(waiting, answer))
        else:
            waiting = None
            _marked(line, form, found)
    return found


def _answers_the_line_above(line: list[Token]) -> bool:
    """Whether a line below an item is its answer: set in by a bullet, announced, or one of the options."""
    if line[0].text in BULLETS or line[0].text in LEAD_WORDS or line[0].kind == "anchor":
        return True
    behind = next((token for token in line[1:4] if token.kind != "mark"), None)
    return line[0].kind == "number" and behind is not None and behind.kind == "anchor"


def _in_remark(line: list[Token], at: int) -> bool:
    """Whether a label stands in parentheses behind a number: it is then part of a remark."""
    depth = 0
    for back in range(at - 1, max(-1, at - 60), -1):
        text = line[back].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return any(token.kind == "number" for token in line[max(0, back - 4) : back])
    return False


def _labelled(line: list[Token], labels: list[int], form: Form, found: Found) -> int | None:
    """Reads a line with labels; gives the item that waits for its answer on a later line."""
    prefix = _prefix(line, labels[0], form)
    if prefix is None:
        return None
    if prefix:
        if len(labels) == 1:
            found.labelled.extend(_answer_before_label(line, labels[0], form))
        return None
    numbered = any(token.kind == "number" for token in line[: labels[0]])
    for at, after in zip(labels, [*labels[1:], len(line)], strict=True):
        index = line[at].ref
        stop = after if after == len(line) else _without_mark(line, at + 1, after, numbered)
        answer = answer_at(line, at + 1, stop, form, index)
        if answer is None:
            if len(labels) == 1:
                return index if all(token.kind == "mark" for token in line[at + 1 :]) else None
            continue
        if len(labels) > 1 and answer.value is not None and _words_between(line, answer.end, stop):
            continue
        found.labelled.append(Finding(index, answer))
    return None


def _prefix(line: list[Token], label: int, form: Form) -> list[Token] | None:
    """What stands before a line's first label: [] for bullets and a mark, the tokens where they may be an
    answer, None where the line is prose or an empty tick box."""
    start = _first(line)
    if [token.text for token in line[:2]] == ["[", "]"]:
        return None
    mark = mark_at(line, start, form, anything=True)
    if mark is not None and mark.end <= label:
        start = mark.end
    rest = line[start:label]
    if all(token.kind == "mark" for token in rest):
        return []
    return rest if mark is not None else None


def _answer_before_label(line: list[Token], label: int, form: Form) -> Iterator[Finding]:
    """`1. 3 - Interested`: the mark is the label's own, the answer stands between them."""
    mark = mark_at(line, _first(line), form, anything=False)
    index = line[label].ref
    if mark is None or mark.index != index:
        return
    answer = answer_at(line, mark.end, label, form, index)
    if answer is None:
        return
    behind = [token for token in line[label + 1 :] if token.kind in ("number", "anchor", "label")]
    if behind and answer.value is not None:
        answer = Answer(None, answer.span, answer.end, "numbers stand on both sides of the item")
    yield Finding(index, answer)


def _without_mark(line: list[Token], start: int, label: int, numbered: bool) -> int:
    """Where a part of a line ends, without the mark of the next part's item: "2." between two labels is a
    mark where the first label has one, or where nothing but it stands there."""
    at = label
    while at > start and line[at - 1].text in "({[\"'-,;|":
        at -= 1
    if at - 2 >= start and line[at - 1].text in (".", ")", ":") and line[at - 2].kind == "number":
        before = line[at - 3] if at - 3 >= start else None
        if numbered or before is None or before.kind == "number" or before.text in ",;|)":
            return at - 2
    return label


def _words_between(line: list[Token], start: int, stop: int) -> bool:
    depth = 0
    for token in line[start:stop]:
        depth += (token.text == "(") - (token.text == ")")
        if depth <= 0 and token.kind in ("word", "number"):
            return True
    return False


def _first(line: list[Token]) -> int:
    """The first token behind bullets and a tick box."""
    texts = [token.text for token in line[:3]]
    at = 3 if texts[:1] == ["["] and texts[2:] == ["]"] and texts[1] in ("x", "✓", "✔") else 0
    while at < len(line) and line[at].text in BULLETS and not (line[at].text in "([" and _encloses(line, at)):
        at += 1
    return at


def _encloses(line: list[Token], at: int) -> bool:
    return at + 2 < len(line) and line[at + 2].text in (")", "]")


def mark_at(line: list[Token], start: int, form: Form, *, anything: bool) -> Mark | None:
    """An item's mark at `start`: "1.", "1)", "(a)", "1:", "Item 1", "1 - " before a number. With
    `anything` also one that no item has (index -1)."""
    at, named = start, False
    if at < len(line) and line[at].text in ITEM_WORDS:
        at, named = at + 1, True
        if at < len(line) and line[at].text in "#.":
            at += 1
    opened = at < len(line) and line[at].text in ("(", "[")
    at += opened
    if at >= len(line) or line[at].kind == "mark":
        return None
    key = line[at].text
    known = form.marks.get(key)
    if (known is None and not (anything or line[at].kind == "number")) or line[at].kind == "anchor":
        return None
    if known is None and line[at].kind != "number":
        return None
    end = _mark_end(line, at + 1, opened, named)
    return None if end is None else Mark(-1 if known is None else known, end)


def _mark_end(line: list[Token], at: int, opened: bool, named: bool) -> int | None:
    behind = line[at] if at < len(line) else None
    if opened:
        closed = behind is not None and behind.text in (")", "]")
        return at + 1 + (at + 1 < len(line) and line[at + 1].text in ".:") if closed else None
    if behind is None:
        return None
    glued = behind.start == line[at - 1].end
    if behind.text in (")", ":", "=", ">", "|") or (behind.text == "." and glued):
        return at + 1
    if behind.text == "-" and not glued and at + 1 < len(line) and line[at + 1].start > behind.end:
        return at + 1
    return at if named else None


def _marked(line: list[Token], form: Form, found: Found) -> None:
    """Reads a line without labels that begins with a mark."""
    start = _first(line)
    mark = mark_at(line, start, form, anything=True)
    if mark is None:
        return
    pairs = _pairs(line, start, form)
    if pairs is not None:
        found.strange = found.strange or any(finding.index < 0 for finding in pairs)
        found.marked.extend(finding for finding in pairs if finding.index >= 0)
        return
    index = max(mark.index, 0)
    answer = answer_at(line, mark.end, len(line), form, index) or _behind_words(line, mark.end, form, index)
    if answer is None:
        return
    if mark.index < 0:
        found.strange = found.strange or answer.value is not None
        return
    finding = Finding(index, answer)
    if _repeats_the_key(line, mark, answer, form):
        found.echoes.append(finding)
    else:
        found.marked.append(finding)
        found.spelled = found.spelled or line[answer.end - 1].kind == "anchor"


def _pairs(line: list[Token], start: int, form: Form) -> list[Finding] | None:
    """`1) 3 2) 4 3) 1`: nothing but marks and numbers, at least two of each."""
    pairs, at = [], start
    while at < len(line):
        mark = mark_at(line, at, form, anything=True)
        if mark is None or mark.end >= len(line):
            return None
        token = line[mark.end]
        codes = form.letters if token.kind == "word" else None
        if token.kind != "number" and (codes is None or token.text not in codes):
            return None
        answer = answer_at(line, mark.end, mark.end + 1, form, max(mark.index, 0))
        if answer is None:
            return None
        pairs.append(Finding(mark.index, answer))
        at = mark.end + 1
        if at < len(line) and line[at].text in PAIR_ENDS:
            at += 1
    return pairs if len(pairs) > 1 else None


def _behind_words(line: list[Token], start: int, form: Form, index: int) -> Answer | None:
    """`1. The item in other words: 3`: the number behind the last colon or dash, if the words hold none."""
    stop = next((at for at in range(start, len(line)) if line[at].kind in ("number", "anchor")), None)
    if stop is None or stop - 1 <= start or line[stop].kind != "number":
        return None
    separator = stop - 1
    while separator > start and line[separator].text in "\"'([*":
        separator -= 1
    if line[separator].text not in (":", "-", "=", ">", "|"):
        return None
    answer = answer_at(line, separator, len(line), form, index)
    if answer is None or answer.value is None:
        return answer
    behind = line[answer.end : answer.end + 1]
    return answer if not behind or behind[0].text in "([.-\"'" else None


def _repeats_the_key(line: list[Token], mark: Mark, answer: Answer, form: Form) -> bool:
    """Whether a line such as "1. Very Inaccurate" may be the answer key's: its mark is the label's code."""
    if answer.value is None or line[answer.end - 1].kind != "anchor" or form.lettered:
        return False
    return answer.value == form.items[mark.index].position
