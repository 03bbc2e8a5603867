"""Where observations stand, as numbers that are small enough to keep one an answer."""

from __future__ import annotations

from runtime.recorded.grid import Axis

LINES = 1 << 32


class Origins:
    """An origin is the number of a file and of a line in it (from 0), as one number."""

    def __init__(self) -> None:
        self._files: list[tuple[str, Axis]] = []

    def first_of(self, file: str, axis: Axis) -> int:
        """The origin of a further file's first line."""
        self._files.append((file, axis))
        return (len(self._files) - 1) * LINES

    def told(self, origin: int) -> str:
        """File, and row or column, as messages call them."""
        file, line = divmod(origin, LINES)
        name, axis = self._files[file]
        return f"{name}, {axis} {line + 1}"
