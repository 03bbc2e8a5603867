"""The pass that gives a plan its id."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from compiler.lower.draft import Draft
from schemas.planfile import plan_id


def identify(draft: Draft) -> Draft:
    """The plan's id: a hash of everything that the plan means, and of nothing else (not of the compiler's
    version, comments, spacing, or where the files stand)."""
    return replace(draft, plan=msgspec.structs.replace(draft.plan, plan_id=plan_id(draft.plan)))
