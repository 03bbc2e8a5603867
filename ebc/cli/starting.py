"""init."""

from __future__ import annotations

from argparse import Namespace
from importlib import resources
from pathlib import Path

from ebc.errors import Failure, UserError

SPEC = "study.eb"


def init(options: Namespace) -> int:
    """Writes a spec that runs into a folder, and says how to go on. Nothing that is there is overwritten."""
    spec = Path(options.folder) / SPEC
    text = resources.files("specs").joinpath("template", SPEC).read_text(encoding="utf-8")
    try:
        spec.parent.mkdir(parents=True, exist_ok=True)
        with spec.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise UserError(f"{error.filename} is there already: name another folder.") from error
    except NotADirectoryError as error:
        raise UserError(f"{options.folder} lies below a file: name another folder.") from error
    except OSError as error:
        raise Failure(f"cannot write {spec}: {error.strerror or error}.") from error
    print(f"wrote {spec.as_posix()}")
    print(f"next:  ebc run {spec.as_posix()}")
    print("then:  ebc report my_study")
    return 0
