"""What an `expect` comes to: the published cells, each found by its row of the report.

Reading a published table can go wrong in its every cell, so it yields cells and diagnostics together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from compiler import ast
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.items import column_index, text
from compiler.model.stimuli import study_stimuli
from compiler.model.study import outcomes_of, predicates
from compiler.resolve import Program
from schemas.plan import Expected, ExpectedCell, Predicate, Stimulus
from schemas.table import Table

ROW_COLUMNS = ("panel", "scale", "subscale", "emotion", "factor", "factor_index")
NUMBERS = ("estimate", "a_mean", "a_sd", "a_n", "b_mean", "b_sd", "b_n", "statistic", "df", "p", "effect_size")
DIRECTION = "direction"
COLUMNS = (*ROW_COLUMNS, *NUMBERS, DIRECTION)
MISSING = "missing"

Row = dict[str, str | int | None]


@dataclass(frozen=True)
class Vocabulary:
    """The ids that a published table's spellings may mean, by the spelling in lower case."""

    emotions: dict[str, str]
    factors: dict[tuple[str, str], tuple[str, int]]
    outcomes: tuple[tuple[str, str], ...]
    subscale_titles: dict[str, str]


def vocabulary(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Vocabulary:
    """What a contrast's rows can be called."""
    stimuli: list[Stimulus] = [placed.stimulus for placed in study_stimuli(program, study)]
    emotions = {name.casefold(): s.emotion for s in stimuli for name in (s.emotion, s.emotion_title)}
    factors = {
        (s.emotion, name.casefold()): (s.factor, s.factor_index)
        for s in stimuli
        for name in (s.factor, s.factor_title)
    }
    outcomes = tuple(outcomes_of(program, study, contrast))
    titles: dict[str, str] = {}
    for scale, subscale in outcomes:
        for part in program.scales[scale].body:
            if isinstance(part, ast.SubscaleDecl) and part.name.text == subscale:
                titles[subscale.casefold()] = subscale
                if part.title is not None:
                    titles[part.title.text.casefold()] = subscale
    return Vocabulary(emotions, factors, outcomes, titles)


class PublishedTable:
    """Reads one `expect ... from` into cells."""

    def __init__(
        self, program: Program, study: ast.StudyDecl, expect: ast.ExpectTable, words: Vocabulary
    ) -> None:
        self._study = study.name.text
        self._expect = expect
        self._words = words
        self._table = program.table(expect.path, expect.sheet)
        self._recodes = {r.field.text: r for r in expect.body if isinstance(r, ast.RecodeDecl)}
        self._used: set[tuple[str, str]] = set()
        self._columns = [part for part in expect.body if isinstance(part, ast.ExpectColumn)]

    def read(self) -> Iterator[ExpectedCell | Diagnostic]:
        """The cells, and what is wrong with the table or the mapping."""
        if isinstance(self._table, str):
            yield diagnostic(Code.DATA_FILE, self._expect.path.span, message=self._table)
            return
        missing = list(self._missing_columns(self._table))
        yield from missing
        if missing:
            return
        cells = 0
        for number, row in enumerate(self._table.rows[1:], start=2):
            if self._belongs(row):
                cells += 1
                yield from self._cell(number, row)
        if not cells:
            help = "look at the `where` line: no row of the table fits it"
            what = f"no row of {self._expect.path.text} is mapped"
            yield diagnostic(Code.MAPS_NOTHING, self._expect.span, what=what, help=help)
        yield from self._unused()

    def _missing_columns(self, table: Table) -> Iterator[Diagnostic]:
        places = [c.source for c in self._columns if isinstance(c.source, ast.PlaceNode)]
        places += [part.place for part in self._expect.body if isinstance(part, ast.RowsWhere)]
        header = [text(cell) for cell in table.rows[0]] if table.rows else []
        for place in places:
            if place.axis == "row" or column_index(table, place.at) is None:
                named = place.at.text if isinstance(place.at, ast.Str) else f"{place.at.value:g}"
                help = nearest(named, header) or f"its columns are {', '.join(header[:8])}"
                path = self._expect.path.text
                yield diagnostic(Code.NO_COLUMN, place.span, path=path, column=f'"{named}"', help=help)

    def _at(self, row: tuple[object, ...], place: ast.PlaceNode) -> tuple[int, str]:
        assert isinstance(self._table, Table)
        index = column_index(self._table, place.at) or 0
        return index + 1, text(cast("str | None", row[index])) if index < len(row) else ""

    def _belongs(self, row: tuple[object, ...]) -> bool:
        filters = [part for part in self._expect.body if isinstance(part, ast.RowsWhere)]
        return any(row) and all(
            self._at(row, part.place)[1] in {value.text for value in part.values} for part in filters
        )

    def _cell(self, number: int, row: tuple[object, ...]) -> Iterator[ExpectedCell | Diagnostic]:
        key: Row = {}
        numbers: list[Expected] = []
        direction: Literal["up", "down", "none"] | None = None
        for column in self._columns:
            name = column.column.text
            index, spelling = self._spelling(column, row)
            meaning = self._recoded(name, spelling)
            if name in ROW_COLUMNS:
                key[name] = meaning
            elif meaning is None:
                continue
            elif name == DIRECTION:
                if meaning not in ("up", "down", "none"):
                    yield self._wrong(number, index, meaning, "up, down or none")
                    continue
                direction = cast(Literal["up", "down", "none"], meaning)
            else:
                value = _number(meaning)
                if value is None:
                    yield self._wrong(number, index, meaning, "a number")
                    continue
                within = column.within.value if column.within is not None else 0.0
                decimals = column.rounded.whole if column.rounded is not None else None
                numbers.append(Expected(name, value, within, decimals))
        problem = self._located(key)
        if problem is not None:
            yield diagnostic(Code.NO_ROW, self._expect.span, study=self._study, row=problem)
            return
        cell = ExpectedCell(row=key, numbers=tuple(numbers), direction=direction)
        yield _with_erratum(cell, self._expect)

    def _spelling(self, column: ast.ExpectColumn, row: tuple[object, ...]) -> tuple[int, str]:
        match column.source:
            case ast.PlaceNode():
                return self._at(row, column.source)
            case ast.ConstantNode():
                return 0, column.source.value.text
            case ast.Str():
                return 0, column.source.text

    def _recoded(self, field: str, spelling: str) -> str | None:
        recode = self._recodes.get(field)
        for pair in recode.pairs if recode is not None else ():
            if pair.spelling.text == spelling:
                self._used.add((field, spelling))
                return None if pair.meaning.text == MISSING and not pair.meaning.quoted else pair.meaning.text
        return spelling or None

    def _located(self, key: Row) -> str | None:
        """Turns spellings into ids, in place. Returns what cannot be found, or None."""
        words = self._words
        emotion = key.get("emotion")
        if isinstance(emotion, str):
            if emotion.casefold() not in words.emotions:
                return f'emotion "{emotion}"'
            key["emotion"] = words.emotions[emotion.casefold()]
        factor = key.pop("factor", None)
        if isinstance(factor, str) and (str(key["emotion"]), factor.casefold()) in words.factors:
            key["factor"], key["factor_index"] = words.factors[str(key["emotion"]), factor.casefold()]
        elif isinstance(factor, str):
            return f'factor "{factor}" of emotion "{emotion}"'
        index = key.get("factor_index")
        if isinstance(index, str):
            if not index.isdigit():
                return f'factor index "{index}"'
            key["factor_index"] = int(index)
            if (key.get("emotion"), int(index)) not in {(e, i) for (e, _), (_, i) in words.factors.items()}:
                return f'factor {index} of emotion "{emotion}"'
        return self._outcome(key)

    def _outcome(self, key: Row) -> str | None:
        subscale = key.get("subscale")
        if isinstance(subscale, str):
            if subscale.casefold() not in self._words.subscale_titles:
                return f'subscale "{subscale}"'
            key["subscale"] = self._words.subscale_titles[subscale.casefold()]
        scales = {scale for scale, _ in self._words.outcomes}
        if "scale" not in key and len(scales) == 1:
            key["scale"] = next(iter(scales))
        key["group_kind"] = group_kind(key)
        return None

    def _wrong(self, row: int, column: int, text: str, wanted: str) -> Diagnostic:
        return diagnostic(
            Code.NOT_A_NUMBER,
            self._expect.path.span,
            path=self._expect.path.text,
            row=row,
            column=column,
            text=text,
            wanted=wanted,
        )

    def _unused(self) -> Iterator[Diagnostic]:
        for field, recode in self._recodes.items():
            for pair in recode.pairs:
                if (field, pair.spelling.text) not in self._used:
                    yield diagnostic(
                        Code.RECODE_NOTHING,
                        pair.span,
                        field=field,
                        path=self._expect.path.text,
                        spelling=pair.spelling.text,
                    )


def group_kind(row: Row) -> str:
    """The kind of group that a published row belongs to, by which of its columns are filled."""
    if row.get("factor") is not None or row.get("factor_index") is not None:
        return "factor"
    return "emotion" if row.get("emotion") is not None else "overall"


def _with_erratum(cell: ExpectedCell, expect: ast.ExpectTable) -> ExpectedCell:
    """The cell with the first erratum that is about it."""
    for part in expect.body:
        if isinstance(part, ast.Erratum) and all(fits(cell.row, one) for one in predicates(part.where)):
            return ExpectedCell(cell.row, cell.numbers, cell.direction, part.text.text)
    return cell


def fits(row: Row, predicate: Predicate) -> bool:
    """Whether a row has the value that a predicate asks for."""
    value = row.get(predicate.field)
    return ((MISSING if value is None else str(value)) in predicate.values) != predicate.negated


def inline_cell(expect: ast.ExpectValue) -> ExpectedCell:
    """An `expect` of one number as a cell; assumes that it was checked."""
    row: Row = {"scale": expect.outcome.head.text}
    if expect.outcome.tail is not None:
        row["subscale"] = expect.outcome.tail.text
    for predicate in predicates(expect.where):
        row[predicate.field] = predicate.values[0]
    row.setdefault("emotion", None)
    row.setdefault("factor", None)
    row["group_kind"] = group_kind(row)
    column = expect.target.tail.text if expect.target.tail is not None else "estimate"
    return ExpectedCell(row=row, numbers=(Expected(column, expect.value.value, expect.within.value),))


def _number(written: str) -> float | None:
    try:
        value = float(written.replace("−", "-"))
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None
