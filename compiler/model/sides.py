"""What the sides of an analysis mean: which answers each takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler import ast
from compiler.model.study import Analysis, analyses_of, panels_of
from compiler.model.variables import CONDITION, variables_of
from compiler.resolve import Program
from schemas.plan import Cells


@dataclass(frozen=True)
class Meaning:
    """One thing that a side can mean; `variable`: whose level it takes, where it takes one."""

    kind: Literal["level", "panel", "contrast", "norm", "field"]
    cells: Cells
    variable: str | None = None

    @property
    def told(self) -> str:
        """What it is, in words."""
        return f"a level of `{self.variable}`" if self.kind == "level" else f"a {self.kind}"


def meanings(program: Program, study: ast.StudyDecl, analysis: Analysis, side: ast.Side) -> list[Meaning]:
    """All that a side can mean: nothing where its name is unknown, several where it is the name of several
    things. Only an association takes another contrast for a side."""
    panel = None if side.panel is None else side.panel.text
    if side.norm is not None:
        return [Meaning("norm", Cells(norm=side.norm.text))]
    if side.what is None:
        return [Meaning("panel", Cells(panel=panel))]
    name = side.what.head.text
    if side.what.tail is not None:
        return [Meaning("field", Cells(field=side.what.tail.text, panel=panel))] if name == "stimulus" else []
    found = [
        Meaning("level", Cells(level=name, panel=panel), variable)
        for variable, levels in variables_of(program, study).items()
        if name in levels
    ]
    if isinstance(analysis, ast.AssociationDecl) and isinstance(analyses_of(study).get(name), ast.ContrastDecl):
        found.append(Meaning("contrast", Cells(contrast=name, panel=panel)))
    if panel is None and name in {one.text for one in panels_of(study)}:
        found.append(Meaning("panel", Cells(panel=name)))
    return found


def sides_of(program: Program, study: ast.StudyDecl, analysis: Analysis) -> list[Meaning]:
    """What the sides of a sound analysis mean; a side without one meaning is left out."""
    found = (meanings(program, study, analysis, side) for side in analysis.sides)
    return [one[0] for one in found if len(one) == 1]


def variable_of(sides: list[Meaning]) -> str:
    """The variable whose levels the sides take; the condition where they take none."""
    return next((side.variable for side in sides if side.variable is not None), CONDITION)
