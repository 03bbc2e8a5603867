"""check, fmt."""

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
from ebc.explanation import counted
from ebc.pipeline import load_spec


def check(options: Namespace) -> int:
    """Prints what is wrong with each spec; its text goes to stderr."""
    checked = [load_spec(path) for path in spec_files(options.specs)]
    found = once(checked)
    errors = sum(diagnostic.is_error for _, diagnostic in found)
    if options.format == "json":
        print(json.dumps([as_json(*one) for one in found], ensure_ascii=False, indent=1))
    elif options.format == "sarif":
        print(json.dumps(as_sarif(checked), ensure_ascii=False, indent=1))
    else:
        print_diagnostics(checked)
        others = len(found) - errors
        counts = (counted(errors, "error"), counted(others, "warning"))
        print(f"{counted(len(checked), 'spec')}: {', '.join(counts)}", file=sys.stderr)
    return 2 if errors else 0


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


def once(checked: Iterable[Checked]) -> list[tuple[Checked, Diagnostic]]:
    """Each diagnostic once, also that of a file which several specs use."""
    found: dict[Diagnostic, Checked] = {}
    for one in checked:
        for diagnostic in one.diagnostics:
            found.setdefault(diagnostic, one)
    return [(one, diagnostic) for diagnostic, one in found.items()]


def print_diagnostics(checked: Iterable[Checked]) -> None:
    """Writes each diagnostic once, as text, to stderr."""
    for one, diagnostic in once(checked):
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
    for place in (as_json(*one) for one in once(checked)):
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
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is not UTF-8 text: byte {error.start + 1} cannot be read.") from error
        except TableError as error:
            raise UserError(str(error)) from error
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


def _replace(link: Path, text: str) -> None:
    path = link.resolve()
    scratch = path.with_name(f".{path.name}.new")
    try:
        scratch.write_text(text, encoding="utf-8", newline="\n")
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise Failure(f"cannot write {path}: {error.strerror or error}.") from error


def checked_specs(paths: Iterable[str]) -> list[Checked]:
    """Specs without errors; their warnings are printed, each once. Raises UserError where one has errors."""
    checked = [load_spec(path) for path in spec_files(paths)]
    print_diagnostics(checked)
    for one in checked:
        if one.errors:
            raise UserError(f"{one.program.main} has {counted(len(one.errors), 'error')}, named above.")
    return checked
