"""compile, explain."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from ebc.cli.language import checked_specs
from ebc.errors import UserError
from ebc.explanation import explanation, explanation_text
from ebc.light import without_collection, without_pandas
from ebc.pipeline import Compiled, compile_spec, open_plan, save_plan

MAX_SAMPLE = 10_000


@without_collection()
def compile(options: Namespace) -> int:
    """Writes the plan, and prints what it will take."""
    without_pandas()
    [checked] = checked_specs([one_file(options.spec)])
    plans = compile_spec(checked, options.study, options.model)
    if options.output is not None and len(plans) > 1:
        names = ", ".join(one.plan.study.id for one in plans)
        raise UserError(
            f"{options.spec} declares several studies ({names}): name one with --study, or leave -o out."
        )
    summaries = []
    for one in plans:
        beside = Path(options.spec).with_name(f"{one.plan.study.id}.plan")
        folder = beside if options.output is None else Path(options.output)
        save_plan(folder, one)
        summaries.append(_summary(one, folder))
    if options.format == "json":
        print(json.dumps(summaries[0] if len(summaries) == 1 else summaries, ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(_summary_text(summary) for summary in summaries))
    return 0


def _summary(compiled: Compiled, folder: Path) -> dict[str, Any]:
    plan = compiled.plan
    return {
        "plan": folder.as_posix(),
        "plan_id": plan.plan_id,
        "study": plan.study.id,
        "title": plan.study.title,
        "scales": list(plan.study.scales),
        "conditions": [condition.name for condition in plan.protocol.conditions],
        "stimuli": len(plan.stimuli),
        "orders": len(plan.study.orders),
        "repeats": plan.study.repeats,
        "trials": compiled.trials.num_rows,
        "requests": sum(one.requests for one in compiled.estimates),
        "tokens_in": sum(one.tokens_in for one in compiled.estimates),
        "tokens_out": sum(one.tokens_out for one in compiled.estimates),
        "cost": _total_cost(compiled),
        "models": [
            {
                "model": one.model,
                "trials": one.trials,
                "tokens_in": one.tokens_in,
                "tokens_out": one.tokens_out,
                "cost": one.cost,
            }
            for one in compiled.estimates
        ],
        "recorded": [responses.id for responses in plan.responses],
    }


def _total_cost(compiled: Compiled) -> float | None:
    """US dollars; None unless every model has a price."""
    costs = [one.cost for one in compiled.estimates if one.cost is not None]
    return sum(costs) if len(costs) == len(compiled.estimates) else None


def _summary_text(summary: dict[str, Any]) -> str:
    cost = "not known: a model has no price" if summary["cost"] is None else f"about ${summary['cost']:.2f}"
    rows = [
        ("plan", f"{summary['plan']} ({summary['plan_id']})"),
        ("study", f"{summary['study']}: {summary['title']}"),
        ("scales", ", ".join(summary["scales"])),
        ("conditions", ", ".join(summary["conditions"])),
        ("stimuli", str(summary["stimuli"])),
        ("item orders", f"{summary['orders']}, repeats {summary['repeats']}"),
        ("trials", f"{summary['trials']:,}"),
        ("requests", f"{summary['requests']:,}"),
        ("tokens", f"about {summary['tokens_in']:,} in, {summary['tokens_out']:,} out"),
        ("cost", cost),
    ]
    rows += [
        (f"  {one['model']}", f"{one['trials']:,} trials" + _price_text(one["cost"]))
        for one in summary["models"]
    ]
    if summary["recorded"]:
        rows.append(("recorded", ", ".join(summary["recorded"])))
    return "\n".join(f"{label:<12} {text}" for label, text in rows)


def _price_text(cost: float | None) -> str:
    return "" if cost is None else f", about ${cost:.2f}"


def explain(options: Namespace) -> int:
    """Prints what each pass made of the study, how it stands in results, and sample requests."""
    from ebc.cli.running import results_folder

    if not 1 <= options.sample <= MAX_SAMPLE:
        raise UserError(f"--sample is {options.sample}; it must be from 1 to {MAX_SAMPLE}.")
    compiled = plans_of(options.spec, options.study, options.model)
    results = None if options.results is None else results_folder(options)
    explained = [explanation(one, options.sample, results) for one in compiled]
    if options.format == "json":
        print(json.dumps(explained[0] if len(explained) == 1 else explained, ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(explanation_text(one) for one in explained))
    return 0


def one_file(name: str) -> str:
    """The name of one spec. Raises UserError where it is a folder."""
    if Path(name).is_dir():
        holds = "a plan already" if (Path(name) / "plan.json").exists() else "a folder that is no plan"
        raise UserError(f"{name} is {holds}: name an .eb file.")
    return name


@without_collection()
def plans_of(name: str, study: str | None, models: list[str]) -> list[Compiled]:
    """The plans of a spec, or the plan in a folder. Raises UserError."""
    without_pandas()
    if Path(name).is_dir() and (Path(name) / "plan.json").exists():
        opened = open_plan(Path(name), models)
        if study is not None and study != opened.plan.study.id:
            raise UserError(f"{name} is a plan of study {opened.plan.study.id}, not of {study}.")
        return [opened]
    [checked] = checked_specs([one_file(name)])
    return compile_spec(checked, study, models)
