"""`{ key value ... }`, as models, sampling and analyses have it."""

from __future__ import annotations

from compiler import ast
from compiler.format.layout import Block, Line
from compiler.format.words import listed, value


def settings_block(settings: tuple[ast.Setting, ...], start: int, end: int) -> Block:
    """The settings that stand between two places of the file."""
    return Block(start, end, tuple(_setting(setting) for setting in settings))


def _setting(setting: ast.Setting) -> Line:
    key = setting.key.text
    if isinstance(setting.value, tuple):
        inner = settings_block(setting.value, setting.key.span.end, setting.span.end)
        return Line(setting.span, (key, inner))
    if isinstance(setting.value, ast.Several):
        return Line(setting.span, tuple(listed(key, map(value, setting.value.values))))
    return Line(setting.span, (f"{key} {value(setting.value)}",))
