"""A whole file."""

from __future__ import annotations

from typing import ClassVar

from compiler.ast.answers import ResponsesDecl
from compiler.ast.protocols import ModelDecl, PromptDecl, ProtocolDecl
from compiler.ast.scales import ScaleDecl
from compiler.ast.stimuli import EmotionDecl, StimuliDecl
from compiler.ast.studies import StudyDecl
from compiler.ast.words import Node, Str


class Use(Node, frozen=True, kw_only=True, eq=False):
    path: Str


Declaration = (
    ScaleDecl | EmotionDecl | StimuliDecl | PromptDecl | ProtocolDecl | ModelDecl | ResponsesDecl | StudyDecl
)


class Comment(Node, frozen=True, kw_only=True, eq=False):
    """`# ...`, kept for the formatter; `trailing` where code stands before it on its line."""

    text: str
    trailing: bool


class File(Node, frozen=True, kw_only=True, eq=False):
    """`text` is what was read, for the formatter: where lines end is not in the tree. `unread` is what of
    it could not be read."""

    uses: tuple[Use, ...]
    declarations: tuple[Declaration, ...]
    statements: tuple[Use | Declaration, ...]
    comments: tuple[Comment, ...] = ()
    text: str = ""
    unread: str = ""
    _unseen: ClassVar[frozenset[str]] = frozenset({"span", "comments", "text", "unread"})
