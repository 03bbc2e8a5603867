"""Published values: that each has a row of the report to be held against."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.fields import check_outcome, check_values
from compiler.check.recodes import check_pairs
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.analysisrows import rows_of
from compiler.model.published import DIRECTION, NUMBERS, PublishedTable, inline_cell
from compiler.model.recodes import MISSING
from compiler.model.reportrows import TEST, Rows
from compiler.model.study import analyses_of, written
from compiler.resolve import Program

MAX_DECIMALS = 12


def check_expectations(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        analyses = analyses_of(study)
        rows = {
            name: rows_of(program, study, analyses[name])
            for name in dict.fromkeys(_target(expect).text for expect in _expects(study))
            if name in analyses
        }
        for expect in _expects(study):
            target = _target(expect)
            if target.text not in rows:
                yield unknown(target, "analysis", analyses, f" in study `{study.name.text}`")
            elif isinstance(expect, ast.ExpectValue):
                yield from _value(program, study, rows[target.text], expect)
            else:
                yield from _table(program, study, rows[target.text], expect)


def _expects(study: ast.StudyDecl) -> list[ast.ExpectValue | ast.ExpectTable]:
    return [part for part in study.body if isinstance(part, ast.ExpectValue | ast.ExpectTable)]


def _target(expect: ast.ExpectValue | ast.ExpectTable) -> ast.Name:
    """The analysis whose rows are expected."""
    return expect.target.head if isinstance(expect, ast.ExpectValue) else expect.analysis


def _value(program: Program, study: ast.StudyDecl, rows: Rows, expect: ast.ExpectValue) -> Iterator[Diagnostic]:
    column = expect.target.tail
    if column is None or column.text not in NUMBERS:
        name = column or expect.target.head
        help = f"write `{expect.target.head.text}.estimate`" if column is None else nearest(name.text, NUMBERS)
        yield diagnostic(
            Code.UNKNOWN, name.span, kind="column of the report", name=name.text, where="", help=help
        )
    problems = [
        *check_outcome(program, study, rows.analysis, expect.outcome),
        *_one_row(program, study, rows, expect),
    ]
    yield from problems
    if not problems:
        found = inline_cell(study, expect, rows)
        if isinstance(found, Diagnostic):
            yield found


def _one_row(
    program: Program, study: ast.StudyDecl, rows: Rows, expect: ast.ExpectValue
) -> Iterator[Diagnostic]:
    """A `where` that is about columns of the report, each with one value."""
    said = () if expect.where is None else expect.where.predicates
    yield from twice([(predicate.field.span, predicate.field.text) for predicate in said], "`where`")
    for predicate in said:
        yield from _column_values(program, study, rows, predicate)
        if predicate.negated or len(predicate.values) > 1:
            what = "an expected value is of one row: give each field one value"
            yield diagnostic(Code.MAPS_NOTHING, predicate.span, what=what)


def _column_values(
    program: Program, study: ast.StudyDecl, rows: Rows, predicate: ast.PredicateNode
) -> Iterator[Diagnostic]:
    name = predicate.field.text
    if name not in rows.columns:
        yield unknown(predicate.field, "column that tells a row", rows.columns, " from another")
    elif name != TEST:  # a coefficient that the analysis has not is a row that it does not make
        yield from check_values(program, study, predicate)


def _table(program: Program, study: ast.StudyDecl, rows: Rows, expect: ast.ExpectTable) -> Iterator[Diagnostic]:
    where = f"the expectation of `{expect.analysis.text}`"
    columns = [part for part in expect.body if isinstance(part, ast.ExpectColumn)]
    recodes = [part for part in expect.body if isinstance(part, ast.RecodeDecl)]
    problems = [
        *twice([(c.column.span, c.column.text) for c in columns], where),
        *twice([(r.field.span, f"recode {r.field.text}") for r in recodes], where),
        *_columns(columns, rows),
    ]
    mapped = {column.column.text for column in columns}
    if not mapped & {*NUMBERS, "direction"}:
        help = 'add a line such as `estimate = column "change" within 0.1`'
        problems.append(diagnostic(Code.LACKS, expect.span, where=where, what="estimate", help=help))
    yield from problems
    for recode in recodes:
        if recode.field.text not in mapped:
            yield unknown(recode.field, "mapped column", mapped)
        yield from check_pairs(recode)
    for erratum in expect.body:
        if isinstance(erratum, ast.Erratum):
            yield from _erratum(program, study, rows, erratum)
    if not problems:
        read = PublishedTable(program, study, expect, rows).read()
        yield from (found for found in read if isinstance(found, Diagnostic))


def _columns(columns: list[ast.ExpectColumn], rows: Rows) -> Iterator[Diagnostic]:
    known = (*rows.columns, *NUMBERS, DIRECTION)
    for column in columns:
        if column.column.text not in known:
            yield unknown(column.column, "column of the report", known)
        if isinstance(column.source, ast.Str):
            text = column.source.text
            help = f'write `column "{text}"`, or `constant "{text}"`'
            yield diagnostic(Code.NO_COLUMN_WORD, column.source.span, text=text, help=help)
        if column.rounded is not None:
            yield from whole(column.rounded, "rounded", 0, MAX_DECIMALS)


def _erratum(program: Program, study: ast.StudyDecl, rows: Rows, erratum: ast.Erratum) -> Iterator[Diagnostic]:
    for predicate in erratum.where.predicates:
        if MISSING not in map(written, predicate.values):
            yield from _column_values(program, study, rows, predicate)
