"""Simulated respondents: the effect that is stated is the effect that is found."""

from __future__ import annotations

import asyncio
from statistics import mean, stdev

import msgspec
import pytest

from runtime.panel import Panel
from runtime.reading import read
from runtime.transport import Rejected, Reply, Request
from runtime.transports.simulated import Simulated
from schemas.plan import Model
from tests.runtime.plans import model, plan, trials


def asked(who: Model, situations: int = 300) -> list[tuple[Request, Reply]]:
    """Every trial's request and reply."""
    of = plan(situations, who)
    panel = Panel(of, who, "run")
    requests = [panel.request(trial) for trial in trials(of)]

    async def main() -> list[Reply]:
        return [await Simulated().answer(request) for request in requests]

    return list(zip(requests, asyncio.run(main()), strict=True))


def values(who: Model, item: int, condition: str = "evoked", situations: int = 300) -> list[float]:
    """An item's values in one condition."""
    found = []
    for request, reply in asked(who, situations):
        if request.condition == condition:
            reading = read(reply.text or "", request.shown)
            found += [v.value for v in reading.values if v.number == item and v.value is not None]
    return found


def test_the_stated_mean_and_spread_are_found() -> None:
    who = model("simulated", baseline={"MOODS.good": 3.0}, spread=0.5)
    drawn = values(who, 1)
    assert mean(drawn) == pytest.approx(3.0, abs=0.1)
    assert stdev(drawn) == pytest.approx((0.5**2 + 1 / 12) ** 0.5, abs=0.08)


def test_a_situation_moves_items_by_the_stated_effect_in_their_own_direction() -> None:
    plain = model("simulated", baseline={"MOODS.bad": 3.0})
    moved = model("simulated", baseline={"MOODS.bad": 3.0}, effect={"MOODS.bad": 1.0})
    assert mean(values(moved, 2)) - mean(values(plain, 2)) == pytest.approx(1.0, abs=0.15)
    assert mean(values(moved, 5)) - mean(values(plain, 5)) == pytest.approx(-1.0, abs=0.15)
    assert mean(values(moved, 1)) == mean(values(plain, 1))
    assert values(moved, 2, "default", 1) == values(plain, 2, "default", 1)


def test_values_stay_within_the_options() -> None:
    who = model("simulated", baseline={"MOODS.good": 5.0}, effect={"MOODS.good": 9.0}, spread=3.0)
    drawn = set(values(who, 1)) | set(values(who, 1, "default", 40))
    assert drawn <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_a_reply_depends_on_seed_and_trial_alone() -> None:
    first, again = asked(model("simulated"), 20), asked(model("simulated"), 20)
    assert [reply for _, reply in first] == [reply for _, reply in again]
    other = asked(model("simulated", seed=7), 20)
    assert [reply for _, reply in first] != [reply for _, reply in other]
    elsewhere = msgspec.structs.replace(first[0][0], trial_key="another")
    assert asyncio.run(Simulated().answer(elsewhere)) != first[0][1]


def test_so_many_replies_are_refusals() -> None:
    who = model("simulated", refuse=0.25)
    replies = asked(who)
    refused = [read(reply.text or "", request.shown).status == "refused" for request, reply in replies]
    assert mean(refused) == pytest.approx(0.25, abs=0.06)
    complete = [read(reply.text or "", request.shown).status == "complete" for request, reply in replies]
    assert sum(refused) + sum(complete) == len(replies)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"refuse": 2}, "it is a share, from 0 to 1"),
        ({"spread": "wide"}, "must be a number"),
        ({"effect": 3}, "must name subscales"),
        ({"effect": {"MOODS.bda": 3}}, "effect names MOODS.bda; there are MOODS.bad, MOODS.good"),
        ({"baseline": {"MOODS.bad": "high"}}, "must be a number"),
    ],
)
def test_settings_that_make_no_sense_are_said(settings: dict[str, object], message: str) -> None:
    who = msgspec.structs.replace(model("simulated"), settings=settings)
    with pytest.raises(Rejected, match=message):
        asked(who, 1)
