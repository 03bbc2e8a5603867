"""What the files say of each panel, as it is taken in."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from runtime.recorded.faults import Fault
from runtime.recorded.grid import Grid
from runtime.recorded.identity import Who
from runtime.recorded.layout import Levels
from runtime.recorded.leavings import LeftOut
from runtime.recorded.origin import Origins
from runtime.recorded.values import ABSENT, Value
from schemas.plan import Scale, Stimulus

STEP = "measure"
Key = tuple[str, str, str, str, str, int, int, str]


class Taken(msgspec.Struct):
    """One response: `items` and `values` in the order in which they stood. `origin`: where its first answer
    is."""

    who: Who
    levels: Levels
    scale: str
    items: tuple[int, ...]
    values: tuple[Value, ...] | list[Value]
    origin: int

    def key(self) -> Key:
        """What tells it from every other response of its panel."""
        return key_of(self.who, self.levels, self.scale)

    def is_blank(self) -> bool:
        """Whether nothing was answered."""
        return all(value.value is None for value in self.values)


def key_of(who: Who, levels: Levels, scale: str) -> Key:
    """What tells a response from every other one of its panel. A profile has neither order nor repeat."""
    stimulus = "" if who.stimulus is None else who.stimulus.id
    if who.condition is None:
        return ("", levels.key, stimulus, who.respondent, scale, 0, 0, STEP)
    return (who.condition, levels.key, stimulus, who.respondent, scale, who.order, who.repeat, STEP)


class Open:
    """A response whose answers come one by one."""

    def __init__(self, taken: Taken, values: list[Value], items: dict[int, int], origins: Origins) -> None:
        """`items`: the place of each item among the values."""
        self._taken = taken
        self._values = values
        self._items = items
        self._origins = origins
        self._met = [-1] * len(taken.items)

    def put(self, item: int, value: Value, origin: int) -> None:
        """Takes in an answer. Raises Fault where the item was answered before."""
        place = self._items[item]
        before = self._met[place]
        if before >= 0:
            who = self._taken.who
            raise Fault(
                f'{self._origins.told(origin)}: "{who.respondent}" answered item {item} of {self._taken.scale}'
                f"{told(who)} a second time; the first stands in {self._origins.told(before)}. Tell them apart "
                "by a field (repeat, stimulus), or take one out."
            )
        self._met[place] = origin
        self._values[place] = value


@dataclass(frozen=True)
class FileRead:
    """`lines`: how many observations there are, labels not counted; `length`: how many cells each has.
    `unused`: what labels the cells that nothing of the mapping reads. `decimal_comma`: the first number that
    has one, or nothing."""

    file: str
    axis: str
    lines: int
    length: int
    unused: tuple[str, ...]
    decimal_comma: str


@dataclass
class Gathering:
    """What one panel's files have said so far. `between`: variables of which a respondent has one level.
    `lines`: how many observations the files have that were read to their end."""

    panel: str
    origins: Origins
    between: tuple[str, ...]
    taken: dict[Key, Taken] = field(default_factory=dict)
    covariates: dict[str, dict[str, str | None]] = field(default_factory=dict)
    files: list[FileRead] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    lines: int = 0
    _met: dict[str, int] = field(default_factory=dict)
    _open: dict[Key, Open] = field(default_factory=dict)
    _items: dict[str, dict[int, int]] = field(default_factory=dict)
    _levels: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)

    def meet(self, respondent: str, covariates: dict[str, str | None], origin: int) -> None:
        """Takes in an observation's respondent, and what the mapping reads of it there. Raises Fault where two
        observations say different things of one person."""
        known = self.covariates.setdefault(respondent, covariates)
        met = self._met.setdefault(respondent, origin)
        if known == covariates:
            return
        for name, value in covariates.items():
            if known.setdefault(name, value) != value:
                raise Fault(
                    f'{self.origins.told(origin)}: {name} of "{respondent}" is {_quoted(value)}, but '
                    f"{_quoted(known[name])} in {self.origins.told(met)}."
                )

    def people(self) -> dict[str, dict[str, str]]:
        """The respondents, with what is known of each."""
        return {
            who: {name: value for name, value in known.items() if value is not None}
            for who, known in self.covariates.items()
        }

    def take(
        self,
        who: Who,
        levels: Levels,
        scale: str,
        items: tuple[int, ...],
        values: tuple[Value, ...],
        origin: int,
    ) -> None:
        """Takes in a response. Raises Fault where the same one came before; a profile may come again."""
        taken = Taken(who, levels, scale, items, values, origin)
        key = taken.key()
        before = self.taken.get(key)
        if before is None:
            self._place_between(who, levels, origin)
            self.taken[key] = taken
        elif who.condition is None:
            self._again(before, taken)
        else:
            raise Fault(
                f'{self.origins.told(origin)}: "{who.respondent}" answered {scale}{told(who, levels)}, order '
                f"{who.order}, repeat {who.repeat} before, in {self.origins.told(before.origin)}. Tell them "
                "apart by a field ({repeat}, {order}, {respondent}), or take one out."
            )

    def open(self, who: Who, levels: Levels, scale: Scale, origin: int) -> Open:
        """The response that an answer belongs to; all its other answers are absent as yet. Raises Fault."""
        key = key_of(who, levels, scale.id)
        if key not in self._open:
            self._place_between(who, levels, origin)
            if scale.id not in self._items:
                self._items[scale.id] = {item.number: place for place, item in enumerate(scale.items)}
            items, values = self._items[scale.id], [ABSENT] * len(scale.items)
            taken = self.taken[key] = Taken(who, levels, scale.id, tuple(items), values, origin)
            self._open[key] = Open(taken, values, items, self.origins)
        return self._open[key]

    def read_file(self, grid: Grid, lines: int, used: frozenset[int]) -> None:
        """Notes a file that was read to its end."""
        unused = tuple(
            grid.label(index) or f"{grid.along} {index + 1}"
            for index in range(grid.length)
            if index not in used
        )
        self.lines += lines
        example = grid.numerals.example
        self.files.append(FileRead(grid.name, grid.axis, lines, grid.length, unused, example))

    def _again(self, before: Taken, taken: Taken) -> None:
        """A profile that an earlier observation told too: the same, or one of them blank."""
        if taken.is_blank() or (before.items == taken.items and before.values == taken.values):
            return
        if not before.is_blank():
            raise Fault(
                f'{self.origins.told(taken.origin)}: the answers of "{taken.who.respondent}" to {taken.scale} '
                f"are not those in {self.origins.told(before.origin)}; they are given once. Correct one, or "
                "map them as answers of a condition."
            )
        before.items, before.values, before.origin = taken.items, taken.values, taken.origin

    def _place_between(self, who: Who, levels: Levels, origin: int) -> None:
        """Raises Fault where a respondent has a second level of a variable of which each has one."""
        for variable in self.between:
            level = who.condition if variable == "condition" else levels.of.get(variable)
            if level is None:
                continue
            before, met = self._levels.setdefault((who.respondent, variable), (level, origin))
            if before != level:
                raise Fault(
                    f'{self.origins.told(origin)}: "{who.respondent}" has {variable} {level}, but {before} in '
                    f"{self.origins.told(met)}; the study says `between {variable}`: one level a respondent. "
                    "Correct the id, or take that line out of the study."
                )


class Panels:
    """The panels that a mapping's files fill, in the order in which they are named."""

    def __init__(self, between: tuple[str, ...]) -> None:
        self.origins = Origins()
        self._between = between
        self._panels: dict[str, Gathering] = {}

    def of(self, name: str) -> Gathering:
        """A panel by its name."""
        if name not in self._panels:
            self._panels[name] = Gathering(name, self.origins, self._between)
        return self._panels[name]

    def all(self) -> list[Gathering]:
        """Every panel."""
        return list(self._panels.values())


def told(who: Who, levels: Levels | None = None) -> str:
    """Where a response belongs, as messages tell it."""
    parts = [f" in condition {who.condition}"] if who.condition else [" outside of conditions"]
    if levels is not None and levels.of:
        parts.append(f", {levels.told()}")
    if who.stimulus is not None:
        stimulus: Stimulus = who.stimulus
        kind = "situation" if stimulus.name is None else "stimulus"
        parts.append(f", {kind} {stimulus.name or stimulus.id}")
    return "".join(parts)


def _quoted(value: str | None) -> str:
    return "blank" if value is None else f'"{value}"'
