"""Prompts, protocols and models."""

from __future__ import annotations

from typing import Literal

from compiler.ast.words import Dotted, Name, Node, Num, Setting, Str

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


class Again(Node, frozen=True, kw_only=True, eq=False):
    """`on partial, unparseable ask again 2`."""

    statuses: tuple[Name, ...]
    times: Num


class MeasureStep(Node, frozen=True, kw_only=True, eq=False):
    scale: Name | None
    prompt: PromptRef
    again: Again | None


StepNode = PresentStep | MeasureStep


class ConditionDecl(Node, frozen=True, kw_only=True, eq=False):
    name: Name
    each: Literal["situation", "stimulus"] | None
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
