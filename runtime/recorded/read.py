"""From data files to panels: finds the files, lays the mapping over each, takes in its observations."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.recorded.faults import Fault, Faults
from runtime.recorded.gathering import Gathering, Panels
from runtime.recorded.grid import Grid
from runtime.recorded.identity import Identity
from runtime.recorded.observe import FileReader
from runtime.recorded.overlay import Overlay
from runtime.recorded.pattern import Fields, Pattern, as_glob, filled, has_holes, spelled
from runtime.recorded.recodes import Recodes
from runtime.recorded.records import RecordedPanel
from runtime.recorded.splits import COVARIATE, parts
from runtime.recorded.stimuli import Stimuli
from schemas.plan import Plan, Responses
from schemas.table import Files, Table, TableError

NO_FILE = "name the folder of the data with --data DIR, or correct the path."


def read_responses(plan: Plan, mapping: Responses, files: Files) -> list[RecordedPanel]:
    """The panels of a mapping, in the order in which its files name them. Observations that fit no pattern
    are in the panels' details. Raises RecordedError with everything that is wrong (up to twenty mistakes);
    nothing is then taken in."""
    faults = Faults(mapping.id)
    recodes = Recodes(mapping.recodes)
    stimuli = Stimuli(plan.stimuli, recodes)
    overlay = Overlay(plan, mapping, recodes)
    panels = Panels(plan.study.between)
    for table, fields in _tables(mapping, files, faults):
        try:
            grid = Grid(table, "column" if mapping.transposed else "row", mapping.headers)
            layout = overlay.over(grid, fields)
        except Fault as fault:
            faults.add(fault)
            continue
        identity = Identity(mapping, grid, stimuli, recodes)
        FileReader(grid, layout, fields, identity, panels, faults).read()
    faults.settle()
    for unfit in overlay.unfit():
        faults.add(Fault(unfit))
    _split(plan, mapping, panels.all(), faults)
    faults.settle()
    return [RecordedPanel(plan.study.id, mapping.kind, gathering) for gathering in panels.all()]


def _split(plan: Plan, mapping: Responses, panels: list[Gathering], faults: Faults) -> None:
    """Gives each respondent of a panel that is split its part, as a covariate."""
    named = {panel.panel: panel for panel in panels}
    for split in plan.study.splits:
        panel = named.get(split.panel)
        if panel is None:
            if split.panel == mapping.id:
                told = ", ".join(named)
                faults.add(
                    Fault(f"`split {split.panel}`: the data name no such panel, but {told}. Split one of them.")
                )
            continue
        if any(COVARIATE in said for said in panel.covariates.values()):
            faults.add(
                Fault(f"`split {split.panel}` makes a covariate `split`; the mapping has one. Rename that one.")
            )
            continue
        try:
            drawn = parts(split, plan.study.seed, panel.covariates)
        except Fault as fault:
            faults.add(fault)
            continue
        for respondent, part in drawn.items():
            panel.covariates[respondent][COVARIATE] = part


def _tables(mapping: Responses, files: Files, faults: Faults) -> Iterator[tuple[Table, Fields]]:
    """Each file of the mapping, with what its path says."""
    for path, fields in _paths(mapping, files, faults):
        try:
            table = files.read_table(path, mapping.sheet)
        except FileNotFoundError:
            faults.add(Fault(f"There is no file {path}: {NO_FILE}"))
        except TableError as error:
            faults.add(Fault(str(error)))
        else:
            yield table, fields


def _paths(mapping: Responses, files: Files, faults: Faults) -> list[tuple[str, Fields]]:
    if not has_holes(mapping.path):
        return [(filled(mapping.path, {}), {})]
    pattern = Pattern(mapping.path, 1)
    hits = [(path, pattern.match(path)) for path in files.glob(as_glob(mapping.path))]
    found: list[tuple[str, Fields]] = [(path, fields) for path, fields in hits if fields is not None]
    if not found:
        faults.add(Fault(f"No file fits {spelled(mapping.path)}: {NO_FILE}"))
    return found
