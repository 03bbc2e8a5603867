"""Blocks of `key value`: which keys there are, and what each takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.grids import text
from compiler.source import Span
from schemas.plan import Coefficient, Effect, PostHoc, Readout, Scalar, Setting, Test

Value = ast.Name | ast.Str | ast.Num | ast.Several | tuple[ast.Setting, ...]


@dataclass(frozen=True)
class Key:
    """What a key takes: a number within bounds, a text, one or several of some words, or a block of numbers."""

    takes: Literal["number", "whole", "text", "word", "words", "numbers"]
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        match self.takes:
            case "number" | "whole":
                kind = "a number" if self.takes == "number" else "a whole number"
                if self.low is not None and self.high is not None:
                    return f"{kind} from {text(self.low)} to {text(self.high)}"
                return kind if self.low is None else f"{kind} of at least {text(self.low)}"
            case "text":
                return "a text in quotes"
            case "word":
                return "one of " + ", ".join(self.words)
            case "words":
                return "one or several of " + ", ".join(self.words)
            case "numbers":
                return "a block of names with numbers"


DEFAULT_ALPHA = 0.05

SAMPLING = {
    "temperature": Key("number", 0, 2),
    "top_p": Key("number", 0, 1),
    "max_tokens": Key("whole", 1, 1_000_000),
    "seed": Key("whole", 0),
    "frequency_penalty": Key("number", -2, 2),
    "presence_penalty": Key("number", -2, 2),
}

CONTRAST = {
    "test": Key("word", words=get_args(Test)),
    "alpha": Key("number", 0, 1),
    "effect": Key("word", words=get_args(Effect)),
    "yates": Key("word", words=("on", "off")),
    "margin": Key("number", 0),
    "worse": Key("word", words=("lower", "higher")),
    "cluster": Key("words", words=("respondent", "stimulus", "factor")),
    "post_hoc": Key("word", words=get_args(PostHoc)),
    "interval": Key("word", words=("analytic", "bootstrap")),
    "adjust": Key("word", words=("none", "bonferroni", "holm", "bh")),
    "direction": Key("word", words=("raw", "adjusted")),
}

ASSOCIATION = {
    "coefficient": Key("words", words=get_args(Coefficient)),
    "alpha": Key("number", 0, 1),
    "cut": Key("number"),
}

PRICE = {
    "input": Key("number", 0),
    "output": Key("number", 0),
    "cached": Key("number", 0),
    "batch": Key("number", 0, 1),
}

_MODEL = {
    "provider": Key("word", words=("openai", "local", "simulated", "fake")),
    "name": Key("text"),
    "usd_per_million_tokens": Key("numbers"),
}

PROVIDERS: Mapping[str, Mapping[str, Key]] = {
    "openai": {
        "base_url": Key("text"),
        "key_env": Key("text"),
        "requests_per_minute": Key("number", 0.1),
        "tokens_per_minute": Key("number", 1),
        "timeout": Key("number", 1),
        "silence": Key("number", 1),
        "readout": Key("word", words=get_args(Readout)),
    },
    "local": {
        "revision": Key("text"),
        "gguf": Key("text"),
        "dtype": Key("word", words=("float32", "bfloat16", "float16")),
        "device": Key("text"),
        "batch": Key("whole", 1, 4096),
        "readout": Key("word", words=("text", "options")),
        "items": Key("word", words=("independent", "in_turn")),
    },
    "simulated": {
        "seed": Key("whole", 0),
        "effect": Key("numbers"),
        "baseline": Key("numbers"),
        "spread": Key("number", 0),
        "refuse": Key("number", 0, 1),
    },
    "fake": {},
}


def model_keys(provider: str) -> dict[str, Key]:
    """The keys of a model of this provider."""
    return {**_MODEL, **PROVIDERS.get(provider, {})}


def values(settings: tuple[ast.Setting, ...]) -> dict[str, Setting]:
    """The settings with one value each as plain values; assumes that they were checked."""
    return {
        setting.key.text: _value(setting.value)
        for setting in settings
        if not isinstance(setting.value, ast.Several)
    }


def _value(value: ast.Name | ast.Str | ast.Num | tuple[ast.Setting, ...]) -> Setting:
    match value:
        case ast.Num():
            return _scalar(value)
        case tuple():
            return {inner.key.text: _scalar(inner.value) for inner in value if isinstance(inner.value, ast.Num)}
        case ast.Name() | ast.Str():
            return value.text


def _scalar(number: ast.Num) -> Scalar:
    return number.whole if number.is_whole else number.value


def check_settings(
    settings: tuple[ast.Setting, ...], keys: Mapping[str, Key], where: str
) -> Iterator[Diagnostic]:
    """Unknown keys, keys said twice (also inside a block), and values that their key does not take."""
    yield from _twice(settings, where)
    for setting in settings:
        name = setting.key.text
        if name in keys:
            yield from _check_value(setting, keys[name])
        else:
            yield diagnostic(
                Code.UNKNOWN_KEY, setting.key.span, where=where, name=name, help=nearest(name, keys)
            )


def _twice(settings: tuple[ast.Setting, ...], where: str) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for setting in settings:
        name = setting.key.text
        if name in seen:
            yield diagnostic(Code.TWICE, setting.key.span, what=name, where=where, help="keep one of them")
        seen.add(name)


def _check_value(setting: ast.Setting, key: Key) -> Iterator[Diagnostic]:
    name, value = setting.key.text, setting.value
    match value:
        case ast.Num() if key.takes in ("number", "whole"):
            yield from _check_number(name, value, key)
        case ast.Name() if key.takes == "text" and value.quoted:
            pass
        case ast.Name() if key.takes == "word" and not value.quoted:
            if value.text not in key.words:
                yield _wrong(name, value.span, key.wanted, f"`{value.text}`", nearest(value.text, key.words))
        case ast.Name() | ast.Several() if key.takes == "words":
            yield from _check_words(name, value, key)
        case tuple() if key.takes == "numbers":
            yield from _twice(value, f"`{name}`")
            for inner in value:
                if not isinstance(inner.value, ast.Num):
                    yield _wrong(inner.key.text, inner.span, "a number", _kind(inner.value))
        case _:
            span = setting.span if isinstance(value, tuple) else value.span
            comma = isinstance(value, ast.Several) and key.takes == "number"
            help = "a decimal number is written with a point, such as 0.05" if comma else None
            yield _wrong(name, span, key.wanted, _kind(value), help)


def _check_words(name: str, value: ast.Name | ast.Several, key: Key) -> Iterator[Diagnostic]:
    for word in value.values if isinstance(value, ast.Several) else (value,):
        if not isinstance(word, ast.Name) or word.quoted:
            yield _wrong(name, word.span, key.wanted, _kind(word))
        elif word.text not in key.words:
            yield _wrong(name, word.span, key.wanted, f"`{word.text}`", nearest(word.text, key.words))


def _check_number(name: str, value: ast.Num, key: Key) -> Iterator[Diagnostic]:
    whole = key.takes == "number" or value.is_whole
    inside = (key.low is None or value.value >= key.low) and (key.high is None or value.value <= key.high)
    if not whole or not inside:
        found = text(value.value)
        yield diagnostic(Code.OUT_OF_RANGE, value.span, what=name, found=found, wanted=key.wanted)


def _wrong(name: str, span: Span, wanted: str, found: str, help: str | None = None) -> Diagnostic:
    return diagnostic(Code.WRONG_TYPE, span, what=name, wanted=wanted, found=found, help=help)


def _kind(value: Value) -> str:
    match value:
        case ast.Several():
            return "several"
        case ast.Num():
            return "a number"
        case tuple():
            return "a block"
        case ast.Str():
            return "a text"
        case ast.Name():
            return "a text" if value.quoted else f"the word `{value.text}`"
