"""From the parser's tree to the syntax tree: one method a grammar rule, of the same name."""

from __future__ import annotations

from compiler import ast
from compiler.build.answers import AnswerBuilder
from compiler.build.protocols import ProtocolBuilder
from compiler.build.scales import ScaleBuilder
from compiler.build.studies import StudyBuilder
from compiler.build.words import Children, WordBuilder, of_kind
from compiler.source import Span


class Builder(WordBuilder, ScaleBuilder, ProtocolBuilder, AnswerBuilder, StudyBuilder):
    """Makes syntax tree nodes. `children` are built nodes, tokens, or None for what is optional and absent."""

    def start(self, span: Span, children: Children) -> ast.File:
        return ast.File(
            span=span,
            uses=of_kind(children, ast.Use),
            declarations=tuple(child for child in children if not isinstance(child, ast.Use)),
            statements=tuple(children),
        )

    def use(self, span: Span, children: Children) -> ast.Use:
        return ast.Use(span=span, path=children[0])
