"""Recorded answers: that a mapping names what there is. The files themselves are read on import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from compiler import ast
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.reportrows import MISSING
from compiler.model.study import OBSERVATION_FIELDS, OVERALL
from compiler.resolve import Program
from compiler.template import broken_braces, holes
from schemas.report import ReportRow

KINDS = ("human", "model")
MATCH_HOLES = ("panel", "emotion", "factor", "situation", "repeat", "order", "respondent")
PATH_HOLES = ("panel",)

TAKEN = frozenset(
    (
        *OBSERVATION_FIELDS,
        *(field.name for field in msgspec.structs.fields(ReportRow)),
        *MATCH_HOLES,
        *("value", "score", "answered", "subject", "stimulus", "item", OVERALL, MISSING),
    )
)
"""Names that a covariate cannot have: what a `where`, a `by`, a `recode` or an `expect` means otherwise."""


def check_mappings(program: Program) -> Iterator[Diagnostic]:
    for responses in program.responses.values():
        where = f"responses `{responses.name.text}`"
        yield from _pattern(responses.path, PATH_HOLES)
        yield from _statements(responses, where)
        covariates = [s.name.text for s in responses.body if isinstance(s, ast.CovariateDecl)]
        matches: list[ast.MatchDecl] = [s for s in responses.body if isinstance(s, ast.MatchDecl)]
        for statement in responses.body:
            match statement:
                case ast.KindDecl() if statement.kind.text not in KINDS:
                    yield unknown(statement.kind, "kind", KINDS)
                case ast.RecodeDecl():
                    known = ("emotion", "factor", "value", "respondent", *covariates)
                    if statement.field.text not in known:
                        yield unknown(statement.field, "field", known, " to recode")
                    pairs = [(pair.spelling.span, pair.spelling.text) for pair in statement.pairs]
                    yield from twice(pairs, "this recode")
                case ast.CovariateDecl():
                    yield from _covariate(statement)
                case ast.RespondentDecl() if statement.source is not None:
                    yield from _place(statement.source)
                case ast.ConditionCellsDecl():
                    yield from _cells(program, responses, statement)
                    matches += [part for part in statement.body if isinstance(part, ast.MatchDecl)]
                case _:
                    pass
        for one in matches:
            yield from _place(one.place)
            yield from _pattern(one.pattern, MATCH_HOLES)
            if one.counting_from is not None:
                yield from whole(one.counting_from, "counting from", 0)


def _place(place: ast.PlaceNode) -> Iterator[Diagnostic]:
    if isinstance(place.at, ast.Num):
        yield from whole(place.at, place.axis, 1)


def _covariate(covariate: ast.CovariateDecl) -> Iterator[Diagnostic]:
    """Where a covariate stands, and that its name means nothing else in a contrast or a report."""
    name = covariate.name.text
    if name in TAKEN:
        yield diagnostic(
            Code.AMBIGUOUS,
            covariate.name.span,
            name=name,
            first="this covariate",
            second="what every observation or row of a report has under that name",
            help=f"give it another name, such as `own_{name}`",
        )
    match covariate.source:
        case ast.PlaceNode():
            yield from _place(covariate.source)
        case ast.Str():
            yield _no_word(covariate.source)
        case ast.ConstantNode():
            pass


def _no_word(source: ast.Str) -> Diagnostic:
    help = f'write `column "{source.text}"` or `row "{source.text}"`, or `constant "{source.text}"`'
    return diagnostic(Code.NO_COLUMN_WORD, source.span, text=source.text, help=help)


def _statements(responses: ast.ResponsesDecl, where: str) -> Iterator[Diagnostic]:
    body = responses.body
    for kind, word in ((ast.KindDecl, "kind"), (ast.RespondentDecl, "respondent"), (ast.MatchDecl, "match")):
        yield from twice([(s.span, word) for s in body if isinstance(s, kind)], where)
    yield from twice([(s.name.span, s.name.text) for s in body if isinstance(s, ast.CovariateDecl)], where)
    yield from twice(
        [(s.field.span, f"recode {s.field.text}") for s in body if isinstance(s, ast.RecodeDecl)], where
    )
    conditions = [s for s in body if isinstance(s, ast.ConditionCellsDecl)]
    yield from twice([(s.condition.span, s.condition.text) for s in conditions], where)
    if not any(isinstance(s, ast.KindDecl) for s in body):
        help = "write `kind human` or `kind model`"
        yield diagnostic(Code.LACKS, responses.name.span, where=where, what="kind", help=help)
    if not conditions:
        help = "add a line such as `condition default { PANAS = columns 2..21 }`"
        yield diagnostic(Code.LACKS, responses.name.span, where=where, what="condition", help=help)
    human = any(isinstance(s, ast.KindDecl) and s.kind.text == "human" for s in body)
    if human and not any(isinstance(s, ast.RespondentDecl) for s in body):
        help = 'write `respondent = column "id"`, or `respondent = counted` where the file has no id'
        yield diagnostic(Code.LACKS, responses.name.span, where=where, what="respondent", help=help)


def _cells(
    program: Program, responses: ast.ResponsesDecl, condition: ast.ConditionCellsDecl
) -> Iterator[Diagnostic]:
    known = {
        part.name.text
        for protocol in program.protocols.values()
        for part in protocol.body
        if isinstance(part, ast.ConditionDecl)
    }
    if condition.condition.text not in known:
        yield unknown(condition.condition, "condition", known)
    where = f"condition `{condition.condition.text}`"
    cells = [part for part in condition.body if isinstance(part, ast.CellsDecl)]
    yield from twice([(part.scale.span, part.scale.text) for part in cells], where)
    if not cells:
        help = "say where the answers stand: `PANAS = columns 2..21`"
        yield diagnostic(Code.LACKS, condition.condition.span, where=where, what="SCALE =", help=help)
    for part in cells:
        if part.scale.text not in program.scales:
            yield unknown(part.scale, "scale", program.scales)
        along = "row" if responses.transposed else "column"
        if part.axis != along:
            found, other = (
                f"{part.axis}s",
                "an observation is a column" if responses.transposed else "an observation is a row",
            )
            wanted = f"{along}s ({other})"
            yield diagnostic(Code.WRONG_TYPE, part.span, what=part.scale.text, wanted=wanted, found=found)
        for number in (part.first, part.last):
            if isinstance(number, ast.Num):
                yield from whole(number, along, 1)
        if part.order is not None:
            yield from _place(part.order)


def _pattern(pattern: ast.Str, known: Iterable[str]) -> Iterator[Diagnostic]:
    for span in broken_braces(pattern):
        yield diagnostic(Code.BROKEN_TEMPLATE, span, help="write {{ or }} for a brace that is only text")
    for name in holes(pattern.text):
        if name not in known:
            yield diagnostic(Code.PATTERN_HOLE, pattern.span, name=name, help=nearest(name, known))
