"""What a study binds together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from compiler import ast
from compiler.model.grids import text
from compiler.model.items import parts
from compiler.resolve import Program
from schemas.plan import Predicate

Kind = TypeVar("Kind", bound=ast.Node)

Analysis = ast.ContrastDecl | ast.AssociationDecl

OBSERVATION_FIELDS = ("kind", "panel", "scale", "subscale", "condition", "emotion", "factor")
"""What every observation can be told apart by, besides what its study and its data add."""

OVERALL = "overall"


def statements(study: ast.StudyDecl, kind: type[Kind]) -> list[Kind]:
    """The study's statements of one kind."""
    return [statement for statement in study.body if isinstance(statement, kind)]


def protocol_of(program: Program, study: ast.StudyDecl) -> ast.ProtocolDecl | None:
    """The protocol that a study names, where it exists."""
    named = statements(study, ast.ProtocolOf)
    return program.protocols.get(named[0].name.text) if named else None


def scales_of(program: Program, study: ast.StudyDecl) -> list[ast.ScaleDecl]:
    """The scales that a study measures: those that it names, and those that its protocol names."""
    names = [use.scale.text for part in statements(study, ast.ScalesOf) for use in part.scales]
    protocol = protocol_of(program, study)
    for part in protocol.body if protocol is not None else ():
        for step in part.steps:
            if isinstance(step, ast.MeasureStep) and step.scale is not None:
                names.append(step.scale.text)
    return [program.scales[name] for name in dict.fromkeys(names) if name in program.scales]


def subscales_of(scale: ast.ScaleDecl) -> list[str]:
    """The ids of a scale's subscales."""
    return [subscale.name.text for subscale in parts(scale, ast.SubscaleDecl)]


def splits_of(study: ast.StudyDecl) -> list[ast.SplitOf]:
    """How the study divides the respondents of its panels."""
    return statements(study, ast.SplitOf)


def between_of(study: ast.StudyDecl) -> list[str]:
    """The variables of which a respondent has one level."""
    return [variable.text for part in statements(study, ast.BetweenOf) for variable in part.variables]


def panels_of(study: ast.StudyDecl) -> list[ast.Name]:
    """The panels that a study names."""
    return [panel for part in statements(study, ast.PanelsOf) for panel in part.panels]


def responses_of(program: Program, study: ast.StudyDecl) -> list[ast.ResponsesDecl]:
    """The recorded answers among a study's panels."""
    return [program.responses[name.text] for name in panels_of(study) if name.text in program.responses]


def kind_of(responses: ast.ResponsesDecl) -> str:
    """What a mapping says that its respondents are: human or model."""
    return next((part.kind.text for part in responses.body if isinstance(part, ast.KindDecl)), "")


def analyses_of(study: ast.StudyDecl) -> dict[str, Analysis]:
    """The study's contrasts and associations by name."""
    return {one.name.text: one for one in study.body if isinstance(one, Analysis)}


def told(analysis: Analysis) -> str:
    """What an analysis is called in a message."""
    kind = "contrast" if isinstance(analysis, ast.ContrastDecl) else analysis.kind
    return f"{kind} `{analysis.name.text}`"


def clauses(analysis: Analysis, kind: type[Kind]) -> list[Kind]:
    """The analysis's clauses of one kind."""
    return [clause for clause in analysis.clauses if isinstance(clause, kind)]


def setting_of(analysis: Analysis, key: str) -> ast.Setting | None:
    """What the analysis says for a setting."""
    said = (setting for clause in clauses(analysis, ast.SettingsClause) for setting in clause.settings)
    return next((setting for setting in said if setting.key.text == key), None)


def word_said(analysis: Analysis, key: str) -> ast.Name | None:
    """The word that the analysis says for a setting."""
    said = setting_of(analysis, key)
    return said.value if said is not None and isinstance(said.value, ast.Name) else None


def groups_of(analysis: Analysis) -> list[tuple[str, ...]]:
    """The kinds of groups that an analysis is made in; without `by`, overall alone."""
    named = [group for clause in clauses(analysis, ast.ByClause) for group in clause.groups]
    kinds = [tuple(field.text for field in group.fields if field.text != OVERALL) for group in named]
    return list(dict.fromkeys(kinds)) or [()]


def cut_by(fields: Iterable[str]) -> frozenset[str]:
    """What a kind of group is cut by: a factor stands under its emotion, in whatever order they are named."""
    cut = frozenset(fields) - {OVERALL}
    return cut | {"emotion"} if "factor" in cut else cut


def written(value: ast.Name | ast.Num) -> str:
    """A value of a `where` as data spells it; a number exactly."""
    return value.text if isinstance(value, ast.Name) else text(value.value)


def predicates(where: ast.WhereClause | None) -> Iterator[Predicate]:
    """A `where` as a plan holds it."""
    for predicate in where.predicates if where is not None else ():
        values = tuple(written(value) for value in predicate.values)
        yield Predicate(predicate.field.text, values, predicate.negated)
