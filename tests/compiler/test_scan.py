"""What the first look at a text finds, and that no text of any kind ends in an exception or takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import ast
from compiler.diagnostics import Code, frame
from compiler.format import format_file
from compiler.parse import parse
from compiler.scan import scan
from compiler.source import Source
from tests.compiler import strategies


def codes(text: str) -> list[Code]:
    return [found.code for found in scan("spec.eb", text).diagnostics]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ('use "a" # it\'s “fine” in a comment\t', []),
        ('use "tabs\tand “quotes” in a text"', []),
        ('use "a\nscale', [Code.OPEN_STRING]),
        ('use """a\nscale "b"', [Code.OPEN_STRING]),
        ("\t\tuse", [Code.FOREIGN_CHARACTER]),
        ("scale S ｛ ｝", [Code.FOREIGN_CHARACTER, Code.FOREIGN_CHARACTER]),
        ("use “a”", [Code.FOREIGN_CHARACTER]),
        ("a – b", [Code.FOREIGN_CHARACTER]),
        ("{" * 40, []),
        ("{" * 41, [Code.TOO_DEEP]),
        ("{(" * 100, [Code.TOO_DEEP]),
    ],
)
def test_scanning_finds(text: str, found: list[Code]) -> None:
    assert codes(text) == found


def test_what_stands_in_place_of_a_foreign_character_is_as_long() -> None:
    text = "use “a”  scale S ｛\toptions 1..5　｝"
    scanned = scan("spec.eb", text).text
    assert scanned.startswith('use "a"  scale S { options')
    assert len(scanned) == len(text)


def test_lines_that_begin_with_a_word_are_where_parsing_can_go_on() -> None:
    text = 'use "a"\n  scale\nscale S {\n"""\nmodel\n"""\n}\nmodel m'
    assert [text[top : top + 5] for top in scan("spec.eb", text).tops] == ['use "', "scale", "model"]


def is_sound(text: str) -> None:
    """Parsing gives a tree and diagnostics that can be shown; a text without any can be formatted."""
    file, found = parse("spec.eb", text)
    assert isinstance(file, ast.File)
    sources = {"spec.eb": Source("spec.eb", text)}
    for diagnostic in found:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= max(1, len(text))
        assert diagnostic.message in frame(diagnostic, sources)
    if not found:
        assert parse("spec.eb", format_file(file))[0] == file


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_bytes_of_any_kind(data: bytes) -> None:
    is_sound(data.decode("utf-8", errors="replace"))
    is_sound(data.decode("utf-8", errors="surrogateescape"))


@given(st.text(alphabet=' \n\t"{}()#\\.,*-=>“”｛１²é\ufeffabuse0', max_size=80))
@settings(deadline=None)
def test_texts_of_odd_characters(text: str) -> None:
    is_sound(text)


@given(strategies.broken(strategies.written()))
@settings(deadline=None, max_examples=300)
def test_broken_specs(text: str) -> None:
    is_sound(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("scale x { subscale a = " + "(" * 100_000, Code.TOO_DEEP, id="parentheses"),
        pytest.param("{" * 100_000, Code.TOO_DEEP, id="braces"),
        pytest.param("}" * 100_000 + "\nmodel x " + "{ a " * 100_000, Code.TOO_DEEP, id="unbalanced braces"),
        pytest.param("scale x { subscale a = " + "1+" * 100_000 + "1 }", Code.TOO_DEEP, id="a long sum"),
        pytest.param("scale x { subscale a = " + "-" * 100_000 + "b }", Code.TOO_DEEP, id="negations"),
        pytest.param('"' * 1_000_000, Code.OPEN_STRING, id="quotes"),
        pytest.param('"""\n' + '\\"""\n' * 200_000, Code.OPEN_STRING, id="escaped quotes"),
        pytest.param("\t" * 1_000_000, Code.FOREIGN_CHARACTER, id="tabs"),
        pytest.param("use use\n" * 10_000, Code.SYNTAX, id="an error on every line"),
        pytest.param("x" * 1_000_000, Code.SYNTAX, id="a long word"),
        pytest.param("9" * 100_000, Code.SYNTAX, id="a long number"),
        pytest.param("scale x { options 1..1e999 }", Code.OUT_OF_RANGE, id="a huge number"),
    ],
)
def test_endless_texts_end_soon_in_a_diagnostic(text: str, code: Code) -> None:
    start = time.monotonic()
    _, found = parse("spec.eb", text)
    assert code in {diagnostic.code for diagnostic in found}
    assert time.monotonic() - start < 10
    assert len(frame(found[0], {"spec.eb": Source("spec.eb", text)})) < 2_000


def test_a_score_may_have_many_operators_but_not_too_many() -> None:
    def score(operators: int) -> str:
        return "scale S { subscale a = " + "1 + " * operators + "1 }"

    assert parse("spec.eb", score(60))[1] == []
    assert [found.code for found in parse("spec.eb", score(61))[1]] == [Code.TOO_DEEP]
    is_sound(score(60))
    is_sound("scale S { " + "subscale a = b - c " * 300 + "}")
