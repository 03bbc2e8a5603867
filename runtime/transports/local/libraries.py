"""The libraries of the extra `local`, each imported when it is used: the one place that names them."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

from runtime.transport import NotInstalled

NEEDED = ("torch", "transformers", "accelerate", "gguf")


def require() -> None:
    """Raises NotInstalled where one of them is missing; imports nothing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise NotInstalled(
            f"local models need {', '.join(missing)}, which are not installed here. Install them with "
            'pip install "ebc[local]", in a checkout with pip install -e ".[local]".'
        )


def torch() -> Any:
    """PyTorch."""
    import torch

    return torch


def transformers() -> Any:
    """Transformers, which says nothing but what is wrong."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def safetensors() -> Any:
    """Safetensors' functions for torch."""
    import safetensors.torch

    return safetensors.torch


def damaged() -> tuple[type[Exception], ...]:
    """What safetensors raises at a file that is none of its own."""
    import safetensors

    return (safetensors.SafetensorError,)


def hub() -> Any:
    """The client of the Hugging Face hub, and of its cache on this machine."""
    import huggingface_hub

    return huggingface_hub


def jinja() -> Any:
    """Jinja, in which chat templates are written."""
    import jinja2

    return jinja2


def out_of_memory(error: RuntimeError) -> bool:
    """Whether torch found no memory, on a device or here."""
    said = str(error)
    return (
        isinstance(error, torch().OutOfMemoryError) or "not enough memory" in said or "allocate memory" in said
    )
