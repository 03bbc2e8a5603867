"""Mappings of recorded and human answers."""

from __future__ import annotations

from typing import Literal

from compiler import ast
from compiler.build.words import Children, of_kind, plain
from compiler.source import Span


class AnswerBuilder:
    def responses(self, span: Span, children: Children) -> ast.ResponsesDecl:
        name, title, path, sheet, transposed, *body = children
        return ast.ResponsesDecl(
            span=span,
            name=name,
            title=title,
            path=path,
            sheet=sheet,
            transposed=transposed is not None,
            body=tuple(body),
        )

    def transposed(self, span: Span, children: Children) -> Literal["transposed"]:
        return "transposed"

    def kind(self, span: Span, children: Children) -> ast.KindDecl:
        return ast.KindDecl(span=span, kind=children[0])

    def headers(self, span: Span, children: Children) -> ast.HeadersDecl:
        return ast.HeadersDecl(span=span, count=children[0])

    def match(self, span: Span, children: Children) -> ast.MatchDecl:
        return ast.MatchDecl(span=span, place=children[0], pattern=children[1], counting_from=children[2])

    def recode(self, span: Span, children: Children) -> ast.RecodeDecl:
        return ast.RecodeDecl(span=span, field=children[0], pairs=tuple(children[1:]))

    def recode_pair(self, span: Span, children: Children) -> ast.RecodePair:
        return ast.RecodePair(span=span, spelling=children[0], meaning=children[1])

    def signed_text(self, span: Span, children: Children) -> ast.Str:
        return ast.Str(span=span, text=plain(children[0]))

    def signed_range(self, span: Span, children: Children) -> ast.NumberRange:
        return ast.NumberRange(span=span, first=children[0], last=children[1])

    def recode_number(self, span: Span, children: Children) -> ast.Name:
        return ast.Name(span=span, text=plain(children[0]))

    def covariate(self, span: Span, children: Children) -> ast.CovariateDecl:
        return ast.CovariateDecl(span=span, name=children[0], source=children[1])

    def assign(self, span: Span, children: Children) -> ast.AssignDecl:
        return ast.AssignDecl(span=span, name=children[0], source=children[1])

    def difference(self, span: Span, children: Children) -> ast.DifferenceNode:
        return ast.DifferenceNode(span=span, minuend=children[0], place=children[1])

    def constant(self, span: Span, children: Children) -> ast.ConstantNode:
        return ast.ConstantNode(span=span, value=children[0])

    def counted_source(self, span: Span, children: Children) -> ast.CountedNode:
        return ast.CountedNode(span=span)

    def place(self, span: Span, children: Children) -> ast.PlaceNode:
        return ast.PlaceNode(span=span, axis=children[0], at=children[1])

    def cells_listed(self, span: Span, children: Children) -> ast.CellsNode:
        place, (listed, labels), order = children
        return _cell(span, place, listed=listed, labels=labels, order=order)

    def cells_ordered(self, span: Span, children: Children) -> ast.CellsNode:
        return _cell(span, children[0], listed=False, labels=False, order=children[1])

    def cells_range(self, span: Span, children: Children) -> ast.CellsNode:
        axis, *spans, labels, order = children
        labelled = labels is not None
        return ast.CellsNode(
            span=span, axis=axis, spans=tuple(spans), listed=False, labels=labelled, order=order
        )

    def cell_span(self, span: Span, children: Children) -> ast.CellSpanNode:
        first, last = children
        return ast.CellSpanNode(span=span, first=first, last=last or first)

    def as_list(self, span: Span, children: Children) -> tuple[bool, bool]:
        return True, children[0] is not None

    def labels(self, span: Span, children: Children) -> tuple[bool, bool]:
        return False, True

    def as_labels(self, span: Span, children: Children) -> Literal["labels"]:
        return "labels"

    def axes(self, span: Span, children: Children) -> str:
        return str(children[0]).removesuffix("s")

    def condition_cells(self, span: Span, children: Children) -> ast.ConditionCellsDecl:
        return ast.ConditionCellsDecl(span=span, condition=children[0], body=tuple(children[1:]))

    def vary(self, span: Span, children: Children) -> ast.VaryDecl:
        variable, *rest = children
        levels = of_kind(rest, ast.LevelDecl)
        return ast.VaryDecl(span=span, variable=variable, levels=levels, body=tuple(rest[len(levels) :]))

    def level(self, span: Span, children: Children) -> ast.LevelDecl:
        return ast.LevelDecl(span=span, name=children[0], spelling=children[1])


def _cell(
    span: Span, place: ast.PlaceNode, *, listed: bool, labels: bool, order: ast.PlaceNode | None
) -> ast.CellsNode:
    alone = ast.CellSpanNode(span=place.at.span, first=place.at, last=place.at)
    return ast.CellsNode(span=span, axis=place.axis, spans=(alone,), listed=listed, labels=labels, order=order)
