"""A mapping laid over one file: where everything stands in each of its observations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from runtime.recorded.faults import Fault, RecordedError
from runtime.recorded.grid import Grid
from runtime.recorded.pattern import Fields, Pattern, filled, has_holes
from runtime.recorded.stimuli import Recodes
from runtime.recorded.values import ItemReader
from schemas.plan import ConditionCells, Constant, Covariate, Match, Place, Plan, Responses, Scale, ScaleCells


@dataclass(frozen=True)
class MatchLayout:
    index: int
    pattern: Pattern


@dataclass(frozen=True)
class CellsLayout:
    """A scale's cells. `readers` are those of its items, in their order; `order`: where the item numbers
    stand beside them."""

    scale: Scale
    indices: range
    readers: dict[int, ItemReader]
    order: Place | None


@dataclass(frozen=True)
class ConditionLayout:
    name: str
    each_stimulus: bool
    match: MatchLayout | None
    cells: tuple[CellsLayout, ...]


@dataclass(frozen=True)
class CovariateLayout:
    """`index` None: the same for all, `constant`."""

    name: str
    index: int | None
    constant: str = ""


@dataclass(frozen=True)
class Layout:
    """`respondent`: where the id stands, or None. `beside`: lines that are no observations, and why."""

    match: MatchLayout | None
    respondent: int | None
    conditions: tuple[ConditionLayout, ...]
    covariates: tuple[CovariateLayout, ...]
    beside: dict[int, str]
    indices: tuple[int, ...]
    """Every index that cells are read at."""


@dataclass
class Overlay:
    """Lays one mapping of a plan over files."""

    plan: Plan
    mapping: Responses
    recodes: Recodes
    _readers: dict[str, dict[int, ItemReader]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._scales = {scale.id: scale for scale in self.plan.scales}
        self._each = {condition.name: condition.each_stimulus for condition in self.plan.protocol.conditions}

    def over(self, grid: Grid, fields: Fields) -> Layout:
        """The layout of one file; `fields` are what its path says. Raises Fault."""
        mapping = self.mapping
        conditions = tuple(self._condition(grid, cells, fields) for cells in mapping.conditions)
        cells = [cells for condition in conditions for cells in condition.cells]
        indices = tuple(sorted({index for one in cells for index in one.indices}))
        covariates = tuple(_covariate(grid, covariate, fields) for covariate in mapping.covariates)
        respondent = mapping.respondent
        layout = Layout(
            match=_match(grid, mapping.match, fields),
            respondent=grid.index(respondent, fields) if isinstance(respondent, Place) else None,
            conditions=conditions,
            covariates=covariates,
            beside=self._beside(grid, fields),
            indices=indices,
        )
        problem = grid.ragged(0, indices) if grid.axis == "column" else None
        if problem is not None:
            raise Fault(problem)
        return layout

    def _condition(self, grid: Grid, cells: ConditionCells, fields: Fields) -> ConditionLayout:
        if cells.condition not in self._each:
            known = ", ".join(self._each)
            raise RecordedError(
                f"responses `{self.mapping.id}` fill condition `{cells.condition}`; the protocol has {known}."
            )
        return ConditionLayout(
            name=cells.condition,
            each_stimulus=self._each[cells.condition],
            match=_match(grid, cells.match, fields),
            cells=tuple(self._cells(grid, one, fields) for one in cells.cells),
        )

    def _cells(self, grid: Grid, cells: ScaleCells, fields: Fields) -> CellsLayout:
        if cells.scale not in self._scales:
            known = ", ".join(self._scales)
            raise RecordedError(
                f"responses `{self.mapping.id}` answer scale `{cells.scale}`; the study has {known}."
            )
        scale = self._scales[cells.scale]
        first, last = grid.index(cells.first, fields), grid.index(cells.last, fields)
        if last - first + 1 != len(scale.items):
            raise Fault(
                f"{grid.name}: {grid.along}s {first + 1} to {last + 1} are {last - first + 1} cells; "
                f"{scale.id} has {len(scale.items)} items."
            )
        return CellsLayout(scale, range(first, last + 1), self._readers_of(scale), cells.order)

    def _readers_of(self, scale: Scale) -> dict[int, ItemReader]:
        if scale.id not in self._readers:
            recode = self.recodes.of(scale.id, "value")
            shared = ItemReader(scale.options, recode)
            self._readers[scale.id] = {
                item.number: shared if item.options is None else ItemReader(item.options, recode)
                for item in scale.items
            }
        return self._readers[scale.id]

    def _beside(self, grid: Grid, fields: Fields) -> dict[int, str]:
        beside = dict.fromkeys(grid.label_lines, "they hold the labels")
        for condition in self.mapping.conditions:
            for cells in condition.cells:
                order = cells.order
                if order is not None and (isinstance(order.at, int) or not has_holes(order.at)):
                    beside[grid.line(order, fields)] = "item numbers"
        return beside


def _match(grid: Grid, match: Match | None, fields: Fields) -> MatchLayout | None:
    if match is None:
        return None
    return MatchLayout(grid.index(match.place, fields), Pattern(match.pattern, match.counting_from))


def _covariate(grid: Grid, covariate: Covariate, fields: Fields) -> CovariateLayout:
    match covariate.source:
        case Place():
            return CovariateLayout(covariate.name, grid.index(covariate.source, fields))
        case Constant(value):
            return CovariateLayout(covariate.name, None, value)
        case _:
            assert_never(covariate.source)


def item_numbers(grid: Grid, cells: CellsLayout, fields: Fields) -> tuple[int, ...]:
    """The numbers of the items whose answers stand at the cells, in the cells' order. Raises Fault."""
    if cells.order is None:
        return tuple(cells.readers)
    beside = grid.line(cells.order, fields)
    line = grid.lines[beside]
    seen: dict[int, int] = {}
    for index in cells.indices:
        cell = line[index]
        number = int(cell) if isinstance(cell, str) and cell.isdecimal() else cell
        if not isinstance(number, int | float) or number not in cells.readers:
            raise Fault(f'{grid.at(beside, index)}: "{cell}" is no item number of {cells.scale.id}.')
        if number in seen:
            raise Fault(
                f"{grid.at(beside, index)}: item {int(number)} of {cells.scale.id} a second time; "
                f"it stands in {grid.along} {seen[int(number)] + 1} too."
            )
        seen[int(number)] = index
    return tuple(seen)


def order_label(cells: CellsLayout, fields: Fields) -> str:
    """What the place of the item numbers is called for an observation: the same label, the same numbers."""
    if cells.order is None or isinstance(cells.order.at, int):
        return ""
    return filled(cells.order.at, fields)
