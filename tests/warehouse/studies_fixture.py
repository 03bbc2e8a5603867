"""Other studies' recorded ratings as rows of the contract, from the checkout beside the repository."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.plan import (
    Arithmetic,
    Association,
    Call,
    Cells,
    Coefficient,
    Comparison,
    Condition,
    Contrast,
    Item,
    ItemValue,
    Number,
    Option,
    Outcome,
    Plan,
    Protocol,
    Sampling,
    Scale,
    Stimulus,
    Study,
    Subscale,
)
from tests.warehouse.builder import Seen, store
from warehouse.register import register_plan

DATA = Path(__file__).resolve().parents[3] / "shared" / "studies"
ARMS = ("human", "chatgpt", "chatgpt_empathy")
REVERSED = (2, 4, 7, 10, 11, 12, 14, 15)
GOOD = (Outcome("RUBRIC", "good"),)
RATING = (Outcome("RUBRIC", "rating"),)


def rows(path: str) -> list[dict[str, str]]:
    if not DATA.is_dir():
        pytest.skip("the studies' files do not stand beside the repository (../shared/studies)")
    with (DATA / path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def study(
    name: str,
    scales: tuple[Scale, ...],
    stimuli: tuple[Stimulus, ...],
    panels: tuple[str, ...],
    measured: tuple[str, ...],
    contrasts: tuple[Contrast, ...] = (),
    associations: tuple[Association, ...] = (),
) -> Plan:
    """A plan of one condition, in which each stimulus is rated."""
    return Plan(
        1,
        "test",
        name,
        Study(name, name.title(), measured, panels, Sampling(), 1, (0,), 1),
        scales,
        (),
        stimuli,
        Protocol("rating", (Condition("rated", True, ()),)),
        (),
        contrasts=contrasts,
        associations=associations,
    )


def between(name: str, arms: tuple[str, ...], outcomes: tuple[Outcome, ...], **details: object) -> Contrast:
    settings: dict[str, object] = {
        "by": ((),),
        "test": "welch",
        "alpha": 0.05,
        "effect": "none",
        "adjust": "none",
        **details,
    }
    return Contrast(
        name,
        tuple(Cells(level=arm) for arm in arms),
        variable="arm",
        outcomes=outcomes,
        **settings,  # type: ignore[arg-type]
    )


# --- replies to openings, rated by people, a group of raters an arm -----------------------------


def load_replies(results: Path) -> Plan:
    """2,000 openings, three replies to each, 200 raters an arm with sixteen items of their own."""
    data = rows("empathetic_responding/ratings.csv")
    stimuli = tuple(
        Stimulus(id_ := row["dialog_id"], i, {"valence": row["sentiment"], "tone": row["emotion"]}, id_)
        for i, row in enumerate(data)
    )
    rubric = Scale(
        "RUBRIC",
        "How good the reply is",
        (Option(1), Option(2), Option(3)),
        (Item(1, "quality", "Is it good?"),),
        (
            Subscale("rating", "Rating", ItemValue(1)),
            Subscale("good", "Good", Comparison("is", ItemValue(1), Number(3))),
        ),
    )
    propensity = Scale(
        "PROPENSITY",
        "How the rater is",
        tuple(map(Option, range(5))),
        tuple(Item(i, str(i), f"Item {i}", reverse=i in REVERSED) for i in range(1, 17)),
        (Subscale("sum", "Propensity", Call("sum", tuple(map(ItemValue, range(1, 17))))),),
    )
    two = ("chatgpt_empathy", "human")
    the_plan = study(
        "replies",
        (rubric, propensity),
        stimuli,
        ("raters",),
        ("RUBRIC",),
        (
            between("good", two, GOOD, by=((), ("valence",), ("tone",)), test="chi_squared", effect="lift"),
            between("arms", ARMS, RATING, test="kruskal", omnibus=True),
            between("table", ARMS, RATING, test="chi_squared", effect="cramers_v", omnibus=True),
            between("clustered", two, GOOD, unit="respondent", effect="hedges_g"),
            between("openings", two, RATING, paired_by="stimulus", test="paired_t"),
        ),
        (
            Association(
                "reliable",
                "reliability",
                (Cells(),),
                (("arm",),),
                ("cronbach_alpha",),
                0.05,
                "respondent",
                outcomes=(Outcome("PROPENSITY", "sum"),),
            ),
        ),
    )
    register_plan(results, the_plan)
    store(results, the_plan.study, "raters", list(_replies(data)), kind="human")
    return the_plan


def _replies(data: list[dict[str, str]]) -> Iterator[Seen]:
    known = set()
    for row in data:
        for arm in ARMS:
            rater, levels = row[f"rater_{arm}"], {"arm": arm}
            rating = [float(row[f"rating_{arm}"])]
            yield Seen("rated", rating, subject=rater, stimulus=row["dialog_id"], levels=levels)
            if rater not in known:
                known.add(rater)
                own = [value + 2.0 for value in json.loads(row[f"empathy_arr_{arm}"])]
                yield Seen(None, own, subject=rater, levels=levels, scale="PROPENSITY")


# --- pairs of stories, rated by people and by programs -------------------------------------------

KINDS = ("empathy", "event", "emotion", "moral")
HALVES = tuple(Option(1 + k / 2) for k in range(7))


def load_similarity(results: Path) -> Plan:
    """400 pairs with four ratings of people, and two programs' scores as fields of the pair."""
    data = rows("story_similarity/test_set_scores.csv")
    scale = Scale(
        "PAIR",
        "How similar two stories are",
        HALVES,
        tuple(Item(i, kind, kind) for i, kind in enumerate(KINDS, start=1)),
        tuple(Subscale(kind, kind.title(), ItemValue(i)) for i, kind in enumerate(KINDS, start=1)),
    )
    stimuli = tuple(
        Stimulus(f"pairs.{i}", i, {"sbert": row["SBERT"], "bart": row["BART"]}) for i, row in enumerate(data)
    )
    scores = tuple(
        Association(
            name,
            "correlation",
            (Cells(level="rated", panel="people"), Cells(field=name)),
            ((),),
            ("pearson", "spearman"),
            0.05,
            "stimulus",
        )
        for name in ("sbert", "bart")
    )
    binned = Association(
        "binned",
        "agreement",
        (Cells(panel="people"), Cells(field="sbert")),
        ((),),
        ("accuracy", "macro_f1", "cohens_kappa"),
        0.05,
        "stimulus",
        cut=2.5,
    )
    the_plan = study("similarity", (scale,), stimuli, ("people",), ("PAIR",), (), (*scores, binned))
    register_plan(results, the_plan)
    seen = [
        Seen("rated", [float(row[f"similarity_{kind}_human_AGG"]) for kind in KINDS], stimulus=f"pairs.{i}")
        for i, row in enumerate(data)
    ]
    store(results, the_plan.study, "people", seen, kind="human")
    return the_plan


