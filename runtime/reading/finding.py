"""What was found in a reply, and how findings about one item become its value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from runtime.reading.answer import Answer
from runtime.reading.form import Form
from runtime.reading.result import Reading, ReadValue
from schemas.rows import Status


class Finding(msgspec.Struct, frozen=True, gc=False):
    """An answer to the item at `index` (from 0, in the order shown)."""

    index: int
    answer: Answer

    @property
    def place(self) -> int:
        """Where it stands."""
        return self.answer.span[0]


def merged(form: Form, findings: Iterable[Finding], why_none: str, status_of_none: Status) -> Reading:
    """One value an item: what all findings about it agree on. A doubtful finding leaves the item missing,
    whatever else was found: nobody can tell which was meant."""
    by_item: dict[int, list[Answer]] = {}
    for finding in findings:
        by_item.setdefault(finding.index, []).append(finding.answer)
    values, outside = [], False
    for index, item in enumerate(form.items):
        answers = by_item.get(index, [])
        agreed, reason = _agreed(answers)
        outside = outside or (agreed is None and any(answer.out_of_range for answer in answers))
        if agreed is None:
            values.append(ReadValue(item.number, item.position, None, reason or why_none))
        else:
            values.append(ReadValue(item.number, item.position, agreed.value, None, agreed.span))
    return Reading(_status(values, outside, status_of_none), tuple(values))


def _agreed(answers: Sequence[Answer]) -> tuple[Answer | None, str | None]:
    doubtful = next((answer for answer in answers if answer.value is None), None)
    if doubtful is not None:
        return None, doubtful.reason
    if not answers:
        return None, None
    if any(answer.value != answers[0].value for answer in answers):
        return None, "it is answered twice, differently"
    return answers[-1], None


def _status(values: Sequence[ReadValue], outside: bool, status_of_none: Status) -> Status:
    found = sum(value.value is not None for value in values)
    if outside:
        return "out_of_range"
    if found == len(values) and found:
        return "complete"
    return "partial" if found else status_of_none
