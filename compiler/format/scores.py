"""Scoring expressions, with no more parentheses than they need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from compiler import ast
from compiler.format.words import enclosed, name, number, number_range

BARE_ITEMS = ("sum", "mean")
"""Functions in which a bare number is an item."""


def score(expression: ast.Expr) -> list[str]:
    """The expression in pieces that a line may break between."""
    match expression:
        case ast.Num():
            return [number(expression)]
        case ast.ItemRef(item=item):
            word = name(item) if isinstance(item, ast.Name) else f"item {number_range(item)}"
            return [_prefixed(expression, word)]
        case ast.CallExpr(function=function, arguments=arguments):
            of_items = function.text in BARE_ITEMS
            return enclosed(f"{name(function)}(", _commas(_argument(one, of_items) for one in arguments))
        case ast.CompareExpr(operator=operator, left=left, right=right):
            first, *rest = _operand(right, 1)
            return [*_operand(left, 1), f"{operator} {first}", *rest]
        case ast.BinaryExpr(operator=operator, left=left, right=right):
            first, *rest = _operand(right, _binds(expression) + 1)
            return [*_operand(left, _binds(expression)), f"{operator} {first}", *rest]
        case _:
            assert_never(expression)


def _argument(argument: ast.Expr, of_items: bool) -> list[str]:
    """A whole argument: of items, a range or a number with a prefix needs no `item` before it."""
    if isinstance(argument, ast.ItemRef) and isinstance(argument.item, ast.NumberRange):
        numbers = argument.item
        if of_items or argument.prefix is not None or numbers.first.value != numbers.last.value:
            return [_prefixed(argument, number_range(numbers))]
    return score(argument)


def _prefixed(reference: ast.ItemRef, written: str) -> str:
    return written if reference.prefix is None else f"{name(reference.prefix)} {written}"


def _commas(arguments: Iterable[list[str]]) -> list[str]:
    *others, last = arguments
    return [*(piece for pieces in others for piece in (*pieces[:-1], f"{pieces[-1]},")), *last]


def _binds(expression: ast.Expr) -> int:
    """How tightly the expression's own operator binds."""
    match expression:
        case ast.CompareExpr():
            return 0
        case ast.BinaryExpr(operator="+" | "-"):
            return 1
        case ast.BinaryExpr():
            return 2
        case _:
            return 3


def _operand(expression: ast.Expr, at_least: int) -> list[str]:
    """In parentheses where the expression's own operator binds less than `at_least`."""
    if _binds(expression) < at_least:
        return enclosed("(", score(expression))
    return score(expression)
