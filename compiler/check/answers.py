"""Recorded answers, one combination of levels after the other: what each observation must say, and say once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler import ast
from compiler.check.wording import twice
from compiler.diagnostics import Code, Diagnostic, Note, diagnostic
from compiler.model.grids import text
from compiler.model.items import items_of, options_of, scale_options
from compiler.model.mappings import Combination, combinations, is_field
from compiler.model.prompts import conditions_of
from compiler.model.stimuli import study_stimuli
from compiler.model.study import kind_of, protocol_of, responses_of, scales_of
from compiler.model.variables import profile_scales
from compiler.resolve import Program
from compiler.source import Span
from compiler.template import hole_span, holes

OF_STIMULI = frozenset({"stimulus", "emotion", "factor", "situation"})
"""Fields that say which stimulus was presented."""


def check_combinations(program: Program, responses: ast.ResponsesDecl) -> Iterator[Diagnostic]:
    for combination in combinations(responses):
        yield from _Observation(program, responses, combination).problems()


@dataclass(frozen=True)
class _Observation:
    """What is read from each observation at one combination of levels."""

    program: Program
    responses: ast.ResponsesDecl
    said: Combination

    def problems(self) -> Iterator[Diagnostic]:
        said, where = self.said, f"responses `{self.responses.name.text}`"
        shared = [*_fields([self.responses.path]), *_fields(said.statements)]
        yield from twice(shared, where)
        yield from twice([(part.name.span, part.name.text) for part in said.covariates()], where)
        conditions = said.conditions()
        yield from twice([(part.condition.span, _told(part)) for part in conditions], where)
        bare = [part for part in said.assigned() if not is_field(part.name)]
        if not bare and not conditions:
            yield self._no_answers(where)
        yield from self._answers(bare, where, shared)
        for part in conditions:
            fields = [*shared, *_fields(part.body)]
            yield from twice(fields, where)
            yield from self._condition(part, fields)
        for covariate in said.covariates():
            if covariate.name.text in self.program.scales:
                yield from self._width(covariate.name, covariate.source, is_long=False)

    def _condition(self, part: ast.ConditionCellsDecl, fields: list[tuple[Span, str]]) -> Iterator[Diagnostic]:
        where = f"condition `{part.condition.text}`"
        cells = [one for one in part.body if isinstance(one, ast.AssignDecl) and not is_field(one.name)]
        if not cells:
            help = "say where the answers stand: `PANAS = columns 2..21`"
            yield diagnostic(Code.LACKS, part.condition.span, where=where, what="SCALE =", help=help)
        yield from self._answers(cells, where, fields)

    def _answers(
        self, cells: list[ast.AssignDecl], where: str, fields: list[tuple[Span, str]]
    ) -> Iterator[Diagnostic]:
        """The answers to some scales, of an observation of which `fields` are known."""
        yield from twice([(one.name.span, one.name.text) for one in cells], where)
        names = {name for _, name in fields}
        if cells and kind_of(self.responses) == "human" and "respondent" not in names:
            help = 'write `respondent = column "id"`, or `respondent = counted` where the file has no id'
            where = f"responses `{self.responses.name.text}`"
            yield diagnostic(Code.LACKS, self.responses.name.span, where=where, what="respondent", help=help)
        for one in cells:
            yield from self._width(one.name, one.source, "item" in names)

    def _no_answers(self, where: str) -> Diagnostic:
        help = "add a line such as `condition default { PANAS = columns 2..21 }`"
        levels = self.said.levels
        span = levels[-1][0].variable.span if levels else self.responses.name.span
        return diagnostic(Code.LACKS, span, where=where, what="condition", help=help)

    def _width(self, name: ast.Name, source: ast.Node, is_long: bool) -> Iterator[Diagnostic]:
        """That there is a cell for each item."""
        scale = self.program.scales.get(name.text)
        items = [] if scale is None else items_of(self.program, scale)
        along = "row" if self.responses.transposed else "column"
        if isinstance(source, ast.CellsNode) and source.labels and scale is not None:
            yield from self._anchors(scale, source)
        count = _cells(source)
        if count is None or count < 1 or not items:
            return
        if is_long and count != 1:
            wanted = f"one {along}: `item` says which answer an observation is"
            yield _wrong(name, wanted, f"{count}", "")
        elif not is_long and count != len(items):
            wanted = f"{len(items)} {along}s, one an item" if len(items) > 1 else f"one {along}"
            help = f"name the first and the last: `{name.text} = {along}s 2..{len(items) + 1}`"
            if count == 1:
                help += f', or write `{along} "..." as list` where one cell holds all of them, or say where'
                help += f" `item` stands where each {'column' if along == 'row' else 'row'} is one answer"
            yield _wrong(name, wanted, f"{count}", help)

    def _anchors(self, scale: ast.ScaleDecl, source: ast.CellsNode) -> Iterator[Diagnostic]:
        own = [item.options for item in items_of(self.program, scale)]
        known = [option for each in (scale_options(scale), *own) for option in options_of(each)]
        if not any(option.anchor for option in known):
            what = f"the options of scale `{scale.name.text}` have no anchors that the data could say"
            help = "give the options anchors, or leave `labels` out where the data hold their codes"
            yield diagnostic(Code.MAPS_NOTHING, source.span, what=what, help=help)


def _wrong(name: ast.Name, wanted: str, found: str, help: str) -> Diagnostic:
    return diagnostic(Code.WRONG_TYPE, name.span, what=name.text, wanted=wanted, found=found, help=help or None)


def _cells(source: ast.Node) -> int | None:
    """In how many cells of an observation answers stand; None where only the file knows."""
    match source:
        case ast.PlaceNode():
            return 1
        case ast.CellsNode(listed=True):
            return None
        case ast.CellsNode(spans=spans):
            counts = [_cells(span) for span in spans]
            return None if None in counts else sum(count for count in counts if count is not None)
        case ast.CellSpanNode(first=first, last=last) if first == last:
            return 1
        case ast.CellSpanNode(first=ast.Num(value=first), last=ast.Num(value=last)):
            return int(last - first) + 1
        case _:
            return None


def _fields(statements: Iterable[ast.Node]) -> Iterator[tuple[Span, str]]:
    """The fields that are said, by an assignment or a hole, and where."""
    for part in statements:
        match part:
            case ast.Str():
                yield from ((hole_span(part, name), name) for name in dict.fromkeys(holes(part.text)))
            case ast.MatchDecl():
                yield from _fields([part.pattern])
            case ast.AssignDecl() if is_field(part.name):
                yield part.name.span, part.name.text
            case _:
                pass


def _told(condition: ast.ConditionCellsDecl) -> str:
    """A condition with what picks the observations that belong to it: it may stand again for others."""
    said = [condition.condition.text]
    for part in condition.body:
        if isinstance(part, ast.MatchDecl):
            at = part.place.at
            said.append(f'{text(at.value) if isinstance(at, ast.Num) else at.text} "{part.pattern.text}"')
        elif is_field(part.name) and isinstance(part.source, ast.ConstantNode):
            said.append(f'{part.name.text} "{part.source.value.text}"')
    return " with ".join(said)


# --- in a study


def check_in_study(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """That the answers of a study's mappings belong to its protocol and its scales."""
    protocol = protocol_of(program, study)
    if protocol is None:
        return
    conditions = [condition.name for condition, _ in conditions_of(protocol)]
    own_names = {condition.text for condition in conditions}
    elsewhere = {
        condition.name.text
        for other in program.protocols.values()
        for condition, _ in conditions_of(other)
        if condition.name.text not in own_names
    }
    scales = {scale.name.text for scale in (*scales_of(program, study), *profile_scales(program, study))}
    several = len(study_stimuli(program, study)) > 1
    for responses in responses_of(program, study):
        for combination in combinations(responses):
            bare = [part.name for part in combination.assigned() if not is_field(part.name)]
            own = combination.conditions()
            yield from _bare(protocol, conditions, bare, own)
            for part in own:
                if part.condition.text in elsewhere:
                    yield _no_level(study, part.condition)
            answered = [one.name for part in own for one in part.body if isinstance(one, ast.AssignDecl)]
            for name in (*bare, *answered):
                if name.text in program.scales and name.text not in scales:
                    yield _not_measured(study, name)
            if several:
                yield from _of_no_stimulus(protocol, combination, bare)


