"""Scales, items and scoring keys."""

from __future__ import annotations

from typing import cast

from compiler import ast
from compiler.build.words import Children
from compiler.source import Span


class ScaleBuilder:
    def scale(self, span: Span, children: Children) -> ast.ScaleDecl:
        return ast.ScaleDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def cite(self, span: Span, children: Children) -> ast.Cite:
        return ast.Cite(span=span, text=children[0], doi=children[1])

    def options_statement(self, span: Span, children: Children) -> ast.Options:
        return cast(ast.Options, children[0])

    def options_range(self, span: Span, children: Children) -> ast.Options:
        first, last, step, anchors = children
        return ast.Options(span=span, first=first, last=last, step=step, anchors=anchors or ())

    def options_coded(self, span: Span, children: Children) -> ast.Options:
        return ast.Options(span=span, first=None, last=None, step=None, anchors=children[0])

    def anchors(self, span: Span, children: Children) -> tuple[ast.Anchor, ...]:
        return tuple(children)

    def anchor(self, span: Span, children: Children) -> ast.Anchor:
        return ast.Anchor(span=span, code=children[0], label=children[1])

    def item_group(self, span: Span, children: Children) -> ast.ItemGroup:
        return ast.ItemGroup(span=span, options=children[0], items=tuple(children[1:]))

    def items_from(self, span: Span, children: Children) -> ast.ItemsFrom:
        return ast.ItemsFrom(span=span, data=children[0])

    def item(self, span: Span, children: Children) -> ast.ItemDecl:
        label, text, options, *keys = children  # lark leaves no place for an absent inlined rule
        return ast.ItemDecl(span=span, label=label, text=text, options=options, key=keys[0] if keys else None)

    def data_file(self, span: Span, children: Children) -> ast.DataFile:
        return ast.DataFile(span=span, path=children[0], sheet=children[1], column=children[2])

    def subscale(self, span: Span, children: Children) -> ast.SubscaleDecl:
        return ast.SubscaleDecl(span=span, name=children[0], title=children[1], score=children[2])

    def derive(self, span: Span, children: Children) -> ast.DeriveDecl:
        return ast.DeriveDecl(span=span, name=children[0], value=children[1])

    def compare(self, span: Span, children: Children) -> ast.CompareExpr:
        left, operator, right = children
        return ast.CompareExpr(span=span, operator=operator, left=left, right=right)

    def sum(self, span: Span, children: Children) -> ast.Expr:
        left = children[0]
        for operator, right in zip(children[1::2], children[2::2], strict=True):
            left = ast.BinaryExpr(span=left.span.to(right.span), operator=operator, left=left, right=right)
        return cast(ast.Expr, left)

    product = sum

    def negative(self, span: Span, children: Children) -> ast.Expr:
        inner = children[0]
        if isinstance(inner, ast.Num):
            return ast.Num(span=span, value=-inner.value)
        minus_one = ast.Num(span=span, value=-1.0)
        return ast.BinaryExpr(span=span, operator="*", left=minus_one, right=inner)

    def item_name(self, span: Span, children: Children) -> ast.ItemRef:
        return ast.ItemRef(span=span, item=children[1], prefix=children[0])

    item_number = item_name

    def prefix(self, span: Span, children: Children) -> ast.Name:
        return cast(ast.Name, children[0])

    def call(self, span: Span, children: Children) -> ast.CallExpr:
        """In a sum or mean a bare number is an item."""
        function, *arguments = children
        if function.text in ("sum", "mean"):
            arguments = [_item(part) if isinstance(part, ast.Num) else part for part in arguments]
        return ast.CallExpr(span=span, function=function, arguments=tuple(arguments))

    def item_range(self, span: Span, children: Children) -> ast.ItemRef:
        return ast.ItemRef(span=span, item=self.number_range(span, children), prefix=None)

    def prefixed_range(self, span: Span, children: Children) -> ast.ItemRef:
        prefix, first, last = children
        numbers = self.number_range(first.span.to((last or first).span), (first, last))
        return ast.ItemRef(span=span, item=numbers, prefix=prefix)

    def number_range(self, span: Span, children: Children) -> ast.NumberRange:
        first, last = children
        return ast.NumberRange(span=span, first=first, last=last or first)

    def reverse(self, span: Span, children: Children) -> ast.Keyed:
        return ast.Keyed(span=span, what="reverse", items=tuple(children))

    def filler(self, span: Span, children: Children) -> ast.Keyed:
        return ast.Keyed(span=span, what="filler", items=tuple(children))

    def missing(self, span: Span, children: Children) -> ast.Missing:
        return ast.Missing(span=span, up_to=children[0])

    def norm(self, span: Span, children: Children) -> ast.NormDecl:
        subscale, group, mean, sd, n = children
        return ast.NormDecl(span=span, subscale=subscale, group=group, mean=mean, sd=sd, n=n)

    def language(self, span: Span, children: Children) -> ast.Language:
        return ast.Language(span=span, code=children[0])


def _item(number: ast.Num) -> ast.ItemRef:
    alone = ast.NumberRange(span=number.span, first=number, last=number)
    return ast.ItemRef(span=number.span, item=alone, prefix=None)
