"""ebc show: one trial, from its request to its scores."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from ebc.marking import marked_lines
from runtime.journal import Journal
from runtime.reading import ReadValue
from tests.ebc.serving import served
from tests.ebc.test_cli_served import served_spec
from warehouse import layout
from warehouse.query import query
from warehouse.rewriting import stored

RESULTS = Path("results")
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def ids(where: str = "true") -> list[str]:
    sql = f"SELECT trial FROM trials LEFT JOIN responses r USING (trial) WHERE {where} ORDER BY r.asked, trial"
    return [str(row["trial"]) for row in query(RESULTS, sql).table().to_pylist()]


def show(name: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main(["show", name, *more]) == 0
    return capsys.readouterr().out


def shown(name: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(show(name, capsys, "--format", "json"))


def without_times(text: str) -> str:
    """What is the same on every machine."""
    text = re.sub(r"(?m)^(time +)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, [\d.]+ s$", r"\1WHEN", text)
    return re.sub(r"\b[0-9a-f]{32}\b", "ID", re.sub(r"http://[\d.:]+", "ADDRESS", text))


def answers(content: str, **more: Any) -> dict[str, Any]:
    """A reply of the server, in the provider's form."""
    choice = {"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": content}, **more}
    return {"reply": {"choices": [choice]}}


REST = "\n".join(f"{number}. 2" for number in range(6, 21))
ODD = [
    answers(f"Sure\x1b[2J\u202e!\r\n1. 4\n2. ⟦9→1⟧\n3. 2 or 3\n4. 4 (quite a bit)\n5.\t5\n{REST}"),
    answers("I'm sorry, but as an AI I have no feelings.\x9b31m"),
    answers("1. 3\n2. 2", finish_reason="length"),
    {"status": 400, "error": {"message": "this prompt is not\x1b[31m to our taste"}},
]


