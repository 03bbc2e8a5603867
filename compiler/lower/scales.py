"""A scale's declaration as the plan's record."""

from __future__ import annotations

from compiler import ast
from compiler.model.items import item_records, items_of, options_of, parts, scale_options
from compiler.model.scores import Scoring
from compiler.resolve import Program
from schemas.plan import Norm, Scale, Subscale


def scale_record(program: Program, decl: ast.ScaleDecl) -> Scale:
    """The scale; its orders are drawn later."""
    items = items_of(program, decl)
    scoring = Scoring(decl, items)
    missing = parts(decl, ast.Missing)
    cite = next(iter(parts(decl, ast.Cite)), None)
    language = next(iter(parts(decl, ast.Language)), None)
    return Scale(
        id=decl.name.text,
        title=decl.name.text if decl.title is None else decl.title.text,
        options=options_of(scale_options(decl)),
        items=item_records(decl, items),
        subscales=tuple(_subscale(scoring, part) for part in parts(decl, ast.SubscaleDecl)),
        missing_allowed=missing[0].up_to.whole if missing else None,
        norms=tuple(
            Norm(norm.subscale.text, norm.group.text, norm.mean.value, norm.sd.value, norm.n.whole)
            for norm in parts(decl, ast.NormDecl)
        ),
        citation=None if cite is None else cite.text.text,
        doi=None if cite is None or cite.doi is None else cite.doi.text,
        language=None if language is None else language.code.text,
    )


def _subscale(scoring: Scoring, part: ast.SubscaleDecl) -> Subscale:
    title = part.name.text if part.title is None else part.title.text
    return Subscale(part.name.text, title, scoring.expression(part.score))
