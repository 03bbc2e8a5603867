"""Where everything stands in the observations of one file. All indices count from 0, along an observation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from runtime.recorded.grid import Line
from runtime.recorded.pattern import Pattern
from runtime.recorded.values import ItemReader
from schemas.plan import FieldName, Place, Scale
from schemas.table import Cell


@dataclass
class Tally:
    """How many observations a match was held against, in all files, and how many fitted. `where`: what it is
    held against in the file read last."""

    tried: int = 0
    fitted: int = 0
    where: str = ""


@dataclass(frozen=True)
class MatchLayout:
    index: int
    pattern: Pattern
    tally: Tally


@dataclass(frozen=True)
class FieldLayout:
    """A field stands at `index`; or is `constant`; or neither: it is the number of the observation."""

    name: FieldName
    index: int | None
    constant: str | None = None


@dataclass(frozen=True)
class CellsLayout:
    """A scale's cells, or the one of a list or of a single answer. `readers` are those of its items, in their
    order; `order`: where the item numbers stand beside the cells; `order_index`: the cell that lists them."""

    scale: Scale
    form: str
    indices: tuple[int, ...]
    readers: dict[int, ItemReader]
    order: Place | None = None
    order_index: int | None = None


@dataclass(frozen=True)
class ConditionLayout:
    """What an observation says of one condition; of none where `name` is None. `counts_people`: the respondent
    is the number of the observation."""

    name: str | None
    each_stimulus: bool
    matches: tuple[MatchLayout, ...]
    fields: tuple[FieldLayout, ...]
    cells: tuple[CellsLayout, ...]
    counts_people: bool


@dataclass(frozen=True)
class CovariateLayout:
    """`index` None: the same for all, `constant`. `minuend`: the number there is taken from it."""

    name: str
    index: int | None
    constant: str = ""
    minuend: float | None = None


class Levels(NamedTuple):
    """The level of each variable; `key` spells them in one order."""

    of: dict[str, str]
    key: str

    def told(self) -> str:
        """As messages tell them."""
        return ", ".join(f"{variable} {level}" for variable, level in self.of.items())


@dataclass(frozen=True)
class BlockLayout:
    """One combination of levels. `profile` has no condition's name. `answers`: every index that answers stand
    at. `identity`: the cells that say whose answer to what an observation is, where it is one answer to the
    item that stands at `item` (or in a hole); None where an observation answers whole scales."""

    levels: Levels
    matches: tuple[MatchLayout, ...]
    fields: tuple[FieldLayout, ...]
    conditions: tuple[ConditionLayout, ...]
    covariates: tuple[CovariateLayout, ...]
    profile: ConditionLayout | None
    answers: tuple[int, ...]
    identity: Callable[[Line], tuple[Cell, ...]] | None = None
    item: int | None = None

    def is_blank(self, line: Line) -> bool:
        """Whether an observation answers nothing here."""
        return all(line[index] is None for index in self.answers)


@dataclass(frozen=True)
class Layout:
    """`beside`: lines that are no observations, and why. `used`: every index that something is read at."""

    blocks: tuple[BlockLayout, ...]
    beside: dict[int, str]
    used: frozenset[int]


def cells_at(indices: list[int]) -> Callable[[Line], tuple[Cell, ...]]:
    """What reads the cells at some indices, always as a tuple."""
    if len(indices) > 1:
        return itemgetter(*indices)
    if indices:
        only = indices[0]
        return lambda line: (line[only],)
    return lambda _: ()
