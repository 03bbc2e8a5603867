"""Recorded and human answers: mappings from data files to responses."""

from __future__ import annotations

from typing import Literal

import msgspec

from schemas.plan.questions import Template
from schemas.plan.record import Record


class Place(Record, frozen=True, tag="place"):
    """A row or column of a data file: by number (from 1) or by the text that labels it."""

    axis: Literal["row", "column"]
    at: int | Template


class Constant(Record, frozen=True, tag="constant"):
    value: str


class Counted(Record, frozen=True, tag="counted"):
    """The number of the observation in its file, from 1."""


class Difference(Record, frozen=True, tag="difference"):
    """`minuend` minus the number at `place`: an age, say, of a year of birth."""

    minuend: float
    place: Place


class Match(Record, frozen=True):
    """The text at `place` must fit `pattern`; each hole is a field, and takes what stands there."""

    place: Place
    pattern: Template
    counting_from: int = 1


class Range(Record, frozen=True):
    """Numbers from `first` to `last`, both included, and what they mean; None: a missing value."""

    first: float
    last: float
    to: str | None


class Recode(Record, frozen=True):
    """Spellings in the data (or ranges of numbers), and what they mean here; a meaning of None is a missing
    value. `field`: a field, a covariate, a scale (its values), or `value` (those of every scale)."""

    field: str
    to: dict[str, str | None]
    ranges: tuple[Range, ...] = ()


FieldName = Literal[
    "panel", "respondent", "subject", "stimulus", "emotion", "factor", "situation", "item", "order", "repeat"
]


class Field(Record, frozen=True):
    """Where something that tells observations apart stands; the same as a hole of that name in a match."""

    name: FieldName
    source: Place | Constant | Counted


class CellSpan(Record, frozen=True):
    """Cells next to one another along an observation, both ends included."""

    first: Place
    last: Place


class ScaleCells(Record, frozen=True):
    """Where a scale's answers stand. `cells`: in `spans`, in the order of the scale's items, or (`order`) of
    the item numbers that stand beside them in that row or column. `list`: all in the first cell. `long`: an
    observation is one answer, in the first cell, to the item that its field `item` names. `labels`: the anchors
    are written, not the codes."""

    scale: str
    spans: tuple[CellSpan, ...]
    form: Literal["cells", "list", "long"] = "cells"
    labels: bool = False
    order: Place | None = None


class ConditionCells(Record, frozen=True):
    """What an observation says of one condition; only observations that fit all of `matches`."""

    condition: str
    cells: tuple[ScaleCells, ...]
    matches: tuple[Match, ...] = ()
    fields: tuple[Field, ...] = ()


class Covariate(Record, frozen=True):
    name: str
    source: Place | Constant | Difference


class Block(Record, frozen=True):
    """What each observation of the files says, at one combination of `levels` (a variable and its level).
    `profile`: scales that a respondent answered once, outside of every condition."""

    levels: dict[str, str] = msgspec.field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    matches: tuple[Match, ...] = ()
    conditions: tuple[ConditionCells, ...] = ()
    covariates: tuple[Covariate, ...] = ()
    profile: tuple[ScaleCells, ...] = ()


class Responses(Record, frozen=True):
    """A mapping from data files to responses. An observation is a row, or where `transposed` a column; every
    block is read from each. `path` may have holes ({panel}): every file that fits is read. `headers`: how many
    rows (or columns) hold labels; None: those that labels are found in. Without a field `panel`, the panel is
    named `id`."""

    id: str
    title: str
    kind: Literal["human", "model"]
    path: Template
    blocks: tuple[Block, ...]
    sheet: str | None = None
    transposed: bool = False
    headers: int | None = None
    recodes: tuple[Recode, ...] = ()
