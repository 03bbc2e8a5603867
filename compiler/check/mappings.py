"""Recorded answers: that a mapping names what there is. The files themselves are read on import."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from compiler import ast
from compiler.check.answers import check_combinations, check_in_study
from compiler.check.levels import check_levels
from compiler.check.places import check_at, check_axis, check_pattern, check_place, no_word
from compiler.check.recodes import check_pairs
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.grids import text
from compiler.model.mappings import FIELDS, is_field
from compiler.model.recodes import MISSING
from compiler.model.study import OBSERVATION_FIELDS, OVERALL
from compiler.model.variables import within
from compiler.resolve import Program
from compiler.source import Span
from schemas.report import ReportRow

KINDS = ("human", "model")
PATH_HOLES = ("panel",)
COUNTABLE = ("respondent", "subject", "stimulus", "situation", "repeat")
VALUE = "value"
MAX_HEADERS = 20

TAKEN = frozenset(
    (
        *OBSERVATION_FIELDS,
        *(field.name for field in msgspec.structs.fields(ReportRow)),
        *FIELDS,
        *(VALUE, "score", "answered", OVERALL, MISSING),
    )
)
"""Names that a covariate cannot have: what a `where`, a `by`, a `recode` or an `expect` means otherwise."""


def check_mappings(program: Program) -> Iterator[Diagnostic]:
    for responses in program.responses.values():
        yield from check_pattern(responses.path, PATH_HOLES)
        yield from _once(responses)
        yield from check_levels(program, responses, TAKEN)
        yield from _recodes(program, responses)
        yield from _statements(program, responses, responses.body, ())
        yield from check_combinations(program, responses)
    for study in program.studies.values():
        yield from check_in_study(program, study)


def _once(responses: ast.ResponsesDecl) -> Iterator[Diagnostic]:
    """What is said of the whole file."""
    body, where = list(within(responses.body)), f"responses `{responses.name.text}`"
    for kind, word in ((ast.KindDecl, "kind"), (ast.HeadersDecl, "headers")):
        yield from twice([(part.span, word) for part in body if isinstance(part, kind)], where)
    recodes = [part.field for part in body if isinstance(part, ast.RecodeDecl)]
    yield from twice([(field.span, f"recode {field.text}") for field in recodes], where)
    if not any(isinstance(part, ast.KindDecl) for part in body):
        help = "write `kind human` or `kind model`"
        yield diagnostic(Code.LACKS, responses.name.span, where=where, what="kind", help=help)
    for part in body:
        if isinstance(part, ast.KindDecl) and part.kind.text not in KINDS:
            yield unknown(part.kind, "kind", KINDS)
        elif isinstance(part, ast.HeadersDecl):
            yield from whole(part.count, "headers", 1, MAX_HEADERS)


def _recodes(program: Program, responses: ast.ResponsesDecl) -> Iterator[Diagnostic]:
    body = list(within(responses.body))
    covariates = [part.name.text for part in body if isinstance(part, ast.CovariateDecl)]
    known = (VALUE, *FIELDS, *covariates, *(name for name in _assigned(body) if name in program.scales))
    for part in body:
        if isinstance(part, ast.RecodeDecl):
            if part.field.text not in known:
                yield unknown(part.field, "field", known, " to recode")
            yield from check_pairs(part)


def _assigned(body: Iterable[ast.Node]) -> Iterator[str]:
    for part in body:
        if isinstance(part, ast.ConditionCellsDecl):
            yield from _assigned(part.body)
        elif isinstance(part, ast.AssignDecl):
            yield part.name.text


def _statements(
    program: Program,
    responses: ast.ResponsesDecl,
    body: Iterable[ast.ResponsesStatement],
    variables: tuple[str, ...],
) -> Iterator[Diagnostic]:
    """Each statement by itself, where `variables` are varied."""
    scope = _Scope(program, responses.transposed, variables)
    for part in body:
        if isinstance(part, ast.VaryDecl):
            yield from _statements(program, responses, part.body, (*variables, part.variable.text))
        else:
            yield from scope.statement(part)


@dataclass(frozen=True)
class _Scope:
    """What a statement can name: `variables` are those of the `vary` blocks that it stands in."""

    program: Program
    transposed: bool
    variables: tuple[str, ...]

    @property
    def axis(self) -> str:
        """The axis that an observation's cells are told apart on."""
        return "row" if self.transposed else "column"

    def statement(self, part: ast.ResponsesStatement) -> Iterator[Diagnostic]:
        match part:
            case ast.MatchDecl():
                yield from self._place(part.place, "match")
                yield from check_pattern(part.pattern, (*FIELDS, *self.variables))
                if part.counting_from is not None:
                    yield from whole(part.counting_from, "counting from", 0)
            case ast.CovariateDecl():
                yield from self._covariate(part)
            case ast.AssignDecl() if is_field(part.name):
                yield from self._field(part)
            case ast.AssignDecl():
                yield from self._scale(part.name, part.source)
            case ast.ConditionCellsDecl():
                yield from self._condition(part)
            case _:
                pass

    def _place(self, place: ast.PlaceNode, what: str) -> Iterator[Diagnostic]:
        yield from check_place(place, what, self.axis, (*PATH_HOLES, *self.variables))

    def _condition(self, part: ast.ConditionCellsDecl) -> Iterator[Diagnostic]:
        known = {
            condition.name.text
            for protocol in self.program.protocols.values()
            for condition in protocol.body
            if isinstance(condition, ast.ConditionDecl)
        }
        if part.condition.text not in known:
            yield unknown(part.condition, "condition", known)
        for statement in part.body:
            yield from self.statement(statement)

    def _field(self, part: ast.AssignDecl) -> Iterator[Diagnostic]:
        name = part.name.text
        if name in self.program.scales:
            first, second = "scale " + name, "what tells observations apart by that name"
            help = "give the scale another name"
            yield diagnostic(Code.AMBIGUOUS, part.name.span, name=name, first=first, second=second, help=help)
        match part.source:
            case ast.PlaceNode():
                yield from self._place(part.source, name)
            case ast.CountedNode() if name not in COUNTABLE:
                yield self._wrong(part.source, name, f"a {self.axis} or a constant", "`counted`")
            case ast.CellsNode():
                yield self._wrong(part.source, name, f"one {self.axis}", f"a list or several {self.axis}s")
            case ast.ConstantNode(value=value):
                yield from check_pattern(value, self.variables)
            case ast.Str():
                yield no_word(part.source, self.axis)
            case _:
                pass

    def _covariate(self, part: ast.CovariateDecl) -> Iterator[Diagnostic]:
        """Where a covariate stands, and that its name means nothing else in a contrast or a report."""
        name = part.name.text
        if name in self.program.scales or isinstance(part.source, ast.CellsNode):
            yield from self._scale(part.name, part.source)
            return
        if name in TAKEN:
            first, second = "this covariate", "what every observation or row of a report has under that name"
            help = f"give it another name, such as `own_{name}`"
            yield diagnostic(Code.AMBIGUOUS, part.name.span, name=name, first=first, second=second, help=help)
        match part.source:
            case ast.PlaceNode():
                yield from self._place(part.source, name)
            case ast.DifferenceNode(place=place):
                yield from self._place(place, name)
            case ast.ConstantNode(value=value):
                yield from check_pattern(value, self.variables)
            case ast.Str():
                yield no_word(part.source, self.axis)
            case _:
                pass

    def _scale(self, name: ast.Name, source: ast.Node) -> Iterator[Diagnostic]:
        """The answers to a scale: its name, and where they stand."""
        if name.text not in self.program.scales:
            yield self._no_scale(name)
        match source:
            case ast.PlaceNode():
                yield from self._place(source, name.text)
            case ast.CellsNode():
                yield from self._cells(source, name.text)
            case ast.Str():
                yield no_word(source, self.axis)
            case _:
                found = "a constant" if isinstance(source, ast.ConstantNode) else "a number"
                yield self._wrong(source, name.text, f"the {self.axis}s that the answers stand in", found)

    def _no_scale(self, name: ast.Name) -> Diagnostic:
        help = nearest(name.text, (*FIELDS, *self.program.scales))
        if help is None or not help.startswith("did you mean"):
            help = f"what is known about a respondent is written `covariate {name.text} = ...`"
        return diagnostic(Code.UNKNOWN, name.span, kind="scale", name=name.text, where="", help=help)

    def _cells(self, cells: ast.CellsNode, name: str) -> Iterator[Diagnostic]:
        known = (*PATH_HOLES, *self.variables)
        yield from check_axis(cells, name, self.axis)
        for span in cells.spans:
            yield from self._span(span, cells.axis, known)
        yield from twice(list(_ends(cells)), f"the {cells.axis}s of `{name}`")
        if cells.order is not None:
            other = "column" if self.transposed else "row"
            axis = self.axis if cells.listed else other
            if cells.order.axis != axis:
                wanted = f"a {axis}: there the item numbers stand beside the answers"
                yield self._wrong(cells.order, "in order", wanted, f"a {cells.order.axis}")
            yield from check_at(cells.order.at, cells.order.axis, (*FIELDS, *self.variables))

    def _span(self, span: ast.CellSpanNode, axis: str, known: Collection[str]) -> Iterator[Diagnostic]:
        first, last = span.first, span.last
        for end in (first, last) if first != last else (first,):
            yield from check_at(end, axis, known)
        if isinstance(first, ast.Num) and isinstance(last, ast.Num) and first.value > last.value:
            low, high, help = text(first.value), text(last.value), "write the smaller number first"
            yield diagnostic(Code.EMPTY_RANGE, span.span, first=low, last=high, help=help)

    def _wrong(self, node: ast.Node, what: str, wanted: str, found: str) -> Diagnostic:
        return diagnostic(Code.WRONG_TYPE, node.span, what=what, wanted=wanted, found=found)


def _ends(cells: ast.CellsNode) -> Iterator[tuple[Span, str]]:
    """The first and the last cell of each span, as messages call them."""
    for span in cells.spans:
        for end in (span.first, span.last) if span.first != span.last else (span.first,):
            said = f'"{end.text}"' if isinstance(end, ast.Str) else text(end.value)
            yield end.span, f"{cells.axis} {said}"
