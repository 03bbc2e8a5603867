"""Reads replies to questionnaires. What it cannot read for certain is missing, with a reason."""

from runtime.reading.read import read
from runtime.reading.result import Reading, ReadValue, cut_off, without_values

__all__ = ["ReadValue", "Reading", "cut_off", "read", "without_values"]
