"""Who an observation is, and what it is about."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.recorded.faults import Fault
from runtime.recorded.grid import Grid, Line, text
from runtime.recorded.layout import BlockLayout, ConditionLayout, CovariateLayout, FieldLayout
from runtime.recorded.pattern import Fields, Found
from runtime.recorded.recodes import NUMBER, Recodes, whole
from runtime.recorded.stimuli import Stimuli, position
from schemas.plan import Responses, Scale, Stimulus
from schemas.render import number


@dataclass(frozen=True, slots=True)
class Who:
    """Whose answer in which condition (None: outside of all) to what. `order` and `repeat` count from 0."""

    respondent: str
    subject: str
    condition: str | None
    stimulus: Stimulus | None
    order: int
    repeat: int


class Identity:
    """Reads what tells the observations of a file apart."""

    def __init__(self, mapping: Responses, grid: Grid, stimuli: Stimuli, recodes: Recodes) -> None:
        self._mapping = mapping
        self._grid = grid
        self._stimuli = stimuli
        self._recodes = recodes

    def fields(self, line: Line, layouts: tuple[FieldLayout, ...], base: Fields, counted: int) -> Fields:
        """The fields with what the mapping assigns; a blank cell assigns nothing."""
        if not layouts:
            return base
        fields = dict(base)
        for field in layouts:
            if field.index is not None:
                fields[field.name] = Found(text(line[field.index]))
            else:
                fields[field.name] = Found(str(counted) if field.constant is None else field.constant)
        return fields

    def panel(self, fields: Fields) -> str:
        """The panel's name. Raises LeaveOut, and Fault where it is blank."""
        found = fields.get("panel")
        if found is None:
            return self._mapping.id
        return self._recodes.required("panel", found.text) or self._blank("panel")

    def who(
        self,
        line_number: int,
        block: BlockLayout,
        condition: ConditionLayout,
        fields: Fields,
        panel: str,
        counted: int,
    ) -> Who:
        """Who answers. Raises LeaveOut, and Fault with the place."""
        try:
            respondent = self._respondent(condition, fields, panel, counted)
            said = fields.get("subject")
            return Who(
                respondent=respondent,
                subject=respondent if said is None else self._recodes.required("subject", said.text),
                condition=condition.name,
                stimulus=self._stimulus(fields) if condition.each_stimulus else None,
                order=self._position("order", fields),
                repeat=self._position("repeat", fields),
            )
        except Fault as fault:
            place = self._grid.at(line_number, _index_of(fault.field, block, condition))
            raise Fault(f"{place}: {fault}", alike=str(fault)) from fault

    def item(self, scale: Scale, found: Found) -> int:
        """The number of an item that is called by its name or its number. Raises Fault, LeaveOut."""
        written = self._recodes.required("item", found.text)
        for item in scale.items:
            if item.name == written:
                return item.number
        numbers = [item.number for item in scale.items]
        number = whole(written)
        if number is not None and number - found.counting_from + 1 in numbers:
            return number - found.counting_from + 1
        names = ", ".join(
            f"{item.number}" + (f" ({item.name})" if item.name != str(item.number) else "")
            for item in scale.items[:6]
        )
        raise Fault(
            f'"{written[:60]}" is no item of {scale.id}; its items are {names}{", ..." if numbers[6:] else ""}.'
            f' Correct it, or say `recode item {{ "{written[:60]}" -> ... }}`, with `missing` to leave it out.'
        )

    def covariates(self, line_number: int, line: Line, block: BlockLayout) -> dict[str, str | None]:
        """What is said of the respondent; None: blank, or a missing value. Raises Fault."""
        found: dict[str, str | None] = {}
        for covariate in block.covariates:
            try:
                found[covariate.name] = self._covariate(line, covariate) or None
            except Fault as fault:
                index = covariate.index or 0
                hint = self._grid.headers_hint(line_number, line[index])
                place = self._grid.at(line_number, index)
                raise Fault(f"{place}: {fault}{hint}", alike=str(fault)) from fault
        return found

    def _covariate(self, line: Line, covariate: CovariateLayout) -> str | None:
        written = covariate.constant if covariate.index is None else text(line[covariate.index])
        recoding = self._recodes.of(covariate.name)
        if (covariate.minuend is not None or recoding.reads_numbers) and not recoding.knows(written):
            written = self._grid.numerals.plain(written)
        if covariate.minuend is None or not written:
            return recoding.meaning(written)
        if NUMBER.fullmatch(written):
            return recoding.meaning(number(round(covariate.minuend - float(written), 9)))
        if recoding.knows(written):
            return recoding.meaning(written)
        raise Fault(
            f'"{written[:60]}" is no number, and {covariate.name} is {number(covariate.minuend)} minus it. '
            f'Correct it, or say `recode {covariate.name} {{ "{written[:60]}" -> missing }}`.'
        )

    def _respondent(self, condition: ConditionLayout, fields: Fields, panel: str, counted: int) -> str:
        if condition.counts_people:
            return f"{panel}-{counted:04d}"
        found = fields.get("respondent")
        if found is not None:
            return self._recodes.required("respondent", found.text) or self._blank("respondent")
        if self._mapping.kind == "human":
            raise Fault(
                "nothing tells people apart. Say `respondent = column ...`, or `respondent = counted` where "
                "each observation is another person.",
                "respondent",
            )
        return panel

    def _stimulus(self, fields: Fields) -> Stimulus:
        for name in ("stimulus", "emotion", "factor", "situation"):
            if name in fields and not fields[name].text:
                self._blank(name)
        return self._stimuli.find(fields)

    def _position(self, name: str, fields: Fields) -> int:
        found = fields.get(name)
        if found is None:
            return 0
        return position(found, name, self._recodes.required(name, found.text) or self._blank(name))

    def _blank(self, field: str) -> str:
        raise Fault(
            f"the {field} is blank. Fill it in, or leave the observation out with a `match` or with "
            f'`recode {field} {{ "" -> missing }}`.',
            field,
        )


def _index_of(field: str, block: BlockLayout, condition: ConditionLayout) -> int:
    """Where a field stands along an observation; 0 where the mapping does not read it from there."""
    for layout in (*condition.fields, *block.fields):
        if layout.name == field and layout.index is not None:
            return layout.index
    matches = [*condition.matches, *block.matches]
    return next((match.index for match in matches if field in match.pattern.names), 0)
