"""The observations of one file: which conditions each fits, who it is, what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from runtime.recorded.faults import Fault, Faults
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.layout import (
    CellsLayout,
    ConditionLayout,
    Layout,
    MatchLayout,
    item_numbers,
    order_label,
)
from runtime.recorded.pattern import Fields
from runtime.recorded.records import Leavings
from runtime.recorded.rows import Gathering, Taken
from runtime.recorded.stimuli import LeaveOut, Recodes, Stimuli, position
from runtime.recorded.values import Value
from schemas.plan import Responses, Stimulus


@dataclass(frozen=True)
class Study:
    """What all files of a mapping share, and the panels that they fill."""

    mapping: Responses
    recodes: Recodes
    stimuli: Stimuli
    faults: Faults
    panels: dict[str, Gathering]


@dataclass(frozen=True)
class Slot:
    """A condition that an observation answers in."""

    condition: ConditionLayout
    fields: Fields
    stimulus: Stimulus | None
    item_order: int
    repeat: int


def read_file(study: Study, grid: Grid, layout: Layout, fields: Fields) -> None:
    """Takes in every observation of a file. What is wrong goes to the study's faults."""
    reader = _FileReader(study, grid, layout, fields)
    for number, line in enumerate(grid.lines):
        try:
            reader.observation(number, line)
        except LeaveOut as why:
            reader.leavings.add(number, str(why), "")
        except Fault as fault:
            study.faults.add(str(fault))
    reader.finish()


