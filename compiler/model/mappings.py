"""What a mapping of recorded answers comes to: what is read at each combination of levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from compiler import ast
from schemas.plan import FieldName

FIELDS: tuple[FieldName, ...] = get_args(FieldName)
"""What tells observations apart."""

MAX_BLOCKS = 1000

Said = ast.MatchDecl | ast.CovariateDecl | ast.AssignDecl | ast.ConditionCellsDecl
Levels = tuple[tuple[ast.VaryDecl, ast.LevelDecl], ...]


@dataclass(frozen=True)
class Combination:
    """What is read from each observation at one level of each variable (none where nothing varies): first what
    all share, then what is said inside of each `vary`."""

    levels: Levels
    statements: tuple[Said, ...]

    @property
    def spellings(self) -> dict[str, str]:
        """What stands for `{variable}` in every text."""
        return {vary.variable.text: spelled(level) for vary, level in self.levels}

    def assigned(self) -> list[ast.AssignDecl]:
        """What is said outside of its conditions to stand somewhere."""
        return [part for part in self.statements if isinstance(part, ast.AssignDecl)]

    def matches(self) -> list[ast.MatchDecl]:
        """What observations must fit to be read here."""
        return [part for part in self.statements if isinstance(part, ast.MatchDecl)]

    def conditions(self) -> list[ast.ConditionCellsDecl]:
        return [part for part in self.statements if isinstance(part, ast.ConditionCellsDecl)]

    def covariates(self) -> list[ast.CovariateDecl]:
        return [part for part in self.statements if isinstance(part, ast.CovariateDecl)]


def spelled(level: ast.LevelDecl) -> str:
    """How the data spell a level."""
    return level.name.text if level.spelling is None else level.spelling.text


def combinations(decl: ast.ResponsesDecl) -> list[Combination]:
    """Every combination: a `vary` inside another crosses it, one beside another is read besides. Empty where
    they are too many (a check says so)."""
    return list(_combined(decl.body, (), ())) if combined(decl.body) <= MAX_BLOCKS else []


def combined(body: Iterable[ast.ResponsesStatement]) -> int:
    """How many combinations there are."""
    varied = [part for part in body if isinstance(part, ast.VaryDecl)]
    return sum(len(vary.levels) * combined(vary.body) for vary in varied) if varied else 1


def _combined(
    body: Iterable[ast.ResponsesStatement], levels: Levels, shared: tuple[Said, ...]
) -> Iterator[Combination]:
    said = shared + tuple(part for part in body if isinstance(part, Said))
    varied = [part for part in body if isinstance(part, ast.VaryDecl)]
    if not varied:
        yield Combination(levels, said)
    for vary in varied:
        for level in vary.levels:
            yield from _combined(vary.body, (*levels, (vary, level)), said)


def is_field(name: ast.Name) -> bool:
    """Whether an assignment says where a field stands, and not a scale's answers."""
    return name.text in FIELDS
