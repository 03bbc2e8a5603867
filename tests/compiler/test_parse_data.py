"""Syntax trees of what is taken from data files: recorded answers, and stimuli."""

from __future__ import annotations

import pytest

from compiler.parse import parse
from tests.compiler.test_parse import body, said


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("kind human", "KindDecl(human)"),
        ("headers 3", "HeadersDecl(3)"),
        ("respondent = counted", "AssignDecl(respondent, CountedNode())"),
        ('respondent = column "id"', "AssignDecl(respondent, PlaceNode(column, 'id'))"),
        ('stimulus = constant "a"', "AssignDecl(stimulus, ConstantNode('a'))"),
        ('stimulus = "a"', "AssignDecl(stimulus, 'a')"),
        (
            'match row 1 "{emotion}_{situation}" counting from 0',
            "MatchDecl(PlaceNode(row, 1), '{emotion}_{situation}', 0)",
        ),
        (
            'recode value { "Angry" -> anger -2 -> 0 "x" -> "a b" 0.5 -> missing }',
            "RecodeDecl(value, [RecodePair('Angry', anger), RecodePair('-2', 0), RecodePair('x', ~a b), "
            "RecodePair('0.5', missing)])",
        ),
        (
            'recode age { 18..24 -> young -3..-0.5 -> "a b" 99 -> missing }',
            "RecodeDecl(age, [RecodePair(18..24, young), RecodePair(-3..-0.5, ~a b), "
            "RecodePair('99', missing)])",
        ),
    ],
)
def test_what_is_said_of_observations(text: str, tree: str) -> None:
    assert body(f'responses r from "a.csv" {{ {text} }}') == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('covariate gender = row "Gender:"', "CovariateDecl(gender, PlaceNode(row, 'Gender:'))"),
        ('covariate wave = constant "two"', "CovariateDecl(wave, ConstantNode('two'))"),
        (
            'covariate age = 2023 - column "birth_year"',
            "CovariateDecl(age, DifferenceNode(2023, PlaceNode(column, 'birth_year')))",
        ),
        (
            "covariate S = columns 1..3 as labels",
            "CovariateDecl(S, CellsNode(column, [CellSpanNode(1, 3)], False, True, -))",
        ),
        ('S = column "a"', "AssignDecl(S, PlaceNode(column, 'a'))"),
        (
            'S = column "a" as list in order column "o"',
            "AssignDecl(S, CellsNode(column, [CellSpanNode('a', 'a')], True, False, PlaceNode(column, 'o')))",
        ),
        ("S = row 2 as list of labels", "AssignDecl(S, CellsNode(row, [CellSpanNode(2, 2)], True, True, -))"),
        (
            'S = columns "a", 4..6, "c".."d" as labels',
            "AssignDecl(S, CellsNode(column, [CellSpanNode('a', 'a'), CellSpanNode(4, 6), "
            "CellSpanNode('c', 'd')], False, True, -))",
        ),
        ("S = column 1 as labels", "AssignDecl(S, CellsNode(column, [CellSpanNode(1, 1)], False, True, -))"),
        (
            "S = row 4 in order row 2",
            "AssignDecl(S, CellsNode(row, [CellSpanNode(4, 4)], False, False, PlaceNode(row, 2)))",
        ),
        (
            'condition calm { S = rows 3..22 in order column "o" T = columns "a".."b" item = row 4 }',
            "ConditionCellsDecl(calm, [AssignDecl(S, CellsNode(row, [CellSpanNode(3, 22)], False, False, "
            "PlaceNode(column, 'o'))), "
            "AssignDecl(T, CellsNode(column, [CellSpanNode('a', 'b')], False, False, -)), "
            "AssignDecl(item, PlaceNode(row, 4))])",
        ),
        (
            'condition calm { match column 2 "{x}" }',
            "ConditionCellsDecl(calm, [MatchDecl(PlaceNode(column, 2), '{x}', -)])",
        ),
        (
            'vary arm over a, b = "B" { S = column "x_{arm}" vary wave over one { respondent = counted } }',
            "VaryDecl(arm, [LevelDecl(a, -), LevelDecl(b, 'B')], [AssignDecl(S, PlaceNode(column, 'x_{arm}')), "
            "VaryDecl(wave, [LevelDecl(one, -)], [AssignDecl(respondent, CountedNode())])])",
        ),
    ],
)
def test_where_answers_and_covariates_stand(text: str, tree: str) -> None:
    assert body(f'responses r from "a.csv" {{ {text} }}') == tree


def test_stimuli_of_a_data_file() -> None:
    file, found = parse(
        "spec.eb",
        'stimuli p "P" from "a.csv" sheet "S" {\n  name = column "id"  kind = constant "k"  n = counted\n'
        '  recode name { "x" -> y }\n}\n',
    )
    assert found == []
    assert [said(one) for one in file.declarations] == [
        "StimuliDecl(p, 'P', 'a.csv', 'S', [FieldFrom(name, PlaceNode(column, 'id')), "
        "FieldFrom(kind, ConstantNode('k')), FieldFrom(n, CountedNode()), "
        "RecodeDecl(name, [RecodePair('x', y)])])"
    ]
