"""The words of a report: numbers as people print them, settings as sentences."""

from __future__ import annotations

from schemas.plan import Contrast, Plan
from schemas.report import Direction, ReportRow

ARROWS: dict[Direction, str] = {"up": "↑", "down": "↓", "none": "–"}
TESTS = {
    "student": "Student's t test",
    "welch": "Welch's t test",
    "f_then_t": "F test of the variances (two-sided, 0.01), then Student's or Welch's t test",
    "paired_t": "paired t test within subjects",
}
EFFECTS = {"none": "", "cohens_d": "Cohen's d", "hedges_g": "Hedges' g", "paired_d": "d of the differences"}
EFFECT_SYMBOLS = {"none": "", "cohens_d": "d", "hedges_g": "g", "paired_d": "dz"}
CORRECTIONS = {
    "none": "no correction for the number of tests",
    "bonferroni": "p corrected by Bonferroni",
    "holm": "p corrected by Holm",
    "bh": "p corrected by Benjamini and Hochberg",
}


def settings(contrast: Contrast) -> str:
    """What was tested and how, defaults included."""
    follows = "corrected p" if contrast.direction_by == "p_adjusted" and contrast.adjust != "none" else "p"
    parts = [
        f"{contrast.a} minus {contrast.b}, in points of the subscale",
        f"{TESTS[contrast.test]}, two-sided",
        CORRECTIONS[contrast.adjust]
        + ("" if contrast.adjust == "none" else " over the groups of one kind, per panel and subscale"),
        f"an arrow where the {follows} is below {contrast.alpha:g}",
        "paired by respondent" if contrast.paired_by else "the two sides taken as independent",
    ]
    if contrast.effect != "none":
        parts.append(f"{EFFECT_SYMBOLS[contrast.effect]} is {EFFECTS[contrast.effect]}")
    return "; ".join(parts) + "."


def change(row: ReportRow) -> str:
    """The estimate with its arrow."""
    return "n/a" if row.estimate is None else f"{ARROWS[row.direction]} {signed(row.estimate)}"


def signed(value: float) -> str:
    """One decimal, with its sign; what rounds to nothing has none."""
    text = f"{value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def spread(mean: float | None, sd: float | None) -> str:
    """Mean ± standard deviation."""
    if mean is None:
        return "n/a"
    return f"{mean:.1f} ± {sd:.1f}" if sd is not None else f"{mean:.1f}"


def p_value(row: ReportRow) -> str:
    """p, corrected where the contrast corrects; without the leading zero, as journals print it."""
    p = row.p if row.p_adjusted is None else row.p_adjusted
    if p is None:
        return "n/a"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def effect(row: ReportRow) -> str:
    return "n/a" if row.effect_size is None else f"{row.effect_size:.2f}"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: 1 trial, 1,800 trials."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


class Titles:
    """What a reader calls the things whose ids stand in rows."""

    def __init__(self, plan: Plan) -> None:
        self._emotions = {s.emotion: s.emotion_title for s in plan.stimuli}
        self._factors = {(s.emotion, s.factor): s.factor_title for s in plan.stimuli}
        self._places = {(s.emotion, s.factor_index): s.factor for s in plan.stimuli}
        self._subscales = {
            (scale.id, subscale.id): subscale.title for scale in plan.scales for subscale in scale.subscales
        }
        self._scale_of = {subscale: scale for scale, subscale in self._subscales}
        self.panels = {one.id: one.title for one in plan.responses}
        self.panels |= {model.id: model.title or model.id for model in plan.models}

    def emotion(self, emotion: str) -> str:
        return self._emotions.get(emotion, emotion)

    def factor(self, emotion: str, factor: str) -> str:
        return self._factors.get((emotion, factor), factor)

    def factor_at(self, emotion: str, index: int) -> str:
        """The title of an emotion's factor by its place, from 0."""
        return self.factor(emotion, self._places.get((emotion, index), f"factor {index}"))

    def subscale(self, subscale: str, scale: str | None = None) -> str:
        owner = scale or self._scale_of.get(subscale, "")
        return self._subscales.get((owner, subscale), subscale)

    def group(self, row: ReportRow) -> str:
        """A row's group, as its label."""
        if row.factor is not None and row.emotion is not None:
            parts = [self.factor(row.emotion, row.factor)]
        else:
            parts = [self.emotion(row.emotion)] if row.emotion is not None else []
        parts += [f"{name} {value}" for name, value in row.groups.items()]
        return ", ".join(parts) or "Overall"
