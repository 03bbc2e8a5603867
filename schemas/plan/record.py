"""What all records of a plan are."""

from __future__ import annotations

import msgspec

Scalar = str | int | float | bool
Setting = Scalar | dict[str, Scalar]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the plan's records: unknown fields are an error, defaults are not written."""
