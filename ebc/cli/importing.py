"""import emotionbench, import psychobench, import responses."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from compiler import Checked
from ebc.cli.language import checked_specs
from ebc.cli.planning import one_file
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.explanation import counted
from ebc.pipeline import Imported, compile_spec, import_responses


def emotionbench(options: Namespace) -> int:
    """Writes the checkout's specs, then reads its recorded answers by them."""
    from ebc.emotionbench import write_specs

    source = _folder(options.folder)
    published = None if options.published is None else _folder(options.published)
    studies = write_specs(source, Path(options.specs), published)
    results = results_folder(options)
    specs = [spec.as_posix() for spec in studies]
    checked = checked_specs(specs)
    found = [one for spec in checked for one in _import(spec, None, source, results)]
    return _say(found, options.format, specs)


def psychobench(options: Namespace) -> int:
    """Writes the questionnaires as scales, and a study of them; what is left out is told on stderr."""
    from ebc.psychobench import write_specs

    written = write_specs(_folder(options.folder), Path(options.specs), options.only)
    for one in written.refused:
        print(f"ebc: {one.message}", file=sys.stderr)
    study = written.study.as_posix()
    checked_specs([study])
    if options.format == "json":
        refused = [{"name": one.name, "reason": one.reason} for one in written.refused]
        found = {"specs": [study], "scales": list(written.scales), "refused": refused}
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return 0
    print(f"wrote {study}")
    print(f"{counted(len(written.scales), 'scale')}: {', '.join(written.scales)}")
    if written.refused:
        print(f"left out: {', '.join(one.name for one in written.refused)}")
    return 0


def responses(options: Namespace) -> int:
    """Reads the recorded answers of a spec's studies."""
    data = Path(options.spec).parent if options.data is None else _folder(options.data)
    [checked] = checked_specs([one_file(options.spec)])
    found = _import(checked, options.study, data, results_folder(options))
    return _say(found, options.format, [])


def _folder(name: str) -> Path:
    path = Path(name)
    if not path.is_dir():
        raise UserError(f"{name} is no folder." if path.exists() else f"there is no folder {name}.")
    return path


def _import(checked: Checked, study: str | None, data: Path, results: Path) -> list[tuple[str, Imported]]:
    plans = compile_spec(checked, study)
    recorded = [one for one in plans if one.plan.responses]
    if not recorded:
        raise UserError(
            f"{checked.program.main} declares no study with recorded responses among its panels. "
            "Declare them with `responses`, and name them in the study's `panels`."
        )
    return [(one.plan.study.id, panel) for one in recorded for panel in import_responses(one, data, results)]


def _say(found: list[tuple[str, Imported]], form: str, specs: list[str]) -> int:
    if form == "json":
        print(
            json.dumps(
                {"specs": specs, "imports": [_as_json(*one) for one in found]}, ensure_ascii=False, indent=1
            )
        )
        return 0
    for spec in specs:
        print(f"wrote {spec}")
    for study, panel in found:
        what = "" if panel.new else " (already there: nothing added)"
        what = " (in place of an earlier import with other content)" if panel.replaced else what
        without = f", {panel.without_value:,} of them without any value" if panel.without_value else ""
        print(f"{study}, {panel.panel}: {panel.responses:,} responses{without}, {panel.values:,} values{what}")
        for line in panel.summary:
            print(f"  {line}", file=sys.stderr)
    new = [panel for _, panel in found if panel.new]
    print(f"{sum(p.responses for p in new):,} responses added, {sum(p.values for p in new):,} values.")
    return 0


def _as_json(study: str, panel: Imported) -> dict[str, Any]:
    return {
        "study": study,
        "panel": panel.panel,
        "run": panel.run,
        "responses": panel.responses,
        "values": panel.values,
        "without_value": panel.without_value,
        "new": panel.new,
        "replaced": panel.replaced,
        "summary": list(panel.summary),
    }
