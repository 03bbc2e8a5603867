"""What stands under a report's tables: why a number is missing, and what is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from schemas.plan import Unit
from schemas.report import ReportRow
from warehouse.report.titles import Titles
from warehouse.report.words import UNITS, count

SHOWN = 5


def notes(rows: Sequence[ReportRow], unit: Unit, titles: Titles) -> Iterator[str]:
    """Of one panel's rows of one analysis and scale. `unit`: what they count."""
    noted: dict[str, list[str]] = {}
    for row in rows:
        if row.note is not None:
            noted.setdefault(_named(row.note, row), []).append(f"{titles.group(row)} ({row.subscale_title})")
    for note, groups in noted.items():
        yield f"{note[0].upper()}{note[1:]}: {_some(list(dict.fromkeys(groups)))}."
    yield from _coverage(rows, unit, titles)
    yield from _without_a_value(rows)
    if any(sum(row.refused.values()) for row in rows):
        yield "refused: replies that decline to answer, of all replies. They have no values and are in no mean."


def _named(note: str, row: ReportRow) -> str:
    """A note with the sides' names in place of their letters."""
    names = [row.a_label, row.b_label] if row.b_label else row.a_label.split(", ")
    sides = dict(zip(ascii_lowercase, names, strict=False))
    return re.sub(r"\bside ([a-z])\b", lambda found: sides.get(found[1], found[0]), note)


def _coverage(rows: Sequence[ReportRow], unit: Unit, titles: Titles) -> Iterator[str]:
    """What is left out of the numbers: overall, or else group by group."""
    shown = [row for row in rows if row.group_kind == "overall"] or list(rows)
    said: dict[str, list[str]] = {}
    for row in shown:
        for text in _lacking(row, unit):
            said.setdefault(text, []).append(f"{titles.group(row)} ({row.subscale_title})")
    everywhere = len({(titles.group(row), row.subscale) for row in shown})
    for text, groups in said.items():
        distinct = list(dict.fromkeys(groups))
        yield f"{text}." if len(distinct) == everywhere else f"{text}: {_some(distinct)}."


def _lacking(row: ReportRow, unit: Unit) -> Iterator[str]:
    """How many of its units, and where people are not told apart, of its stimuli, are in its numbers; what its
    units are not."""
    noun, nouns = ("pair", "pairs") if row.paired and row.kind in _COMPARED else UNITS[unit]
    if row.found < row.expected:
        reasons = "; ".join(f"{reason.replace('_', ' ')} {n:,}" for reason, n in row.left_out.items())
        yield f"{row.found:,} of {count(row.expected, noun, nouns)}" + (f" ({reasons})" if reasons else "")
    for side, people in row.respondents.items():
        yield (
            f"The answers of {side} are of {count(people, 'person', 'people')} who count more than once; "
            "`per respondent` takes the mean of each"
        )
    if row.partial:
        yield f"{row.partial:,} of {count(row.found, noun, nouns)} have answers in some conditions only"
    if not row.groups and row.stimuli is not None and (row.stimuli_answered or 0) < row.stimuli:
        yield f"{row.stimuli_answered or 0:,} of {count(row.stimuli, 'stimulus', 'stimuli')} answered"


_COMPARED = ("change", "difference", "rate")


def _some(groups: Sequence[str]) -> str:
    more = f"; and {len(groups) - SHOWN} more" if len(groups) > SHOWN else ""
    return "; ".join(groups[:SHOWN]) + more


def _without_a_value(rows: Sequence[ReportRow]) -> Iterator[str]:
    """How many have no value of what a group is made by."""
    overall = {
        (row.scale, row.subscale, row.test): row
        for row in rows
        if row.group_kind == "overall" and not row.means
    }
    in_groups: dict[str, dict[tuple[str, str, str], int]] = {}
    for row in rows:
        if row.groups and set(row.group_kind.split(" * ")) == set(row.groups):
            sums = in_groups.setdefault(row.group_kind, {})
            key = (row.scale, row.subscale, row.test)
            sums[key] = sums.get(key, 0) + row.a_n
    for kind, sums in in_groups.items():
        without = max((overall[key].a_n - n for key, n in sums.items() if key in overall), default=0)
        if without > 0:
            yield f"Left out of the groups by {kind}: {count(without, 'answer')} without a value of it."
