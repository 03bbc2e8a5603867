"""A reply to one item: an answer that opens it, stands alone on a line, or is given with its label."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from runtime.reading.answer import Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.marks import ITEM_WORDS
from runtime.reading.numbers import REASONS, number_end
from runtime.reading.tokens import Token

ANNOUNCING = frozenset(
    (
        *(
            "answer",
            "response",
            "rating",
            "score",
            "choice",
            "verdict",
            "opinion",
            "option",
            "select",
            "selection",
        ),
        *(
            "antwort",
            "bewertung",
            "respuesta",
            "puntuación",
            "resposta",
            "réponse",
            "note",
            "risposta",
            "punteggio",
        ),
        *(
            "antwoord",
            "odpowiedź",
            "ответ",
            "оценка",
            "cevap",
            "jawaban",
            "答案",
            "选择",
            "回答",
            "评分",
            "答え",
            "답변",
            "답",
        ),
        *("الإجابة", "उत्तर", "svar", "vastaus", "відповідь"),
    )
)
CHOOSING = frozenset(
    (
        *(
            "choose",
            "pick",
            "select",
            "answer",
            "rate",
            "give",
            "option",
            "a",
            "is",
            "with",
            "as",
            "it",
            "say",
            "be",
        ),
        *("ist", "es", "est", "è", "at", "this", "towards", "toward"),
    )
)
VERBS = ANNOUNCING | {"choose", "pick", "rate", "give"}
OF_OTHERS = frozenset(
    (
        *(
            "not",
            "cannot",
            "can't",
            "won't",
            "wouldn't",
            "couldn't",
            "don't",
            "never",
            "neither",
            "nor",
            "avoid",
            "than",
        ),
        *("people", "many", "most", "others", "some", "someone", "they", "he", "she", "you", "one", "if"),
    )
)
"""Before a number in a sentence: it is denied, or somebody else's."""
FIRST_PERSON = frozenset(("i", "i'd", "i'll", "would", "my"))
SAYING = frozenset(("say", "go", "lean", "put", "leaning"))
MOST_BEHIND = 12
"""Tokens behind a label that still is an answer."""
FROM_TO = re.compile(
    r"\b(?:from|between)\s+\d{1,3}\b[^.\n]{0,60}?\b(?:to|and)\s+\d{1,3}\b(?:\s*\([^)\n]{0,60}\))?"
)


def single_findings(text: str, lines: Sequence[list[Token]], form: Form) -> list[Finding]:
    """The answers to the only item."""
    explained = [(m.start(), m.end()) for m in FROM_TO.finditer(text)]
    numbered = sum(line[0].kind == "number" for line in lines if line)
    unmarked = [_behind_mark(line) for line in lines] if numbered <= 1 else lines
    kept = _without_enumerations([_outside(line, explained) for line in unmarked])
    return [Finding(0, answer) for answer in _answers([line for line in kept if line], form)]


def _behind_mark(line: list[Token]) -> list[Token]:
    """Of a line that is the item's own number and one more, "1. 3" or "Item 1: 3", the other."""
    marked = line[1:] if line and line[0].text in ITEM_WORDS else line
    numbered = len(marked) == 3 and [token.kind for token in marked[::2]] == ["number", "number"]
    return marked[2:] if numbered and marked[0].text == "1" and marked[1].text in (".", ")", ":") else line


def _outside(line: list[Token], spans: Sequence[tuple[int, int]]) -> list[Token]:
    """What of a line stands in none of some spans, which are in order."""
    if not line:
        return line
    first = bisect_right(spans, line[0].start, key=lambda span: span[1])
    last = bisect_left(spans, line[-1].end, key=lambda span: span[0])
    near = spans[first:last]
    return [token for token in line if not _within(near, token.start)] if near else line


def _within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether a place lies in one of some spans, which are in order."""
    at = bisect_right(spans, place, key=lambda span: span[0])
    return at > 0 and place < spans[at - 1][1]


def _without_enumerations(lines: Sequence[list[Token]]) -> list[list[Token]]:
    """Drops "1. ... 2. ... 3. ...": an echo of the options, or somebody's list of arguments."""
    marks = [
        (number, at)
        for number, line in enumerate(lines)
        for at in range(len(line) - 1)
        if line[at].kind == "number" and line[at + 1].text in (".", ")") and line[at + 1].start == line[at].end
    ]
    listed: set[tuple[int, int]] = set()
    run: list[tuple[int, int]] = []
    for place in [*marks, None]:
        value = None if place is None else _number(lines, place)
        if run and value is not None and value == _number(lines, run[-1]) + 1:
            run.append(place)  # type: ignore[arg-type]
            continue
        if len(run) > 1:
            listed.update(run)
        run = [place] if place is not None and value in (0, 1) else []
    return [_cut(line, number, listed) for number, line in enumerate(lines)]


def _cut(line: list[Token], number: int, listed: set[tuple[int, int]]) -> list[Token]:
    """A line up to the first mark of a list in it."""
    first = next((at for at in range(len(line)) if (number, at) in listed), None)
    return line if first is None else line[:first]


