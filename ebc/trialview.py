"""One trial for a reader and for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import Any

import msgspec

from ebc.marking import CLOSE, OPEN, TO, marked_lines, shown_lines
from ebc.trials import Attempt, Trial
from runtime.reading import ReadValue
from schemas.plan import Sampling
from schemas.render import Renderer, number
from schemas.rows import AnswerRow, ResponseRow
from warehouse.grid import one_line

WIDTH = 100
RECORDED = "none: these values were recorded elsewhere, and imported from a data file"
NOT_KEPT = "not known: the plan that asked it is not kept"
STALE = "none: the study no longer asks this"


def trial_data(trial: Trial) -> dict[str, Any]:
    """The trial as plain data; spans are two places in the reply, in characters."""
    row = {} if trial.row is None else msgspec.structs.asdict(trial.row)
    of_run = {"study": trial.run.study, "panel": trial.run.panel, "source": trial.run.source}
    return {
        "trial": trial.id,
        "run": trial.run.run,
        **of_run,
        "planned": trial.row is not None,
        **{key: value for key, value in row.items() if key not in ("trial", "run", *of_run)},
        "request": _request(trial),
        "responses": [_attempt_data(trial, one) for one in trial.attempts],
        "scores": [msgspec.structs.asdict(one) for one in trial.scores],
    }


def _request(trial: Trial) -> dict[str, Any] | None:
    """What was asked; None where that is not known."""
    model = trial.model
    if trial.plan is None or trial.planned is None or model is None:
        return None
    messages = Renderer(trial.plan).messages(trial.planned)
    return {
        "provider": model.provider,
        "model": model.name,
        "readout": model.readout,
        "sampling": _sampling(trial.plan.study.sampling),
        "messages": [{"role": one.role, "content": one.content} for one in messages],
    }


def _sampling(sampling: Sampling) -> dict[str, Any]:
    """What the study sets."""
    return {key: value for key, value in msgspec.structs.asdict(sampling).items() if value is not None}


def _attempt_data(trial: Trial, attempt: Attempt) -> dict[str, Any]:
    response = msgspec.structs.asdict(attempt.kept.response)
    sent = response.pop("request_sent")
    spans = {one.number: one.span for one in _agreeing(attempt)}
    texts = _texts(trial)
    return {
        **{key: value for key, value in response.items() if key not in ("trial", "run", "source")},
        "request_sent": _parsed(sent),
        "answers": [
            {
                "item": one.item,
                "position": one.position,
                "text": texts.get(one.item),
                "value": one.value,
                "choice": one.choice,
                "reason": one.reason,
                "span": spans.get(one.item),
            }
            for one in attempt.kept.answers
        ],
        "read_otherwise_today": attempt.differs,
    }


def _parsed(sent: str | None) -> Any:
    try:
        return None if sent is None else msgspec.json.decode(sent)
    except msgspec.DecodeError:
        return sent


def _agreeing(attempt: Attempt) -> list[ReadValue]:
    """What is read today as it is stored."""
    stored = {one.item: one.value for one in attempt.kept.answers}
    values = () if attempt.today is None else attempt.today.values
    return [one for one in values if one.value is not None and stored.get(one.number) == one.value]


def _texts(trial: Trial) -> dict[int, str]:
    return {} if trial.shown is None else {item.number: item.text for item in trial.shown.items}


def trial_text(trial: Trial, style: Callable[[str], str]) -> Iterator[str]:
    """The trial for a reader, a line each; marks in the reply in a `style`. Nothing in it steers a terminal."""
    yield from _place(trial)
    yield from _request_text(trial)
    if not trial.attempts:
        yield from ("", "no answer yet")
    for attempt in trial.attempts:
        yield ""
        yield from _attempt_text(trial, attempt, style)
    yield ""
    if trial.row is None:
        yield _field("scores", STALE)
    for score in trial.scores:
        said = "-" if score.score is None else f"{score.score:.10g}"
        lacks = f", {score.n_missing} of them missing" if score.n_missing else ""
        yield _field("score", f"{score.subscale} {said} (of {score.n_items} items{lacks})")


def _field(name: str, value: object) -> str:
    return f"{name:<10} {one_line(str(value))}"


def _place(trial: Trial) -> Iterator[str]:
    yield _field("trial", trial.id)
    yield _field("study", f"{trial.run.study}, run {trial.run.run}")
    mark = " (SIMULATED: a program made the answers up)" if trial.run.source == "simulated" else ""
    yield _field("panel", f"{trial.run.panel}, {trial.run.source}{mark}")
    row, planned = trial.row, trial.planned
    if row is not None and trial.recorded:
        yield _field("respondent", row.respondent)
    where = row or planned
    if where is None:
        return
    if row is not None and row.parent is not None:
        yield _field("again", f"after trial {row.parent}, whose scores its answer gives")
    if where.condition is not None:
        yield _field("condition", where.condition)
    for name, level in ({} if row is None else row.levels).items():
        yield _field(one_line(name), level)
    if where.stimulus is not None:
        yield _field("stimulus", where.stimulus)
    yield _field("scale", f"{where.scale}, item order {where.item_order}, repeat {where.repeat}")


def _request_text(trial: Trial) -> Iterator[str]:
    request = _request(trial)
    if request is None:
        yield _field("request", RECORDED if trial.recorded else NOT_KEPT)
        return
    yield _field("model", f"{request['provider']}: {request['model']}, readout {request['readout']}")
    sampling = ", ".join(f"{key} {number(value)}" for key, value in request["sampling"].items())
    yield _field("sampling", sampling or "as the provider has it")
    for message in request["messages"]:
        yield f"[{one_line(message['role'])}]"
        yield from (f"  {line}" for line in shown_lines(message["content"]))


def _attempt_text(trial: Trial, attempt: Attempt, style: Callable[[str], str]) -> Iterator[str]:
    response = attempt.kept.response
    yield _field("attempt", f"{response.attempt}: {response.status}, response {response.response}")
    yield from _circumstances(response)
    if response.reasoning:
        yield "[thinking]"
        yield from (f"  {line}" for line in shown_lines(response.reasoning))
    if response.text is not None:
        values = _agreeing(attempt)
        legend = f", {OPEN}text|position{TO}value{CLOSE} where a value stands" if values else ""
        yield f"[reply{legend}]"
        yield from (f"  {line}" for line in marked_lines(response.text, values, style))
    if attempt.kept.answers:
        yield "[values]"
        texts = _texts(trial)
        for answer in attempt.kept.answers:
            yield from _value_text(answer, texts.get(answer.item, ""))
    if attempt.differs:
        yield (
            f"note: today this reply would be read otherwise: see `ebc rescore {trial.run.study} --dry-run`. "
            "What is stored is shown; only values that are read alike are marked."
        )


def _circumstances(response: ResponseRow) -> Iterator[str]:
    """How a reply came about."""
    if response.error is not None:
        yield _field("error", response.error)
    if response.finish_reason is not None:
        yield _field("ended by", response.finish_reason)
    if response.model_version is not None:
        yield _field("answered", f"by {response.model_version}")
    if response.asked is not None and response.answered is not None:
        took = "" if response.latency is None else f", {response.latency:.3f} s"
        yield _field("time", f"{response.asked:%Y-%m-%d %H:%M:%S} UTC{took}")
    counted = [(response.tokens_in, "in"), (response.tokens_cached, "cached"), (response.tokens_out, "out")]
    tokens = ", ".join(f"{count:,} {what}" for count, what in counted if count is not None)
    if tokens:
        yield _field("tokens", tokens)
    if response.cost is not None:
        yield _field("cost", f"${response.cost:.6f}")
    if response.request_sent is not None:
        yield _field("sent", response.request_sent)


def _value_text(answer: AnswerRow, text: str) -> Iterator[str]:
    """Where the item was shown, its own number, its value, and its text or why it has no value."""
    value = "-" if answer.value is None else number(answer.value)
    choice = "" if answer.choice is None else f" ({answer.choice})"
    missing = "" if answer.reason is None else f": {answer.reason}"
    said = one_line(f"{text}{choice}{missing}") if text else one_line(f"{choice}{missing}".strip(": "))
    first, *rest = wrap(said, WIDTH - 24) or [""]
    yield f"  {answer.position:>3}  item {answer.item:<3} {value:>5}  {first}".rstrip()
    yield from (" " * 24 + line for line in rest)
