"""Published values: that each has a row of the report to be held against."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.analyses import check_outcome, check_values
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.published import COLUMNS, NUMBERS, PublishedTable, inline_cell
from compiler.model.reportrows import MISSING, ROW_COLUMNS, Rows, rows_of
from compiler.model.study import statements, written
from compiler.resolve import Program

MAX_DECIMALS = 12


def check_expectations(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        contrasts = {c.name.text: c for c in statements(study, ast.ContrastDecl)}
        for value in statements(study, ast.ExpectValue):
            target = value.target.head
            if target.text in contrasts:
                yield from _value(program, study, rows_of(program, study, contrasts[target.text]), value)
            else:
                yield unknown(target, "contrast", contrasts, f" in study `{study.name.text}`")
        for table in statements(study, ast.ExpectTable):
            target = table.contrast
            if target.text in contrasts:
                yield from _table(program, study, rows_of(program, study, contrasts[target.text]), table)
            else:
                yield unknown(target, "contrast", contrasts, f" in study `{study.name.text}`")


def _value(program: Program, study: ast.StudyDecl, rows: Rows, expect: ast.ExpectValue) -> Iterator[Diagnostic]:
    column = expect.target.tail
    if column is None or column.text not in NUMBERS:
        name = column or expect.target.head
        help = f"write `{expect.target.head.text}.estimate`" if column is None else nearest(name.text, NUMBERS)
        yield diagnostic(
            Code.UNKNOWN, name.span, kind="column of the report", name=name.text, where="", help=help
        )
    problems = [*check_outcome(program, study, expect.outcome), *_one_row(program, study, rows, expect)]
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
    known = (*ROW_COLUMNS, *rows.covariates)
    if predicate.field.text in known:
        yield from check_values(program, study, predicate)
    else:
        yield unknown(predicate.field, "column that tells a row", known, " from another")


def _table(program: Program, study: ast.StudyDecl, rows: Rows, expect: ast.ExpectTable) -> Iterator[Diagnostic]:
    where = f"the expectation of `{expect.contrast.text}`"
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
        yield from twice([(pair.spelling.span, pair.spelling.text) for pair in recode.pairs], "this recode")
    for erratum in expect.body:
        if isinstance(erratum, ast.Erratum):
            yield from _erratum(program, study, rows, erratum)
    if not problems:
        read = PublishedTable(program, study, expect, rows).read()
        yield from (found for found in read if isinstance(found, Diagnostic))


def _columns(columns: list[ast.ExpectColumn], rows: Rows) -> Iterator[Diagnostic]:
    known = (*COLUMNS, *rows.covariates)
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
