"""Studies: that what they bind together exists and fits."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ast
from compiler.check.models import provider_of
from compiler.check.respondents import check_between, check_splits
from compiler.check.wording import twice, unknown, whole
from compiler.diagnostics import Code, Diagnostic, diagnostic, nearest
from compiler.model.prompts import conditions_of
from compiler.model.sides import sides_of
from compiler.model.stimuli import Placed, study_stimuli
from compiler.model.study import Analysis, panels_of, protocol_of, scales_of, statements, subscales_of
from compiler.resolve import Program
from compiler.settings import SAMPLING, check_settings

MAX_ORDERS = 1000
MAX_REPEATS = 100_000
MAX_TRIALS = 2_000_000

ONCE: tuple[tuple[type[ast.Node], str], ...] = (
    (ast.ProtocolOf, "protocol"),
    (ast.ScalesOf, "scales"),
    (ast.StimuliOf, "stimuli"),
    (ast.PanelsOf, "panels"),
    (ast.SamplingOf, "sampling"),
)


def check_studies(program: Program) -> Iterator[Diagnostic]:
    for study in program.studies.values():
        stimuli = study_stimuli(program, study)
        yield from _statements(study)
        yield from _names(program, study)
        yield from _stimuli(program, study, stimuli)
        yield from _scales(program, study, stimuli)
        yield from _panels(program, study)
        yield from check_between(program, study)
        yield from check_splits(program, study)
        yield from _baseline(program, study)
        yield from _size(program, study, stimuli)


def _statements(study: ast.StudyDecl) -> Iterator[Diagnostic]:
    where = f"study `{study.name.text}`"
    for kind, word in ONCE:
        yield from twice([(statement.span, word) for statement in statements(study, kind)], where)
    counted = statements(study, ast.Counted)
    yield from twice([(one.span, one.what) for one in counted], where)
    analyses = (part for part in study.body if isinstance(part, Analysis))
    yield from twice([(one.name.span, one.name.text) for one in analyses], where)
    for one in counted:
        low, high = {"seed": (0, None), "orders": (1, MAX_ORDERS), "repeats": (1, MAX_REPEATS)}[one.what]
        yield from whole(one.value, one.what, low, high)
    for sampling in statements(study, ast.SamplingOf):
        yield from check_settings(sampling.settings, SAMPLING, "`sampling`")
    for kind, word in ((ast.ProtocolOf, "protocol"), (ast.PanelsOf, "panels")):
        if not statements(study, kind):
            yield diagnostic(
                Code.LACKS, study.name.span, where=where, what=word, help=f"add a line `{word} ...`"
            )
    several = any(one.what == "orders" and one.value.value > 1 for one in counted)
    if several and not any(one.what == "seed" for one in counted):
        help = "add a line such as `seed 42`, so that the orders can be drawn again"
        yield diagnostic(Code.LACKS, study.name.span, where=where, what="seed", help=help)


def _names(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    for protocol in statements(study, ast.ProtocolOf):
        if protocol.name.text not in program.protocols:
            yield unknown(protocol.name, "protocol", program.protocols)
    for scales in statements(study, ast.ScalesOf):
        yield from twice([(use.scale.span, use.scale.text) for use in scales.scales], "`scales`")
        for use in scales.scales:
            if use.scale.text not in program.scales:
                yield unknown(use.scale, "scale", program.scales)
    for stimuli in statements(study, ast.StimuliOf):
        for reference in stimuli.stimuli:
            if isinstance(reference, ast.Dotted):
                yield from _stimulus(program, reference)


def _stimulus(program: Program, reference: ast.Dotted) -> Iterator[Diagnostic]:
    name = reference.head.text
    emotion = program.emotions.get(name)
    if emotion is not None and name in program.stimuli:
        first, second = "an emotion", "stimuli of a data file"
        help = "rename one of them"
        yield diagnostic(Code.AMBIGUOUS, reference.head.span, name=name, first=first, second=second, help=help)
    elif name in program.stimuli and reference.tail is not None:
        yield unknown(reference.tail, "factor", (), f" of stimuli `{name}`: only emotions have factors")
    elif emotion is None and name not in program.stimuli:
        yield unknown(reference.head, "emotion", [*program.emotions, *program.stimuli])
    elif emotion is not None and reference.tail is not None:
        factors = [factor.name.text for factor in emotion.factors]
        if reference.tail.text not in factors:
            yield unknown(reference.tail, "factor", factors, f" of emotion `{emotion.name.text}`")


def _stimuli(program: Program, study: ast.StudyDecl, stimuli: list[Placed]) -> Iterator[Diagnostic]:
    protocol = protocol_of(program, study)
    if protocol is None or stimuli:
        return
    said = statements(study, ast.StimuliOf)
    if any(isinstance(ref, ast.Dotted) for part in said for ref in part.stimuli):
        return  # names that are unknown, or factors that are empty, are reported as such
    for condition, _ in conditions_of(protocol):
        if condition.each:
            span = said[0].span if said else study.name.span
            name = condition.name.text
            help = "add a line such as `stimuli anger`, or `use` a file that declares emotions"
            yield diagnostic(Code.NO_STIMULI, span, condition=name, study=study.name.text, help=help)


def _scales(program: Program, study: ast.StudyDecl, stimuli: list[Placed]) -> Iterator[Diagnostic]:
    present = {placed.stimulus.emotion for placed in stimuli if placed.stimulus.emotion is not None}
    for scales in statements(study, ast.ScalesOf):
        for use in scales.scales:
            for emotion in use.stimuli:
                if emotion.text not in program.emotions and emotion.text not in present:
                    yield unknown(emotion, "emotion", [*program.emotions, *present])
                elif emotion.text not in present:
                    scale, name = use.scale.text, emotion.text
                    help = nearest(name, present)
                    yield diagnostic(
                        Code.SCALE_FOR_NOBODY,
                        emotion.span,
                        scale=scale,
                        emotion=name,
                        study=study.name.text,
                        help=help,
                    )
    protocol = protocol_of(program, study)
    asks_all = protocol is not None and any(
        isinstance(step, ast.MeasureStep) and step.scale is None
        for _, steps in conditions_of(protocol)
        for step in steps
    )
    if asks_all and not statements(study, ast.ScalesOf):
        where = f"study `{study.name.text}`"
        yield diagnostic(
            Code.LACKS, study.name.span, where=where, what="scales", help="add a line `scales ...`"
        )


def _panels(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    panels = panels_of(study)
    yield from twice([(panel.span, panel.text) for panel in panels], "`panels`")
    for panel in panels:
        model, responses = program.models.get(panel.text), program.responses.get(panel.text)
        if model is None and responses is None:
            yield unknown(panel, "panel", [*program.models, *program.responses])
        elif model is not None and responses is not None:
            first, second = "a model", "recorded responses"
            help = "rename one of them"
            yield diagnostic(Code.AMBIGUOUS, panel.span, name=panel.text, first=first, second=second, help=help)
        elif model is not None and provider_of(model) == "simulated":
            yield from _effects(program, study, panel)


def _effects(program: Program, study: ast.StudyDecl, panel: ast.Name) -> Iterator[Diagnostic]:
    """What a simulated model's effect names should be measured, and must be subscales where it is."""
    measured = {scale.name.text: scale for scale in scales_of(program, study)}
    named = [use.scale.text for part in statements(study, ast.ScalesOf) for use in part.scales]
    if any(name not in program.scales for name in named):
        return  # that is said elsewhere
    unmeasured: dict[str, str] = {}
    for setting in program.models[panel.text].settings:
        key = setting.key.text
        for inner in setting.value if isinstance(setting.value, tuple) else ():
            name, subscale = inner.key.head, inner.key.tail
            scale = measured.get(name.text)
            if key not in ("effect", "baseline"):
                continue
            if scale is None:
                unmeasured[name.text] = key
            elif subscale is not None and subscale.text not in subscales_of(scale):
                where = f" in scale `{scale.name.text}`"
                yield unknown(subscale, "subscale", subscales_of(scale), where)
    for missing, key in unmeasured.items():
        ours = next(iter(measured), "SCALE")
        help = f"so no situation moves its answers; declare a model of your own with `effect {{ {ours}... }}`"
        yield diagnostic(
            Code.EFFECT_UNUSED,
            panel.span,
            study=study.name.text,
            scale=missing,
            model=panel.text,
            key=key,
            help=help,
        )


