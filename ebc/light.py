"""What a compilation does without: pandas, which pyarrow would import at its first conversion (50 MB, 0.2 s),
and the search for unused cycles among a million objects that are all in use."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder


class _Absent(MetaPathFinder):
    """Says that pandas is not installed."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pyarrow does without pandas", name=fullname)


def without_pandas() -> None:
    """Lets pyarrow look for pandas, once and in vain; everybody else finds it afterwards."""
    if "pandas" in sys.modules:
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        import pyarrow as pa

        pa.array([0])
    finally:
        sys.meta_path.remove(absent)


@contextmanager
def without_collection() -> Iterator[None]:
    """Python's collector of cycles rests."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
