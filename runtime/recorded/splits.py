"""The parts of a panel's respondents, drawn with the study's seed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from runtime.recorded.faults import Fault
from schemas.plan import Split

COVARIATE = "split"


def parts(split: Split, seed: int, respondents: Iterable[str]) -> dict[str, str]:
    """The part of each respondent. All are ranked by a hash of seed, panel and id, and fill the parts in the
    order of the spec: the order of the data's rows changes nothing. Raises Fault where the numbers do not add
    up."""
    ranked = sorted(respondents, key=lambda respondent: _rank(seed, split.panel, respondent))
    wanted = sum(part.count for part in split.parts)
    if wanted != len(ranked):
        told = ", ".join(f"{part.name} {part.count}" for part in split.parts)
        raise Fault(
            f"`split {split.panel} into {told}` takes {wanted:,} respondents; the data of {split.panel} have "
            f"{len(ranked):,}. Make the parts add up to {len(ranked):,}."
        )
    names = [part.name for part in split.parts for _ in range(part.count)]
    return dict(zip(ranked, names, strict=True))


def _rank(seed: int, panel: str, respondent: str) -> bytes:
    return blake2b(f"{seed}:{panel}:{respondent}".encode(), digest_size=16).digest()
