"""Writes the specs of a checkout, each in the one layout."""

from __future__ import annotations

from pathlib import Path

from ebc.emotionbench.published import Published, read_published
from ebc.emotionbench.scales import emotion_text, prompts_text, scale_text
from ebc.emotionbench.studies import study_name, study_text
from ebc.emotionbench.upstream import Checkout, Questionnaire, read_checkout
from ebc.emotionbench.words import slug
from ebc.errors import Failure, UserError

HEAD = "# Written by `ebc import emotionbench`, which writes it anew each time.\n"


def write_specs(source: Path, specs: Path, published: Path | None) -> list[Path]:
    """Writes a checkout's specs into a folder, and returns the studies among them: one a questionnaire that has
    recorded answers. `published` holds the paper's numbers; they are copied beside the specs. Raises UserError
    where the checkout is none or a file of the user's is in the way, Failure where the disk refuses."""
    checkout = read_checkout(source)
    printed = read_published(published)
    files = {name: _canonical(name, text) for name, text in _texts(checkout, printed).items()}
    try:
        for name in files:
            _require_ours(specs / name)
        for name, text in files.items():
            _write(specs / name, text.encode())
        for name, content in printed.files.items():
            _write(specs / "published" / name, content)
    except OSError as error:
        raise Failure(f"cannot write {error.filename}: {error.strerror}.") from error
    return [specs / f"{study_name(one)}.eb" for one in _recorded(checkout)]


def _recorded(checkout: Checkout) -> list[Questionnaire]:
    return [one for one in checkout.questionnaires if one.name in checkout.recordings]


def _texts(checkout: Checkout, published: Published) -> dict[str, str]:
    """Every spec's text, by its path."""
    everything = [emotion.name for emotion in checkout.emotions]
    presented = [one.presented for one in checkout.recordings.values() if one.presented is not None]
    texts = {"prompts.eb": prompts_text(checkout.questionnaires, next(iter(presented), None))}
    for emotion in checkout.emotions:
        texts[f"emotions/{slug(emotion.name)}.eb"] = emotion_text(emotion)
    for one in checkout.questionnaires:
        recordings = checkout.recordings.get(one.name)
        for_some = recordings is not None and list(recordings.emotions) != everything
        texts[f"scales/{slug(one.name)}.eb"] = scale_text(one, "Sum of all items" if for_some else None)
        if recordings is not None:
            texts[f"{study_name(one)}.eb"] = study_text(one, recordings, checkout.emotions, published)
    return texts


def _canonical(name: str, text: str) -> str:
    from compiler.format import format_file
    from compiler.parse import parse

    file, found = parse(name, HEAD + "\n" + text)
    if found:
        raise UserError(
            f"the checkout holds a text that cannot be said in a spec ({name}): {found[0].message}."
        )
    return format_file(file)


def _require_ours(path: Path) -> None:
    if path.is_file() and not path.read_bytes().startswith(HEAD.encode()):
        raise UserError(
            f"{path} was not written by this command: name another folder with --specs, or move the file."
        )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
