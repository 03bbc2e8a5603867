"""check, fmt, compile, explain."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import compiler.diagnostics
from compiler import Checked
from compiler.diagnostics import Diagnostic
from ebc.errors import Failure, UserError
from ebc.pipeline import Compiled, compile_spec, load_spec, open_plan, save_plan


def check(options: Namespace) -> int:
    """Prints what is wrong with each spec; its text goes to stderr."""
    checked = [load_spec(path) for path in spec_files(options.specs)]
    found = list(dict.fromkeys((one.sources.get(d.span.path), d) for one in checked for d in one.diagnostics))
    diagnostics = [diagnostic for _, diagnostic in found]
    errors = sum(diagnostic.is_error for diagnostic in diagnostics)
    if options.format == "json":
        print(
            json.dumps(
                [as_json(one, d) for one in checked for d in one.diagnostics], ensure_ascii=False, indent=1
            )
        )
    elif options.format == "sarif":
        print(json.dumps(as_sarif(checked), ensure_ascii=False, indent=1))
    else:
        print_diagnostics(checked)
        others = len(diagnostics) - errors
        files = f"{len(checked)} spec" + ("s" if len(checked) != 1 else "")
        print(f"{files}: {_count(errors, 'error')}, {_count(others, 'warning')}", file=sys.stderr)
    return 2 if errors else 0


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def spec_files(names: Iterable[str]) -> list[str]:
    """The .eb files that are named, those of a folder among them. Raises UserError."""
    found: list[str] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted(p.as_posix() for p in path.rglob("*.eb"))
            if not inside:
                raise UserError(f"folder {name} holds no .eb file.")
            found += inside
        elif not path.exists():
            raise UserError(f"there is no file {name}.")
        else:
            found.append(path.as_posix())
    return list(dict.fromkeys(found))


def print_diagnostics(checked: Iterable[Checked]) -> None:
    """Writes each diagnostic once, as text, to stderr."""
    written: set[Diagnostic] = set()
    for one in checked:
        for diagnostic in one.diagnostics:
            if diagnostic not in written:
                written.add(diagnostic)
                print(compiler.diagnostics.frame(diagnostic, one.sources), end="\n\n", file=sys.stderr)


def as_json(checked: Checked, diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as a program reads it; lines and columns count from 1."""
    source = checked.sources.get(diagnostic.span.path)
    line, column = source.place(diagnostic.span.start) if source is not None else (1, 1)
    end_line, end_column = source.place(diagnostic.span.end) if source is not None else (1, 1)
    return {
        "code": diagnostic.code.number,
        "severity": diagnostic.code.severity,
        "message": diagnostic.message,
        "file": diagnostic.span.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "suggestion": diagnostic.suggestion,
    }


def as_sarif(checked: Iterable[Checked]) -> dict[str, Any]:
    """SARIF 2.1.0, as code hosts read it."""
    from ebc import __version__

    results = []
    for one in checked:
        for diagnostic in one.diagnostics:
            place = as_json(one, diagnostic)
            region = {
                "startLine": place["line"],
                "startColumn": place["column"],
                "endLine": place["end_line"],
                "endColumn": place["end_column"],
            }
            location = {"artifactLocation": {"uri": place["file"]}, "region": region}
            results.append(
                {
                    "ruleId": place["code"],
                    "level": place["severity"],
                    "message": {"text": "\n".join(filter(None, [place["message"], place["suggestion"]]))},
                    "locations": [{"physicalLocation": location}],
                }
            )
    driver = {"name": "ebc", "version": __version__}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def fmt(options: Namespace) -> int:
    """Rewrites specs in the one layout; with --check, says which would change."""
    from compiler.format import format_file
    from compiler.parse import parse
    from ebc.tables import DiskFiles
    from schemas.table import TableError

    changed = []
    for path in spec_files(options.specs):
        try:
            text = DiskFiles(Path()).read_text(path)
        except (TableError, UnicodeDecodeError) as error:
            raise UserError(f"{path} cannot be read: {error}") from error
        file, found = parse(path, text)
        if found:
            print_diagnostics([load_spec(path)])
            raise UserError(f"{path} is left as it is: its layout follows from its meaning, and it has errors.")
        laid_out = format_file(file)
        if laid_out != text:
            changed.append(path)
            if not options.check:
                _replace(Path(path), laid_out)
    for path in changed:
        print(path)
    return 1 if options.check and changed else 0


def _replace(path: Path, text: str) -> None:
    scratch = path.with_name(f".{path.name}.new")
    try:
        scratch.write_text(text, encoding="utf-8", newline="\n")
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise Failure(f"cannot write {path}: {error.strerror or error}.") from error


def compile(options: Namespace) -> int:
    """Writes the plan, and prints what it will take."""
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


def checked_specs(paths: Iterable[str]) -> list[Checked]:
    """Specs without errors; their warnings are printed, each once. Raises UserError where one has errors."""
    checked = [load_spec(path) for path in spec_files(paths)]
    print_diagnostics(checked)
    for one in checked:
        if one.errors:
            raise UserError(f"{one.program.main} has {_count(len(one.errors), 'error')}, named above.")
    return checked


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
    costs = [one.cost for one in compiled.estimates if one.cost is not None]
    return sum(costs) if costs else None


def _summary_text(summary: dict[str, Any]) -> str:
    cost = "no price declared" if summary["cost"] is None else f"about ${summary['cost']:.2f}"
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
    """Prints what each pass made of the study, and sample requests."""
    from ebc.explanation import explanation, explanation_text

    compiled = plans_of(options.spec, options.study, options.model)
    explained = [explanation(one, max(0, options.sample)) for one in compiled]
    if options.format == "json":
        print(json.dumps(explained[0] if len(explained) == 1 else explained, ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(explanation_text(one) for one in explained))
    return 0


def one_file(name: str) -> str:
    """The name of one spec. Raises UserError where it is a folder."""
    if Path(name).is_dir():
        raise UserError(f"{name} is a folder that holds no plan.json, so no plan. Name an .eb file.")
    return name


def plans_of(name: str, study: str | None, models: list[str]) -> list[Compiled]:
    """The plans of a spec, or the plan in a folder. Raises UserError."""
    if Path(name).is_dir() and (Path(name) / "plan.json").exists():
        return [open_plan(Path(name), models)]
    [checked] = checked_specs([one_file(name)])
    return compile_spec(checked, study, models)
