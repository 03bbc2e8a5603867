"""Numbers as one file writes them."""

from __future__ import annotations

from schemas.table import pointed


class Numerals:
    """`decimal_comma`: whether the file's numbers may have one. `example`: the first that had; empty: none."""

    def __init__(self, decimal_comma: bool) -> None:
        self.decimal_comma = decimal_comma
        self.example = ""

    def plain(self, written: str) -> str:
        """A number with a decimal point; any other text as it is."""
        if not self.decimal_comma:
            return written
        number = pointed(written)
        if number != written and not self.example:
            self.example = written
        return number
