"""Stimuli, prompts, protocols and models."""

from __future__ import annotations

from typing import Literal

from compiler import ast
from compiler.build.words import Children, of_kind
from compiler.source import Span


class ProtocolBuilder:
    def emotion(self, span: Span, children: Children) -> ast.EmotionDecl:
        return ast.EmotionDecl(span=span, name=children[0], title=children[1], factors=tuple(children[2:]))

    def factor_here(self, span: Span, children: Children) -> ast.FactorDecl:
        name, title, *situations = children
        return ast.FactorDecl(span=span, name=name, title=title, situations=tuple(situations), data=None)

    def factor_from(self, span: Span, children: Children) -> ast.FactorDecl:
        name, title, data = children
        return ast.FactorDecl(span=span, name=name, title=title, situations=(), data=data)

    def situation(self, span: Span, children: Children) -> ast.Situation:
        return ast.Situation(span=span, text=children[0], fields=of_kind(children[1:], ast.FieldDecl))

    def field(self, span: Span, children: Children) -> ast.FieldDecl:
        return ast.FieldDecl(span=span, name=children[0], text=children[1])

    def stimuli(self, span: Span, children: Children) -> ast.StimuliDecl:
        name, title, path, sheet, *body = children
        return ast.StimuliDecl(span=span, name=name, title=title, path=path, sheet=sheet, body=tuple(body))

    def field_from(self, span: Span, children: Children) -> ast.FieldFrom:
        return ast.FieldFrom(span=span, name=children[0], source=children[1])

    def prompt_short(self, span: Span, children: Children) -> ast.PromptDecl:
        message = ast.MessageDecl(span=children[1].span, role="user", text=children[1])
        return ast.PromptDecl(span=span, name=children[0], messages=(message,), variants=(), short=True)

    def prompt_long(self, span: Span, children: Children) -> ast.PromptDecl:
        messages, variants = of_kind(children, ast.MessageDecl), of_kind(children, ast.VariantDecl)
        return ast.PromptDecl(span=span, name=children[0], messages=messages, variants=variants, short=False)

    def message(self, span: Span, children: Children) -> ast.MessageDecl:
        return ast.MessageDecl(span=span, role=children[0], text=children[1])

    def variant(self, span: Span, children: Children) -> ast.VariantDecl:
        return ast.VariantDecl(span=span, name=children[0], changes=tuple(children[1:]))

    def append(self, span: Span, children: Children) -> ast.Append:
        return ast.Append(span=span, message=children[0])

    def protocol(self, span: Span, children: Children) -> ast.ProtocolDecl:
        return ast.ProtocolDecl(span=span, name=children[0], title=children[1], body=tuple(children[2:]))

    def condition(self, span: Span, children: Children) -> ast.ConditionDecl:
        name, each, *steps = children
        steps = [step for step in steps if step is not None]
        return ast.ConditionDecl(span=span, name=name, each=each, steps=tuple(steps))

    def each(self, span: Span, children: Children) -> Literal["situation", "stimulus"]:
        return "stimulus" if children[-1] == "stimulus" else "situation"

    def then(self, span: Span, children: Children) -> ast.Then:
        return ast.Then(span=span, steps=tuple(children))

    def present(self, span: Span, children: Children) -> ast.PresentStep:
        return ast.PresentStep(span=span, prompt=children[0])

    def measure(self, span: Span, children: Children) -> ast.MeasureStep:
        return ast.MeasureStep(span=span, scale=children[0], prompt=children[1], again=children[2])

    def again(self, span: Span, children: Children) -> ast.Again:
        *statuses, times = children
        return ast.Again(span=span, statuses=tuple(statuses), times=times)

    def prompt_ref(self, span: Span, children: Children) -> ast.PromptRef:
        return ast.PromptRef(span=span, prompt=children[0], arguments=of_kind(children[1:], ast.Argument))

    def argument(self, span: Span, children: Children) -> ast.Argument:
        return ast.Argument(span=span, name=children[0], value=children[1])

    def model(self, span: Span, children: Children) -> ast.ModelDecl:
        return ast.ModelDecl(span=span, name=children[0], title=children[1], settings=tuple(children[2:]))
