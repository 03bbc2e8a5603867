"""The view `scores`: by hand, and in the plain duckdb program."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import duckdb
import msgspec
import pytest

from schemas.plan import Arithmetic, Call, Item, ItemValue, Number, Stimulus, Subscale
from tests.warehouse.builder import MOMENT, Seen, answered, contrast, pair_scale, plan, store
from warehouse import catalog
from warehouse.parquet import ParquetSink
from warehouse.register import register_plan

QUERY = "SELECT trial, subscale, score, n_missing FROM scores ORDER BY trial, subscale"


def scores(results: Path) -> list[tuple[object, ...]]:
    with catalog.connect(results) as connection:
        return catalog.fetch(connection, results, QUERY)


@pytest.mark.parametrize(
    ("allowed", "total"),
    [(None, None), (1, 4.0)],
)
def test_missing_values(tmp_path: Path, allowed: int | None, total: float | None) -> None:
    study = plan(scale=pair_scale(allowed))
    register_plan(tmp_path, study)
    store(
        tmp_path,
        study.study,
        "m",
        [
            Seen("default", [2.0, 1.0]),
            Seen("default", [2.0, None], status="partial"),
            Seen("default", [None, None], status="unparseable"),
            Seen("default", None, status="refused"),
            Seen("default", None, status=None),
        ],
    )
    assert scores(tmp_path) == [
        ("run-m.0", "first", 2.0, 0),
        ("run-m.0", "total", 7.0, 0),
        ("run-m.1", "first", 2.0, 0),
        ("run-m.1", "total", total, 1),
        ("run-m.2", "first", None, 1),
        ("run-m.2", "total", None, 2),
        ("run-m.3", "first", None, 1),
        ("run-m.3", "total", None, 2),
    ]


def test_missing_items_are_made_up_for_within_their_own_sum(tmp_path: Path) -> None:
    one = pair_scale(1)
    of_four = tuple(Item(number, str(number), f"item {number}") for number in range(1, 5))
    sums = [Call("sum", (ItemValue(first), ItemValue(first + 1))) for first in (1, 3)]
    scored = (
        Subscale("difference", "", Arithmetic("-", *sums)),
        Subscale("weighted", "", Arithmetic("+", Arithmetic("*", Number(3.0), ItemValue(1)), sums[1])),
    )
    scale = msgspec.structs.replace(one, items=of_four, subscales=scored, missing_allowed=1)
    study = plan(scale=scale)
    register_plan(tmp_path, study)
    threes: list[list[float | None]] = [
        [3.0, 3.0, 3.0, 3.0],
        [3.0, 3.0, 3.0, None],
        [None, 3.0, 3.0, 3.0],
        [3.0, 3.0, None, None],
    ]
    store(tmp_path, study.study, "m", [Seen("default", values) for values in threes])
    found = scores(tmp_path)
    assert [row[2] for row in found if row[1] == "difference"] == [0.0, 0.0, 0.0, None]
    assert [row[2] for row in found if row[1] == "weighted"] == [15.0, 15.0, None, None]


def test_the_newest_attempt_counts(tmp_path: Path) -> None:
    study = plan()
    register_plan(tmp_path, study)
    run = store(tmp_path, study.study, "m", [Seen("default", None, status="error")])
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    store(tmp_path, study.study, "m", [Seen("default", None, status="error")])
    sink.write(1, answered(run, [Seen("default", [5.0, 5.0], attempt=1)]))
    assert scores(tmp_path) == [("run-m.0", "first", 5.0, 0), ("run-m.0", "total", 6.0, 0)]
    assert catalog.answered(tmp_path, run.run) == {"run-m.0": ("complete", 1)}
    assert catalog.answered(tmp_path, "another") == {}


def test_the_plain_program_sees_the_same_after_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = plan(contrast())
    register_plan(tmp_path / "here", study)
    store(tmp_path / "here", study.study, "m", [Seen("default", [2.0, 1.0]), Seen("default", [1.0, 1.0])])
    expected = scores(tmp_path / "here")
    shutil.move(tmp_path / "here", tmp_path / "there")
    monkeypatch.chdir(tmp_path / "there")
    with duckdb.connect(":memory:") as plain:
        plain.execute(Path("warehouse.sql").read_text(encoding="utf-8"))
        assert plain.execute(QUERY).fetchall() == expected
        assert plain.execute("SELECT count(*) FROM contrasts").fetchone() == (0,)


def test_an_empty_warehouse_has_every_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register_plan(tmp_path, plan())
    assert scores(tmp_path) == []
    assert catalog.runs(tmp_path) == []
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(":memory:") as plain:
        plain.execute(Path("warehouse.sql").read_text(encoding="utf-8"))
        assert plain.execute("SELECT count(*) FROM scores").fetchone() == (0,)


def test_runs_and_the_newest_of_each_panel(tmp_path: Path) -> None:
    study = plan()
    register_plan(tmp_path, study)
    later = MOMENT + timedelta(days=1)
    old = store(
        tmp_path, study.study, "m", [Seen("default", [1.0, 1.0]), Seen("default", None, status="error")]
    )
    new = store(tmp_path, study.study, "m", [Seen("default", [1.0, 1.0])], run="again", started=later)
    other = store(tmp_path, study.study, "crowd", [], kind="human", state="interrupted")
    found = catalog.runs(tmp_path)
    assert [progress.run.run for progress in found] == [other.run, old.run, new.run]
    assert found[1].statuses == {"complete": 1, "error": 1}
    assert (found[1].answered, found[1].cost, found[1].tokens_in) == (1, None, None)
    assert found[0].statuses == {}
    newest = catalog.newest_runs(tmp_path, "small")
    assert {panel: run.run for panel, run in newest.items()} == {"m": "again", "crowd": other.run}
    assert newest["m"].started == later
    assert catalog.newest_runs(tmp_path, "unknown") == {}


def test_levels_and_scales_outside_of_every_condition(tmp_path: Path) -> None:
    its = plan(shown=(Stimulus("talk", 0, {"opening": "Good news today."}, name="7"),))
    register_plan(tmp_path, its)
    said = [
        Seen("default", [value, 1.0], stimulus="talk", levels={"arm": f"arm {value:g}"}) for value in (1.0, 2.0)
    ]
    store(tmp_path, its.study, "m", [*said, Seen(None, [3.0, 3.0])])
    with catalog.connect(tmp_path) as connection:
        found = catalog.fetch(
            connection,
            tmp_path,
            "SELECT condition, levels['arm'], avg(score) FROM scores WHERE subscale = 'first' "
            "GROUP BY ALL ORDER BY 2",
        )
        shown = catalog.fetch(connection, tmp_path, "SELECT name, emotion, emotion_index, text FROM stimuli")
    assert found == [("default", "arm 1", 1.0), ("default", "arm 2", 2.0), (None, None, 3.0)]
    assert shown == [("7", None, None, "Good news today.")]
