"""From data files to panels: finds the files, lays the mapping over each, takes in its observations."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.recorded.faults import Fault, Faults
from runtime.recorded.grid import Grid
from runtime.recorded.layout import Overlay
from runtime.recorded.observe import Study, read_file
from runtime.recorded.pattern import Fields, Pattern, as_glob, filled, has_holes, spelled
from runtime.recorded.records import RecordedPanel
from runtime.recorded.stimuli import Recodes, Stimuli
from schemas.plan import Plan, Responses
from schemas.table import Files, Table, TableError

NO_FILE = "name the folder of the data with --data DIR, or correct the path."


def read_responses(plan: Plan, mapping: Responses, files: Files) -> list[RecordedPanel]:
    """The panels of a mapping, in the order in which its files name them. Observations that fit no pattern
    are in the panels' details. Raises RecordedError with everything that is wrong (up to twenty mistakes);
    nothing is then taken in."""
    faults = Faults(mapping.id)
    recodes = Recodes(mapping.recodes)
    study = Study(mapping, recodes, Stimuli(plan.stimuli, recodes), faults, {})
    overlay = Overlay(plan, mapping, recodes)
    for table, fields in _tables(mapping, files, faults):
        grid = Grid(table, "column" if mapping.transposed else "row")
        try:
            layout = overlay.over(grid, fields)
        except Fault as fault:
            faults.add(str(fault))
            continue
        read_file(study, grid, layout, fields)
    faults.settle()
    return [gathering.rows(plan.study.id, mapping) for gathering in study.panels.values()]


def _tables(mapping: Responses, files: Files, faults: Faults) -> Iterator[tuple[Table, Fields]]:
    """Each file of the mapping, with what its path says."""
    for path, fields in _paths(mapping, files, faults):
        try:
            table = files.read_table(path, mapping.sheet)
        except FileNotFoundError:
            faults.add(f"There is no file {path}: {NO_FILE}")
        except TableError as error:
            faults.add(str(error))
        else:
            yield table, fields


def _paths(mapping: Responses, files: Files, faults: Faults) -> list[tuple[str, Fields]]:
    if not has_holes(mapping.path):
        return [(filled(mapping.path, {}), {})]
    pattern = Pattern(mapping.path, 1)
    hits = [(path, pattern.match(path)) for path in files.glob(as_glob(mapping.path))]
    found: list[tuple[str, Fields]] = [(path, fields) for path, fields in hits if fields is not None]
    if not found:
        faults.add(f"No file fits {spelled(mapping.path)}: {NO_FILE}")
    return found
