"""p values corrected for how many there are."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import assert_never

from schemas.plan import Adjust


def adjusted(ps: Sequence[float], method: Adjust) -> list[float] | None:
    """p values corrected for their number: Bonferroni, Holm (1979), or `bh`, Benjamini and Hochberg (1995).
    None where nothing is to be corrected."""
    match method:
        case "none":
            return None
        case "bonferroni" | "holm" | "bh":
            if not ps:
                return []
            from statsmodels.stats.multitest import multipletests

            name = "fdr_bh" if method == "bh" else method
            gc.freeze()  # multipletests looks for cycles in all that there is, which takes longer than all else
            try:
                return [float(p) for p in multipletests(list(ps), method=name)[1]]
            finally:
                gc.unfreeze()
        case _:
            assert_never(method)
