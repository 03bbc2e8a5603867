"""The layout: says the same, is stable, loses no comment, and looks as it should."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from compiler.format import format_file
from compiler.parse import parse
from tests.compiler import strategies

LAYOUTS = Path(__file__).parent / "layouts"


def formatted(text: str) -> str:
    file, diagnostics = parse("spec.eb", text)
    assert diagnostics == []
    return format_file(file)


@given(strategies.written())
@settings(deadline=None, max_examples=300)
def test_formatting_changes_the_layout_alone(text: str) -> None:
    file, diagnostics = parse("spec.eb", text)
    assert diagnostics == []
    once = format_file(file)
    again, diagnostics = parse("spec.eb", once)
    assert diagnostics == []
    assert again == file
    assert [comment.text for comment in again.comments] == [comment.text for comment in file.comments]
    assert format_file(again) == once
    assert once == "" or (once.endswith("\n") and not once.endswith("\n\n"))


@pytest.mark.parametrize("path", sorted(LAYOUTS.glob("*.eb")), ids=lambda path: path.stem)
def test_layout(path: Path, golden: Callable[[str, str], None]) -> None:
    once = formatted(path.read_text(encoding="utf-8"))
    golden(f"layout/{path.name}", once)
    assert formatted(once) == once


def test_nothing_but_comments() -> None:
    assert formatted("") == ""
    assert formatted("\n\n  # one  \n\n\n# two") == "# one\n\n# two\n"


def test_a_comment_inside_a_statement_goes_above_it() -> None:
    written = "study s {\n  panels a, # the first\n    b # the second\n}\n"
    assert formatted(written) == "study s {\n  # the first\n  panels a, b  # the second\n}\n"


def test_comments_at_braces_stay_there() -> None:
    written = "scale S { # opens\n  # inside\n} # closes\n"
    assert formatted(written) == "scale S {  # opens\n  # inside\n}  # closes\n"


def test_a_tree_without_a_text_is_laid_out_too() -> None:
    file, _ = parse("spec.eb", 'model m {\n  name "n"\n}\n')
    assert format_file(msgspec.structs.replace(file, text="")) == 'model m { name "n" }\n'


@pytest.mark.parametrize(
    ("score", "canonical"),
    [
        ("((1))+(2*3)", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("1-(2*3)", "1 - 2 * 3"),
        ("6/(2*3)", "6 / (2 * 3)"),
        ("-sum(1..3, raw 4)", "-1 * sum(1..3, raw 4)"),
        ("raw item 4..4", "raw item 4"),
        ("2.50 * a", "2.5 * a"),
        ("((a + 1) is (2 * 3))", "a + 1 is 2 * 3"),
        ("(a is 1) is not (b < 2)", "(a is 1) is not (b < 2)"),
        ("1 - (a >= 2)", "1 - (a >= 2)"),
        ("min(1, item 2, 3..4, key item 5)", "min(1, item 2, 3..4, key 5)"),
        ("sum((item 1), miss item 2, miss 3..4, (a*2))", "sum(1, miss 2, miss 3..4, a * 2)"),
        ("miss item 2 + key a", "miss item 2 + key a"),
    ],
)
def test_scores_keep_their_meaning_with_fewest_parentheses(score: str, canonical: str) -> None:
    assert (
        formatted(f"scale S {{\n  subscale s = {score}\n}}") == f"scale S {{\n  subscale s = {canonical}\n}}\n"
    )


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (r'"a\\d"', r'"a\d"'),
        (r'"a\\n"', r'"a\\n"'),
        (r'"a\\"', r'"a\\"'),
        (r'"say \"it\""', r'"say \"it\""'),
        (r'"""one line"""', r'"one line"'),
        (r'"a\tb"', r'"a\tb"'),
        ('"a\\nb"', '"""\n  a\n  b\n"""'),
        ('"a\\n\\n  b"', '"""\n  a\n\n    b\n"""'),
        (r'" a\n b"', r'" a\n b"'),
        (r'"a\n"', r'"a\n"'),
    ],
)
def test_texts_are_escaped_no_more_than_needed(text: str, canonical: str) -> None:
    assert formatted(f"prompt p {text}") == f"prompt p {canonical}\n"


def test_names_are_quoted_where_they_must_be() -> None:
    written = 'study s {\n  contrast c = a - b where x is "not" or "a b" or "plain" or plain\n}\n'
    assert formatted(written) == written


def test_lines_end_alike_wherever_they_were_written() -> None:
    text = 'prompt p {\n  user """\n    a\n    b\n  """\n}\n\n# end\n'
    assert formatted(text.replace("\n", "\r\n")) == text


def test_the_formatter_needs_no_grammar() -> None:
    loaded = "import sys, compiler.format; print('lark' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_keys_and_derived_values() -> None:
    written = 'scale S {\n  items { "a" key gold  "b" key -1.5 }\n  derive miss = abs(value - key)\n}\n'
    assert formatted(written) == written


def test_negative_codes_keep_their_sign() -> None:
    once = formatted(
        'scale S { options -2..2 { -2 "cold"  2 "warm" }  items { "calm" options { -1 "less" } } }'
    )
    assert {"-2", "-2..2", "-1"} <= set(once.split())
    assert formatted(once) == once