ASPECTS = ("event", "emotion", "empathy")
OF_ANNOTATORS: tuple[Coefficient, ...] = (
    "pairwise_pearson",
    "pairwise_spearman",
    "krippendorff_interval",
    "cohens_kappa",
    "ceiling",
)


def load_annotators(results: Path) -> Plan:
    """291 pairs, four annotators; each aspect also with half steps rounded up."""
    data = rows("story_similarity/urdu_annotations.csv")
    up = {i: Call("floor", (Arithmetic("+", ItemValue(i), Number(0.5)),)) for i in range(1, len(ASPECTS) + 1)}
    scale = Scale(
        "PAIR",
        "How similar two stories are",
        HALVES,
        tuple(Item(i, aspect, aspect) for i, aspect in enumerate(ASPECTS, start=1)),
        tuple(
            subscale
            for i, aspect in enumerate(ASPECTS, start=1)
            for subscale in (
                Subscale(aspect, aspect.title(), ItemValue(i)),
                Subscale(f"{aspect}_up", f"{aspect.title()}, rounded up", up[i]),
            )
        ),
    )
    stimuli = tuple(Stimulus(f"pairs.{i}", i, {}) for i in range(len(data)))
    agree = Association("agree", "agreement", (Cells(level="rated"),), ((),), OF_ANNOTATORS, 0.05, "stimulus")
    the_plan = study("annotators", (scale,), stimuli, ("four",), ("PAIR",), (), (agree,))
    register_plan(results, the_plan)
    seen = [
        Seen(
            "rated",
            [float(row[f"Person_{k}_{aspect}_score"]) for aspect in ASPECTS],
            subject=f"annotator-{k}",
            stimulus=f"pairs.{i}",
        )
        for i, row in enumerate(data)
        for k in range(1, 5)
    ]
    store(results, the_plan.study, "four", seen, kind="human")
    return the_plan
