"""What an analysis is about: of which kind its outcomes' scores are."""

from __future__ import annotations

from compiler import ast
from compiler.model.items import parts
from compiler.model.study import Analysis, clauses, scales_of, subscales_of
from compiler.model.variables import profile_scales
from compiler.resolve import Program


def outcome_scales(program: Program, study: ast.StudyDecl, analysis: Analysis) -> list[ast.ScaleDecl]:
    """The scales that an analysis can be about. Only a reliability needs no condition."""
    found = scales_of(program, study)
    if isinstance(analysis, ast.AssociationDecl) and analysis.kind == "reliability":
        found += [scale for scale in profile_scales(program, study) if scale not in found]
    return found


def outcomes_of(program: Program, study: ast.StudyDecl, analysis: Analysis) -> list[tuple[str, str]]:
    """The scales and subscales that an analysis is about: those that it names, or all of the study's."""
    scales = {scale.name.text: subscales_of(scale) for scale in outcome_scales(program, study, analysis)}
    named = [outcome for clause in clauses(analysis, ast.OfClause) for outcome in clause.outcomes]
    if not named:
        return [(scale, subscale) for scale, subscales in scales.items() for subscale in subscales]
    found: list[tuple[str, str]] = []
    for outcome in named:
        for subscale in scales.get(outcome.head.text, []):
            if outcome.tail is None or outcome.tail.text == subscale:
                found.append((outcome.head.text, subscale))
    return found


def subscale_of(scale: ast.ScaleDecl, subscale: str) -> ast.SubscaleDecl | None:
    """The scale's subscale of this name."""
    return next((one for one in parts(scale, ast.SubscaleDecl) if one.name.text == subscale), None)


def is_rate(scale: ast.ScaleDecl, score: ast.Expr) -> bool:
    """Whether a score is 0 or 1, so that its mean is a rate: a comparison, or the least or largest of such."""
    match score:
        case ast.CompareExpr():
            return True
        case ast.CallExpr(function=function, arguments=arguments):
            return function.text in ("min", "max") and all(is_rate(scale, one) for one in arguments)
        case ast.ItemRef(prefix=prefix) if prefix is not None:
            return any(is_rate(scale, one.value) for one in _derived(scale, prefix.text))
        case ast.ItemRef(item=ast.Name(text=name)):
            return any(is_rate(scale, one.value) for one in _derived(scale, name))
        case _:
            return False


def is_class(scale: ast.ScaleDecl, score: ast.Expr) -> bool:
    """Whether the values of a score are classes as they are: yes or no, or the answer to one item."""
    return is_rate(scale, score) or isinstance(score, ast.ItemRef)


def norms_of(scale: ast.ScaleDecl, subscale: str) -> list[str]:
    """The groups in which a subscale has a published norm."""
    return [norm.group.text for norm in parts(scale, ast.NormDecl) if norm.subscale.text == subscale]


def _derived(scale: ast.ScaleDecl, name: str) -> list[ast.DeriveDecl]:
    return [one for one in parts(scale, ast.DeriveDecl) if one.name.text == name]
