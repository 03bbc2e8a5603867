"""Repeats as choices of one request: split, shared out, never asked twice. The server's log is the judge."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime import journal as journal_module
from runtime.execute import run_panel_async
from runtime.folding import Due, Pending, Queue, shares, split
from runtime.interrupt import Stop
from runtime.journal import Journal, JournalFault, records
from runtime.outcome import Outcome
from runtime.transports.openai import OpenAI
from schemas.plan import Price
from schemas.rows import ResponseRow
from tests.runtime.asking_openai import QUICK, WITH_KEY, Notes, always
from tests.runtime.plans import FileSink, model, plan, planned, trials
from tests.runtime.server import PLAIN, Endpoint, Fault, Script, Server, no_faults
from tests.runtime.server_log import paid_twice, tallies
from tests.runtime.test_journal import record

SITUATIONS, REPEATS = 4, 7
QUESTIONS = (SITUATIONS + 1) * 2
TRIALS = QUESTIONS * REPEATS
PRICE = Price(input=2.0, output=8.0, cached=0.5)


@given(st.integers(0, 10**9), st.lists(st.integers(0, 5000), min_size=1, max_size=40))
def test_shares_add_up_and_are_as_near_as_whole_numbers_can_be(total: int, weights: list[int]) -> None:
    found = [one for one in shares(total, weights) if one is not None]
    assert sum(found) == total
    whole = sum(weights)
    for share, weight in zip(found, weights, strict=True):
        assert abs(share - (total * weight / whole if whole else total / len(weights))) < 1 + 1e-9 * total


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 40))
def test_no_share_has_more_cached_tokens_than_tokens(tokens: int, cached: int, choices: int) -> None:
    pairs = zip(shares(tokens, [1] * choices), shares(min(cached, tokens), [1] * choices), strict=True)
    assert all(one is not None and other is not None and other <= one for one, other in pairs)


def test_what_is_not_said_has_no_shares() -> None:
    assert shares(None, [1, 2]) == [None, None]
    assert shares(5, [0, 0]) == [3, 2]


def test_repeats_stay_together_and_nothing_else_does() -> None:
    several = trials(plan(2, model(), repeats=5))
    queue = Queue(iter([Due(trial, 0) for trial in several]))
    taken = []
    while (pending := queue.take(3)) is not None:
        taken.append(pending)
    assert [one.trial for pending in taken for one in pending.due] == several
    assert [len(pending.due) for pending in taken] == [3, 2] * 6
    assert all(len({one.trial.request_key for one in pending.due}) == 1 for pending in taken)


def test_what_is_put_back_comes_first_and_in_its_order() -> None:
    dues = [Due(trial, 0) for trial in trials(plan(0, model(), repeats=4))]
    queue = Queue(iter(dues[4:]))
    queue.put_back(Pending(tuple(dues[:4]), tries=2))
    assert [queue.take(2), queue.take(9)] == split(Pending(tuple(dues[:4]), tries=2), 2)
    assert queue.take(9) == Pending(tuple(dues[4:]))
    assert queue.take(9) is None


def run(
    folder: Path, script: Script = no_faults, endpoint: Endpoint = PLAIN, connections: int = 4
) -> tuple[Outcome, Server, list[ResponseRow], Notes]:
    """A run of so many repeats, its rows, and what was told."""

    async def main() -> tuple[Outcome, Server, list[ResponseRow], Notes]:
        async with Server(script, folder / "log", endpoint=endpoint) as server:
            who = msgspec.structs.replace(model("openai", base_url=server.url), price=PRICE)
            of = plan(SITUATIONS, who, repeats=REPEATS)
            sink, notes = FileSink(folder / "sink"), Notes()
            retry = msgspec.structs.replace(QUICK.retry, tries=12)
            settings = msgspec.structs.replace(QUICK, max_connections=connections, retry=retry)
            outcome = await run_panel_async(
                *(of, planned(of), who, OpenAI(who, WITH_KEY, 4), sink, folder / "journal", "run", sink.newest),
                *(settings, notes, None, Stop()),
            )
            return outcome, server, [one.response for one in sink.answers()], notes

    return asyncio.run(main())


def test_repeats_are_one_request_and_one_row_a_trial(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 41, "prompt_tokens_details": {"cached_tokens": 64}}
    outcome, server, rows, _ = run(tmp_path, always({"reply": {"usage": usage}}))
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    assert [body["n"] for body in server.bodies] == [REPEATS] * QUESTIONS
    assert len({row.trial for row in rows}) == len(rows) == TRIALS
    assert {json.loads(row.request_sent or "")["n"] for row in rows} == {REPEATS}
    assert len({row.text for row in rows}) == 2 * 5  # of each order, the server's five choices
    assert sum(row.tokens_in or 0 for row in rows) == QUESTIONS * 100
    assert sum(row.tokens_out or 0 for row in rows) == QUESTIONS * 41
    assert sum(row.tokens_cached or 0 for row in rows) == QUESTIONS * 64
    dollars = (36 * 2 + 64 * 0.5 + 41 * 8) / 1e6
    assert sum(row.cost or 0 for row in rows) == pytest.approx(QUESTIONS * dollars)
    assert paid_twice(server.log.events, REPEATS) == {}


@pytest.mark.parametrize(
    ("endpoint", "told", "requests"),
    [
        (Endpoint(refuses=("n",)), "refuses n", TRIALS + 1),
        (Endpoint(most_choices=1), "gives one reply where several are asked for", TRIALS),
        (Endpoint(most_choices=3), "gives at most 3 replies", QUESTIONS * 3),
    ],
)
def test_an_endpoint_that_gives_fewer_is_asked_for_the_rest_only(
    tmp_path: Path, endpoint: Endpoint, told: str, requests: int
) -> None:
    outcome, server, rows, notes = run(tmp_path, endpoint=endpoint, connections=1)
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    assert len(server.bodies) == requests
    assert len([note for note in notes.notes if told in note]) == len(notes.notes) == 1
    assert len({row.trial for row in rows}) == len(rows) == TRIALS
    assert {one.answered for one in tallies(server.log.events, REPEATS).values()} == {REPEATS}
    assert paid_twice(server.log.events, REPEATS) == {}


def test_a_complaint_that_names_the_most_choices_is_believed(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        said = f"'n' must be between 1 and 2, not {body.get('n')}."
        return {"status": 400, "error": {"message": said, "param": "n"}} if body.get("n", 1) > 2 else None

    outcome, server, rows, notes = run(tmp_path, script, connections=1)
    assert (outcome.state, len(rows)) == ("finished", TRIALS)
    assert len(server.bodies) == 1 + QUESTIONS * -(-REPEATS // 2)
    assert [note for note in notes.notes if "at most 2 replies" in note] == notes.notes
    assert len(notes.notes) == 1
    assert paid_twice(server.log.events, REPEATS) == {}


def test_a_complaint_that_nobody_understands_leads_to_single_requests(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return {"status": 400, "error": {"message": "Bad shape."}} if body.get("n", 1) > 1 else None

    outcome, server, rows, _ = run(tmp_path, script)
    assert (outcome.state, len(rows)) == ("finished", TRIALS)
    assert paid_twice(server.log.events, REPEATS) == {}


def test_faults_lose_and_double_no_choice(tmp_path: Path) -> None:
    faults: list[Fault | None] = [{"status": 429}, {"drop": True}, {"status": 500}, {"half": True}, None, None]
    outcome, server, rows, _ = run(tmp_path, lambda number, _: faults[number * 5 % 6])
    assert (outcome.state, outcome.counts) == ("finished", {"complete": TRIALS})
    assert len({row.trial for row in rows}) == len(rows) == TRIALS
    assert paid_twice(server.log.events, REPEATS) == {}


def test_a_broken_choice_alone_is_asked_again(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        if number:
            return None
        whole = [{"finish_reason": "stop", "message": {"content": "1. 3"}}] * (REPEATS - 1)
        return {"reply": {"choices": [{"finish_reason": "error", "error": {"message": "fell over"}}, *whole]}}

    outcome, server, rows, _ = run(tmp_path, script)
    assert (outcome.state, len(rows)) == ("finished", TRIALS)
    assert Counter(body.get("n", 1) for body in server.bodies) == {REPEATS: QUESTIONS, 1: 1}


def test_a_question_that_is_never_answered_has_a_row_for_each_repeat(tmp_path: Path) -> None:
    def script(number: int, body: dict[str, Any]) -> Fault | None:
        return {"status": 500} if "Situation 2." in body["messages"][0]["content"] else None

    outcome, _, rows, _ = run(tmp_path, script)
    assert outcome.counts == {"complete": TRIALS - 2 * REPEATS, "error": 2 * REPEATS}
    assert sum(row.status == "error" for row in rows) == 2 * REPEATS
    again, server, rows, _ = run(tmp_path)
    assert (again.state, again.asked, again.kept) == ("finished", 2 * REPEATS, TRIALS - 2 * REPEATS)
    assert [body["n"] for body in server.bodies] == [REPEATS] * 2


def test_the_rows_of_one_reply_reach_the_journal_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def full(file: int, data: bytes) -> int:
        if os.fstat(file).st_size + len(data) > 3000:
            write(file, bytes(data)[:100])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    monkeypatch.setattr(journal_module.os, "write", full)
    journal = Journal(tmp_path, "run", 0, durable=[].append, fault=[].append)
    three = [record(number) for number in range(3)]
    journal.append(*three)
    with pytest.raises(JournalFault, match="No space left"):
        journal.append(*[record(number) for number in range(3, 9)])
    monkeypatch.undo()
    assert list(records(journal.close(), [])) == three
