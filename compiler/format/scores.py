"""Scoring expressions, with no more parentheses than they need."""

from __future__ import annotations

from typing import assert_never

from compiler import ast
from compiler.format.words import commas, enclosed, name, number, number_range


def score(expression: ast.Expr) -> list[str]:
    """The expression in pieces that a line may break between."""
    match expression:
        case ast.Num():
            return [number(expression)]
        case ast.ItemRef(item=item, raw=raw):
            word = number_range(item) if isinstance(item, ast.Name) else f"item {number_range(item)}"
            return [f"raw {word}" if raw else word]
        case ast.CallExpr(function=function, arguments=arguments):
            return enclosed(f"{name(function)}(", commas(map(_argument, arguments)))
        case ast.BinaryExpr(operator=operator, left=left, right=right):
            first, *rest = _operand(right, _binds(operator) + 1)
            return [*_operand(left, _binds(operator)), f"{operator} {first}", *rest]
        case _:
            assert_never(expression)


def _argument(reference: ast.ItemRef) -> str:
    written = number_range(reference.item)
    return f"raw {written}" if reference.raw else written


def _binds(operator: str) -> int:
    return 1 if operator in "+-" else 2


def _operand(expression: ast.Expr, at_least: int) -> list[str]:
    """In parentheses where the expression's own operator binds less than `at_least`."""
    if isinstance(expression, ast.BinaryExpr) and _binds(expression.operator) < at_least:
        return enclosed("(", score(expression))
    return score(expression)
