"""The report of a study: built once, laid out in several ways."""

from warehouse.report.build import PanelState, StudyReport, build_report, contrasts_table, keep_contrasts
from warehouse.report.layouts import FORMATS, Format, render

__all__ = [
    "FORMATS",
    "Format",
    "PanelState",
    "StudyReport",
    "build_report",
    "contrasts_table",
    "keep_contrasts",
    "render",
]
