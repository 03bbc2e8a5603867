"""What an analysis is about: of which kind its outcomes' scores are."""

from __future__ import annotations

from compiler import ast
from compiler.model.items import items_of, parts
from compiler.model.scores import Scoring
from compiler.model.study import Analysis, clauses, scales_of, subscales_of
from compiler.model.variables import profile_scales
from compiler.resolve import Program
from schemas import ranges


def outcome_scales(program: Program, study: ast.StudyDecl, analysis: Analysis) -> list[ast.ScaleDecl]:
    """The scales that an analysis can be about. Only a reliability needs no condition."""
    found = scales_of(program, study)
    if isinstance(analysis, ast.AssociationDecl) and analysis.kind == "reliability":
        found += [scale for scale in profile_scales(program, study) if scale not in found]
    return found


def outcomes_of(program: Program, study: ast.StudyDecl, analysis: Analysis) -> list[tuple[str, str]]:
    """The scales and subscales that an analysis is about: those that it names, or all of the study's that have
    the norm that it names, if it does."""
    named = [outcome for clause in clauses(analysis, ast.OfClause) for outcome in clause.outcomes]
    if not named:
        norm = norm_of(analysis)
        return [
            (scale.name.text, subscale)
            for scale in scales_of(program, study)
            for subscale in subscales_of(scale)
            if norm is None or norm.text in norms_of(scale, subscale)
        ]
    scales = {scale.name.text: subscales_of(scale) for scale in outcome_scales(program, study, analysis)}
    return [
        (outcome.head.text, subscale)
        for outcome in named
        for subscale in scales.get(outcome.head.text, [])
        if outcome.tail is None or outcome.tail.text == subscale
    ]


def norm_of(analysis: Analysis) -> ast.Str | None:
    """The group whose norm is a side of an analysis."""
    return next((side.norm for side in analysis.sides if side.norm is not None), None)


def norms_of(scale: ast.ScaleDecl, subscale: str) -> list[str]:
    """The groups in which a subscale has a published norm."""
    return [norm.group.text for norm in parts(scale, ast.NormDecl) if norm.subscale.text == subscale]


def is_rate(program: Program, scale: ast.ScaleDecl, subscale: str) -> bool:
    """Whether a subscale's score is 0 or 1 whatever is answered, so that its mean is a rate."""
    scoring = Scoring(scale, items_of(program, scale))
    record = scoring.record()
    return any(ranges.is_rate(record, scoring.expression(score)) for score in _scores(scale, subscale))


def is_class(program: Program, scale: ast.ScaleDecl, subscale: str) -> bool:
    """Whether the values of a subscale are classes as they are: yes or no, or the answer to one item."""
    one_item = any(isinstance(score, ast.ItemRef) for score in _scores(scale, subscale))
    return one_item or is_rate(program, scale, subscale)


def _scores(scale: ast.ScaleDecl, subscale: str) -> list[ast.Expr]:
    return [one.score for one in parts(scale, ast.SubscaleDecl) if one.name.text == subscale]
