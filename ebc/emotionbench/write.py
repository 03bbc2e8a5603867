"""Writes the specs of a checkout, each in the one layout."""

from __future__ import annotations

from pathlib import Path

from ebc.emotionbench.published import Published, read_published
from ebc.emotionbench.situations import emotion_text, prompts_text
from ebc.emotionbench.studies import study_name, study_text
from ebc.emotionbench.upstream import Checkout, read_checkout
from ebc.questionnaires.files import write_files
from ebc.questionnaires.records import Questionnaire
from ebc.questionnaires.scales import scale_text
from ebc.questionnaires.words import slug

COMMAND = "ebc import emotionbench"


def write_specs(source: Path, specs: Path, published: Path | None) -> list[Path]:
    """Writes a checkout's specs into a folder, and returns the studies among them: one a questionnaire that has
    recorded answers. `published` holds the paper's numbers; they are copied beside the specs. Raises UserError
    where the checkout is none or a file of the user's is in the way, Failure where the disk refuses."""
    checkout = read_checkout(source)
    printed = read_published(published)
    copies = {f"published/{name}": content for name, content in printed.files.items()}
    write_files(specs, COMMAND, _texts(checkout, printed), copies)
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
        texts[f"scales/{slug(one.name)}.eb"] = scale_text(
            one,
            total="Sum of all items" if for_some else None,
            printed="Sum of the answers as given" if for_some else None,
        )
        if recordings is not None:
            texts[f"{study_name(one)}.eb"] = study_text(one, recordings, checkout.emotions, published)
    return texts
