"""import emotionbench, import psychobench, import responses."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

from compiler import Checked
from ebc.cli.language import checked_specs
from ebc.cli.planning import one_file
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.explanation import counted
from ebc.importsummary import import_document, import_headline, import_lines
from ebc.pipeline import compile_spec
from ebc.recording import Imported, read_recorded, store_recorded


def emotionbench(options: Namespace) -> int:
    """Writes the checkout's specs, then reads its recorded answers by them."""
    from ebc.emotionbench import write_specs

    source = _folder(options.folder)
    published = None if options.published is None else _folder(options.published)
    studies = write_specs(source, Path(options.specs), published)
    results = results_folder(options)
    specs = [spec.as_posix() for spec in studies]
    checked = checked_specs(specs)
    return _say(_import(checked, None, source, results), options.format, specs)


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
    checked = checked_specs([one_file(options.spec)])
    found = _import(checked, options.study, data, results_folder(options))
    return _say(found, options.format, [])


def _folder(name: str) -> Path:
    path = Path(name)
    if not path.is_dir():
        raise UserError(f"{name} is no folder." if path.exists() else f"there is no folder {name}.")
    return path


def _import(specs: list[Checked], study: str | None, data: Path, results: Path) -> list[Imported]:
    """Reads the answers of all studies, then stores them."""
    recorded = []
    for checked in specs:
        compiled = [one for one in compile_spec(checked, study) if one.plan.responses]
        if not compiled:
            raise UserError(
                f"{checked.program.main} declares no study with recorded responses among its panels. "
                "Declare them with `responses`, and name them in the study's `panels`."
            )
        recorded += [read_recorded(one, data) for one in compiled]
    return store_recorded(recorded, results)


def _say(found: list[Imported], form: str, specs: list[str]) -> int:
    for one in found:
        for line in import_lines(one):
            print(line, file=sys.stderr)
    if form == "json":
        imports = [import_document(one) for one in found]
        print(json.dumps({"specs": specs, "imports": imports}, ensure_ascii=False, indent=1))
        return 0
    for spec in specs:
        print(f"wrote {spec}")
    for one in found:
        print(import_headline(one))
    new = [one.details for one in found if one.new]
    print(f"{sum(one.responses for one in new):,} responses added, {sum(one.values for one in new):,} values.")
    return 0
