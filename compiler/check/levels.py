"""What a mapping of recorded answers varies: that each level is one, and changes what is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ast
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.model.mappings import MAX_BLOCKS, combined, spelled
from compiler.model.variables import CONDITION, within
from compiler.resolve import Program
from compiler.template import holes


def check_levels(program: Program, responses: ast.ResponsesDecl, taken: frozenset[str]) -> Iterator[Diagnostic]:
    """Every `vary` of a mapping; `taken` names mean something else."""
    if combined(responses.body) > MAX_BLOCKS:
        what = f"combinations of levels in responses `{responses.name.text}`"
        yield diagnostic(Code.TOO_DEEP, responses.name.span, limit=MAX_BLOCKS, what=what)
    meanings = _meanings(program, responses, taken)
    for vary in within(responses.body):
        if isinstance(vary, ast.VaryDecl):
            yield from _name(vary.variable, meanings)
            yield from _levels(vary)
            if vary.variable.text not in set(_said(vary.body)):
                yield _unused(vary)
    yield from _paths(responses.body, ())


def _meanings(program: Program, responses: ast.ResponsesDecl, taken: frozenset[str]) -> dict[str, str]:
    """What names mean already, that a variable cannot have."""
    means = dict.fromkeys(taken, "what every observation or row of a report has under that name")
    for protocol in program.protocols.values():
        for part in protocol.body:
            if isinstance(part, ast.ConditionDecl):
                means[part.name.text] = f"a condition of protocol `{protocol.name.text}`"
    for said in within(responses.body):
        if isinstance(said, ast.CovariateDecl):
            means[said.name.text] = "a covariate"
    means |= dict.fromkeys(program.scales, "a scale")
    return means | {CONDITION: "the variable whose levels are the protocol's conditions"}


def _name(variable: ast.Name, meanings: dict[str, str]) -> Iterator[Diagnostic]:
    name = variable.text
    if name in meanings:
        first, second = "this variable", meanings[name]
        help = "give the variable another name"
        yield diagnostic(Code.AMBIGUOUS, variable.span, name=name, first=first, second=second, help=help)


def _levels(vary: ast.VaryDecl) -> Iterator[Diagnostic]:
    where = f"variable `{vary.variable.text}`"
    names = list(twice([(level.name.span, level.name.text) for level in vary.levels], where))
    yield from names
    if not names:
        yield from twice([(level.span, spelled(level)) for level in vary.levels], f"the spellings of {where}")


def _unused(vary: ast.VaryDecl) -> Diagnostic:
    name = vary.variable.text
    what = f"the levels of `{name}` change nothing: {{{name}}} stands nowhere in its block"
    help = f'write it where the data tell the levels apart: `column "answer_{{{name}}}"`'
    return diagnostic(Code.MAPS_NOTHING, vary.variable.span, what=what, help=help)


def _said(statements: Iterable[ast.Node]) -> Iterator[str]:
    """The names of all holes."""
    for statement in statements:
        match statement:
            case ast.VaryDecl(body=body) | ast.ConditionCellsDecl(body=body):
                yield from _said(body)
            case ast.MatchDecl(place=place, pattern=pattern):
                yield from _said([place])
                yield from holes(pattern.text)
            case ast.AssignDecl(source=source) | ast.CovariateDecl(source=source):
                yield from _said([source])
            case ast.PlaceNode(at=ast.Str(text=text)) | ast.ConstantNode(value=ast.Str(text=text)):
                yield from holes(text)
            case ast.DifferenceNode(place=place):
                yield from _said([place])
            case ast.CellsNode(spans=spans, order=order):
                for end in (end for span in spans for end in (span.first, span.last)):
                    yield from holes(end.text) if isinstance(end, ast.Str) else ()
                yield from _said([] if order is None else [order])
            case _:
                pass


def _paths(body: Iterable[ast.ResponsesStatement], above: tuple[ast.Name, ...]) -> Iterator[Diagnostic]:
    """A variable that is varied within itself."""
    for vary in body:
        if isinstance(vary, ast.VaryDecl):
            names = (*above, vary.variable)
            yield from twice([(name.span, f"vary {name.text}") for name in names], "one block")
            yield from _paths(vary.body, names)
