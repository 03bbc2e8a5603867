"""Recorded and human answers: data files, read by the mapping that a spec gives, as the rows of a run.

`read` is the table of contents: files, then a layout for each, then its observations, then rows.
"""

from runtime.recorded.faults import RecordedError
from runtime.recorded.gathering import FileRead
from runtime.recorded.leavings import LeftOut
from runtime.recorded.read import read_responses
from runtime.recorded.records import CellCount, Details, RecordedPanel, recorded_run

__all__ = [
    "CellCount",
    "Details",
    "FileRead",
    "LeftOut",
    "RecordedError",
    "RecordedPanel",
    "read_responses",
    "recorded_run",
]
