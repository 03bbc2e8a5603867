"""Reads a reply to a questionnaire.

Rules: labels decide over numbers, numbers over order; bare numbers are taken only where their number is that of
the items; a list under a heading such as "Revised" replaces what stood before; what is said twice must agree.
In doubt the item is missing, with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runtime.reading.bare import bare_findings
from runtime.reading.corrections import corrections
from runtime.reading.documents import document_findings, documents
from runtime.reading.finding import Finding, merged
from runtime.reading.form import Form, form_of
from runtime.reading.grouping import grouped
from runtime.reading.lines import Found, line_findings
from runtime.reading.refusals import declines, gives_an_example
from runtime.reading.regular import regular
from runtime.reading.result import Reading
from runtime.reading.single import single_findings
from runtime.reading.tables import is_row, table_findings
from runtime.reading.text import plain
from runtime.reading.tokens import Token
from schemas.render import Shown

REVISED = re.compile(
    r"\b(?:revis(?:ed?|ion|ing)|final|finally|updated?|correct(?:ed|ion)|adjusted|reconsider(?:ed|ing)?|new|finales?"
    r"|finaux|finali|finais|definitiv[aeo]s?|corregid[ao]s?|revisad[ao]s?|endgültige?n?|überarbeitete?|korrigierte?"
    r"|окончательн\w+|итогов\w+)\b|修订|修正|最终|最終|最后|最後|수정|최종"
)
SCORES_OF = re.compile(r"\b(?:scores?|ratings?|answers?|values|responses|list|version)\b")
LONGEST = 1_000_000


def read(
    text: str, shown: Shown, *, marks: Sequence[str] = (), letters: Mapping[str, float] | None = None
) -> Reading:
    """The values that a reply gives to the items shown. `marks`: what stood before the items, where not their
    positions; `letters`: the codes of options that were shown with letters. Never raises; takes time
    linear in the length of the text."""
    form = form_of(shown, tuple(marks), tuple((letters or {}).items()))
    if len(text) > LONGEST:
        return merged(form, (), f"the reply is longer than {LONGEST:,} characters", "unparseable")
    even = plain(text)
    listed = regular(even, form)
    if listed is not None:
        return listed
    findings = _findings(text, even, form)
    if not declines(even):
        return merged(form, findings, "no answer was found", "unparseable")
    if findings and (_only_phone_numbers(even, findings) or _only_an_example(even, findings)):
        findings = []
    return merged(form, findings, "the reply declines", "refused")


def _only_an_example(text: str, findings: Sequence[Finding]) -> bool:
    return gives_an_example(text[: min(finding.place for finding in findings)])


def _only_phone_numbers(text: str, findings: Sequence[Finding]) -> bool:
    """Whether nothing was found but numbers of three digits and more, as of help lines."""
    said = (text[slice(*finding.answer.span)] for finding in findings)
    return all(finding.answer.value is None for finding in findings) and all(
        one.isdecimal() and len(one) > 2 for one in said
    )


def _findings(text: str, even: str, form: Form) -> list[Finding]:
    found: list[Finding] = []
    rest = even
    for begin, end, document in documents(_kept(text, even)) if "{" in even or "[" in even else ():
        said = document_findings(document, form)
        if said:
            found += said
            rest = rest[:begin] + " " * (end - begin) + rest[end:]
    lines = _lines(rest, form)
    if len(form.items) == 1 and not found:
        return _labelled_single(lines, form) or single_findings(rest, lines, form)
    outside = lines
    if rest.count("|") > 1:
        found += _of_tables(lines, form)
        outside = [[] if is_row(line) else line for line in lines]
    spoken = line_findings(outside, form)
    found += spoken.labelled
    if found:
        return _after_revision(rest, lines, [*found, *_whole_list(spoken, form), *corrections(lines, form)])
    return _by_mark(spoken, form, lines, rest)


def _kept(text: str, even: str) -> str:
    """The reply as it was written, where it was not blanked."""
    return "".join(a if b != " " or a.isspace() else " " for a, b in zip(text, even, strict=True))


def _lines(text: str, form: Form) -> list[list[Token]]:
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append(grouped(line, at, form))
        at += len(line) + 1
    return lines


def _of_tables(lines: Sequence[list[Token]], form: Form) -> list[Finding]:
    found: list[Finding] = []
    table: list[list[Token]] = []
    for line in [*lines, []]:
        if line and is_row(line):
            table.append(line)
        elif table:
            found += table_findings(table, form)
            table = []
    return found


def _by_mark(spoken: Found, form: Form, lines: Sequence[list[Token]], text: str) -> list[Finding]:
    """Answers without labels: beside the items' numbers, or else bare."""
    if spoken.strange:
        return []
    whole_key = len(spoken.echoes) >= len(form.items[0].options)
    marked = spoken.marked + (spoken.echoes if spoken.spelled and not whole_key else [])
    if marked:
        return _after_revision(text, lines, [*marked, *corrections(lines, form)])
    return bare_findings(lines, form)


def _whole_list(spoken: Found, form: Form) -> list[Finding]:
    """Answers by number, if they answer every item: beside those with labels they are a second list."""
    whole = not spoken.strange and {finding.index for finding in spoken.marked} == set(range(len(form.items)))
    return spoken.marked if whole and all(finding.answer.value is not None for finding in spoken.marked) else []


def _after_revision(text: str, lines: Sequence[list[Token]], found: list[Finding]) -> list[Finding]:
    """What stands below the last heading that replaces and has findings below it; otherwise everything."""
    last = max((finding.place for finding in found), default=0)
    if not REVISED.search(text, 0, last):
        return found
    for line in reversed(lines):
        if line and line[-1].end <= last and _replaces(text, line):
            return [finding for finding in found if finding.place >= line[-1].end]
    return found


def _replaces(text: str, line: list[Token]) -> bool:
    said = text[line[0].start : line[-1].end]
    if len(said) > 80 or any(token.kind in ("number", "label") for token in line):
        return False
    headed = said.endswith(":") or said.startswith("#")
    named = len(line) <= 5 and SCORES_OF.search(said) is not None
    return (headed or named) and REVISED.search(said) is not None


def _labelled_single(lines: Sequence[list[Token]], form: Form) -> list[Finding]:
    return line_findings(lines, form).labelled
