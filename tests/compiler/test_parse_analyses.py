"""The trees of analyses: sides, units, several values of a setting; splits and what is between respondents."""

from __future__ import annotations

import pytest

from tests.compiler.test_parse import body


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (
            'split crowd into train 8, test 4 split "gpt-4" into a 1',
            "SplitOf(crowd, [SplitPart(train, 8), SplitPart(test, 4)]), SplitOf(~gpt-4, [SplitPart(a, 1)])",
        ),
        ("between arm, voice", "BetweenOf([arm, voice])"),
        (
            'contrast c = a in x - b in "gpt-4"',
            "ContrastDecl(c, -, [Side(a, x, -), Side(b, ~gpt-4, -)], False, [])",
        ),
        ("contrast c = in x - y", "ContrastDecl(c, -, [Side(-, x, -), Side(y, -, -)], False, [])"),
        (
            'contrast c = a - norm "pupils"',
            "ContrastDecl(c, -, [Side(a, -, -), Side(-, -, 'pupils')], False, [])",
        ),
        (
            "contrast c = a, b, in x per stimulus { test kruskal }",
            "ContrastDecl(c, -, [Side(a, -, -), Side(b, -, -), Side(-, x, -)], True, "
            "[PerClause(stimulus), SettingsClause([Setting(test, kruskal)])])",
        ),
        (
            'correlate c "C" = a in x with stimulus.gold of S.x { coefficient pearson, spearman }',
            "AssociationDecl(correlation, c, 'C', [Side(a, x, -), Side(stimulus.gold, -, -)], "
            "[OfClause([S.x]), SettingsClause([Setting(coefficient, Several([pearson, spearman]))])])",
        ),
        (
            "agreement c = a with b of S { coefficient accuracy  cut -2.5 }",
            "AssociationDecl(agreement, c, -, [Side(a, -, -), Side(b, -, -)], [OfClause([S]), "
            "SettingsClause([Setting(coefficient, accuracy), Setting(cut, -2.5)])])",
        ),
        ("agreement c = in x", "AssociationDecl(agreement, c, -, [Side(-, x, -)], [])"),
        ("reliability c", "AssociationDecl(reliability, c, -, [], [])"),
        (
            "reliability c of S.x by overall",
            "AssociationDecl(reliability, c, -, [], [OfClause([S.x]), ByClause([Group([overall])])])",
        ),
        # A word stands for itself wherever its keyword cannot stand.
        (
            "agreement with = with with with",
            "AssociationDecl(agreement, with, -, [Side(with, -, -), Side(with, -, -)], [])",
        ),
    ],
)
def test_statements_of_a_study(text: str, tree: str) -> None:
    assert body(f"study s {{ {text} }}") == tree
