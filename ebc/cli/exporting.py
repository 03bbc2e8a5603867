"""export chat."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ebc.chat import Chats, chat_lines
from ebc.cli.asking import known_plan
from ebc.cli.running import results_folder
from ebc.errors import UserError
from ebc.explanation import counted
from ebc.pipeline import storage


def chat(options: Namespace) -> int:
    """Writes the chats of one panel to a file, whole or not at all, or to stdout."""
    from warehouse.layout import replacing

    results = results_folder(options)
    with storage():
        plan = known_plan(options.study, results)
        chats = Chats()
        lines = chat_lines(results, plan, options.panel, options.split, chats)
        if options.output is None:
            for line in lines:
                sys.stdout.write(line.decode() + "\n")
        else:
            with replacing(Path(options.output)) as path, path.open("wb") as file:
                file.writelines(line + b"\n" for line in lines)
                _refuse_nothing(chats, options)
        _refuse_nothing(chats, options)
    for why, count in chats.left_out.items():
        print(f"left out: {counted(count, 'response')} ({why})", file=sys.stderr)
    where = "" if options.output is None else f" to {options.output}"
    print(f"wrote {counted(chats.written, 'chat')}{where}", file=sys.stderr)
    return 0


def _refuse_nothing(chats: Chats, options: Namespace) -> None:
    if not chats.written:
        why = "".join(f" ({counted(count, 'response')}: {why})" for why, count in chats.left_out.items())
        raise UserError(f"{options.panel} has no complete answers to questions of study {options.study}{why}.")
