"""Answers that stand beside an item's label or its number, a line or a part of a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runtime.reading.answer import LEAD_WORDS, Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.marks import BULLETS, Mark, first_token, mark_at
from runtime.reading.tokens import Token

EXAMPLES = frozenset(("example", "format", "template", "sample", "instance", "beispiel", "ejemplo", "exemple"))
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


def line_findings(lines: Sequence[list[Token]], form: Form) -> Found:
    """What the lines say."""
    found = Found([], [], [])
    waiting: int | None = None
    filled = [line for line in lines if line]
    below = _numbers_stand_below(filled)
    for line, following in zip(filled, [*filled[1:], []], strict=False):
        labels = [at for at, token in enumerate(line) if token.kind == "label" and not _in_remark(line, at)]
        if labels:
            waiting = _labelled(line, labels, form, found)
        elif waiting is not None and (
            _answers_the_line_above(line) or (below and _is_number(line) and not _is_number(following))
        ):
            answer = answer_at(line, first_token(line), len(line), form, waiting)
            if answer is not None:
                found.labelled.append(Finding(waiting, answer))
        else:
            waiting = None
            _marked(line, form, found)
    return found


def _numbers_stand_below(lines: Sequence[list[Token]]) -> bool:
    """Whether a number alone on a line may answer the item above it: not where the first item has one above."""
    first = next((at for at, line in enumerate(lines) if any(token.kind == "label" for token in line)), 0)
    return first == 0 or not _is_number(lines[first - 1])


def _is_number(line: list[Token]) -> bool:
    """Whether a line is one number and nothing else but marks."""
    return [token.kind for token in line if token.kind != "mark"] == ["number"]


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
        found.labelled.extend(_in_a_sentence(line, labels, form))
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
    start = first_token(line)
    if [token.text for token in line[:2]] == ["[", "]"]:
        return None
    mark = mark_at(line, start, form, anything=True)
    if mark is not None and mark.end <= label:
        start = mark.end
    rest = line[start:label]
    if all(token.kind == "mark" for token in rest) or _heads(rest) or _is_own_mark(rest, line[label].ref, form):
        return []
    return rest if mark is not None else None


def _heads(prefix: list[Token]) -> bool:
    """Whether tokens are a heading such as "Emotion:", and none such as "Example:"."""
    words, colon = prefix[:-1], prefix[-1]
    if colon.text != ":" or not 1 <= len(words) <= 4:
        return False
    return all(token.kind == "word" for token in words) and EXAMPLES.isdisjoint(token.text for token in words)


def _is_own_mark(prefix: list[Token], index: int, form: Form) -> bool:
    """Whether tokens are the item's own mark and nothing else, as in the first columns of "2, Calm, 4"."""
    named = [token.text for token in prefix if token.kind != "mark"]
    return len(named) == 1 and form.marks.get(named[0]) == index and len(prefix) < 4


def _in_a_sentence(line: list[Token], labels: list[int], form: Form) -> list[Finding]:
    """`I would say Calm: 3, and Tense: 4`: only where each of several items has its answer right behind it."""
    before = line[: labels[0]]
    if len(labels) < 2 or any(token.kind == "number" or token.text in EXAMPLES for token in before):
        return []
    found = []
    for at, after in zip(labels, [*labels[1:], len(line)], strict=True):
        behind = line[at + 1] if at + 1 < after else None
        if behind is None or (behind.text not in (":", "=", "(", "-") and behind.kind != "number"):
            return []
        stop = _without_mark(line, at + 1, after, numbered=False)
        answer = answer_at(line, at + 1, stop, form, line[at].ref)
        if answer is None:
            return []
        found.append(Finding(line[at].ref, answer))
    return found


def _answer_before_label(line: list[Token], label: int, form: Form) -> Iterator[Finding]:
    """`1. 3 - Interested`: the mark is the label's own, the answer stands between them."""
    mark = mark_at(line, first_token(line), form, anything=False)
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


def _marked(line: list[Token], form: Form, found: Found) -> None:
    """Reads a line without labels that begins with a mark."""
    if len(line) < 2:
        return
    start = first_token(line)
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
    if len(line) < 4 or sum(token.kind != "mark" for token in line) < 4:
        return None
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
