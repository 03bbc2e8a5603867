"""What a reader calls the things whose ids stand in rows."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.plan import Outcome, Plan
from schemas.report import ReportRow

LARGE = 10


class Titles:
    """What a reader calls the things whose ids stand in rows."""

    def __init__(self, plan: Plan, rows: Sequence[ReportRow]) -> None:
        self._emotions = {s.emotion: s.emotion_title or s.emotion for s in plan.stimuli if s.emotion}
        self._factors = {(s.emotion, s.factor): s.factor_title or s.factor for s in plan.stimuli if s.factor}
        self._places = {(s.emotion, s.factor_index): s.factor for s in plan.stimuli if s.factor}
        self._subscales = {
            (scale.id, subscale.id): subscale.title for scale in plan.scales for subscale in scale.subscales
        }
        self._scale_of = {subscale: scale for scale, subscale in self._subscales}
        self.panels = {one.id: one.title for one in plan.responses}
        self.panels |= {model.id: model.title or model.id for model in plan.models}

        self._large = {
            (row.scale, row.subscale)
            for row in rows
            for mean in (row.a_mean, row.b_mean)
            if mean is not None and abs(mean) >= LARGE
        }

    def decimals(self, outcome: Outcome) -> int:
        """How many decimals means of a subscale have: one where some reach ten, else two."""
        return 1 if (outcome.scale, outcome.subscale) in self._large else 2

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
