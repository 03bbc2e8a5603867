"""The converted copy of a GGUF file: made once, whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.transport import UnknownModel, Unreachable
from runtime.transports.local import Local, loading
from runtime.transports.local.files import Files
from schemas.plan import Model
from tests.runtime.local.tiny import tiny_llama

torch = pytest.importorskip("torch", reason="torch is not installed: the extra `local` brings it")
pytest.importorskip("transformers", reason="transformers is not installed: the extra `local` brings it")
pytestmark = pytest.mark.filterwarnings("default")

CONVERT = """
import os, sys
from pathlib import Path
from tests.runtime.local.test_converting import copying
from runtime.transports.local import loading
from runtime.transports.local.files import Files
copying(loading, Path(sys.argv[3]), die=sys.argv[4] == "die")
print(loading.converted(Files(Path(sys.argv[1]), "tiny.gguf"), {"EBC_CACHE": sys.argv[2]}))
"""


def copying(module: object, source: Path, *, die: bool = False) -> list[Path]:
    """Puts copying a folder in the place of conversion, which needs a GGUF writer; gives where it was done."""
    done: list[Path] = []

    def convert(_: Files, folder: Path) -> None:
        done.append(folder)
        shutil.copy(source / "model.safetensors", folder)
        if die:
            os.kill(os.getpid(), signal.SIGKILL)
        shutil.copytree(source, folder, dirs_exist_ok=True)

    module._convert = convert  # type: ignore[attr-defined]
    return done


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A file that stands for a GGUF file."""
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF" + bytes(100))
    return Files(tmp_path, "tiny.gguf")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """What it is converted to."""
    return tiny_llama(tmp_path / "source")


def converting(files: Files, cache: Path, source: Path, how: str) -> subprocess.Popen[str]:
    """A process that converts."""
    return subprocess.Popen(
        [sys.executable, "-c", CONVERT, str(files.folder), str(cache), str(source), how],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name != "posix", reason="signals to a process are POSIX")
def test_a_process_that_is_killed_leaves_nothing_that_counts_as_whole(
    files: Files, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    with converting(files, cache, source, "die") as killed:
        killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    (half,) = (cache / "converted").glob(".*.making")
    assert (half / "model.safetensors").is_file()
    monkeypatch.setattr(loading, "_convert", loading._convert)
    done = copying(loading, source)
    folder = loading.converted(files, {"EBC_CACHE": str(cache)})
    assert (folder / "config.json").is_file()
    assert done == [half]
    assert not half.exists()
    assert loading.converted(files, {"EBC_CACHE": str(cache)}) == folder
    assert len(done) == 1


def test_two_processes_make_one_copy(files: Files, source: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with (
        converting(files, cache, source, "whole") as one,
        converting(files, cache, source, "whole") as other,
    ):
        said = {one.communicate(timeout=120)[0], other.communicate(timeout=120)[0]}
    assert (one.returncode, other.returncode) == (0, 0)
    assert len(said) == 1
    assert [path.name[0] for path in (cache / "converted").iterdir() if path.is_dir()] == ["t"]


def test_a_cache_that_is_full_is_one_message_and_leaves_nothing(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Files, folder: Path) -> None:
        (folder / "model.safetensors").write_bytes(bytes(10))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loading, "_convert", full)
    with pytest.raises(Unreachable, match=r"tiny\.gguf cannot be kept in .*: No space left.* EBC_CACHE"):
        loading.converted(files, {"EBC_CACHE": str(tmp_path / "cache")})
    assert [path for path in (tmp_path / "cache" / "converted").iterdir() if path.is_dir()] == []


def test_a_cache_that_is_a_file_is_one_message(files: Files, tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"")
    with pytest.raises(Unreachable, match="cannot be kept"):
        loading.converted(files, {"EBC_CACHE": str(tmp_path / "cache")})


def test_a_file_that_is_no_gguf_is_no_model(files: Files, tmp_path: Path) -> None:
    model = Model("m", "local", str(tmp_path / "tiny.gguf"), {"device": "cpu"})
    with pytest.raises(UnknownModel, match="transformers cannot load"):
        Local(model, {"EBC_CACHE": str(tmp_path / "cache")}).engine()
