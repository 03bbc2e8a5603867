"""What goes wrong here, as one clear message each.

WarehouseError
├── StorageError    the disk refuses: read-only, full, or a file that is no Parquet (an OSError too)
├── QueryError      SQL that is not a question, or that DuckDB does not understand
└── LimitError      a question that needs more time or memory than it may have
"""

from __future__ import annotations


class WarehouseError(Exception):
    """A warehouse that cannot do what was asked: the message says what, where, why and what to do."""


class StorageError(WarehouseError, OSError):
    """The disk refuses to be written or read."""


class QueryError(WarehouseError):
    """SQL that is refused or wrong."""


class LimitError(WarehouseError):
    """SQL that was stopped."""
