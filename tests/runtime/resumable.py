"""One run against a test server, as a process that can be killed.

`python -m tests.runtime.resumable FOLDER URL SITUATIONS CONNECTIONS` prints the outcome as JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from runtime.asking import Settings
from runtime.execute import run_panel
from runtime.lock import RunBusy
from runtime.transports.openai import OpenAI
from tests.runtime.plans import FileSink, model, plan, planned


def main() -> None:
    """Runs, or says why not with exit status 1."""
    folder, url, situations, connections = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    who = model("openai", base_url=url)
    of = plan(situations, who)
    sink = FileSink(folder / "sink")
    transport = OpenAI(who, {}, connections)
    settings = Settings(max_connections=connections)
    try:
        outcome = run_panel(
            of, planned(of), who, transport, sink, folder / "journal", "run", sink.newest, settings
        )
    except RunBusy as busy:
        sys.exit(str(busy))
    print(msgspec.json.encode(outcome).decode())


if __name__ == "__main__":
    main()