def _number(lines: Sequence[list[Token]], place: tuple[int, int]) -> int:
    text = lines[place[0]][place[1]].text
    return int(text) if text.isdecimal() and len(text) < 4 else -9


def _answers(lines: Sequence[list[Token]], form: Form) -> Iterator[Answer]:
    for number, line in enumerate(lines):
        opening = _opening(line, form, first=number == 0)
        if opening is not None:
            yield opening
        yield from _announced(line, form)


def _opening(line: list[Token], form: Form, *, first: bool) -> Answer | None:
    """An answer at the start of a line: what stands behind it must set it apart."""
    start = 0
    while start < len(line) and line[start].text in "-*•(>#\"'[":
        start += 1
    if start + 1 < len(line) and line[start].text in ANNOUNCING and line[start + 1].text in (":", "="):
        start += 2
    while start < len(line) and line[start].text in "(\"'[":
        start += 1
    if start >= len(line) or line[start].kind not in ("number", "anchor"):
        return None
    if line[start].kind == "anchor":
        return answer_at(line, start, len(line), form, 0) if _alone(line, start) else None
    codes = form.codes[0]
    end, problem = number_end(line, start, len(line), codes[-1] if codes else 0.0)
    if all(token.kind == "mark" for token in line[end:]) or _labelled(line, start):
        return _whole_answer(line, start, len(line), form)
    if not first or problem is not None:
        return None
    if line[end].text in REASONS:
        return answer_at(line, start, len(line), form, 0)
    if _far(line, end):
        return answer_at(line, start, end, form, 0)
    if line[end].text in (":", "(", "-", ","):
        return _whole_answer(line, start, len(line), form)
    return None


def _alone(line: list[Token], anchor: int) -> bool:
    """Whether nothing stands behind a label but marks, and its number."""
    behind = [at for at in range(anchor + 1, min(len(line), anchor + MOST_BEHIND)) if line[at].kind != "mark"]
    if len(line) > anchor + MOST_BEHIND or len(behind) > 1:
        return False
    return not behind or (line[behind[0]].kind == "number" and line[anchor + 1].text in "(-=,[")


def _far(line: list[Token], end: int) -> bool:
    """Whether more than one blank stands before a token, as where a line break was lost."""
    return line[end].start - line[end - 1].end > 1


def _labelled(line: list[Token], number: int) -> int | None:
    """Where the label right behind a number stands, with marks at most between them."""
    for at in range(number + 1, min(len(line), number + 5)):
        if line[at].kind == "anchor":
            return at
        if line[at].kind != "mark":
            return None
    return None


def _whole_answer(line: list[Token], start: int, stop: int, form: Form) -> Answer | None:
    """The answer at `start`, judged by its number and the label right behind it."""
    label = _labelled(line, start)
    if label is not None:
        return answer_at(line, start, label + 1, form, 0)
    return answer_at(line, start, min(stop, start + 1 + _tail(line, start + 1, stop)), form, 0)


def _tail(line: list[Token], at: int, stop: int) -> int:
    """How many tokens behind a number may change what it is: "/7", "%", "out of 7", "or 5", "-5"."""
    return next((n - at for n in range(at, stop) if n >= at + 3 or line[n].text in "(;:!?"), stop - at)


def _announced(line: list[Token], form: Form) -> Iterator[Answer]:
    """An answer in a sentence: a number with its label ("a 3) Agree"), or one that is announced ("option
    2"), or a label behind a colon ("My answer: Agree")."""
    for at in range(1, len(line)):
        token = line[at]
        if token.kind == "anchor" and _is_announced_label(line, at):
            answer = answer_at(line, at, len(line), form, 0)
        elif token.kind != "number":
            continue
        else:
            label = _labelled(line, at)
            if label is not None and label > at + 1:
                answer = answer_at(line, at, label + 1, form, 0)
            elif _is_announced(line, at):
                answer = answer_at(line, at, min(len(line), at + 1 + _tail(line, at + 1, len(line))), form, 0)
            else:
                continue
        if answer is not None:
            yield answer


def _is_announced_label(line: list[Token], at: int) -> bool:
    before = [token.text for token in line[max(0, at - 5) : at] if token.text not in "\"'(["]
    return before[-1:] == [":"] and bool(VERBS & set(before)) and _alone(line, at)


def _is_announced(line: list[Token], at: int) -> bool:
    words = [token.text for token in line[max(0, at - 4) : at]]
    if not OF_OTHERS.isdisjoint(token.text for token in line[max(0, at - 7) : at]):
        return False
    if words[-1] == ":":
        return bool(ANNOUNCING & set(words))
    if at + 1 < len(line) and line[at + 1].kind == "word" and line[at + 1].text not in ("out", "because", "on"):
        return False
    if words == ["option"] or (
        words[-1] in SAYING | CHOOSING and SAYING & set(words) and FIRST_PERSON & set(words)
    ):
        return True
    return len(words) > 1 and words[-1] in CHOOSING and bool(VERBS & set(words))
