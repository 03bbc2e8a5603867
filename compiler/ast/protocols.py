"""Stimuli, prompts, protocols and models."""

from __future__ import annotations

from typing import Literal

from compiler.ast.scales import DataFile
from compiler.ast.words import Dotted, Name, Node, Setting, Str


class FieldDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    text: Str


class Situation(Node, frozen=True, kw_only=True, eq=False):
    text: Str
    fields: tuple[FieldDecl, ...]


class FactorDecl(Node, frozen=True, kw_only=True, eq=False):
    """`situations` in place, or `data`: the file that they stand in."""

    name: Name
    title: Str | None
    situations: tuple[Situation, ...]
    data: DataFile | None


class EmotionDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    factors: tuple[FactorDecl, ...]


Role = Literal["system", "user", "assistant"]


class MessageDecl(Node, frozen=True, kw_only=True, eq=False):
    role: Role
    text: Str


class Append(Node, frozen=True, kw_only=True, eq=False):
    """In a variant: text that is put behind the prompt's own message of that role."""

    message: MessageDecl


class VariantDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    changes: tuple[MessageDecl | Append, ...]


class PromptDecl(Node, frozen=True, kw_only=True, eq=False):
    """`short`: the whole prompt is one user message, written behind the name."""

    name: Name
    messages: tuple[MessageDecl, ...]
    variants: tuple[VariantDecl, ...]
    short: bool


class Argument(Node, frozen=True, kw_only=True, eq=False):
    """`hole = field` or `hole = "text"`."""

    name: Name
    value: Name | Str


class PromptRef(Node, frozen=True, kw_only=True, eq=False):
    prompt: Dotted
    arguments: tuple[Argument, ...]


class PresentStep(Node, frozen=True, kw_only=True, eq=False):
    prompt: PromptRef


class MeasureStep(Node, frozen=True, kw_only=True, eq=False):
    scale: Name | None
    prompt: PromptRef


StepNode = PresentStep | MeasureStep


class ConditionDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    each: bool
    steps: tuple[StepNode, ...]


class Then(Node, frozen=True, kw_only=True, eq=False):
    """Steps that every condition ends with."""

    steps: tuple[StepNode, ...]


class ProtocolDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    body: tuple[ConditionDecl | Then, ...]


class ModelDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    title: Str | None
    settings: tuple[Setting, ...]
