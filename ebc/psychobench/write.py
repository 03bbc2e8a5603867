"""Writes the specs: a file a questionnaire, and the study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import msgspec

from ebc.errors import UserError
from ebc.questionnaires.files import write_files
from ebc.questionnaires.records import FILE, Questionnaire, read_json
from ebc.questionnaires.scales import prompt_name, prompt_text, scale_text
from ebc.questionnaires.words import quoted, scale_name, slug, subscale_names, unique

COMMAND = "ebc import psychobench"
BENCHMARK = "PsychoBench"
HINT = f"Name the folder that holds PsychoBench's {FILE}."
STUDY = "psychobench"

SCORED_ELSEWHERE = {"16P": "a web service scores its answers, by rules of its own"}


class Refused(msgspec.Struct, frozen=True):
    """A questionnaire that no spec is made of, and why."""

    name: str
    reason: str

    @property
    def message(self) -> str:
        """What the user is told."""
        return f"{self.name} is left out: {self.reason}."


class Written(msgspec.Struct, frozen=True):
    """The study's file; the scales that it measures; what was left out."""

    study: Path
    scales: tuple[str, ...]
    refused: tuple[Refused, ...]


def write_specs(source: Path, specs: Path, only: Sequence[str] = ()) -> Written:
    """Writes PsychoBench's questionnaires into a folder, or those named in `only`, each with the prompt that
    asks it, and one study of them. A questionnaire without a scoring key is left out. Raises UserError where
    the file is none of PsychoBench's, a name is unknown, nothing is left, or a file of the user's is in the
    way; Failure where the disk refuses."""
    path = source / FILE
    found = _chosen(path, read_json(path, tuple[Questionnaire, ...], BENCHMARK, HINT), only)
    refused = tuple(_refused(one) for one in found if not one.categories)
    scored = [one for one in found if one.categories]
    if not scored:
        left_out = " ".join(one.message for one in refused) or f"{path} is empty."
        raise UserError(f"{left_out} There is nothing else to import.")
    texts = {f"scales/{slug(one.name)}.eb": f"{scale_text(one)}\n\n{prompt_text(one)}" for one in scored}
    write_files(specs, COMMAND, {**texts, f"{STUDY}.eb": _study_text(scored)})
    return Written(specs / f"{STUDY}.eb", tuple(scale_name(one.name) for one in scored), refused)


def _chosen(path: Path, found: Sequence[Questionnaire], only: Sequence[str]) -> list[Questionnaire]:
    """Those that are named, in the file's order; all of them if none is."""
    _require_distinct(path, found)
    names = [one.name for one in found]
    for name in only:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise UserError(f"{path} has no questionnaire {name}.{meant} It has: {', '.join(names)}.")
    return [one for one in found if not only or one.name in only]


def _require_distinct(path: Path, found: Iterable[Questionnaire]) -> None:
    for name, count in Counter(slug(one.name) for one in found).items():
        if count > 1:
            raise UserError(
                f"{path} has {count} questionnaires whose file would be scales/{name}.eb: rename all but one."
            )


def _refused(questionnaire: Questionnaire) -> Refused:
    why = SCORED_ELSEWHERE.get(questionnaire.name, "nothing says how its answers make a score")
    return Refused(questionnaire.name, f"{FILE} gives it no subscales ({why})")


def _study_text(questionnaires: Sequence[Questionnaire]) -> str:
    """The study: every questionnaire once, each in a conversation of its own, with nothing before it, and what
    comes out against each norm."""
    uses = [f"use {quoted(f'scales/{slug(one.name)}')}" for one in questionnaires]
    measures = [f"measure {scale_name(one.name)} with {prompt_name(one)}" for one in questionnaires]
    scales = ", ".join(scale_name(one.name) for one in questionnaires)
    return "\n".join(
        [
            'use "lib/models"',
            *uses,
            "",
            'protocol each_on_its_own "Every questionnaire in a conversation of its own" {',
            "condition default {",
            *measures,
            "}",
            "}",
            "",
            f'study {STUDY} "PsychoBench: its questionnaires, without any situation" {{',
            "protocol each_on_its_own",
            f"scales {scales}",
            "panels simulated_unmoved",
            "sampling { temperature 0 }",
            "repeats 1",
            "seed 42",
            "orders 10",
            *_against_norms(questionnaires),
            "}",
        ]
    )


def _against_norms(questionnaires: Sequence[Questionnaire]) -> Iterable[str]:
    """A contrast for each group of people that there are norms of, of the subscales that it has one for."""
    normed: dict[str, list[str]] = {}
    for one in questionnaires:
        names = subscale_names([category.cat_name for category in one.categories])
        for name, category in zip(names, one.categories, strict=True):
            for crowd in category.crowd:
                normed.setdefault(crowd.crowd_name, []).append(f"{scale_name(one.name)}.{name}")
    for name, (group, outcomes) in zip(unique(map(slug, normed)), normed.items(), strict=True):
        yield (
            f"contrast against_{name} = default - norm {quoted(group)} of {', '.join(outcomes)} "
            "{ test welch  effect cohens_d }"
        )
