"""The rows that the report of a contrast can have, and which of them a published value belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from compiler import ast
from compiler.diagnostics import nearest
from compiler.model.stimuli import study_stimuli
from compiler.model.study import (
    clauses,
    cut_by,
    groups_of,
    names_files,
    outcomes_of,
    panels_of,
    predicates,
    responses_of,
    statements,
)
from compiler.resolve import Program
from schemas.plan import Predicate

ROW_COLUMNS = ("panel", "scale", "subscale", "emotion", "factor", "factor_index")
"""What a row is told apart by, besides the covariates that its contrast is grouped by."""

MISSING = "missing"

Row = dict[str, str | int | None]

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Factor:
    emotion: str
    emotion_title: str
    id: str
    title: str
    index: int


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
    """All that a contrast's rows are told apart by. `panels` holds the kind of each; None where only the data
    knows the panels. `measured`: the emotions after which a scale is asked, where not after all."""

    contrast: ast.ContrastDecl
    factors: tuple[Factor, ...]
    outcomes: tuple[Outcome, ...]
    panels: dict[str, str] | None
    measured: dict[str, tuple[str, ...]]

    @property
    def covariates(self) -> tuple[str, ...]:
        """The covariates that the contrast is grouped by."""
        named = [field for kind in groups_of(self.contrast) for field in kind]
        return tuple(name for name in dict.fromkeys(named) if name not in ROW_COLUMNS)

    def find(self, spelled: Row) -> Row | NoRow:
        """The row's columns with ids in place of spellings, and its kind of group. A column whose value is
        None is one that the row leaves empty."""
        row = dict(spelled)
        for step in (self._emotion, self._factor, self._outcome, self._group, self._asked, self._panel):
            problem = step(row)
            if problem is not None:
                return problem
        return row

    def _emotion(self, row: Row) -> NoRow | None:
        spelling = row.get("emotion")
        if spelling is None:
            return None
        ids = {factor.emotion.casefold(): factor.emotion for factor in self.factors}
        titles = {factor.emotion_title.casefold(): factor.emotion for factor in self.factors}
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

    def _group(self, row: Row) -> NoRow | None:
        indexed = row.get("factor_index") is not None
        cut = {name for name in ("emotion", *self.covariates) if row.get(name) is not None}
        wanted = cut_by([*sorted(cut), "factor"] if indexed else cut)
        kinds = groups_of(self.contrast)
        named = next((kind for kind in kinds if cut_by(kind) == wanted), None)
        if named is None:
            made = ", ".join(sorted(" * ".join(kind) or "overall" for kind in kinds))
            what = " * ".join(sorted(wanted - {"emotion"} if indexed else wanted)) or "overall"
            help = f"contrast `{self.contrast.name.text}` is made by {made}"
            return NoRow(f"{self._shown(row)} ({what})", help)
        row["group_kind"] = " * ".join(named) or "overall"
        return None

    def _asked(self, row: Row) -> NoRow | None:
        """A scale may be asked after some emotions only; a contrast may leave observations out."""
        scale, emotion = str(row["scale"]), row.get("emotion")
        if emotion is not None and emotion not in self.measured.get(scale, (emotion,)):
            return NoRow(self._shown(row), f"scale `{scale}` is for {', '.join(self.measured[scale])}")
        for predicate in self._where():
            value = row.get(predicate.field)
            if value is not None and not fits(row, predicate):
                name = self.contrast.name.text
                help = f"the `where` of contrast `{name}` leaves {predicate.field} {value} out"
                return NoRow(self._shown(row), help)
        return None

    def _panel(self, row: Row) -> NoRow | None:
        panel = row.get("panel")
        if "panel" in row and panel is None:
            return NoRow("a panel without a name")
        if self.panels is None:
            return None
        kept = [name for name, kind in self.panels.items() if self._keeps(name, kind)]
        if panel is None and len(kept) > 1:
            return NoRow(f"panels `{kept[0]}` and `{kept[1]}` at once", "say which panel is meant")
        if panel is not None and panel not in kept:
            return NoRow(f'panel "{panel}"', nearest(str(panel), kept))
        return None

    def _keeps(self, panel: str, kind: str) -> bool:
        """Whether the contrast is about a panel. A simulated one stands in for a model."""
        kinds = ["model", "simulated"] if kind == "simulated" else [kind]
        for predicate in self._where():
            if predicate.field == "panel" and not fits({"panel": panel}, predicate):
                return False
            if predicate.field == "kind" and any(one in predicate.values for one in kinds) == predicate.negated:
                return False
        return True

    def _where(self) -> Iterable[Predicate]:
        return [p for where in clauses(self.contrast, ast.WhereClause) for p in predicates(where)]

    def _shown(self, row: Row) -> str:
        told = [f"{name} {value}" for name, value in row.items() if value is not None and name != "group_kind"]
        return ", ".join(told)


def rows_of(program: Program, study: ast.StudyDecl, contrast: ast.ContrastDecl) -> Rows:
    """What a contrast's rows can be called; only ids that exist."""
    factors = {
        (s.emotion, s.factor): Factor(s.emotion, s.emotion_title, s.factor, s.factor_title, s.factor_index)
        for s in (placed.stimulus for placed in study_stimuli(program, study))
    }
    named = dict.fromkeys(outcomes_of(program, study, contrast))
    outcomes = [_outcome(program.scales[scale], sub) for scale, sub in named]
    uses = [use for part in statements(study, ast.ScalesOf) for use in part.scales]
    measured = {use.scale.text: tuple(name.text for name in use.stimuli) for use in uses if use.stimuli}
    return Rows(contrast, tuple(factors.values()), tuple(outcomes), _panels(program, study), measured)


def fits(row: Row, predicate: Predicate) -> bool:
    """Whether a row has the value that a predicate asks for."""
    value = row.get(predicate.field)
    return ((MISSING if value is None else str(value)) in predicate.values) != predicate.negated


def _called(spelling: str, named: list[tuple[Thing, str, str]]) -> list[Thing]:
    """The things whose id is spelled so; where there is none, those whose title is."""
    folded = spelling.casefold()
    by_id = [thing for thing, id, _ in named if id.casefold() == folded]
    return by_id or [thing for thing, _, title in named if title.casefold() == folded]


def _outcome(scale: ast.ScaleDecl, subscale: str) -> Outcome:
    scale_title = scale.name.text if scale.title is None else scale.title.text
    declared = [part for part in scale.body if isinstance(part, ast.SubscaleDecl)]
    titles = {part.name.text: part.title.text for part in declared if part.title is not None}
    return Outcome(scale.name.text, scale_title, subscale, titles.get(subscale, subscale))


def _panels(program: Program, study: ast.StudyDecl) -> dict[str, str] | None:
    if any(names_files(responses) for responses in responses_of(program, study)):
        return None
    return {panel.text: _kind(program, panel.text) for panel in panels_of(study)}


def _kind(program: Program, panel: str) -> str:
    responses, model = program.responses.get(panel), program.models.get(panel)
    if responses is not None:
        return next((part.kind.text for part in responses.body if isinstance(part, ast.KindDecl)), "")
    providers = [setting.value for setting in model.settings if setting.key.text == "provider"] if model else []
    asked = any(isinstance(provider, ast.Name) and provider.text == "openai" for provider in providers)
    return "model" if asked else "simulated"
