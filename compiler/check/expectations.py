"""Published values: that each has a row of the report to be held against."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.analyses import check_outcome, check_where
from compiler.check.wording import twice, unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.published import COLUMNS, NUMBERS, PublishedTable, group_kind, inline_cell, vocabulary
from compiler.model.study import OBSERVATION_FIELDS, covariates_of, groups_of, statements
from compiler.resolve import Program
from schemas.plan import ExpectedCell


def check_expectations(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        contrasts = {c.name.text: c for c in statements(study, ast.ContrastDecl)}
        for value in statements(study, ast.ExpectValue):
            yield from _value(program, study, contrasts, value)
        for table in statements(study, ast.ExpectTable):
            contrast = contrasts.get(table.contrast.text)
            if contrast is None:
                yield unknown(table.contrast, "contrast", contrasts, f" in study `{study.name.text}`")
            else:
                yield from _table(program, study, contrast, table)


def _value(
    program: Program, study: ast.StudyDecl, contrasts: dict[str, ast.ContrastDecl], expect: ast.ExpectValue
) -> Iterator[Diagnostic]:
    contrast = contrasts.get(expect.target.head.text)
    if contrast is None:
        yield unknown(expect.target.head, "contrast", contrasts, f" in study `{study.name.text}`")
        return
    column = expect.target.tail
    if column is None or column.text not in NUMBERS:
        name = column or expect.target.head
        help = f"write `{expect.target.head.text}.estimate`" if column is None else nearest(name.text, NUMBERS)
        yield diagnostic(
            Code.UNKNOWN, name.span, kind="column of the report", name=name.text, where="", help=help
        )
    yield from check_outcome(program, study, expect.outcome)
    if expect.where is not None:
        yield from check_where(program, study, expect.where)
        for predicate in expect.where.predicates:
            if predicate.negated or len(predicate.values) > 1:
                what = "an expected value is of one row: give each field one value"
                yield diagnostic(Code.MAPS_NOTHING, predicate.span, what=what)
    yield from _has_row(study, contrast, inline_cell(expect), expect)


def _has_row(
    study: ast.StudyDecl, contrast: ast.ContrastDecl, cell: ExpectedCell, node: ast.Node
) -> Iterator[Diagnostic]:
    kinds = {" * ".join(kind) or "overall" for kind in groups_of(contrast)}
    kind = group_kind(cell.row)
    if kind not in kinds:
        help = f"contrast `{contrast.name.text}` is made by {', '.join(sorted(kinds))}"
        yield diagnostic(Code.NO_ROW, node.span, study=study.name.text, row=_shown(cell, kind), help=help)


def _shown(cell: ExpectedCell, kind: str) -> str:
    named = [f"{key} {value}" for key, value in cell.row.items() if value is not None and key != "group_kind"]
    return f"{', '.join(named)} ({kind})"


def _table(
    program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl, expect: ast.ExpectTable
) -> Iterator[Diagnostic]:
    where = f"the expectation of `{expect.contrast.text}`"
    columns = [part for part in expect.body if isinstance(part, ast.ExpectColumn)]
    yield from twice([(c.column.span, c.column.text) for c in columns], where)
    problems = list(_columns(columns))
    yield from problems
    mapped = {column.column.text for column in columns}
    for part in expect.body:
        if isinstance(part, ast.RecodeDecl) and part.field.text not in mapped:
            yield unknown(part.field, "mapped column", mapped)
        elif isinstance(part, ast.Erratum):
            yield from _erratum(program, study, part)
    if not mapped & {*NUMBERS, "direction"}:
        help = 'add a line such as `estimate = column "change" within 0.1`'
        yield diagnostic(Code.LACKS, expect.span, where=where, what="estimate", help=help)
    if problems:
        return
    seen: set[str] = set()
    for found in PublishedTable(program, study, expect, vocabulary(program, study, contrast)).read():
        if isinstance(found, Diagnostic):
            yield found
            continue
        for problem in _has_row(study, contrast, found, expect):
            if group_kind(found.row) not in seen:
                yield problem
            seen.add(group_kind(found.row))


def _columns(columns: list[ast.ExpectColumn]) -> Iterator[Diagnostic]:
    for column in columns:
        if column.column.text not in COLUMNS:
            yield unknown(column.column, "column of the report", COLUMNS)
        if isinstance(column.source, ast.Str):
            text = column.source.text
            help = f'write `column "{text}"`, or `constant "{text}"`'
            yield diagnostic(Code.NO_COLUMN_WORD, column.source.span, text=text, help=help)
        if column.rounded is not None and not (column.rounded.is_whole and column.rounded.value <= 12):
            found = f"{column.rounded.value:g}"
            yield diagnostic(
                Code.OUT_OF_RANGE,
                column.rounded.span,
                what="rounded",
                found=found,
                wanted="a whole number of decimals",
            )


def _erratum(program: Program, study: ast.StudyDecl, erratum: ast.Erratum) -> Iterator[Diagnostic]:
    known = {*OBSERVATION_FIELDS, "factor_index", *covariates_of(program, study)}
    for predicate in erratum.where.predicates:
        if predicate.field.text not in known:
            help = nearest(predicate.field.text, known)
            yield diagnostic(Code.NO_FIELD, predicate.field.span, name=predicate.field.text, help=help)
