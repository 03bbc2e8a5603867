"""A mapping of recorded answers as the plan's record."""

from __future__ import annotations

from typing import Literal, cast

from compiler import ast
from compiler.model.reportrows import MISSING
from compiler.template import template
from schemas.plan import (
    ConditionCells,
    Constant,
    Covariate,
    Match,
    Place,
    Recode,
    Responses,
    ScaleCells,
    Template,
)


def responses_record(decl: ast.ResponsesDecl) -> Responses:
    """The mapping; assumes that it was checked."""
    body = decl.body
    kind = next(part.kind.text for part in body if isinstance(part, ast.KindDecl))
    match = next((part for part in body if isinstance(part, ast.MatchDecl)), None)
    return Responses(
        id=decl.name.text,
        title=decl.name.text if decl.title is None else decl.title.text,
        kind=cast(Literal["human", "model"], kind),
        path=template(decl.path.text),
        conditions=tuple(_condition(part) for part in body if isinstance(part, ast.ConditionCellsDecl)),
        sheet=None if decl.sheet is None else decl.sheet.text,
        transposed=decl.transposed,
        respondent=_respondent(decl),
        match=None if match is None else _match(match),
        recodes=tuple(_recode(part) for part in body if isinstance(part, ast.RecodeDecl)),
        covariates=tuple(_covariate(part) for part in body if isinstance(part, ast.CovariateDecl)),
    )


def _respondent(decl: ast.ResponsesDecl) -> Literal["counted"] | Place | None:
    said = next((part for part in decl.body if isinstance(part, ast.RespondentDecl)), None)
    if said is None:
        return None
    return "counted" if said.source is None else _place(said.source)


def _place(node: ast.PlaceNode) -> Place:
    return Place(node.axis, _at(node.at))


def _at(at: ast.Num | ast.Str) -> int | Template:
    return at.whole if isinstance(at, ast.Num) else template(at.text)


def _match(node: ast.MatchDecl) -> Match:
    start = 1 if node.counting_from is None else node.counting_from.whole
    return Match(_place(node.place), template(node.pattern.text), start)


def _recode(node: ast.RecodeDecl) -> Recode:
    pairs = {
        pair.spelling.text: None
        if pair.meaning.text == MISSING and not pair.meaning.quoted
        else pair.meaning.text
        for pair in node.pairs
    }
    return Recode(node.field.text, pairs)


def _covariate(node: ast.CovariateDecl) -> Covariate:
    match node.source:
        case ast.PlaceNode():
            return Covariate(node.name.text, _place(node.source))
        case ast.ConstantNode():
            return Covariate(node.name.text, Constant(node.source.value.text))
        case ast.Str():
            raise AssertionError("a covariate without a place does not pass the checks")


def _condition(node: ast.ConditionCellsDecl) -> ConditionCells:
    match = next((part for part in node.body if isinstance(part, ast.MatchDecl)), None)
    cells = tuple(
        ScaleCells(
            scale=part.scale.text,
            first=Place(part.axis, _at(part.first)),
            last=Place(part.axis, _at(part.last)),
            order=None if part.order is None else _place(part.order),
        )
        for part in node.body
        if isinstance(part, ast.CellsDecl)
    )
    return ConditionCells(node.condition.text, cells, None if match is None else _match(match))
