"""Studies, as lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from compiler import ast
from compiler.format.answers import recode
from compiler.format.layout import Block, Line, Part
from compiler.format.settings import settings_block
from compiler.format.words import (
    file_words,
    listed,
    name,
    number,
    place,
    quoted,
    source,
    titled,
    value,
)


def study_statement(statement: ast.StudyStatement) -> Line:
    return Line(statement.span, tuple(_study_parts(statement)))


def _study_parts(statement: ast.StudyStatement) -> Iterable[Part]:
    match statement:
        case ast.ProtocolOf(name=word):
            return [f"protocol {name(word)}"]
        case ast.ScalesOf(scales=scales):
            return listed("scales", map(_scale_use, scales))
        case ast.StimuliOf(stimuli=stimuli):
            return listed("stimuli", map(_stimuli, stimuli))
        case ast.PanelsOf(panels=panels):
            return listed("panels", map(name, panels))
        case ast.SamplingOf(settings=settings, span=span):
            return ["sampling", settings_block(settings, span.start + len("sampling"), span.end)]
        case ast.Counted(what=what, value=count, shuffled=shuffled):
            return [f"{what} {number(count)}" + (" shuffled" if shuffled else "")]
        case ast.SplitOf(panel=panel, parts=parts):
            return listed(
                f"split {name(panel)} into", (f"{name(part.name)} {number(part.count)}" for part in parts)
            )
        case ast.BetweenOf(variables=variables):
            return listed("between", map(name, variables))
        case ast.ContrastDecl():
            return _contrast(statement)
        case ast.AssociationDecl():
            return _association(statement)
        case ast.ExpectValue():
            return _expect_value(statement)
        case ast.ExpectTable():
            return _expect_table(statement)
        case _:
            assert_never(statement)


def _scale_use(use: ast.ScaleUse) -> str:
    return name(use.scale) + (f" for {' and '.join(map(name, use.stimuli))}" if use.stimuli else "")


def _stimuli(stimuli: ast.Dotted | ast.Everything) -> str:
    match stimuli:
        case ast.Dotted():
            return stimuli.text
        case ast.Everything():
            return "*"
        case _:
            assert_never(stimuli)


def _contrast(contrast: ast.ContrastDecl) -> list[Part]:
    head = titled("contrast", contrast.name, contrast.title)
    sides = map(_side, contrast.sides)
    parts: list[Part] = [*listed(f"{head} =", sides)] if contrast.omnibus else [f"{head} = {' - '.join(sides)}"]
    for clause in contrast.clauses:
        parts += _clause(clause)
    return parts


def _association(analysis: ast.AssociationDecl) -> list[Part]:
    keyword = {"correlation": "correlate"}.get(analysis.kind, analysis.kind)
    head = titled(keyword, analysis.name, analysis.title)
    first, *others = map(_side, analysis.sides) if analysis.sides else ("",)
    parts: list[Part] = [f"{head} = {first}" if first else head, *(f"with {other}" for other in others)]
    for clause in analysis.clauses:
        parts += _clause(clause)
    return parts


def _side(side: ast.Side) -> str:
    if side.norm is not None:
        return f"norm {quoted(side.norm.text)}"
    words = [] if side.what is None else [side.what.text]
    return " ".join([*words, *([] if side.panel is None else [f"in {name(side.panel)}"])])


def _clause(clause: ast.AnalysisClause) -> Iterable[Part]:
    match clause:
        case ast.OfClause(outcomes=outcomes):
            return listed("of", (outcome.text for outcome in outcomes))
        case ast.WhereClause():
            return _where(clause)
        case ast.ByClause(groups=groups):
            return listed("by", (" * ".join(map(name, group.fields)) for group in groups))
        case ast.PerClause(unit=unit):
            return [f"per {name(unit)}"]
        case ast.PairedClause(field=field):
            return [f"paired by {name(field)}"]
        case ast.SettingsClause(settings=settings, span=span):
            return [settings_block(settings, span.start, span.end)]
        case _:
            assert_never(clause)


def _where(where: ast.WhereClause) -> list[str]:
    words: list[str] = []
    for predicate in where.predicates:
        first, *others = map(value, predicate.values)
        head = "and" if words else "where"
        words.append(f"{head} {name(predicate.field)} {'is not' if predicate.negated else 'is'} {first}")
        words += [f"or {other}" for other in others]
    return words


def _expect_value(expect: ast.ExpectValue) -> list[Part]:
    return [
        f"expect {expect.target.text} of {expect.outcome.text} = {number(expect.value)}",
        f"within {number(expect.within)}",
        *([] if expect.where is None else _where(expect.where)),
        f"source {quoted(expect.source.text)}",
    ]


def _expect_table(expect: ast.ExpectTable) -> list[Part]:
    body = Block(expect.source.span.end, expect.span.end, tuple(_expected(part) for part in expect.body))
    files = file_words(expect.path, expect.sheet)
    return [f"expect {name(expect.analysis)}", *files, f"source {quoted(expect.source.text)}", body]


def _expected(part: ast.ExpectStatement) -> Line:
    match part:
        case ast.ExpectColumn(column=column, source=where, rounded=rounded, within=within):
            words = [f"{name(column)} = {source(where)}"]
            words += [] if rounded is None else [f"rounded {number(rounded)}"]
            words += [] if within is None else [f"within {number(within)}"]
            return Line(part.span, tuple(words))
        case ast.RowsWhere(place=where, values=values):
            first, *others = (quoted(text.text) for text in values)
            alternatives = [f"or {other}" for other in others]
            return Line(part.span, (f"where {place(where)} is {first}", *alternatives))
        case ast.RecodeDecl():
            return recode(part)
        case ast.Erratum(text=text, where=where):
            return Line(part.span, (f"erratum {quoted(text.text)}", *_where(where)))
        case _:
            assert_never(part)
