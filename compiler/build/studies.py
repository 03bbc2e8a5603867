"""Studies, analyses and published values."""

from __future__ import annotations

from typing import Literal

from compiler import ast
from compiler.build.words import Children, of_kind
from compiler.source import Span


class StudyBuilder:
    def study(self, span: Span, children: Children) -> ast.StudyDecl:
        return ast.StudyDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def protocol_of(self, span: Span, children: Children) -> ast.ProtocolOf:
        return ast.ProtocolOf(span=span, name=children[0])

    def scales_of(self, span: Span, children: Children) -> ast.ScalesOf:
        return ast.ScalesOf(span=span, scales=tuple(children))

    def scale_use(self, span: Span, children: Children) -> ast.ScaleUse:
        return ast.ScaleUse(span=span, scale=children[0], stimuli=of_kind(children[1:], ast.Name))

    def stimuli_of(self, span: Span, children: Children) -> ast.StimuliOf:
        return ast.StimuliOf(span=span, stimuli=tuple(children))

    def panels_of(self, span: Span, children: Children) -> ast.PanelsOf:
        return ast.PanelsOf(span=span, panels=tuple(children))

    def sampling_of(self, span: Span, children: Children) -> ast.SamplingOf:
        return ast.SamplingOf(span=span, settings=tuple(children))

    def counted(self, span: Span, children: Children) -> ast.Counted:
        return ast.Counted(span=span, what=children[0], value=children[1])

    def orders(self, span: Span, children: Children) -> ast.Counted:
        return ast.Counted(span=span, what="orders", value=children[0], shuffled=children[1] is not None)

    def shuffled(self, span: Span, children: Children) -> Literal["shuffled"]:
        return "shuffled"

    def split(self, span: Span, children: Children) -> ast.SplitOf:
        return ast.SplitOf(span=span, panel=children[0], parts=tuple(children[1:]))

    def split_part(self, span: Span, children: Children) -> ast.SplitPart:
        return ast.SplitPart(span=span, name=children[0], count=children[1])

    def between(self, span: Span, children: Children) -> ast.BetweenOf:
        return ast.BetweenOf(span=span, variables=tuple(children))

    def contrast(self, span: Span, children: Children) -> ast.ContrastDecl:
        return _contrast(span, children, omnibus=False)

    def omnibus(self, span: Span, children: Children) -> ast.ContrastDecl:
        return _contrast(span, children, omnibus=True)

    def correlate(self, span: Span, children: Children) -> ast.AssociationDecl:
        return _association("correlation", span, children)

    def agreement(self, span: Span, children: Children) -> ast.AssociationDecl:
        return _association("agreement", span, children)

    def reliability(self, span: Span, children: Children) -> ast.AssociationDecl:
        return _association("reliability", span, children)

    def side_of(self, span: Span, children: Children) -> ast.Side:
        return ast.Side(span=span, what=children[0], panel=children[1], norm=None)

    def side_in(self, span: Span, children: Children) -> ast.Side:
        return ast.Side(span=span, what=None, panel=children[0], norm=None)

    def side_norm(self, span: Span, children: Children) -> ast.Side:
        return ast.Side(span=span, what=None, panel=None, norm=children[0])

    def of_clause(self, span: Span, children: Children) -> ast.OfClause:
        return ast.OfClause(span=span, outcomes=tuple(children))

    def where_clause(self, span: Span, children: Children) -> ast.WhereClause:
        return ast.WhereClause(span=span, predicates=tuple(children))

    def predicate(self, span: Span, children: Children) -> ast.PredicateNode:
        field, negated, *values = children
        return ast.PredicateNode(span=span, field=field, values=tuple(values), negated=negated is not None)

    def not_(self, span: Span, children: Children) -> Literal["not"]:
        return "not"

    def by_clause(self, span: Span, children: Children) -> ast.ByClause:
        return ast.ByClause(span=span, groups=tuple(children))

    def group(self, span: Span, children: Children) -> ast.Group:
        return ast.Group(span=span, fields=tuple(children))

    def per_clause(self, span: Span, children: Children) -> ast.PerClause:
        return ast.PerClause(span=span, unit=children[0])

    def paired_clause(self, span: Span, children: Children) -> ast.PairedClause:
        return ast.PairedClause(span=span, field=children[0])

    def settings_clause(self, span: Span, children: Children) -> ast.SettingsClause:
        return ast.SettingsClause(span=span, settings=tuple(children))

    def expect_value(self, span: Span, children: Children) -> ast.ExpectValue:
        target, outcome, value, within, where, source = children
        return ast.ExpectValue(
            span=span, target=target, outcome=outcome, value=value, within=within, where=where, source=source
        )

    def expect_table(self, span: Span, children: Children) -> ast.ExpectTable:
        analysis, path, sheet, source, *body = children
        return ast.ExpectTable(
            span=span, analysis=analysis, path=path, sheet=sheet, source=source, body=tuple(body)
        )

    def expect_column(self, span: Span, children: Children) -> ast.ExpectColumn:
        column, source, rounded, within = children
        return ast.ExpectColumn(span=span, column=column, source=source, rounded=rounded, within=within)

    def rows_where(self, span: Span, children: Children) -> ast.RowsWhere:
        return ast.RowsWhere(span=span, place=children[0], values=tuple(children[1:]))

    def erratum(self, span: Span, children: Children) -> ast.Erratum:
        return ast.Erratum(span=span, text=children[0], where=children[1])


def _contrast(span: Span, children: Children, *, omnibus: bool) -> ast.ContrastDecl:
    name, title, *rest = children
    sides = of_kind(rest, ast.Side)
    clauses = tuple(rest[len(sides) :])
    return ast.ContrastDecl(span=span, name=name, title=title, sides=sides, omnibus=omnibus, clauses=clauses)


def _association(
    kind: Literal["correlation", "agreement", "reliability"], span: Span, children: Children
) -> ast.AssociationDecl:
    name, title, *rest = children
    sides = of_kind(rest, ast.Side)
    clauses = tuple(part for part in rest if part is not None and not isinstance(part, ast.Side))
    return ast.AssociationDecl(span=span, kind=kind, name=name, title=title, sides=sides, clauses=clauses)
