"""read, rescore."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ebc.cli.asking import known_plan
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.pipeline import storage


def read(options: Namespace) -> int:
    """Prints how each reply of a file would be read, or with --expected how that compares with what a person
    coded."""
    from msgspec.json import encode as encoded

    from ebc.replies import as_data, read_lines

    name = "standard input" if options.file == "-" else options.file
    with _lines(options.file) as lines:
        if options.expected:
            _judge(lines, name, options.format)
        else:
            for _, line, reading in read_lines(lines, name):
                sys.stdout.write(encoded(as_data(line, reading)).decode() + "\n")
    return 0


@contextmanager
def _lines(file: str) -> Iterator[BinaryIO]:
    """A file's lines, or those of standard input for `-`."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as lines:
            yield lines


def _judge(lines: BinaryIO, name: str, form: str) -> None:
    """Prints what is right, left out and wrong; as text, each difference as soon as it is found."""
    from ebc.judging import Tallies, difference_text, differences, judged, tally_text
    from ebc.replies import read_lines

    tallies, found = Tallies(), []
    for number, line, reading in read_lines(lines, name):
        if line.expected is None:
            raise UserError(
                f"{name}, line {number} has no `expected`. Give it the status and the values that are right, "
                "or leave --expected out."
            )
        one = judged(reading, line.expected)
        tallies.add(line, line.expected, one)
        if one.verdict == "right":
            continue
        difference = differences(line, reading, line.expected, one)
        if form == "json":
            found.append(difference)
        else:
            print("\n".join(difference_text(difference)) + "\n")
    if form == "json":
        print(json.dumps({**tallies.as_data(), "differences": found}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(tally_text(tallies)))


def rescore(options: Namespace) -> int:
    """Reads kept replies again, and says what changed, run by run."""
    from ebc.rescoring import as_data, as_text, rescore, runs_to_read

    results = results_folder(options)
    with storage():
        known_plan(options.study, results)
    rows = runs_to_read(results, options.study, options.run)
    said = []

    def note(text: str) -> None:
        print(f"note: {text}", file=sys.stderr)

    for one in rescore(results, rows, write=not options.dry_run, note=note):
        said.append(as_data(one, written=not options.dry_run))
        if options.format == "text":
            print("\n".join(as_text(said[-1])), flush=True)
    if options.format == "json":
        print(json.dumps(said, ensure_ascii=False, indent=1))
    return 0
