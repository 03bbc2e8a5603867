"""Each construct's syntax tree, and what is said about a text that has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler import ast
from compiler.diagnostics import frame
from compiler.parse import parse
from compiler.source import Source

MISTAKES = Path(__file__).parent / "mistakes"


def said(node: object) -> str:
    """A tree in short: names bare (`~` where quoted), texts in quotes, `-` for what is absent."""
    match node:
        case ast.Name(text=text, quoted=quoted):
            return f"~{text}" if quoted else text
        case ast.Str(text=text):
            return repr(text)
        case ast.Num(value=value):
            return f"{value:g}"
        case ast.NumberRange(first=first, last=last):
            return f"{first.value:g}..{last.value:g}"
        case ast.Dotted(text=text):
            return text
        case tuple():
            return f"[{', '.join(map(said, node))}]"
        case ast.Node():
            fields = [name for name in node.__struct_fields__ if name != "span"]
            return f"{type(node).__name__}({', '.join(said(getattr(node, name)) for name in fields)})"
        case None:
            return "-"
        case _:
            return str(node)


def parsed(text: str) -> ast.File:
    file, found = parse("spec.eb", text)
    assert found == []
    return file


def body(text: str) -> str:
    """The statements of the one declaration, in short."""
    (declaration,) = parsed(text).declarations
    assert isinstance(declaration, ast.ScaleDecl | ast.ProtocolDecl | ast.ResponsesDecl | ast.StudyDecl)
    return ", ".join(map(said, declaration.body))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('use "lib/panas"', "Use('lib/panas')"),
        ('scale S "A scale" { language "en" }', "ScaleDecl(S, 'A scale', [Language('en')])"),
        ("scale S { }", "ScaleDecl(S, -, [])"),
        (
            'emotion joy "Joy" { factor small "Small" { "The bus waits." } }',
            "EmotionDecl(joy, 'Joy', [FactorDecl(small, 'Small', [Situation('The bus waits.', [])], -)])",
        ),
        (
            'emotion joy { factor small { "A" { worse "B"  tone "C" } "D" } }',
            "EmotionDecl(joy, -, [FactorDecl(small, -, [Situation('A', [FieldDecl(worse, 'B'), "
            "FieldDecl(tone, 'C')]), Situation('D', [])], -)])",
        ),
        (
            'emotion joy { factor small from "a.csv" sheet "S" column 2 }',
            "EmotionDecl(joy, -, [FactorDecl(small, -, [], DataFile('a.csv', 'S', 2))])",
        ),
        ('prompt ask "Rate."', "PromptDecl(ask, [MessageDecl(user, 'Rate.')], [], True)"),
        (
            'prompt ask { system "A" assistant "B" variant firm { append system "C" user "D" } user "E" }',
            "PromptDecl(ask, [MessageDecl(system, 'A'), MessageDecl(assistant, 'B'), MessageDecl(user, 'E')], "
            "[VariantDecl(firm, [Append(MessageDecl(system, 'C')), MessageDecl(user, 'D')])], False)",
        ),
        (
            'model m "A model" { provider openai name "gpt-4" prices { input 0.15 } effect.x -1 }',
            "ModelDecl(m, 'A model', [Setting(provider, openai), Setting(name, ~gpt-4), "
            "Setting(prices, [Setting(input, 0.15)]), Setting(effect.x, -1)])",
        ),
        ('model "gpt-4" { a b }', "ModelDecl(~gpt-4, -, [Setting(a, b)])"),
        (
            'responses r "People" from "a.xlsx" sheet "Raw" transposed { kind human }',
            "ResponsesDecl(r, 'People', 'a.xlsx', 'Raw', True, [KindDecl(human)])",
        ),
        ('study s "A study" { seed 42 }', "StudyDecl(s, 'A study', [Counted(seed, 42, False)])"),
    ],
)
def test_declarations(text: str, tree: str) -> None:
    assert [said(statement) for statement in parsed(text).statements] == [tree]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('cite "A (1988)" doi "10.1/x"', "Cite('A (1988)', '10.1/x')"),
        ('cite "A"', "Cite('A', -)"),
        (
            'options 1..5 step 2 { 1 "no" 5 "yes" }',
            "Options(1, 5, 2, [Anchor(1, 'no'), Anchor(5, 'yes')])",
        ),
        ("options 0..10", "Options(0, 10, -, [])"),
        ('options { 0 "no" }', "Options(-, -, -, [Anchor(0, 'no')])"),
        (
            'items { 1 "A" why "B" "C" }',
            "ItemGroup(-, [ItemDecl(1, 'A', -, -), ItemDecl(why, 'B', -, -), ItemDecl(-, 'C', -, -)])",
        ),
        (
            'items { 1 "A" key gold 2 "B" options 1..2 key -1 }',
            "ItemGroup(-, [ItemDecl(1, 'A', -, gold), ItemDecl(2, 'B', Options(1, 2, -, []), -1)])",
        ),
        (
            'items { options 1..2 1 "A" options { 0 "no" } }',
            "ItemGroup(Options(1, 2, -, []), [ItemDecl(1, 'A', Options(-, -, -, [Anchor(0, 'no')]), -)])",
        ),
        ('items from "a.csv" column "item"', "ItemsFrom(DataFile('a.csv', -, 'item'))"),
        (
            'subscale a "A" = sum(1, raw 2..3, why)',
            "SubscaleDecl(a, 'A', CallExpr(sum, [ItemRef(1..1, -), ItemRef(2..3, raw), ItemRef(why, -)]))",
        ),
        (
            "subscale a = 1 - item 2 * 3 - raw why",
            "SubscaleDecl(a, -, BinaryExpr(-, BinaryExpr(-, 1, BinaryExpr(*, ItemRef(2..2, -), 3)), "
            "ItemRef(why, raw)))",
        ),
        ("subscale a = (1 + 2) / -4", "SubscaleDecl(a, -, BinaryExpr(/, BinaryExpr(+, 1, 2), -4))"),
        ("subscale a = -b", "SubscaleDecl(a, -, BinaryExpr(*, -1, ItemRef(b, -)))"),
        (
            "derive miss = abs(value - key)",
            "DeriveDecl(miss, CallExpr(abs, [BinaryExpr(-, ItemRef(value, -), ItemRef(key, -))]))",
        ),
        (
            "subscale a = min(miss 1..2, (why is not 3) + 1)",
            "SubscaleDecl(a, -, CallExpr(min, [ItemRef(1..2, miss), "
            "BinaryExpr(+, CompareExpr(is not, ItemRef(why, -), 3), 1)]))",
        ),
        ("reverse 2, 4..6, why", "Keyed(reverse, [2..2, 4..6, why])"),
        ("filler 3", "Keyed(filler, [3..3])"),
        ("missing up to 2", "Missing(2)"),
        ('norm a in "students" mean 31.2 sd 6 n 412', "NormDecl(a, 'students', 31.2, 6, 412)"),
        ('language "en"', "Language('en')"),
    ],
)
def test_statements_of_a_scale(text: str, tree: str) -> None:
    assert body(f"scale S {{ {text} }}") == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("condition calm", "ConditionDecl(calm, -, [])"),
        (
            "condition evoked each situation { present imagine }",
            "ConditionDecl(evoked, situation, [PresentStep(PromptRef(imagine, []))])",
        ),
        (
            'condition a each stimulus { present imagine(situation = worse, tone = "kind") }',
            "ConditionDecl(a, stimulus, [PresentStep(PromptRef(imagine, [Argument(situation, worse), "
            "Argument(tone, 'kind')]))])",
        ),
        (
            "then { measure with ask.firm measure S with ask }",
            "Then([MeasureStep(-, PromptRef(ask.firm, []), -), MeasureStep(S, PromptRef(ask, []), -)])",
        ),
    ],
)
def test_statements_of_a_protocol(text: str, tree: str) -> None:
    assert body(f"protocol p {{ {text} }}") == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("protocol p", "ProtocolOf(p)"),
        (
            "scales S, T for joy and fear, U",
            "ScalesOf([ScaleUse(S, []), ScaleUse(T, [joy, fear]), ScaleUse(U, [])])",
        ),
        ("stimuli joy.small, fear", "StimuliOf([joy.small, fear])"),
        ("stimuli *", "StimuliOf([Everything()])"),
        ('panels m, "gpt-4"', "PanelsOf([m, ~gpt-4])"),
        ("sampling { temperature 0 }", "SamplingOf([Setting(temperature, 0)])"),
        ("repeats 3", "Counted(repeats, 3, False)"),
        ("orders 10 shuffled", "Counted(orders, 10, True)"),
        (
            'contrast c "C" = a - b of S.x, y where panel is m or "gpt-4" and f is not 2 '
            "by overall, e * g paired by respondent { test welch }",
            "ContrastDecl(c, 'C', [Side(a, -, -), Side(b, -, -)], False, [OfClause([S.x, y]), "
            "WhereClause([PredicateNode(panel, [m, ~gpt-4], False), PredicateNode(f, [2], True)]), "
            "ByClause([Group([overall]), Group([e, g])]), PairedClause(respondent), "
            "SettingsClause([Setting(test, welch)])])",
        ),
        (
            'expect c.estimate of S.x = -10.4 within 0.05 where f is a source "T1"',
            "ExpectValue(c.estimate, S.x, -10.4, 0.05, WhereClause([PredicateNode(f, [a], False)]), 'T1')",
        ),
        (
            'expect c from "p.csv" sheet "S" source "T2" { panel = column "m" rounded 1 within 0.1 '
            'unit = constant "u" where row 1 is "a" or "b" recode panel { "x" -> y } '
            'erratum "why" where f is a }',
            "ExpectTable(c, 'p.csv', 'S', 'T2', [ExpectColumn(panel, PlaceNode(column, 'm'), 1, 0.1), "
            "ExpectColumn(unit, ConstantNode('u'), -, -), RowsWhere(PlaceNode(row, 1), ['a', 'b']), "
            "RecodeDecl(panel, [RecodePair('x', y)]), "
            "Erratum('why', WhereClause([PredicateNode(f, [a], False)]))])",
        ),
    ],
)
def test_statements_of_a_study(text: str, tree: str) -> None:
    assert body(f"study s {{ {text} }}") == tree


def test_keywords_are_names_where_they_cannot_stand() -> None:
    text = "study seed { protocol study scales scale panels panels contrast by = not - is by by }"
    assert said(parsed(text).declarations[0]) == (
        "StudyDecl(seed, -, [ProtocolOf(study), ScalesOf([ScaleUse(scale, [])]), PanelsOf([panels]), "
        "ContrastDecl(by, -, [Side(not, -, -), Side(is, -, -)], False, [ByClause([Group([by])])])])"
    )


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r'"a \"b\" \\ \n \t \d"', 'a "b" \\ \n \t \\d'),
        ('"""\n    a\n      b "c"\n    """', 'a\n  b "c"'),
        ('"""\r\n  a\r\n  b\r\n"""', "a\nb"),
        ('"""one"""', "one"),
        ('""', ""),
    ],
)
def test_texts(literal: str, text: str) -> None:
    (use,) = parsed(f"use {literal}").uses
    assert use.path.text == text


def test_every_node_knows_where_it_stands() -> None:
    text = 'scale S {\n  options 1..5 { 1 "no" }\n}\n\nmodel m { a { b -1 } }'
    scale, model = parsed(text).declarations
    assert isinstance(scale, ast.ScaleDecl)
    assert isinstance(model, ast.ModelDecl)

    def at(node: ast.Node) -> str:
        return text[node.span.start : node.span.end]

    assert at(scale) == 'scale S {\n  options 1..5 { 1 "no" }\n}'
    assert at(scale.body[0]) == '1..5 { 1 "no" }'
    assert at(model.settings[0]) == "a { b -1 }"


def test_comments_are_kept_with_what_they_trail() -> None:
    text = '# one\nuse "a # b"  # two\n  # three\n'
    assert [(comment.text, comment.trailing) for comment in parsed(text).comments] == [
        ("# one", False),
        ("# two", True),
        ("# three", False),
    ]


@pytest.mark.parametrize("path", sorted(MISTAKES.glob("*.eb")), ids=lambda path: path.stem)
def test_mistakes(path: Path, golden: Callable[[str, str], None]) -> None:
    text = path.read_text(encoding="utf-8")
    _, found = parse(path.name, text)
    sources = {path.name: Source(path.name, text)}
    golden(f"syntax/{path.stem}.txt", "\n\n".join(frame(diagnostic, sources) for diagnostic in found) + "\n")


def test_what_can_be_read_is_read_in_spite_of_mistakes() -> None:
    text = 'use "a"\nscale S {\n  option 1..5\n}\nmodel m { a b }\nstudy s { seeed 1 }\n'
    file, found = parse("spec.eb", text)
    assert [said(statement) for statement in file.statements] == [
        "Use('a')",
        "ScaleDecl(S, -, [])",
        "ModelDecl(m, -, [Setting(a, b)])",
    ]
    assert [diagnostic.suggestion for diagnostic in found] == [
        "did you mean `options`?",
        "did you mean `seed`?",
    ]
