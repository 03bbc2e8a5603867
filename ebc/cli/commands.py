"""The commands and their arguments."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction

from ebc import __version__

DESCRIPTION = """Studies of how language models feel, judge and answer, from a spec to a table.

  ebc init mine                     a folder with a first study in it
  ebc check specs/anger.eb          what is wrong with a spec
  ebc run specs/anger.eb            have its models answer it; again: goes on
  ebc report anger                  the table
  ebc show TRIAL                    one trial: what was asked, the reply, its values
  ebc sql "SELECT ... FROM scores"  any other question"""


def parser() -> ArgumentParser:
    """The parser of the whole command line; `command` names the function that a command calls."""
    whole = ArgumentParser(prog="ebc", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter)
    whole.add_argument("--version", action="version", version=f"ebc {__version__}")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _language(commands)
    _running(commands)
    _importing(commands)
    _asking(commands)
    _reading(commands)
    _checking(commands)
    _exporting(commands)
    return whole


def _command(commands: _SubParsersAction[ArgumentParser], name: str, where: str, help: str) -> ArgumentParser:
    parser = commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
    parser.set_defaults(command=where)
    return parser


def _format(parser: ArgumentParser, *formats: str) -> None:
    parser.add_argument("--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")


def _results(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--results", metavar="DIR", help="the warehouse's folder (default: $EBC_RESULTS, or results)"
    )


def _specs(parser: ArgumentParser) -> None:
    parser.add_argument("specs", nargs="+", metavar="SPEC", help="an .eb file, or a folder of them")


def _study(parser: ArgumentParser) -> None:
    parser.add_argument("--study", metavar="NAME", help="one study of the spec (default: all that it declares)")


def _model(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        metavar="NAME",
        action="append",
        default=[],
        help="a model in place of the study's (repeatable): a declared one, or PROVIDER:NAME",
    )


def _language(commands: _SubParsersAction[ArgumentParser]) -> None:
    init = _command(commands, "init", "starting:init", "make a folder with a first study in it")
    init.add_argument("folder", metavar="DIR")

    check = _command(commands, "check", "language:check", "say everything that is wrong with specs")
    _specs(check)
    _format(check, "text", "json", "sarif")

    fmt = _command(commands, "fmt", "language:fmt", "bring specs into the one layout")
    _specs(fmt)
    fmt.add_argument("--check", action="store_true", help="change nothing; exit 1 if something would change")

    compile = _command(
        commands, "compile", "planning:compile", "make the plan of a spec, and say what it will take"
    )
    compile.add_argument("spec", metavar="SPEC")
    compile.add_argument(
        "-o", "--output", metavar="PLAN", help="the plan's folder (default: STUDY.plan beside the spec)"
    )
    _study(compile)
    _model(compile)
    _format(compile, "text", "json")

    explain = _command(
        commands, "explain", "planning:explain", "show how a plan came about, and the requests in it"
    )
    explain.add_argument("spec", metavar="SPEC|PLAN")
    explain.add_argument("--sample", type=int, default=1, metavar="N", help="requests shown of each condition")
    explain.add_argument(
        "--results", metavar="DIR", help="say which trials are new, kept or stale in this warehouse, and why"
    )
    _study(explain)
    _model(explain)
    _format(explain, "text", "json")


def _running(commands: _SubParsersAction[ArgumentParser]) -> None:
    run = _command(
        commands, "run", "running:run", "have the study's models answer it; goes on where it stopped"
    )
    run.add_argument("spec", metavar="SPEC|PLAN")
    run.add_argument("--limit", type=int, metavar="N", help="ask at most N trials of each model now")
    run.add_argument(
        "--max-cost", type=float, metavar="USD", help="spend at most USD in this call; needs prices in the spec"
    )
    run.add_argument("--max-requests", type=int, metavar="N", help="send at most N requests in this call")
    run.add_argument("--connections", type=int, metavar="N", help="at most N requests at a time (default: 64)")
    run.add_argument(
        "--batch", action="store_true", help="hand requests over as batches, and collect them within a day"
    )
    run.add_argument("--fresh", action="store_true", help="start a new run beside the old one")
    _study(run)
    _model(run)
    _results(run)
    _format(run, "text", "json")

    runs = _command(commands, "runs", "running:runs", "list the runs, how far each is, and what it cost")
    _results(runs)
    _format(runs, "text", "json")


def _importing(commands: _SubParsersAction[ArgumentParser]) -> None:
    parser = commands.add_parser("import", help="bring in other people's specs and answers")
    kinds = parser.add_subparsers(title="what to import", required=True, metavar="KIND")
    bench = _command(kinds, "emotionbench", "importing:emotionbench", "make specs of an EmotionBench checkout")
    bench.add_argument("folder", metavar="DIR", help="the checkout")
    bench.add_argument("--specs", metavar="S", required=True, help="where the specs are written")
    bench.add_argument("--published", metavar="P", help="a folder with the paper's numbers")
    _results(bench)
    _format(bench, "text", "json")

    psycho = _command(kinds, "psychobench", "importing:psychobench", "make specs of PsychoBench's scales")
    psycho.add_argument("folder", metavar="DIR", help="the folder of its questionnaires.json")
    psycho.add_argument("--specs", metavar="S", required=True, help="where the specs are written")
    psycho.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        default=[],
        help="a questionnaire, by its name there (repeatable; default: all)",
    )
    _format(psycho, "text", "json")

    responses = _command(
        kinds, "responses", "importing:responses", "read recorded answers by the spec's mappings"
    )
    responses.add_argument("spec", metavar="SPEC")
    responses.add_argument(
        "--data", metavar="DIR", help="where the data files stand (default: beside the spec)"
    )
    _study(responses)
    _results(responses)
    _format(responses, "text", "json")


def _asking(commands: _SubParsersAction[ArgumentParser]) -> None:
    sql = _command(commands, "sql", "asking:sql", "ask the warehouse a question in SQL, read-only")
    sql.add_argument("query", metavar="SQL")
    _results(sql)
    _format(sql, "table", "csv", "json", "parquet", "markdown")

    report = _command(commands, "report", "asking:report", "print a study's table")
    report.add_argument("study", metavar="STUDY|SPEC")
    report.add_argument(
        "--run", action="append", default=[], metavar="RUN", help="a run in place of its panel's newest"
    )
    _results(report)
    _format(report, "text", "markdown", "csv", "json")


def _reading(commands: _SubParsersAction[ArgumentParser]) -> None:
    read = _command(commands, "read", "reading:read", "say how replies in a file of JSON lines would be read")
    read.add_argument("file", metavar="FILE", help="each line with id, scale and reply; - for standard input")
    read.add_argument(
        "--expected", action="store_true", help="hold the readings against what the lines expect instead"
    )
    read.add_argument(
        "--format", choices=("text", "json"), default="text", help="of what --expected prints (default: text)"
    )

    rescore = _command(commands, "rescore", "reading:rescore", "read the kept replies of a study again")
    rescore.add_argument("study", metavar="STUDY")
    rescore.add_argument(
        "--run",
        action="append",
        default=[],
        metavar="RUN",
        help="only this run (repeatable; default: the newest of each panel)",
    )
    rescore.add_argument("--dry-run", action="store_true", help="say what would change, and write nothing")
    _results(rescore)
    _format(rescore, "text", "json")

    show = _command(commands, "show", "showing:show", "show one trial: what was asked, the reply, its values")
    show.add_argument("trial", metavar="TRIAL", help="the beginning of a trial's or a response's id")
    _results(show)
    _format(show, "text", "json")


def _checking(commands: _SubParsersAction[ArgumentParser]) -> None:
    parser = commands.add_parser("doctor", help="see whether what answers here answers as it should")
    kinds = parser.add_subparsers(title="what to look at", required=True, metavar="KIND")
    local = _command(
        kinds,
        "local",
        "doctoring:local",
        "load a local model: its prompt, its options' tokens, and whether one pass says what item by item says",
    )
    local.add_argument("model", metavar="MODEL", help="a declared one, or what stands behind `local:`")
    local.add_argument("--spec", metavar="SPEC", help="the spec that declares it (default: the library)")
    _format(local, "text", "json")


def _exporting(commands: _SubParsersAction[ArgumentParser]) -> None:
    parser = commands.add_parser("export", help="write answers for other programs")
    kinds = parser.add_subparsers(title="what to export", required=True, metavar="KIND")
    chat = _command(
        kinds,
        "chat",
        "exporting:chat",
        "write a panel's answers as chats to fine-tune a model on, as JSON lines",
    )
    chat.add_argument("study", metavar="STUDY")
    chat.add_argument("--panel", required=True, metavar="NAME", help="whose answers")
    chat.add_argument("--split", metavar="PART", help="only this part of the panel's split")
    chat.add_argument("-o", "--output", metavar="FILE", help="default: stdout")
    _results(chat)
