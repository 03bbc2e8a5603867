"""A report in each of its formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Literal, assert_never, get_args

import msgspec

from schemas.report import Report, ReportRow
from warehouse.grid import markdown_table, one_line
from warehouse.report.build import StudyReport
from warehouse.report.sections import sections
from warehouse.report.text import text

Format = Literal["text", "markdown", "csv", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)


def render(study: StudyReport, form: Format) -> str:
    """The report as text that ends in a line break."""
    match form:
        case "text":
            return text(study)
        case "markdown":
            return markdown(study)
        case "csv":
            return csv_rows(study.report)
        case "json":
            return json_object(study.report)
        case _:
            assert_never(form)


def markdown(study: StudyReport) -> str:
    """The report in GitHub's Markdown."""
    return "\n".join(_markdown_lines(study)).strip() + "\n"


def _markdown_lines(study: StudyReport) -> Iterator[str]:
    for section in sections(study):
        if section.title:
            yield f"{'#' * section.level} {one_line(section.title)}"
            yield ""
        for paragraph in section.paragraphs:
            yield one_line(paragraph)
            yield ""
        if section.block is not None:
            names = [": ".join(filter(None, (c.title, c.name))) for c in section.block.columns]
            yield from markdown_table(names, [(_indented(row[0]), *row[1:]) for row in section.block.rows])
            yield ""


def _indented(label: str) -> str:
    """Markdown drops blanks at the start of a cell; a factor stands under its emotion all the same."""
    return "&emsp;" * ((len(label) - len(label.lstrip(" "))) // 2) + label.lstrip(" ")


def csv_rows(report: Report) -> str:
    """The rows with their column names; `groups` is a JSON object, a missing value is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ReportRow.__struct_fields__)
    for row in report.rows:
        writer.writerow(_csv_cell(value) for value in msgspec.structs.astuple(row))
    return out.getvalue()


def _csv_cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return repr(value)
        case dict():
            return msgspec.json.encode(value).decode()
        case _:
            return str(value)


def json_object(report: Report) -> str:
    """One object: study, rows, expectations."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"
