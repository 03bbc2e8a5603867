"""Mappings of data files, as lines: recorded answers, and stimuli of any kind."""

from __future__ import annotations

from typing import assert_never

from compiler import ast
from compiler.format.layout import Block, Line
from compiler.format.words import (
    file_words,
    listed,
    meaning,
    name,
    number,
    place,
    quoted,
    source,
    spelling,
    titled,
    value,
)


def stimuli(declaration: ast.StimuliDecl) -> Line:
    """Stimuli from a data file."""
    lines = tuple(
        recode(part) if isinstance(part, ast.RecodeDecl) else _assigned(part, "") for part in declaration.body
    )
    start = (declaration.sheet or declaration.path).span.end
    head = titled("stimuli", declaration.name, declaration.title)
    words = file_words(declaration.path, declaration.sheet)
    return Line(declaration.span, (head, *words, Block(start, declaration.span.end, lines)))


def responses(declaration: ast.ResponsesDecl) -> Line:
    """A mapping of recorded answers."""
    *words, last = file_words(declaration.path, declaration.sheet)
    if declaration.transposed:
        last += " transposed"
    start = (declaration.sheet or declaration.path).span.end
    body = Block(start, declaration.span.end, tuple(_mapping(part) for part in declaration.body))
    head = titled("responses", declaration.name, declaration.title)
    return Line(declaration.span, (head, *words, last, body))


def _mapping(part: ast.ResponsesStatement) -> Line:
    match part:
        case ast.KindDecl(kind=kind):
            return Line(part.span, (f"kind {name(kind)}",))
        case ast.HeadersDecl(count=count):
            return Line(part.span, (f"headers {number(count)}",))
        case ast.MatchDecl():
            return _match(part)
        case ast.RecodeDecl():
            return recode(part)
        case ast.CovariateDecl():
            return _assigned(part, "covariate ")
        case ast.AssignDecl():
            return _assigned(part, "")
        case ast.ConditionCellsDecl(condition=condition, body=body):
            lines = tuple(_mapping(line) for line in body)
            block = Block(condition.span.end, part.span.end, lines)
            return Line(part.span, (f"condition {name(condition)}", block))
        case ast.VaryDecl():
            return _vary(part)
        case _:
            assert_never(part)


def _match(match: ast.MatchDecl) -> Line:
    counting = match.counting_from
    words = [] if counting is None else [f"counting from {number(counting)}"]
    return Line(match.span, (f"match {place(match.place)} {quoted(match.pattern.text)}", *words))


def recode(recode: ast.RecodeDecl) -> Line:
    """What spellings in the data mean."""
    pairs = tuple(
        Line(pair.span, (f"{spelling(pair.spelling)} -> {meaning(pair.meaning)}",)) for pair in recode.pairs
    )
    return Line(
        recode.span,
        (f"recode {name(recode.field)}", Block(recode.field.span.end, recode.span.end, pairs)),
    )


def _assigned(node: ast.AssignDecl | ast.CovariateDecl | ast.FieldFrom, keyword: str) -> Line:
    head = f"{keyword}{name(node.name)} ="
    if not isinstance(node.source, ast.CellsNode):
        return Line(node.span, (f"{head} {source(node.source)}",))
    first, *words = _cells(node.source)
    return Line(node.span, (f"{head} {first}", *words))


def _cells(cells: ast.CellsNode) -> list[str]:
    forms = [f"as list{' of labels' if cells.labels else ''}"] if cells.listed else []
    forms += ["as labels"] if cells.labels and not cells.listed else []
    forms += [] if cells.order is None else [f"in order {place(cells.order)}"]
    spans = [_span(span) for span in cells.spans]
    alone = len(spans) == 1 and cells.spans[0].first == cells.spans[0].last
    if alone and forms:
        return [f"{cells.axis} {spans[0]}", *forms]
    return [*listed(f"{cells.axis}s", spans), *forms]


def _span(span: ast.CellSpanNode) -> str:
    return value(span.first) if span.first == span.last else f"{value(span.first)}..{value(span.last)}"


def _vary(vary: ast.VaryDecl) -> Line:
    levels = [
        name(level.name) + ("" if level.spelling is None else f" = {quoted(level.spelling.text)}")
        for level in vary.levels
    ]
    lines = tuple(_mapping(part) for part in vary.body)
    block = Block(vary.levels[-1].span.end, vary.span.end, lines)
    return Line(vary.span, (*listed(f"vary {name(vary.variable)} over", levels), block))
