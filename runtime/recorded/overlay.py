"""A mapping laid over one file: from labels and numbers to the places of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

import msgspec

from runtime.recorded.faults import Fault, RecordedError
from runtime.recorded.grid import Grid
from runtime.recorded.layout import (
    BlockLayout,
    CellsLayout,
    ConditionLayout,
    CovariateLayout,
    FieldLayout,
    Layout,
    Levels,
    MatchLayout,
    Tally,
    cells_at,
)
from runtime.recorded.pattern import Fields, Pattern, has_holes
from runtime.recorded.recodes import Recodes
from runtime.recorded.values import ItemReader
from schemas.plan import (
    Block,
    ConditionCells,
    Constant,
    Counted,
    Covariate,
    Difference,
    Field,
    Match,
    Place,
    Plan,
    Responses,
    Scale,
    ScaleCells,
)

Reader = tuple[str, bool, str]


class Overlay:
    """Lays one mapping of a plan over files, one after the other."""

    def __init__(self, plan: Plan, mapping: Responses, recodes: Recodes) -> None:
        self._mapping = mapping
        self._recodes = recodes
        self._scales = {scale.id: scale for scale in plan.scales}
        self._each = {condition.name: condition.each_stimulus for condition in plan.protocol.conditions}
        self._readers: dict[Reader, dict[int, ItemReader]] = {}
        self._tallies: dict[int, tuple[Tally, Pattern]] = {}

    def over(self, grid: Grid, fields: Fields) -> Layout:
        """The layout of one file; `fields` are what its path says. Raises Fault; RecordedError for a mapping
        that fits no file of this plan."""
        blocks = tuple(self._block(grid, block, fields) for block in self._mapping.blocks)
        answers = tuple(sorted({index for block in blocks for index in block.answers}))
        problem = grid.mislabelled() if grid.axis == "row" else grid.ragged(0, answers)
        if problem is not None:
            raise problem
        used = frozenset(index for block in blocks for index in _indices(block))
        beside = self._beside(grid, fields)
        merged = grid.merged(beside, used)
        if merged is not None:
            raise merged
        return Layout(blocks, beside, used)

    def unfit(self) -> Iterator[str]:
        """The patterns that were held against observations and fitted none, in all files."""
        for tally, pattern in self._tallies.values():
            if tally.tried and not tally.fitted:
                yield (
                    f'No observation fits "{pattern.spelled}" in {tally.where} ({tally.tried:,} were tried). '
                    "Correct the pattern, or take the line out."
                )

    def _block(self, grid: Grid, block: Block, fields: Fields) -> BlockLayout:
        shared = tuple(_field(grid, one, fields) for one in block.fields)
        conditions = tuple(self._condition(grid, cells, fields, shared) for cells in block.conditions)
        profile = self._profile(grid, block, fields, shared)
        every = [*conditions, profile] if profile else conditions
        layout = BlockLayout(
            levels=Levels(block.levels, msgspec.json.encode(sorted(block.levels.items())).decode()),
            matches=tuple(self._match(grid, match, fields) for match in block.matches),
            fields=shared,
            conditions=conditions,
            covariates=tuple(_covariate(grid, covariate, fields) for covariate in block.covariates),
            profile=profile,
            answers=tuple(sorted({i for one in every for cells in one.cells for i in cells.indices})),
        )
        if not any(cells.form == "long" for one in every for cells in one.cells):
            return layout
        return self._one_answer_each(layout)

    def _one_answer_each(self, block: BlockLayout) -> BlockLayout:
        """The block as observations of one answer each."""
        every = [*block.conditions, block.profile] if block.profile else block.conditions
        if any(cells.form != "long" for one in every for cells in one.cells):
            raise RecordedError(
                f"responses `{self._mapping.id}`: where an observation is one answer to an item, each scale "
                "has one cell there; map whole scales in responses of their own."
            )
        fields = [*block.fields, *(field for one in every for field in one.fields)]
        if any(field.index is None and field.constant is None for field in fields):
            raise RecordedError(
                f"responses `{self._mapping.id}`: where an observation is one answer to an item, `counted` "
                "would count answers: say where the respondent, the stimulus or the item stands."
            )
        items = {field.index for field in fields if field.name == "item" and field.index is not None}
        item = items.pop() if len(items) == 1 else None
        identity = cells_at(sorted(_indices(block) - {*block.answers, item}))
        return replace(block, identity=identity, item=item)

    def _condition(
        self, grid: Grid, cells: ConditionCells, fields: Fields, shared: tuple[FieldLayout, ...]
    ) -> ConditionLayout:
        if cells.condition not in self._each:
            known = ", ".join(self._each)
            raise RecordedError(
                f"responses `{self._mapping.id}` fill condition `{cells.condition}`; the protocol has {known}."
            )
        own = tuple(_field(grid, one, fields) for one in cells.fields)
        return ConditionLayout(
            name=cells.condition,
            each_stimulus=self._each[cells.condition],
            matches=tuple(self._match(grid, match, fields) for match in cells.matches),
            fields=own,
            cells=tuple(self._cells(grid, one, fields) for one in cells.cells),
            counts_people=_counts_people(own, shared),
        )

    def _profile(
        self, grid: Grid, block: Block, fields: Fields, shared: tuple[FieldLayout, ...]
    ) -> ConditionLayout | None:
        if not block.profile:
            return None
        cells = tuple(self._cells(grid, one, fields) for one in block.profile)
        return ConditionLayout(None, False, (), (), cells, _counts_people((), shared))

    def _cells(self, grid: Grid, cells: ScaleCells, fields: Fields) -> CellsLayout:
        if cells.scale not in self._scales:
            known = ", ".join(self._scales)
            raise RecordedError(
                f"responses `{self._mapping.id}` answer scale `{cells.scale}`; the study has {known}."
            )
        scale = self._scales[cells.scale]
        readers = self._readers_of(scale, cells.labels, grid)
        ends = [(grid.index(span.first, fields), grid.index(span.last, fields)) for span in cells.spans]
        if cells.form != "cells":
            beside = None if cells.order is None else grid.index(cells.order, fields)
            return CellsLayout(scale, cells.form, ends[0][:1], readers, None, beside)
        indices = tuple(index for first, last in ends for index in range(first, last + 1))
        if len(indices) != len(scale.items):
            told = ", ".join(
                f"{first + 1} to {last + 1}" if first != last else f"{first + 1}" for first, last in ends
            )
            raise Fault(
                f"{grid.name}: {grid.along}s {told} are {len(indices)} cells; "
                f"{scale.id} has {len(scale.items)} items."
            )
        twice = [index for index, count in Counter(indices).items() if count > 1]
        if twice:
            raise Fault(f"{grid.name}: {grid.along} {twice[0] + 1} would be two answers to {scale.id}.")
        return CellsLayout(scale, cells.form, indices, readers, cells.order)

    def _readers_of(self, scale: Scale, labels: bool, grid: Grid) -> dict[int, ItemReader]:
        """Those of all files, or of one whose numbers may have a decimal comma."""
        key = (scale.id, labels, grid.name if grid.numerals.decimal_comma else "")
        if key not in self._readers:
            recoding = self._recodes.of(scale.id, "value")
            own = {
                options: ItemReader(options, recoding, labels, grid.numerals)
                for options in {item.options or scale.options for item in scale.items}
            }
            self._readers[key] = {item.number: own[item.options or scale.options] for item in scale.items}
        return self._readers[key]

    def _match(self, grid: Grid, match: Match, fields: Fields) -> MatchLayout:
        index = grid.index(match.place, fields)
        tally, pattern = self._tallies.setdefault(
            id(match), (Tally(), Pattern(match.pattern, match.counting_from))
        )
        tally.where = f"{grid.along} {index + 1} of {grid.name}"
        return MatchLayout(index, pattern, tally)

    def _beside(self, grid: Grid, fields: Fields) -> dict[int, str]:
        beside = dict.fromkeys(sorted(grid.label_lines), "labels")
        for cells in (cells for block in self._mapping.blocks for cells in _scale_cells(block)):
            order = cells.order
            if order is None or cells.form != "cells":
                continue
            if isinstance(order.at, int) or not has_holes(order.at):
                beside[grid.line(order, fields)] = "item numbers"
        return beside


def _scale_cells(block: Block) -> Iterator[ScaleCells]:
    for condition in block.conditions:
        yield from condition.cells
    yield from block.profile


def _counts_people(own: tuple[FieldLayout, ...], shared: tuple[FieldLayout, ...]) -> bool:
    """Whether the nearest field `respondent` is the number of the observation."""
    said = [field for field in (*own, *shared) if field.name == "respondent"]
    return bool(said) and said[0].index is None and said[0].constant is None


def _indices(block: BlockLayout) -> set[int]:
    found = set(block.answers)
    every = [*block.conditions, block.profile] if block.profile else block.conditions
    for one in (block, *every):
        found.update(match.index for match in one.matches)
        found.update(field.index for field in one.fields if field.index is not None)
    found.update(one.index for one in block.covariates if one.index is not None)
    found.update(c.order_index for one in every for c in one.cells if c.order_index is not None)
    return found


def _field(grid: Grid, field: Field, fields: Fields) -> FieldLayout:
    match field.source:
        case Place():
            return FieldLayout(field.name, grid.index(field.source, fields))
        case Constant(value):
            return FieldLayout(field.name, None, value)
        case Counted():
            return FieldLayout(field.name, None)
        case _:
            assert_never(field.source)


def _covariate(grid: Grid, covariate: Covariate, fields: Fields) -> CovariateLayout:
    match covariate.source:
        case Place():
            return CovariateLayout(covariate.name, grid.index(covariate.source, fields))
        case Constant(value):
            return CovariateLayout(covariate.name, None, value)
        case Difference(minuend, place):
            return CovariateLayout(covariate.name, grid.index(place, fields), minuend=minuend)
        case _:
            assert_never(covariate.source)
