"""The observations of one file: which conditions each fits, who it is, what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.recorded.answers import AnswerCells
from runtime.recorded.faults import Fault, Faults
from runtime.recorded.gathering import Gathering, Panels
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.identity import Identity, Who
from runtime.recorded.layout import BlockLayout, ConditionLayout, Layout, MatchLayout
from runtime.recorded.leavings import Leavings
from runtime.recorded.long import Entry, LongAnswers
from runtime.recorded.pattern import Fields
from runtime.recorded.recodes import LeaveOut
from schemas.table import Cell


@dataclass(frozen=True)
class Fitting:
    """A condition whose patterns an observation fits, with what stands in the holes."""

    condition: ConditionLayout
    fields: Fields


class FileReader:
    """Takes in every observation of a file. What is wrong goes to `faults`."""

    def __init__(
        self, grid: Grid, layout: Layout, fields: Fields, identity: Identity, panels: Panels, faults: Faults
    ) -> None:
        self._grid = grid
        self._layout = layout
        self._fields = fields
        self._identity = identity
        self._panels = panels
        self._faults = faults
        self._answers = AnswerCells(grid, faults)
        self._long = [LongAnswers(grid, identity, faults) for _ in layout.blocks]
        self._leavings = Leavings(grid.name, grid.axis)
        self._misfits: list[tuple[str, str]] = []
        self._into: dict[str, Gathering] = {}
        self._number = 0
        self._faulty = False
        self._origin = panels.origins.first_of(grid.name, grid.axis)

    def read(self) -> None:
        """Reads the file."""
        beside, several = self._layout.beside, len(self._layout.blocks) > 1
        for line_number, line in enumerate(self._grid.lines):
            if line_number in beside:
                self._leavings.add(line_number, beside[line_number])
                continue
            self._number += 1
            if line.count(None) == len(line):
                self._leavings.add(line_number, "blank")
                continue
            fits = False
            for block, long in zip(self._layout.blocks, self._long, strict=True):
                if several and block.is_blank(line):
                    where = f" for {block.levels.told()}" if block.levels.of else " in some of its places"
                    self._leavings.add(line_number, f"no answers{where}")
                    continue
                before = len(self._misfits)
                self._guarded(line_number, line, block, long)
                fits = fits or len(self._misfits) == before
            for why, example in () if fits else self._misfits:
                self._leavings.add(line_number, why, example)
            self._misfits.clear()
        self._finish()

    def _guarded(self, line_number: int, line: Line, block: BlockLayout, long: LongAnswers) -> None:
        """Takes in what a line says in a block; what is wrong, and what is set aside, is noted."""
        origin = self._origin + line_number
        try:
            if block.identity is None:
                self._wide(line_number, line, block)
            else:
                said = block.identity(line)
                entries = long.kept(said)
                if entries is None:
                    entries = self._entries(line_number, line, block, long, said)
                long.take(line, line_number, block, entries, origin)
        except LeaveOut as why:
            self._leavings.add(line_number, str(why))
        except Fault as fault:
            self._faulty = True
            self._faults.add(fault, self._grid.spot(line_number))

    def _wide(self, line_number: int, line: Line, block: BlockLayout) -> None:
        for fitting, who, into in self._slots(line_number, line, block):
            for cells in fitting.condition.cells:
                items, values = self._answers.read(line_number, line, cells, fitting.fields)
                into.take(who, block.levels, cells.scale.id, items, values, self._origin + line_number)

    def _entries(
        self, line_number: int, line: Line, block: BlockLayout, long: LongAnswers, said: tuple[Cell, ...]
    ) -> list[Entry]:
        """The responses that a line's answers belong to; kept for lines like it, but where it is set aside."""
        left_out = self._leavings.count + len(self._misfits)
        entries = [
            Entry(
                cells,
                into.open(who, block.levels, cells.scale, self._origin + line_number),
                fitting.fields.get("item"),
            )
            for fitting, who, into in self._slots(line_number, line, block)
            for cells in fitting.condition.cells
        ]
        if self._leavings.count + len(self._misfits) == left_out:
            long.keep(said, entries)
        return entries

    def _slots(self, line_number: int, line: Line, block: BlockLayout) -> list[tuple[Fitting, Who, Gathering]]:
        """Who answers in which conditions. One that a recode sets aside is noted. Raises Fault, LeaveOut."""
        fittings = self._fitting(line, block)
        if not fittings:
            return []
        problem = self._grid.ragged(line_number, ()) if self._grid.axis == "row" else None
        if problem is not None:
            raise problem
        covariates = self._identity.covariates(line_number, line, block)
        slots = []
        for fitting in fittings:
            try:
                slots.append(self._slot(line_number, block, fitting, covariates))
            except LeaveOut as why:
                name = fitting.condition.name
                inside = f"in condition {name}, " if name and len(fittings) > 1 else ""
                self._leavings.add(line_number, f"{inside}{why}")
        return slots

    def _slot(
        self, line_number: int, block: BlockLayout, fitting: Fitting, covariates: dict[str, str | None]
    ) -> tuple[Fitting, Who, Gathering]:
        panel = self._identity.panel(fitting.fields)
        into = self._panels.of(panel)
        counted = into.lines + self._number
        who = self._identity.who(line_number, block, fitting.condition, fitting.fields, into.panel, counted)
        into.meet(who.respondent, covariates, self._origin + line_number)
        self._into[panel] = into
        return fitting, who, into

    def _fitting(self, line: Line, block: BlockLayout) -> list[Fitting]:
        """The conditions that the line answers in, the profile's among them. A line that fits none is a
        misfit, and left out where every block says so."""
        base = self._identity.fields(line, block.fields, self._fields, self._number)
        shared = _matched(block.matches, line, base)
        if isinstance(shared, MatchLayout):
            self._misfits.append(self._unfit(line, [shared]))
            return []
        fittings, failed = [], []
        for condition in block.conditions:
            found = _matched(condition.matches, line, shared)
            if isinstance(found, MatchLayout):
                failed.append(found)
                continue
            fields = self._identity.fields(line, condition.fields, found, self._number)
            fittings.append(Fitting(condition, fields))
        if failed and not fittings:
            self._misfits.append(self._unfit(line, failed))
        if block.profile is not None and (fittings or not block.conditions):
            fittings.append(Fitting(block.profile, shared))
        return fittings

    def _unfit(self, line: Line, matches: Sequence[MatchLayout]) -> tuple[str, str]:
        """Why a line fits none of some patterns, and what it says there."""
        example = text(line[matches[0].index])
        if not example:
            return f"blank in {self._grid.beside(matches[0].index)}, where a pattern is to be matched", ""
        patterns = [
            f'{self._grid.beside(match.index)} does not fit "{match.pattern.spelled}"' for match in matches
        ]
        return " and ".join(dict.fromkeys(patterns)), example

    def _finish(self) -> None:
        """Notes what was left out; a file of which nothing was taken in is a mistake."""
        left_out = self._leavings.groups()
        if self._into:
            list(self._into.values())[-1].left_out += left_out
            for gathering in self._into.values():
                gathering.read_file(self._grid, self._number, self._layout.used)
        elif not self._faulty:
            told = "; ".join(f"{one.where()}: {one.why}{one.quoted()}" for one in left_out)
            self._faults.add(
                Fault(f"{self._grid.name}: nothing in it could be taken in. {told[:600]}".rstrip())
            )


def _matched(matches: tuple[MatchLayout, ...], line: Line, fields: Fields) -> Fields | MatchLayout:
    """The fields with what the patterns add, or the first pattern that the line does not fit."""
    for match in matches:
        match.tally.tried += 1
        found = match.pattern.match(text(line[match.index]))
        if found is None:
            return match
        match.tally.fitted += 1
        if found:
            fields = {**fields, **found}
    return fields
