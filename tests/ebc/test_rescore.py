"""ebc rescore: kept replies read again, whatever ends the process meanwhile."""

from __future__ import annotations

import errno
import gc
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import runtime.panel
from ebc.cli import main
from runtime.journal import Journal
from runtime.lock import held
from runtime.reading import Reading, read, without_values
from schemas.render import Shown
from tests.ebc.pride import SPEC
from warehouse import layout
from warehouse.query import query
from warehouse.rewriting import numbers, stored

RESULTS = Path("results")
REFUSING = SPEC.replace('name "a robot"', 'name "a robot"  refuse 0.4').replace("orders 2", "orders 4")
REFUSING = REFUSING.replace("evoked - default {", "evoked - default per response {")


def worse(text: str, shown: Shown, **_: Any) -> Reading:
    """A reader of an earlier day: it takes refusals for noise, and sees no list that begins with a 2."""
    reading = read(text, shown)
    if reading.status == "refused":
        return without_values(reading, "unparseable", "no answer was found")
    if text.startswith("1. 2"):
        return without_values(reading, "partial", "it was not found")
    return reading


@pytest.fixture
def read_badly(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Results of two parts, read by the earlier reader; in `right`, as today's reads them."""
    Path("pride.eb").write_text(REFUSING, encoding="utf-8")
    with monkeypatch.context() as earlier:
        earlier.setattr(runtime.panel, "read", worse)
        assert main(["run", "pride.eb", "--limit", "5"]) == 1
        assert main(["run", "pride.eb"]) == 0
    shutil.copytree("results", "right")
    assert main(["rescore", "pride", "--results", "right"]) == 0
    capsys.readouterr()
    return folder


def rows(sql: str, results: Path = RESULTS) -> list[dict[str, Any]]:
    return query(results, sql).table().to_pylist()


def readings(results: Path = RESULTS) -> list[dict[str, Any]]:
    """Every answer with its response, each as often as it stands there."""
    return rows("SELECT * FROM responses LEFT JOIN answers USING (response) ORDER BY ALL", results)


def run_of(results: Path = RESULTS) -> str:
    return str(rows("SELECT run FROM runs", results)[0]["run"])


def touched(results: Path) -> dict[str, tuple[int, int]]:
    """Each file of the tables, by when it was written and which it is."""
    return {
        path.as_posix(): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in results.rglob("*")
        if path.is_file() and path.parent.name != "journal"
    }


def test_replies_are_read_again_and_scores_follow(
    read_badly: Path, capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    scored = "SELECT count(score) AS n FROM scores"
    before = rows(scored)[0]["n"]
    assert main(["rescore", "pride"]) == 0
    said = capsys.readouterr()
    golden("rescore.txt", said.out)
    assert said.err == ""
    counts = {row["status"]: row["n"] for row in rows("SELECT status, count(*) AS n FROM responses GROUP BY 1")}
    assert counts == {"complete": 7, "refused": 5}
    assert rows(scored)[0]["n"] == 14 > before
    told = rows("SELECT text, status, value, reason, choice FROM responses JOIN answers USING (response)")
    assert all((row["value"] is None) == (row["reason"] is not None) for row in told)
    assert {row["reason"] for row in told if row["status"] == "refused"} == {"the reply declines"}
    assert main(["report", "pride", "--format", "json"]) == 0
    [positive, _] = json.loads(capsys.readouterr().out)["rows"]
    assert positive["a_n"] + positive["b_n"] == 7


def test_what_is_read_alike_is_not_touched(read_badly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = Path("right")
    before = touched(right)
    assert main(["rescore", "pride", "--results", "right"]) == 0
    assert capsys.readouterr().out == "robot: 12 replies read again; nothing changed.\n"
    assert touched(right) == before


def test_json_says_what_changed_and_a_dry_run_writes_nothing(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = touched(RESULTS)
    assert main(["rescore", "pride", "--dry-run", "--format", "json"]) == 0
    [said] = json.loads(capsys.readouterr().out)
    assert touched(RESULTS) == before
    assert said["written"] is False
    assert main(["rescore", "pride", "--format", "json"]) == 0
    [done] = json.loads(capsys.readouterr().out)
    assert done == {**said, "written": True}
    refused, seen = ({"from": "unparseable", "to": "refused"}, {"from": "partial", "to": "complete"})
    assert {**refused, "replies": 5} in done["statuses"]
    lost_before = next(one["replies"] for one in done["statuses"] if one["from"] == seen["from"])
    assert done["values"] == {"gained": 20 * lost_before, "lost": 0, "changed": 0}
    assert (done["replies"], done["changed"], done["reasons"]) == (12, 5 + lost_before, 100)
    assert len(done["trials"]) == done["changed"]
    assert readings() == readings(Path("right"))


class Killed(BaseException):
    """The process is gone."""


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Rescores, and ends before the `step`th change of the disk: nothing that comes later reaches it. Whether
    the process was ended."""
    done = 0

    def guarded(change: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal done
            done += 1
            if done >= step:
                raise Killed
            return change(*arguments, **named)

        return call

    with monkeypatch.context() as dying:
        for verb in ("replace", "unlink", "touch"):
            dying.setattr(Path, verb, guarded(getattr(Path, verb)))
        try:
            assert main(["rescore", "pride"]) == 0
        except Killed:
            ended = True
        else:
            ended = False
    gc.collect()  # its lock goes with it, as a process's would
    return ended


def test_killed_at_any_step_nothing_is_lost_or_doubled_and_the_next_command_ends_it(
    read_badly: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Odd steps are followed by the same command, even ones by a run."""
    shutil.copytree("results", "before")
    old, right, run = readings(), readings(Path("right")), run_of()
    ended = []
    for step in range(1, 100):
        shutil.rmtree("results")
        shutil.copytree("before", "results")
        if not killed_at(step, monkeypatch):
            break
        now, begun = readings(), layout.is_replacing(RESULTS, run)
        assert [(row["response"], row["item"]) for row in now] == [
            (row["response"], row["item"]) for row in old
        ]
        assert begun or now in (old, right)
        if begun:
            capsys.readouterr()
            assert main(["report", "pride"]) == 0
            assert "`ebc rescore pride` ends what it began" in capsys.readouterr().err
        assert main(["rescore", "pride"] if step % 2 else ["run", "pride.eb"]) == 0
        assert readings() == right or (step % 2 == 0 and not begun and readings() == old)
        assert not [path for path in RESULTS.rglob("*") if path.suffix in (".new", ".tmp", ".replacing")]
        ended.append(begun)
    assert readings() == right
    assert ended.count(True) >= 4
    assert ended.count(False) >= 5


@pytest.mark.parametrize("writes", range(5))
def test_a_full_disk_leaves_the_old_readings(
    writes: int, read_badly: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk has room for so many files: two parts need four, and one more says that they count."""
    before, sync, done = readings(), layout._sync, []

    def full(path: Path) -> None:
        done.append(path)
        if len(done) > writes:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(path)

    with monkeypatch.context() as crowded:
        crowded.setattr(layout, "_sync", full)
        assert main(["rescore", "pride"]) == 1
    said = capsys.readouterr().err
    assert "No space left on device. What was stored before is untouched." in said
    assert said.count("\n") == 1
    assert readings() == before
    assert not [path for path in RESULTS.rglob("*") if path.suffix in (".new", ".tmp", ".replacing")]
    assert main(["rescore", "pride"]) == 0
    assert readings() == readings(Path("right"))


def test_a_run_at_work_is_left_alone(read_badly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = readings()
    with held(RESULTS / "journal", run_of()):
        assert main(["rescore", "pride"]) == 1
    said = capsys.readouterr()
    assert "is working on this run" in said.err
    assert said.out == ""
    assert readings() == before


def test_replies_that_are_still_in_the_journal_are_taken_in_first(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, right = run_of(), readings(Path("right"))
    first, last = numbers(RESULTS, run)
    waiting = list(stored(RESULTS, run, last))
    journal = Journal(RESULTS / "journal", run, first, lambda _: None, lambda _: None)
    journal.append(*waiting)
    journal.close()
    for table in layout.APPENDED:
        layout.part(RESULTS, table, f"{run}.{last}").unlink()
    assert len(readings()) < len(right)
    assert main(["rescore", "pride"]) == 0
    assert readings() == right
    assert not list((RESULTS / "journal").glob("*.jsonl"))


def test_replies_to_what_a_study_no_longer_asks_are_read_too(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pride.eb").write_text(REFUSING.replace("has risen", "is flat"), encoding="utf-8")
    assert main(["run", "pride.eb", "--limit", "1"]) == 1
    capsys.readouterr()
    assert main(["rescore", "pride"]) == 0
    assert "robot: 13 replies read again; " in capsys.readouterr().out
    assert {row["status"] for row in rows("SELECT status FROM responses")} == {"complete", "refused"}


def test_replies_of_a_plan_that_is_not_kept_stay_as_they_are(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = readings()
    [kept] = (RESULTS / "plans").iterdir()
    (kept / "trials.parquet").unlink()
    assert main(["rescore", "pride"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("robot: 0 replies read again, 12 left as they are: the plan that asked them is not")
    assert readings() == before


def test_the_newest_run_is_read_and_an_older_one_where_it_is_named(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = run_of()
    assert main(["run", "pride.eb", "--fresh"]) == 0
    capsys.readouterr()
    assert main(["rescore", "pride"]) == 0
    assert capsys.readouterr().out == "robot: 12 replies read again; nothing changed.\n"
    assert main(["rescore", "pride", "--run", older, "--dry-run"]) == 0
    assert "changed (nothing was written)." in capsys.readouterr().out
    assert main(["rescore", "pride", "--run", "none"]) == 2
    assert "pride has no run none." in capsys.readouterr().err


def test_values_from_a_data_file_are_no_replies(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = ["id", *(f"i{k}" for k in range(1, 21))]
    lines = [header, ["ann", *["3"] * 20]]
    Path("people.csv").write_text("\n".join(",".join(line) for line in lines) + "\n", encoding="utf-8")
    assert main(["import", "responses", "recorded.eb"]) == 0
    capsys.readouterr()
    assert main(["rescore", "pride"]) == 2
    assert "of people, values were imported, not replies" in capsys.readouterr().err
    assert main(["rescore", "anger"]) == 2
    assert "there is no study anger" in capsys.readouterr().err


def test_answers_that_belong_to_other_responses_are_told(
    read_badly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of()
    first, last = (layout.part(RESULTS, "answers", f"{run}.{number}") for number in numbers(RESULTS, run))
    shutil.copy(last, first)
    assert main(["rescore", "pride"]) == 1
    assert "holds answers of the response" in capsys.readouterr().err
    assert not list(RESULTS.rglob("*.new"))
