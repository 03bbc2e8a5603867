"""The rows that the report of an analysis can have, and which of them a published value belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from compiler import ast
from compiler.diagnostics import nearest
from compiler.model.recodes import MISSING
from compiler.model.study import Analysis, clauses, cut_by, groups_of, predicates, told
from schemas.plan import Predicate

ROW_COLUMNS = ("panel", "scale", "subscale", "emotion", "factor", "factor_index")
"""What a row is told apart by, besides the fields that its analysis is grouped by."""

TEST = "test"
"""The column that tells the rows of an association apart: the coefficient."""

Row = dict[str, str | int | None]

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Factor:
    emotion: str | None
    id: str
    title: str
    index: int | None


@dataclass(frozen=True)
class Outcome:
    scale: str
    scale_title: str
    subscale: str
    subscale_title: str


@dataclass(frozen=True)
class NoRow:
    """Why no row is found: what was looked for, and what to do."""

    what: str
    help: str | None = None


@dataclass(frozen=True)
class Rows:
    """All that an analysis's rows are told apart by. `emotions` holds the title of each; `panels` is None
    where only the data knows them. `values`: those of a field that groups are made of, where
    they are known. `measured`: the emotions after which a scale is asked, where not after all. `coefficients`:
    an association's, each of which has a row of its own."""

    analysis: Analysis
    emotions: Mapping[str, str]
    factors: tuple[Factor, ...]
    outcomes: tuple[Outcome, ...]
    panels: tuple[str, ...] | None
    values: Mapping[str, list[str]]
    measured: Mapping[str, tuple[str, ...]]
    coefficients: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the analysis is grouped by, besides emotion and factor."""
        named = [field for kind in groups_of(self.analysis) for field in kind]
        return tuple(name for name in dict.fromkeys(named) if name not in ROW_COLUMNS)

    @property
    def columns(self) -> tuple[str, ...]:
        """What its rows are told apart by."""
        return (*ROW_COLUMNS, *((TEST,) if self.coefficients else ()), *self.fields)

    def find(self, spelled: Row) -> Row | NoRow:
        """The row's columns with ids in place of spellings, and its kind of group. A column whose value is
        None is one that the row leaves empty."""
        row = dict(spelled)
        steps = (
            *(self._emotion, self._factor, self._outcome, self._values),
            *(self._group, self._asked, self._panel, self._coefficient),
        )
        for step in steps:
            problem = step(row)
            if problem is not None:
                return problem
        return row

    def _emotion(self, row: Row) -> NoRow | None:
        spelling = row.get("emotion")
        if spelling is None:
            return None
        ids = {id.casefold(): id for id in self.emotions}
        titles = {title.casefold(): id for id, title in self.emotions.items()}
        found = {**titles, **ids}.get(str(spelling).casefold())
        if found is None:
            return NoRow(f'emotion "{spelling}"', nearest(str(spelling), ids.values()))
        row["emotion"] = found
        return None

    def _factor(self, row: Row) -> NoRow | None:
        name, index, emotion = row.pop("factor", None), row.get("factor_index"), row.get("emotion")
        if name is None and index is None:
            return None
        under = [factor for factor in self.factors if emotion in (None, factor.emotion)]
        found = under if name is None else _called(str(name), [(f, f.id, f.title) for f in under])
        found = [factor for factor in found if index is None or str(factor.index) == str(index)]
        told = [f'factor "{name}"'] * (name is not None) + [f"factor number {index}"] * (index is not None)
        what = " and ".join(told) + ("" if emotion is None else f' of emotion "{emotion}"')
        if not found:
            return NoRow(what, nearest(str(name), (factor.id for factor in under)))
        if len(found) > 1:
            several = " and ".join(f"`{factor.emotion}.{factor.id}`" for factor in found[:2])
            return NoRow(f"{what} alone", f"{several} are both called so: name the emotion, too")
        row.update(emotion=found[0].emotion, factor_index=found[0].index)
        if name is not None:
            row["factor"] = found[0].id
        return None

    def _outcome(self, row: Row) -> NoRow | None:
        found = list(self.outcomes)
        told = [f'{column} "{row[column] or ""}"' for column in ("scale", "subscale") if column in row]
        if "scale" in row:
            found = _called(str(row["scale"]), [(o, o.scale, o.scale_title) for o in found])
        if "subscale" in row:
            found = _called(str(row["subscale"]), [(o, o.subscale, o.subscale_title) for o in found])
        if not found:
            known = (f"{outcome.scale}.{outcome.subscale}" for outcome in self.outcomes)
            return NoRow(", ".join(told) or "any outcome", nearest(str(row.get("subscale")), known))
        if len(found) > 1:
            first, second = (f"{outcome.scale}.{outcome.subscale}" for outcome in found[:2])
            return NoRow(f"{first} and {second} at once", "say which scale and which subscale is meant")
        row.update(scale=found[0].scale, subscale=found[0].subscale)
        return None

    def _values(self, row: Row) -> NoRow | None:
        """A level of a variable, a value of a stimulus's field: as it is spelled, where that is known."""
        for name, known in self.values.items():
            value = row.get(name)
            if value is not None and value not in known:
                return NoRow(f'{name} "{value}"', nearest(str(value), known))
        return None

    def _group(self, row: Row) -> NoRow | None:
        indexed = row.get("factor_index") is not None
        factored = indexed or row.get("factor") is not None
        cut = {name for name in ("emotion", *self.fields) if row.get(name) is not None}
        wanted = cut_by([*sorted(cut), "factor"] if factored else cut)
        kinds = groups_of(self.analysis)
        named = next((kind for kind in kinds if cut_by(kind) == wanted), None)
        if named is None:
            made = ", ".join(sorted(" * ".join(kind) or "overall" for kind in kinds))
            what = " * ".join(sorted(wanted - {"emotion"} if factored else wanted)) or "overall"
            return NoRow(f"{self._shown(row)} ({what})", f"{told(self.analysis)} is made by {made}")
        row["group_kind"] = " * ".join(named) or "overall"
        return None

    def _asked(self, row: Row) -> NoRow | None:
        """A scale may be asked after some emotions only; an analysis may leave observations out."""
        scale, emotion = str(row["scale"]), row.get("emotion")
        if emotion is not None and emotion not in self.measured.get(scale, (emotion,)):
            return NoRow(self._shown(row), f"scale `{scale}` is for {', '.join(self.measured[scale])}")
        for predicate in self._where():
            value = row.get(predicate.field)
            if value is not None and not fits(row, predicate):
                help = f"the `where` of {told(self.analysis)} leaves {predicate.field} {value} out"
                return NoRow(self._shown(row), help)
        return None

    def _panel(self, row: Row) -> NoRow | None:
        panel = row.get("panel")
        if "panel" in row and panel is None:
            return NoRow("a panel without a name")
        if self.panels is None:
            return None
        if panel is None and len(self.panels) > 1:
            first, second = self.panels[:2]
            return NoRow(f"panels `{first}` and `{second}` at once", "say which panel is meant")
        if panel is not None and panel not in self.panels:
            return NoRow(f'panel "{panel}"', nearest(str(panel), self.panels))
        return None

    def _coefficient(self, row: Row) -> NoRow | None:
        said = row.get(TEST)
        if said is not None and self.coefficients and said not in self.coefficients:
            return NoRow(f'{TEST} "{said}"', nearest(str(said), self.coefficients))
        if said is None and len(self.coefficients) > 1:
            first, second = self.coefficients[:2]
            help = f"say which is meant: `where {TEST} is {first}`"
            return NoRow(f"coefficients `{first}` and `{second}` at once", help)
        if said is None and self.coefficients:
            row[TEST] = self.coefficients[0]
        return None

    def _where(self) -> Iterable[Predicate]:
        return [p for where in clauses(self.analysis, ast.WhereClause) for p in predicates(where)]

    def _shown(self, row: Row) -> str:
        told = [f"{name} {value}" for name, value in row.items() if value is not None and name != "group_kind"]
        return ", ".join(told)


def fits(row: Row, predicate: Predicate) -> bool:
    """Whether a row has the value that a predicate asks for."""
    value = row.get(predicate.field)
    return ((MISSING if value is None else str(value)) in predicate.values) != predicate.negated


def _called(spelling: str, named: list[tuple[Thing, str, str]]) -> list[Thing]:
    """The things whose id is spelled so; where there is none, those whose title is."""
    folded = spelling.casefold()
    by_id = [thing for thing, id, _ in named if id.casefold() == folded]
    return by_id or [thing for thing, _, title in named if title.casefold() == folded]