def _bare(
    protocol: ast.ProtocolDecl,
    conditions: list[ast.Name],
    bare: list[ast.Name],
    own: list[ast.ConditionCellsDecl],
) -> Iterator[Diagnostic]:
    """Answers outside of any `condition` belong to the one that the protocol has."""
    for name in bare:
        if len(conditions) > 1:
            first, second = (f"answers in condition `{condition.text}`" for condition in conditions[:2])
            help = (
                f"protocol `{protocol.name.text}` has several: write `condition {conditions[0].text} {{ ... }}`"
            )
            yield diagnostic(Code.AMBIGUOUS, name.span, name=name.text, first=first, second=second, help=help)
        elif conditions:
            said = [(name.span, name.text)]
            for part in own:
                if part.condition.text == conditions[0].text:
                    said += [
                        (one.name.span, one.name.text) for one in part.body if isinstance(one, ast.AssignDecl)
                    ]
            yield from twice([one for one in said if one[1] == name.text], f"condition `{conditions[0].text}`")


def _of_no_stimulus(
    protocol: ast.ProtocolDecl, combination: Combination, bare: list[ast.Name]
) -> Iterator[Diagnostic]:
    """Answers in a condition of which each conversation has its stimulus say which."""
    each = {condition.name.text for condition, _ in conditions_of(protocol) if condition.each}
    shared = {name for _, name in _fields(combination.statements)}
    unsaid = [
        (part.condition.span, part.condition.text)
        for part in combination.conditions()
        if part.condition.text in each and not OF_STIMULI & (shared | {name for _, name in _fields(part.body)})
    ]
    if bare and len(conditions_of(protocol)) == 1 and not OF_STIMULI & shared:
        unsaid += [(bare[0].span, name) for name in each]
    for span, name in unsaid:
        help = 'write `stimulus = column "..."`, or `{emotion}`, `{factor}`, `{situation}` in a `match`'
        yield diagnostic(Code.LACKS, span, where=f"condition `{name}`", what="stimulus", help=help)


def _no_level(study: ast.StudyDecl, condition: ast.Name) -> Diagnostic:
    return diagnostic(
        Code.NO_LEVEL,
        condition.span,
        kinds="condition",
        study=study.name.text,
        name=condition.text,
        notes=(Note(study.name.span, "the study that takes these answers"),),
        help="let the study's protocol have this condition, or take it out here",
    )


def _not_measured(study: ast.StudyDecl, name: ast.Name) -> Diagnostic:
    where = f" in study `{study.name.text}`"
    return diagnostic(
        Code.UNKNOWN,
        name.span,
        kind="measured scale",
        name=name.text,
        where=where,
        notes=(Note(study.name.span, "the study that takes these answers"),),
        help=f"add `{name.text}` to its `scales`, or take the line out here",
    )
