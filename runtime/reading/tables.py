"""Answers in tables whose cells are set apart by bars."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.reading.answer import Answer, answer_at
from runtime.reading.finding import Finding
from runtime.reading.form import Form
from runtime.reading.tokens import Token

Cell = list[Token]
SCORES = frozenset(
    ("score", "rating", "value", "answer", "response", "评分", "分数", "得分", "スコア", "点数", "puntuación")
)


def is_row(line: list[Token]) -> bool:
    """Whether a line is a row of a table."""
    return [token.text for token in line].count("|") >= 2


def table_findings(rows: Sequence[list[Token]], form: Form) -> list[Finding]:
    """What a table says: scores beside labels, or below them."""
    cells = [_cells(row) for row in rows if any(token.kind != "mark" for token in row)]
    if not cells:
        return []
    header = cells[0]
    if sum(_label(cell) is not None for cell in header) > 1 and not any(_numbers(cell) for cell in header):
        return _below(header, cells[1:], form)
    columns = {at for at, cell in enumerate(header) if any(token.text in SCORES for token in cell)}
    if not any(token.kind == "label" for row in cells for cell in row for token in cell):
        return _by_mark(cells[1:], columns, form)
    return [finding for row in cells for finding in _beside(row, columns, form)]


def _by_mark(rows: Sequence[list[Cell]], columns: set[int], form: Form) -> list[Finding]:
    """Scores below a heading, beside the items' numbers, each of which stands once in the first column."""
    marks = [row[0][0].text if row and len(row[0]) == 1 else "" for row in rows]
    if len(columns) != 1 or len(set(marks)) < len(marks) or not form.marks.keys() >= set(marks):
        return []
    (column,) = columns
    found = []
    for mark, row in zip(marks, rows, strict=True):
        index = form.marks[mark]
        answer = _answer(row[column], form, index) if 0 < column < len(row) else None
        if answer is not None:
            found.append(Finding(index, answer))
    return found


def _cells(row: list[Token]) -> list[Cell]:
    cells: list[Cell] = [[]]
    for token in row:
        if token.text == "|":
            cells.append([])
        else:
            cells[-1].append(token)
    return cells[1:] if not cells[0] else cells


def _below(header: list[Cell], rows: Sequence[list[Cell]], form: Form) -> list[Finding]:
    found = []
    for row in rows:
        for name, cell in zip(header, row, strict=False):
            index = _label(name)
            answer = None if index is None else _answer(cell, form, index)
            if index is not None and answer is not None:
                found.append(Finding(index, answer))
    return found


def _beside(row: list[Cell], columns: set[int], form: Form) -> list[Finding]:
    labels = [at for at, cell in enumerate(row) if _label(cell) is not None]
    found = []
    for at, after in zip(labels, [*labels[1:], len(row)], strict=False):
        index = _label(row[at])
        assert index is not None
        beside = [row[n] for n in range(at + 1, after) if not columns or n in columns]
        if columns and len(labels) == 1:
            beside = [row[n] for n in columns if n != at and n < len(row)]
        answers = [answer for cell in beside if (answer := _answer(cell, form, index)) is not None]
        own = _own_answer(row[at], form, index)
        if not answers and own is not None:
            answers = [own]
        if len(answers) == 1:
            found.append(Finding(index, answers[0]))
        elif len({answer.value for answer in answers}) > 1:
            span, end = answers[0].span, answers[0].end
            found.append(Finding(index, Answer(None, span, end, "several columns hold numbers")))
        elif answers:
            found.append(Finding(index, answers[0]))
    return found


def _own_answer(cell: Cell, form: Form, index: int) -> Answer | None:
    """What stands behind the label in its own cell."""
    at = next(at for at, token in enumerate(cell) if token.kind == "label")
    return answer_at(cell, at + 1, len(cell), form, index)


def _label(cell: Cell) -> int | None:
    """The item that a cell names: alone, or behind its number."""
    named = [token for token in cell if token.kind not in ("mark", "number")]
    return named[0].ref if len(named) == 1 and named[0].kind == "label" else None


def _numbers(cell: Cell) -> bool:
    return any(token.kind == "number" for token in cell)


def _answer(cell: Cell, form: Form, index: int) -> Answer | None:
    line = [Token("mark", "|", 0, 0), *cell]
    return answer_at(line, 1, len(line), form, index)
