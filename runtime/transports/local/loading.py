"""A model's weights and tokenizer in memory. Of a GGUF file a converted copy is kept, which loads at once."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

from runtime.transport import UnknownModel, Unreachable
from runtime.transports.local import libraries
from runtime.transports.local.files import SHOWN, Files, Hashes, cache_folder
from schemas.plan import Model

DTYPE = "float32"
UNREADABLE = (OSError, ValueError, KeyError, ImportError, RuntimeError, UnpicklingError)
"""What transformers and torch raise at files that are no model, and where there is no memory for one."""


class Loaded(NamedTuple):
    """A causal language model of transformers with its tokenizer, on `device`, in `dtype`."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str


def load(model: Model, files: Files, environment: Mapping[str, str]) -> Loaded:
    """Loads a model. Raises UnknownModel where transformers cannot, Unreachable without its device."""
    torch, transformers = libraries.torch(), libraries.transformers()
    device, dtype = _device(model), str(model.settings.get("dtype", DTYPE))
    unreadable: tuple[type[Exception], ...] = (*UNREADABLE, *libraries.damaged())
    try:
        folder = files.folder if files.gguf is None else converted(files, environment)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        where = {"device_map": "auto"} if device == "auto" else {}
        weights = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=getattr(torch, dtype), **where
        )
    except unreadable as error:
        raise _not_loaded(model, error) from error
    if device != "auto":
        weights = weights.to(device)
    weights.eval()
    weights.generation_config = transformers.GenerationConfig.from_dict(_endings(weights))
    return Loaded(weights, tokenizer, str(weights.device), dtype)


def _endings(weights: Any) -> dict[str, Any]:
    """What of a model's own settings of generation holds here: what ends a text. Its own temperature, penalties
    and the like would be settings that no study states."""
    return {"eos_token_id": getattr(weights.generation_config, "eos_token_id", None)}


def _device(model: Model) -> str:
    """The device that the model's declaration names, or an accelerator, or the processor."""
    torch, stated = libraries.torch(), model.settings.get("device")
    if stated is None:
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    if stated == "auto":
        return "auto"
    try:
        torch.zeros(1, device=str(stated))
    except (RuntimeError, AssertionError) as error:
        raise Unreachable(
            f'model {model.id}: there is no device "{stated}" here ({_reason(error)}). Name another, '
            'as in device "cpu", or leave the line out.'
        ) from error
    return str(stated)


def _not_loaded(model: Model, error: Exception) -> UnknownModel:
    return UnknownModel(f"model {model.id}: transformers cannot load {model.name}: {_reason(error)}")


def _reason(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return said.strip().partition("\n")[0]


def converted(files: Files, environment: Mapping[str, str]) -> Path:
    """A folder with a GGUF file's model as transformers keeps one, made at first use; processes that want the
    same wait for the first. The weights are those of the file, dequantized to float32. Raises Unreachable."""
    from filelock import FileLock

    assert files.one is not None
    cache = cache_folder(environment)
    known = Hashes(cache / "hashes.json")
    folder = cache / "converted" / f"{files.one.stem}-{known.of(files.one)[:SHOWN]}"
    known.keep()
    if (folder / "config.json").is_file():
        return folder
    scratch = folder.with_name(f".{folder.name}.making")
    full: tuple[type[Exception], ...] = (OSError, *libraries.damaged())
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock")):
            if not (folder / "config.json").is_file():
                shutil.rmtree(scratch, ignore_errors=True)  # of a process that was killed
                scratch.mkdir()
                _convert(files, scratch)
                scratch.replace(folder)
    except full as error:
        shutil.rmtree(scratch, ignore_errors=True)
        raise Unreachable(
            f"a converted copy of {files.one.name} cannot be kept in {folder.parent}: {_reason(error)}. "
            "It takes four bytes a parameter. Name another folder in EBC_CACHE, or free space there."
        ) from error
    return folder


def _convert(files: Files, folder: Path) -> None:
    """Writes weights, settings and tokenizer. Transformers refuses to save what it loaded from a GGUF file,
    since its settings still call it quantized; the weights in memory are not. Raises ValueError for a file that
    cannot be read, OSError."""
    torch, transformers = libraries.torch(), libraries.transformers()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(files.folder, gguf_file=files.gguf)
        weights = transformers.AutoModelForCausalLM.from_pretrained(
            files.folder, gguf_file=files.gguf, dtype=torch.float32
        )
    except OSError as error:
        raise ValueError(_reason(error)) from error
    settings = weights.config.to_dict()
    settings.pop("quantization_config", None)
    settings["architectures"] = [type(weights).__name__]
    tied = set(getattr(weights, "all_tied_weights_keys", None) or ())
    state = {name: tensor.contiguous() for name, tensor in weights.state_dict().items() if name not in tied}
    libraries.safetensors().save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer.save_pretrained(folder)
    weights.generation_config.save_pretrained(folder)
    type(weights.config).from_dict(settings).save_pretrained(folder)
