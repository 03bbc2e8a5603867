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
    wanted = sum(split.parts.values())
    if wanted != len(ranked):
        told = ", ".join(f"{part} {count}" for part, count in split.parts.items())
        raise Fault(
            f"`split {split.panel} into {told}` takes {wanted:,} respondents; the data of {split.panel} have "
            f"{len(ranked):,}. Make the parts add up to {len(ranked):,}."
        )
    names = [part for part, count in split.parts.items() for _ in range(count)]
    return dict(zip(ranked, names, strict=True))


def _rank(seed: int, panel: str, respondent: str) -> bytes:
    return blake2b(f"{seed}:{panel}:{respondent}".encode(), digest_size=16).digest()
