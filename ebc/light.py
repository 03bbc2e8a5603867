"""pyarrow without pandas, which it would import at its first conversion: 50 MB and 0.2 s for nothing here."""

from __future__ import annotations

import sys
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
