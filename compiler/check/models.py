"""Models: their providers and settings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic
from compiler.resolve import Program
from compiler.settings import PRICE, check_settings, model_keys

SECRET = re.compile(r"//[^/]*@|[&#]|\?(?!api-version=[\w.-]+$)")
"""A name, a password or a query, which may be a key; a version of the interface (Azure) is none."""


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
        yield from _address(model)
        for setting in model.settings:
            if setting.key.text == "usd_per_million_tokens" and isinstance(setting.value, tuple):
                yield from check_settings(setting.value, PRICE, "`usd_per_million_tokens`")
                for needed in sorted({"input", "output"} - {inner.key.text for inner in setting.value}):
                    yield diagnostic(Code.LACKS, setting.span, where="`usd_per_million_tokens`", what=needed)


def _address(model: ast.ModelDecl) -> Iterator[Diagnostic]:
    """A spec is read by many, and a plan is stored: no secret stands in either."""
    for setting in model.settings:
        value = setting.value
        if not isinstance(value, ast.Name):
            continue
        if setting.key.text == "base_url" and SECRET.search(value.text):
            help = 'keys come from the environment: write `key_env "MY_KEY"`'
            yield diagnostic(Code.SECRET, value.span, help=help)
        if setting.key.text == "key_env" and not re.fullmatch(r"[A-Za-z_]\w*", value.text):
            wanted = "the name of an environment variable"
            yield diagnostic(
                Code.WRONG_TYPE, value.span, what="key_env", wanted=wanted, found=f'"{value.text}"'
            )


def provider_of(model: ast.ModelDecl) -> str:
    """The provider that a model names, or the empty text."""
    for setting in model.settings:
        if setting.key.text == "provider" and isinstance(setting.value, ast.Name):
            return setting.value.text
    return ""
