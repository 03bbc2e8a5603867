"""Stimuli from data files: that every row is one, known by its name."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.mappings import TAKEN
from compiler.check.places import no_word
from compiler.check.recodes import check_pairs
from compiler.check.wording import twice, unknown
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.datasets import NAME, dataset, fields_from
from compiler.model.grids import column_index, column_problems, columns_told, long_rows
from compiler.model.recodes import spelled
from compiler.resolve import Program
from schemas.table import Table

OPEN = frozenset({"emotion", "factor", "situation", "subject"})
"""Fields that a stimulus of any kind may have, though mappings know them, too."""

RESERVED = (TAKEN - OPEN) | {"presented", "scale"}


def check_datasets(program: Program) -> Iterator[Diagnostic]:
    for decl in program.stimuli.values():
        table = program.table(decl.path, decl.sheet)
        yield from _statements(decl)
        if isinstance(table, str):
            yield diagnostic(Code.DATA_FILE, decl.path.span, message=table)
            continue
        problems = [problem for part in fields_from(decl) for problem in _source(decl, part, table)]
        yield from problems
        yield from long_rows(table, decl.path)
        if not problems:
            yield from _rows(program, decl, table)
            yield from _unused(program, decl)


def _statements(decl: ast.StimuliDecl) -> Iterator[Diagnostic]:
    fields, where = fields_from(decl), f"stimuli `{decl.name.text}`"
    yield from twice([(part.name.span, part.name.text) for part in fields], where)
    if not any(part.name.text != NAME for part in fields):
        help = 'add a line such as `situation = column "text"`'
        yield diagnostic(Code.LACKS, decl.name.span, where=where, what="FIELD =", help=help)
    for part in fields:
        name = part.name.text
        if name in RESERVED:
            first, second = "this field", "what prompts, analyses or reports mean by that name"
            help = f"give it another name, such as `own_{name}`"
            yield diagnostic(Code.AMBIGUOUS, part.name.span, name=name, first=first, second=second, help=help)
    recodes = [part for part in decl.body if isinstance(part, ast.RecodeDecl)]
    yield from twice([(part.field.span, f"recode {part.field.text}") for part in recodes], where)
    known = [part.name.text for part in fields]
    for recode in recodes:
        if recode.field.text not in known:
            yield unknown(recode.field, "field", known, f" of {where}")
        yield from check_pairs(recode)


def _source(decl: ast.StimuliDecl, part: ast.FieldFrom, table: Table) -> Iterator[Diagnostic]:
    match part.source:
        case ast.PlaceNode(axis="row"):
            wanted, name = "a column (a stimulus is a row)", part.name.text
            yield diagnostic(Code.WRONG_TYPE, part.source.span, what=name, wanted=wanted, found="a row")
        case ast.PlaceNode(at=at):
            yield from column_problems(table, decl.path, at)
        case ast.Str():
            yield no_word(part.source, "column")
        case _:
            pass


def _rows(program: Program, decl: ast.StimuliDecl, table: Table) -> Iterator[Diagnostic]:
    """That there are rows, each with a name that no other has unless it says the same."""
    data, path = dataset(program, decl), decl.path.text
    if not data.stimuli and not data.nameless:
        help = f"below the first row, which names the columns, nothing stands: {columns_told(table)}"
        what = f"stimuli `{decl.name.text}` ({path})"
        yield diagnostic(Code.EMPTY_FACTOR, decl.path.span, what=what, kind="row", help=help)
    if data.nameless:
        source = next(part.source for part in fields_from(decl) if part.name.text == NAME)
        column = column_index(table, source.at) if isinstance(source, ast.PlaceNode) else None
        help = f"a stimulus is known by its name: fill it in; {len(data.nameless)} rows lack it"
        yield diagnostic(
            Code.EMPTY_CELL,
            source.span,
            path=path,
            row=data.nameless[0],
            column="of `name`" if column is None else column + 1,
            help=help,
        )
    told: set[str] = set()
    for conflict in data.conflicts:
        if conflict.field not in told:
            told.add(conflict.field)
            first, second = (f"row {row} of {path}" for row in (conflict.first, conflict.second))
            count = sum(one.field == conflict.field for one in data.conflicts)
            help = (
                f"they differ in `{conflict.field}`, as {count} rows do: name them apart, or correct the data"
            )
            yield diagnostic(
                Code.AMBIGUOUS, decl.path.span, name=conflict.name, first=first, second=second, help=help
            )


def _unused(program: Program, decl: ast.StimuliDecl) -> Iterator[Diagnostic]:
    for field, recoding in dataset(program, decl).recodings.items():
        for pair in recoding.unused():
            path, spelling = decl.path.text, spelled(pair.spelling)
            yield diagnostic(Code.RECODE_NOTHING, pair.span, field=field, path=path, spelling=spelling)