@pytest.fixture
def odd(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """A study that a server has answered in odd ways; the trials in the order in which they were asked."""
    with served(folder / "log", faults=ODD) as url:
        served_spec(folder, url)
        assert main(["run", "served.eb", "--connections", "1"]) == 1
        capsys.readouterr()
    return ids()


def test_a_trial_is_shown_from_its_request_to_its_scores(
    odd: list[str], capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    texts = [without_times(show(trial, capsys)) for trial in odd[:4]]
    assert not [text for text in texts if STEERING.search(text)]
    golden("show.txt", "\n".join((texts[0], texts[3])))
    assert "\nattempt    0: refused, response ID\n" in texts[1]
    assert "\n[reply]\n  I'm sorry, but as an AI I have no feelings.\ufffd31m\n[values]\n" in texts[1]
    assert "\n  1. ⟦3|1→3⟧\n  2. 2\n" in texts[2]


def test_json_has_the_same_and_steers_no_terminal(odd: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = show(odd[1], capsys, "--format", "json")
    assert not STEERING.search(text)
    [refused] = json.loads(text)["responses"]
    assert (refused["status"], refused["text"]) == (
        "refused",
        "I'm sorry, but as an AI I have no feelings.\x9b31m",
    )
    whole = shown(odd[0], capsys)
    assert [message["role"] for message in whole["request"]["messages"]] == ["system", "user"]
    [response] = whole["responses"]
    assert response["request_sent"]["model"] == "gpt"
    assert response["read_otherwise_today"] is False
    for answer in response["answers"]:
        if answer["value"] is None:
            assert answer["reason"]
            assert answer["span"] is None
        else:
            begin, end = answer["span"]
            assert response["text"][begin:end] == str(int(answer["value"]))
    assert [score["n_missing"] for score in whole["scores"]] == [1, 1]


def test_every_attempt_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(folder / "log", faults=ODD[3:]) as url:
        served_spec(folder, url)
        assert main(["run", "served.eb", "--connections", "1"]) == 1
        assert main(["run", "served.eb"]) == 0
    capsys.readouterr()
    [trial] = ids("attempt = 1")
    attempts = shown(trial, capsys)["responses"]
    assert [one["status"] for one in attempts] == ["error", "complete"]
    assert "not\x1b[31m to our taste" in attempts[0]["error"]
    assert shown(attempts[1]["response"][:20], capsys)["trial"] == trial


def test_on_a_terminal_marks_are_coloured(
    odd: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured = show(odd[0], capsys)
    assert "\x1b[1;32m⟦4|1→4⟧\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert re.sub("\x1b\\[(?:1;32|0)m", "", coloured) == show(odd[0], capsys)


def test_beginnings_of_ids(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pride = Path("pride.eb").read_text(encoding="utf-8")
    Path("pride.eb").write_text(pride.replace("orders 2", "orders 6"), encoding="utf-8")
    assert main(["run", "pride.eb"]) == 0
    capsys.readouterr()
    trials = ids()
    assert len({trial[0] for trial in trials}) < len(trials) == 18
    assert show(trials[0][:8].upper(), capsys) == show(trials[0], capsys)
    several = next(trial[0] for trial in trials if sum(one[0] == trial[0] for one in trials) > 1)
    assert main(["show", several]) == 2
    said = capsys.readouterr().err
    assert re.match(rf"ebc: \d ids begin with {several}: ", said)
    assert said.count("\n") == 1
    assert main(["show", "xyz"]) == 2
    assert "no trial and no response in results begins with xyz" in capsys.readouterr().err


def test_a_trial_without_an_answer_and_one_in_the_journal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "pride.eb", "--limit", "1"]) == 1
    answered, waiting = ids("response IS NOT NULL"), ids("response IS NULL")
    capsys.readouterr()
    assert "\nno answer yet\n" in show(waiting[0], capsys)
    [path] = layout.parts(RESULTS, "responses")
    run, number, _ = path.name.split(".")
    kept = list(stored(RESULTS, run, int(number)))
    journal = Journal(RESULTS / "journal", run, int(number), lambda _: None, lambda _: None)
    journal.append(*kept)
    journal.close()
    assert len(shown(answered[0], capsys)["responses"]) == 1
    for table in layout.APPENDED:
        layout.part(RESULTS, table, f"{run}.{number}").unlink()
    assert len(shown(answered[0], capsys)["responses"]) == 1


def test_what_a_study_no_longer_asks_and_what_no_plan_tells(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "pride.eb"]) == 0
    trial = ids("stimulus = 'pride.craft.1'")[0]
    pride = Path("pride.eb").read_text(encoding="utf-8")
    Path("pride.eb").write_text(pride.replace("has risen", "is flat"), encoding="utf-8")
    assert main(["run", "pride.eb"]) == 0
    capsys.readouterr()
    said = show(trial, capsys)
    assert "Your bread has risen." in said
    assert "scores     none: the study no longer asks this" in said
    for path in (RESULTS / "plans").iterdir():
        (path / "plan.json").unlink()
    said = show(trial, capsys)
    assert "request    not known: the plan that asked it is not kept" in said
    assert "⟦" not in said
    assert re.search(r"(?m)^    1  item \d+ +\d", said)


def test_recorded_values_were_asked_elsewhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [["id", *(f"i{k}" for k in range(1, 21))], ["ann\x1b[2J", *["3"] * 19, ""]]
    Path("people.csv").write_text("\n".join(",".join(line) for line in lines) + "\n", encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 0
    capsys.readouterr()
    said = show(ids()[0], capsys)
    assert "request    none: these values were recorded elsewhere, and imported from a data file" in said
    assert "respondent ann\ufffd[2J" in said
    assert re.search(r"(?m)^   20  item 20 +-  afraid: ", said)
    assert shown(ids()[0], capsys)["request"] is None


def test_what_is_read_otherwise_today_is_told_and_not_marked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from runtime import panel
    from runtime.reading import read, without_values

    with monkeypatch.context() as earlier:
        earlier.setattr(
            panel, "read", lambda text, shown, **_: without_values(read(text, shown), "partial", "not found")
        )
        assert main(["run", "pride.eb"]) == 0
    capsys.readouterr()
    said = show(ids()[0], capsys)
    assert "note: today this reply would be read otherwise: see `ebc rescore pride --dry-run`." in said
    assert "⟦" not in said
    assert main(["rescore", "pride"]) == 0
    capsys.readouterr()
    assert "⟦" in show(ids()[0], capsys)


def value(position: int, code: float, start: int, end: int) -> ReadValue:
    return ReadValue(position, position, code, None, (start, end))


def test_marks_of_several_items_at_one_place_and_of_several_lines() -> None:
    values = [value(2, 3.0, 0, 5), value(1, 3.0, 0, 5), value(3, 4.0, 4, 7), value(4, 2.0, 13, 14)]
    assert marked_lines("all 3\n4 then 2.", values, str) == ["⟦all 3", "4|1+2→3, 3→4⟧ then ⟦2|4→2⟧."]
