"""Stimuli from a data file: what its rows come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from compiler import ast
from compiler.model.grids import column_index, text
from compiler.model.items import parts
from compiler.model.recodes import Recoding
from compiler.model.study import analyses_of
from compiler.resolve import Program
from schemas.plan import Stimulus
from schemas.table import Cell, Table, pointed

NAME = "name"


@dataclass(frozen=True)
class Conflict:
    """Two rows (from 1) with one name that differ in a field."""

    name: str
    field: str
    first: int
    second: int


@dataclass
class Dataset:
    """The stimuli of a file, each once, in the order of its rows, and what is wrong with rows: those (from 1)
    without a name, and those that contradict one another. `recodings`: by field."""

    stimuli: list[Stimulus] = field(default_factory=list)
    nameless: list[int] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    recodings: dict[str, Recoding] = field(default_factory=dict)


_READ: WeakKeyDictionary[Program, dict[str, Dataset]] = WeakKeyDictionary()
"""A file may be long, and many checks ask for its stimuli."""


def dataset(program: Program, decl: ast.StimuliDecl) -> Dataset:
    """What a declaration's file holds; nothing where it cannot be read."""
    read = _READ.setdefault(program, {})
    if decl.name.text not in read:
        table = program.table(decl.path, decl.sheet)
        read[decl.name.text] = (
            Dataset() if isinstance(table, str) else _Reading(decl, table, _numbers(program)).read()
        )
    return read[decl.name.text]


def fields_from(decl: ast.StimuliDecl) -> list[ast.FieldFrom]:
    """What the declaration says of each stimulus."""
    return [part for part in decl.body if isinstance(part, ast.FieldFrom)]


class _Reading:
    """One file being read."""

    def __init__(self, decl: ast.StimuliDecl, table: Table, numbers: set[str]) -> None:
        self._set = decl.name.text
        self._numbers = numbers if table.decimal_comma else set()
        self._table = table
        self._said = {part.name.text: _source(part.source, table) for part in fields_from(decl)}
        self._known: dict[str, tuple[int, dict[str, str]]] = {}
        recodes = [part for part in decl.body if isinstance(part, ast.RecodeDecl)]
        self._data = Dataset(recodings={recode.field.text: Recoding(recode) for recode in recodes})

    def read(self) -> Dataset:
        for number, row in enumerate(self._table.rows[1:], start=2):
            if any(cell not in (None, "") for cell in row):
                self._take(number, dict(self._values(number, row)))
        return self._data

    def _values(self, number: int, row: tuple[Cell, ...]) -> Iterator[tuple[str, str]]:
        """The fields that a row has; one without a value is absent."""
        for name, source in self._said.items():
            if isinstance(source, int):
                spelling = text(row[source]) if source < len(row) else ""
            else:
                spelling = str(number - 1) if source is None else source
            recoding = self._data.recodings.get(name)
            meaning = spelling
            if recoding is not None:
                meaning = recoding.meaning(spelling, decimal_comma=self._table.decimal_comma) or ""
            if meaning:
                yield name, pointed(meaning) if name in self._numbers else meaning

    def _take(self, number: int, fields: dict[str, str]) -> None:
        name = fields.pop(NAME, "") if NAME in self._said else str(number - 1)
        if not name:
            self._data.nameless.append(number)
            return
        first, known = self._known.setdefault(name, (number, fields))
        if first == number:
            self._data.stimuli.append(self._stimulus(name, fields))
        elif known != fields:
            differing = next(one for one in self._said if known.get(one) != fields.get(one))
            self._data.conflicts.append(Conflict(name, differing, first, number))

    def _stimulus(self, name: str, fields: dict[str, str]) -> Stimulus:
        emotion, factor = fields.get("emotion"), fields.get("factor")
        return Stimulus(
            id=f"{self._set}.{name}",
            situation=len(self._data.stimuli),
            fields=fields,
            name=name,
            emotion=emotion,
            emotion_title=emotion,
            factor=factor,
            factor_title=factor,
        )


def _numbers(program: Program) -> set[str]:
    """The fields that are used as numbers: keys of items, and sides of analyses."""
    found = {
        item.key.text
        for scale in program.scales.values()
        for group in parts(scale, ast.ItemGroup)
        for item in group.items
        if isinstance(item.key, ast.Name)
    }
    for study in program.studies.values():
        for side in (side for analysis in analyses_of(study).values() for side in analysis.sides):
            if side.what is not None and side.what.head.text == "stimulus" and side.what.tail is not None:
                found.add(side.what.tail.text)
    return found


def _source(source: ast.FieldSource, table: Table) -> int | str | None:
    """The column's index (from 0; nothing where there is no such column: a check says so), the text itself, or
    None: the number of the row below the header."""
    match source:
        case ast.PlaceNode(at=at):
            index = column_index(table, at)
            return "" if index is None else index
        case ast.ConstantNode(value=value):
            return value.text
        case ast.CountedNode():
            return None
        case ast.Str(text=said):
            return said
