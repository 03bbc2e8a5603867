"""Prompts and their variants, each by itself. Whether a placeholder has a value is a study's matter."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.resolve import Program
from compiler.template import broken_braces


def check_prompts(program: Program) -> Iterator[Diagnostic]:
    for prompt in program.prompts.values():
        where = f"prompt `{prompt.name.text}`"
        yield from twice([(v.name.span, v.name.text) for v in prompt.variants], where)
        if not any(message.role == "user" for message in prompt.messages):
            help = 'add a line `user "..."`'
            yield diagnostic(Code.NO_MESSAGES, prompt.name.span, prompt=prompt.name.text, help=help)
        messages = [*prompt.messages]
        for variant in prompt.variants:
            for change in variant.changes:
                messages.append(change.message if isinstance(change, ast.Append) else change)
        for message in messages:
            for span in broken_braces(message.text):
                help = "write {{ or }} for a brace that is only text"
                yield diagnostic(Code.BROKEN_TEMPLATE, span, help=help)
