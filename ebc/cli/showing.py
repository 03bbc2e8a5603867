"""show."""

from __future__ import annotations

import json
import os
import re
import sys
from argparse import Namespace
from typing import Any

from ebc.cli.running import results_folder

STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What JSON need not escape, and a terminal may obey."""

MARK = "\x1b[1;32m{}\x1b[0m"


def show(options: Namespace) -> int:
    """Prints one trial: its request, its replies with their values, its scores."""
    from ebc.trials import find_trial
    from ebc.trialview import trial_data, trial_text

    trial = find_trial(results_folder(options), options.trial)
    if options.format == "json":
        text = json.dumps(trial_data(trial), ensure_ascii=False, indent=1, default=_time)
        print(STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
    else:
        print("\n".join(trial_text(trial, MARK.format if _has_colours() else str)))
    return 0


def _time(value: Any) -> str:
    return str(value.isoformat())


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
