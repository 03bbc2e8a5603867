"""Models: their providers and settings."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.resolve import Program
from compiler.settings import PRICE, check_settings, model_keys


def check_models(program: Program) -> Iterator[Diagnostic]:
    for model in program.models.values():
        where = f"model `{model.name.text}`"
        keys = model_keys(provider_of(model))
        yield from check_settings(model.settings, keys, where)
        said = {setting.key.text for setting in model.settings}
        for needed in ("provider", "name"):
            if needed not in said:
                help = 'for example `provider openai  name "gpt-4o-mini"`'
                yield diagnostic(Code.LACKS, model.name.span, where=where, what=needed, help=help)
        for setting in model.settings:
            if setting.key.text == "usd_per_million_tokens" and isinstance(setting.value, tuple):
                yield from check_settings(setting.value, PRICE, "`usd_per_million_tokens`")
                for needed in sorted({"input", "output"} - {inner.key.text for inner in setting.value}):
                    yield diagnostic(Code.LACKS, setting.span, where="`usd_per_million_tokens`", what=needed)


def provider_of(model: ast.ModelDecl) -> str:
    """The provider that a model names, or the empty text."""
    for setting in model.settings:
        if setting.key.text == "provider" and isinstance(setting.value, ast.Name):
            return setting.value.text
    return ""
