"""Replies that are a list and nothing else, which most are: a line an item, with its mark, its label or both.

What is read here is what the general reader reads, at a tenth of its time. Whatever departs from the form in
any way (an item twice, a number that is no option, one word more) is left to the general reader.
"""

from __future__ import annotations

import re

from runtime.reading.form import Form
from runtime.reading.result import Reading, ReadValue

LINE = re.compile(r"(?:(\d{1,3})[.):] )?(?:([a-z]+(?: [a-z]+)*): )?(\d{1,3}) *")


def regular(text: str, form: Form) -> Reading | None:
    """The reading of a plain text that answers every item once, in lines such as `1. 3`, `calm: 3` or
    `1. calm: 3`; None for any other."""
    if not form.names:
        return None
    lines = text.rstrip(" \n").split("\n")
    if len(lines) != len(form.items):
        return None
    values: list[ReadValue | None] = [None] * len(lines)
    labelled, at = None, 0
    for line in lines:
        found = LINE.fullmatch(line)
        if found is None:
            return None
        mark, label, number = found.groups()
        index = form.marks.get(mark) if label is None else form.names.get(label)
        if index is None or (mark is not None and form.marks.get(mark) != index):
            return None
        if labelled is not (label is not None) and at > 0:
            return None
        labelled = label is not None
        item, value = form.items[index], float(number)
        if values[index] is not None or all(option.code != value for option in item.options):
            return None
        span = (at + found.start(3), at + found.end(3))
        values[index] = ReadValue(item.number, item.position, value, None, span)
        at += len(line) + 1
    return Reading("complete", tuple(value for value in values if value is not None))
