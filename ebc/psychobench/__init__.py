"""PsychoBench's questionnaires as scales with their norms, and a study that asks them all."""

from ebc.psychobench.write import Refused, Written, write_specs

__all__ = ["Refused", "Written", "write_specs"]
