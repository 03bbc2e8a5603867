"""What is presented: emotions with their factors and situations, and stimuli of any other kind."""

from __future__ import annotations

from compiler.ast.answers import FieldSource, RecodeDecl
from compiler.ast.scales import DataFile
from compiler.ast.words import Name, Node, Str


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


class FieldFrom(Node, frozen=True, kw_only=True, eq=False):
    """`valence = column "sentiment"`: a field of each stimulus, and where it stands."""

    name: Name
    source: FieldSource


class StimuliDecl(Node, frozen=True, kw_only=True, eq=False):
    """Stimuli from a data file, one a row."""

    name: Name
    title: Str | None
    path: Str
    sheet: Str | None
    body: tuple[FieldFrom | RecodeDecl, ...]