@dataclass
class _FileReader:
    study: Study
    grid: Grid
    layout: Layout
    fields: Fields
    _into: Gathering | None = None
    _numbers: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.leavings = Leavings(self.grid.name, self.grid.axis)

    def observation(self, number: int, line: Line) -> None:
        """Takes in one line, or leaves it out. Raises Fault, LeaveOut."""
        fitting = self._fitting(number, line)
        if not fitting:
            return
        problem = self.grid.ragged(number, ()) if self.grid.axis == "row" else None
        if problem is not None:
            raise Fault(problem)
        slots = self._slots(number, fitting)
        if not slots:
            return
        fields = slots[0].fields
        gathering = self._gathering(fields)
        place = f"{self.grid.name}, {self.grid.axis} {number + 1}"
        respondent = self._respondent(number, line, fields, gathering)
        gathering.meet(respondent, self._covariates(line), self.grid.name, place)
        for slot in slots:
            for cells in slot.condition.cells:
                gathering.take(self._taken(number, line, respondent, slot, cells), place)

    def finish(self) -> None:
        """Notes what was left out; a file of which nothing was taken in is a mistake."""
        left_out = self.leavings.groups()
        if self._into is not None:
            self._into.leave_out(left_out)
            return
        told = "; ".join(f'{group.axis} {group.places}: {group.why} ("{group.example}")' for group in left_out)
        self.study.faults.add(f"{self.grid.name}: nothing in it could be taken in. {told[:600]}".rstrip())

    def _fitting(self, number: int, line: Line) -> list[tuple[ConditionLayout, Fields]]:
        """The conditions whose patterns the line fits, with what stands in the holes."""
        if number in self.layout.beside:
            self.leavings.add(number, self.layout.beside[number], "")
            return []
        if all(cell is None for cell in line):
            self.leavings.add(number, "blank", "")
            return []
        common = _matched(self.layout.match, line, self.fields)
        if common is None:
            self.leavings.add(number, *self._unfit(line, [self.layout.match]))
            return []
        conditions = self.layout.conditions
        matched = [(condition, _matched(condition.match, line, common)) for condition in conditions]
        fitting = [(condition, fields) for condition, fields in matched if fields is not None]
        if not fitting:
            self.leavings.add(number, *self._unfit(line, [condition.match for condition in conditions]))
        return fitting

    def _unfit(self, line: Line, matches: list[MatchLayout | None]) -> tuple[str, str]:
        """Why a line fits none of some patterns, and what it says there."""
        tried = [match for match in matches if match is not None]
        example = text(line[tried[0].index])
        along = self.grid.along
        if not example:
            return f"blank in {along} {tried[0].index + 1}, where a pattern is to be matched", ""
        patterns = [f'{along} {match.index + 1} does not fit "{match.pattern.spelled}"' for match in tried]
        return " and ".join(dict.fromkeys(patterns)), example

    def _slots(self, number: int, fitting: list[tuple[ConditionLayout, Fields]]) -> list[Slot]:
        """The conditions that the line answers in. One that a recode sets aside is noted."""
        slots = []
        for condition, fields in fitting:
            try:
                stimulus = self.study.stimuli.find(fields) if condition.each_stimulus else None
                order, repeat = self._position("order", fields), self._position("repeat", fields)
                slots.append(Slot(condition, fields, stimulus, order, repeat))
            except LeaveOut as why:
                self.leavings.add(number, f"in condition {condition.name}, {why}", "")
            except Fault as fault:
                match = condition.match or self.layout.match
                place = self.grid.at(number, 0 if match is None else match.index)
                raise Fault(f"{place}: {fault}") from fault
        return slots

    def _position(self, name: str, fields: Fields) -> int:
        found = fields.get(name)
        if found is None:
            return 0
        return position(found, name, self._recoded(name, found.text))

    def _recoded(self, name: str, written: str) -> str:
        meaning = self.study.recodes.text(name, written)
        if meaning is None:
            raise LeaveOut(f'its {name} "{written}" is recoded as missing')
        return meaning

    def _gathering(self, fields: Fields) -> Gathering:
        found = fields.get("panel")
        name = self.study.mapping.id if found is None else self._recoded("panel", found.text)
        self._into = self.study.panels.setdefault(name, Gathering(name))
        return self._into

    def _respondent(self, number: int, line: Line, fields: Fields, gathering: Gathering) -> str:
        mapping, index = self.study.mapping, self.layout.respondent
        if mapping.respondent == "counted":
            gathering.counted += 1
            return f"{gathering.panel}-{gathering.counted:04d}"
        if index is not None:
            if not text(line[index]):
                raise Fault(f"{self.grid.at(number, index)}: the respondent's id is blank. Fill it in.")
            return self._recoded("respondent", text(line[index]))
        if "respondent" in fields:
            return self._recoded("respondent", fields["respondent"].text)
        if mapping.kind == "human":
            raise Fault(
                f"{self.grid.name}: nothing tells people apart. Say `respondent = column ...`, or "
                "`respondent = counted` where each observation is another person."
            )
        return gathering.panel

    def _covariates(self, line: Line) -> dict[str, str]:
        found = {}
        for covariate in self.layout.covariates:
            written = covariate.constant if covariate.index is None else text(line[covariate.index])
            value = self.study.recodes.text(covariate.name, written)
            if value:
                found[covariate.name] = value
        return found

    def _taken(self, number: int, line: Line, respondent: str, slot: Slot, cells: CellsLayout) -> Taken:
        items = self._item_numbers(cells, slot.fields)
        return Taken(
            respondent=respondent,
            condition=slot.condition.name,
            stimulus=slot.stimulus,
            scale=cells.scale.id,
            item_order=slot.item_order,
            repeat=slot.repeat,
            items=items,
            values=self._values(number, line, cells, items),
        )

    def _item_numbers(self, cells: CellsLayout, fields: Fields) -> tuple[int, ...]:
        key = (id(cells), order_label(cells, fields))
        if key not in self._numbers:
            self._numbers[key] = item_numbers(self.grid, cells, fields)
        return self._numbers[key]

    def _values(self, number: int, line: Line, cells: CellsLayout, items: tuple[int, ...]) -> tuple[Value, ...]:
        values = []
        for item, index in zip(items, cells.indices, strict=True):
            reader = cells.readers[item]
            value = reader.read[line[index]]
            if value is not None:
                values.append(value)
                continue
            self.study.faults.add(
                f'{self.grid.at(number, index)}: "{text(line[index])[:60]}" is no answer to item {item} of '
                f"{cells.scale.id}; its codes are {reader.codes}. Correct it, or say `recode value {{ ... }}`."
            )
        return tuple(values)


def _matched(match: MatchLayout | None, line: Line, fields: Fields) -> Fields | None:
    """The fields with what the pattern adds, or None where the text does not fit."""
    if match is None:
        return fields
    found = match.pattern.match(text(line[match.index]))
    return None if found is None else {**fields, **found}
