"""A mapping of recorded answers as the plan's record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast

import msgspec

from compiler import ast
from compiler.model.mappings import Combination, combinations, is_field
from compiler.model.prompts import conditions_of
from compiler.model.recodes import meaning_of
from compiler.model.variables import within
from compiler.resolve import Program
from compiler.template import holes, template
from schemas.plan import (
    Block,
    CellSpan,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Difference,
    Field,
    FieldName,
    Hole,
    Match,
    Place,
    Range,
    Recode,
    Responses,
    ScaleCells,
    Template,
    Text,
)


def responses_record(program: Program, decl: ast.ResponsesDecl, protocol: ast.ProtocolDecl) -> Responses:
    """The mapping, for a study of this protocol; assumes that it was checked."""
    kind = next(part.kind.text for part in decl.body if isinstance(part, ast.KindDecl))
    headers = next((part.count.whole for part in decl.body if isinstance(part, ast.HeadersDecl)), None)
    names = [condition.name.text for condition, _ in conditions_of(protocol)]
    return Responses(
        id=decl.name.text,
        title=decl.name.text if decl.title is None else decl.title.text,
        kind=cast(Literal["human", "model"], kind),
        path=template(decl.path.text),
        blocks=tuple(_Lowering(program, one, names).block() for one in combinations(decl)),
        sheet=None if decl.sheet is None else decl.sheet.text,
        transposed=decl.transposed,
        headers=headers,
        recodes=tuple(recode_record(part) for part in within(decl.body) if isinstance(part, ast.RecodeDecl)),
    )


def recode_record(node: ast.RecodeDecl) -> Recode:
    """A `recode`: its spellings and its ranges of numbers."""
    to: dict[str, str | None] = {}
    ranges: list[Range] = []
    for pair in node.pairs:
        meaning = meaning_of(pair)
        if isinstance(pair.spelling, ast.NumberRange):
            ranges.append(Range(pair.spelling.first.value, pair.spelling.last.value, meaning))
        else:
            to[pair.spelling.text] = meaning
    return Recode(node.field.text, to, tuple(ranges))


class _Lowering:
    """One combination of levels: every text with their spellings put in."""

    def __init__(self, program: Program, combination: Combination, conditions: list[str]) -> None:
        self._scales = program.scales
        self._said = combination
        self._spellings = combination.spellings
        self._conditions = conditions

    def block(self) -> Block:
        said = self._said
        is_long = self._has_items(said.statements)
        bare = self._cells(said.assigned(), is_long)
        conditions = [self._condition(part, is_long) for part in said.conditions()]
        if bare:
            conditions.insert(0, ConditionCells(self._conditions[0], bare))
        return Block(
            levels={vary.variable.text: level.name.text for vary, level in said.levels},
            fields=self._fields(said.assigned()),
            matches=tuple(self._match(part) for part in said.matches()),
            conditions=tuple(conditions),
            covariates=tuple(
                self._covariate(part) for part in said.covariates() if part.name.text not in self._scales
            ),
            profile=tuple(
                self._scale(part.name.text, part.source, is_long=False)
                for part in said.covariates()
                if part.name.text in self._scales
            ),
        )

    def _condition(self, node: ast.ConditionCellsDecl, is_long: bool) -> ConditionCells:
        assigned = [part for part in node.body if isinstance(part, ast.AssignDecl)]
        return ConditionCells(
            condition=node.condition.text,
            cells=self._cells(assigned, is_long or self._has_items(node.body)),
            matches=tuple(self._match(part) for part in node.body if isinstance(part, ast.MatchDecl)),
            fields=self._fields(assigned),
        )

    def _has_items(self, statements: Iterable[ast.Node]) -> bool:
        """Whether an observation is one answer, to the item that is named in it."""
        return any(
            (isinstance(part, ast.AssignDecl) and part.name.text == "item")
            or (isinstance(part, ast.MatchDecl) and "item" in holes(part.pattern.text))
            for part in statements
        )

    def _cells(self, assigned: list[ast.AssignDecl], is_long: bool) -> tuple[ScaleCells, ...]:
        return tuple(
            self._scale(part.name.text, part.source, is_long) for part in assigned if not is_field(part.name)
        )

    def _scale(self, scale: str, node: ast.Node, is_long: bool) -> ScaleCells:
        match node:
            case ast.PlaceNode():
                place = self._place(node)
                return ScaleCells(scale, (CellSpan(place, place),), form="long" if is_long else "cells")
            case ast.CellsNode(axis=axis, spans=spans, listed=listed, labels=labels, order=order):
                is_one = len(spans) == 1 and spans[0].first == spans[0].last
                alone: Literal["long", "cells"] = "long" if is_long and is_one else "cells"
                return ScaleCells(
                    scale,
                    tuple(
                        CellSpan(Place(axis, self._at(span.first)), Place(axis, self._at(span.last)))
                        for span in spans
                    ),
                    form="list" if listed else alone,
                    labels=labels,
                    order=None if order is None else self._place(order),
                )
            case _:
                raise AssertionError("answers without a place do not pass the checks")

    def _fields(self, assigned: list[ast.AssignDecl]) -> tuple[Field, ...]:
        return tuple(
            Field(cast(FieldName, part.name.text), self._source(part.source))
            for part in assigned
            if is_field(part.name)
        )

    def _source(self, node: ast.Node) -> Place | Constant | Counted:
        match node:
            case ast.PlaceNode():
                return self._place(node)
            case ast.ConstantNode(value=value):
                return self._constant(value)
            case ast.CountedNode():
                return Counted()
            case _:
                raise AssertionError("a field without a place does not pass the checks")

    def _covariate(self, node: ast.CovariateDecl) -> Covariate:
        match node.source:
            case ast.PlaceNode():
                return Covariate(node.name.text, self._place(node.source))
            case ast.ConstantNode(value=value):
                return Covariate(node.name.text, self._constant(value))
            case ast.DifferenceNode(minuend=minuend, place=place):
                return Covariate(node.name.text, Difference(minuend.value, self._place(place)))
            case _:
                raise AssertionError("a covariate without a place does not pass the checks")

    def _match(self, node: ast.MatchDecl) -> Match:
        start = 1 if node.counting_from is None else node.counting_from.whole
        return Match(self._place(node.place), self._template(node.pattern.text), start)

    def _place(self, node: ast.PlaceNode) -> Place:
        return Place(node.axis, self._at(node.at))

    def _at(self, at: ast.Num | ast.Str) -> int | Template:
        return at.whole if isinstance(at, ast.Num) else self._template(at.text)

    def _template(self, text: str) -> Template:
        """The text with the spellings of levels in it."""
        parts: list[Text | Hole] = []
        for part in template(text):
            if isinstance(part, Hole) and part.name in self._spellings:
                part = Text(self._spellings[part.name])
            if isinstance(part, Text) and parts and isinstance(parts[-1], Text):
                parts[-1] = msgspec.structs.replace(parts[-1], text=parts[-1].text + part.text)
            else:
                parts.append(part)
        return tuple(parts)

    def _constant(self, value: ast.Str) -> Constant:
        return Constant("".join(part.text for part in self._template(value.text) if isinstance(part, Text)))