def _baseline(program: Program, study: ast.StudyDecl) -> Iterator[Diagnostic]:
    """A condition without situations that a model answers once, and a contrast compares."""
    counts = {one.what: one.value.value for one in statements(study, ast.Counted)}
    protocol = protocol_of(program, study)
    asks = any(panel.text in program.models for panel in panels_of(study))
    if protocol is None or not asks or counts.get("orders", 1) * counts.get("repeats", 1) != 1:
        return
    contrasts = statements(study, ast.ContrastDecl)
    compared = {side.cells.level for c in contrasts for side in sides_of(program, study, c)}
    for condition, _ in conditions_of(protocol):
        if not condition.each and condition.name.text in compared:
            help = "ask it more often: `orders 10`, or `repeats 10` with a temperature above 0"
            yield diagnostic(Code.SINGLE_BASELINE, study.name.span, condition=condition.name.text, help=help)


def _size(program: Program, study: ast.StudyDecl, stimuli: list[Placed]) -> Iterator[Diagnostic]:
    """A slip such as `repeats 100000` beside `orders 1000` is no plan that anybody could run."""
    counts = {one.what: one.value.value for one in statements(study, ast.Counted)}
    protocol = protocol_of(program, study)
    questions = sum(
        (len(stimuli) if condition.each else 1) * sum(isinstance(step, ast.MeasureStep) for step in steps)
        for condition, steps in (conditions_of(protocol) if protocol is not None else ())
    )
    models = sum(panel.text in program.models for panel in panels_of(study))
    crossed = counts.get("orders", 1) * counts.get("repeats", 1) * len(scales_of(program, study))
    trials = questions * models * crossed
    if trials > MAX_TRIALS:
        wanted = f"at most {MAX_TRIALS:,}; lower `orders` or `repeats`, or split the study"
        yield diagnostic(
            Code.OUT_OF_RANGE, study.name.span, what="trials", found=f"about {trials:,.0f}", wanted=wanted
        )
