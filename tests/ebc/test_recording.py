"""The import as a whole: what a study asks of its respondents, what comes again, what is replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ebc.errors import Failure, UserError
from ebc.importsummary import import_document, import_headline, import_lines
from schemas.plan import Block, Match, Part, Text
from tests.ebc.recorded_study import (
    HEAD,
    ROWS,
    column,
    csv,
    import_plan,
    long_block,
    plan,
    wide_block,
)
from warehouse.layout import parts
from warehouse.parquet import ParquetSink
from warehouse.query import query

PEOPLE = tuple((f"p{n}", 1990, "harbour", "yes", 1, 2, 3, "1;2") for n in range(7))


def stored(results: Path, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in query(results, sql).table().to_pylist()]


def files(results: Path) -> Iterator[tuple[str, bytes]]:
    for table in ("runs", "respondents", "trials", "responses", "answers"):
        for path in parts(results, table):
            yield path.name, path.read_bytes()


def refusal(folder: Path, *blocks: Block, rows: bytes = csv(*ROWS), **changes: Any) -> str:
    (folder / "data.csv").write_bytes(rows)
    of = plan("data.csv", *blocks[:1], more=blocks[1:], **changes)
    with pytest.raises(UserError) as raised:
        import_plan(of, folder, folder / "results")
    assert not (folder / "results").exists()
    return str(raised.value)


def test_what_is_imported_is_in_the_warehouse(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(csv(*ROWS))
    (one,) = import_plan(plan("data.csv"), tmp_path, tmp_path / "results")
    assert (one.new, one.changes, one.details.responses, one.details.values) == (True, None, 5, 13)
    found = stored(
        tmp_path / "results",
        "SELECT respondent, condition, stimulus, scale, item, value FROM answers JOIN responses "
        "USING (response) JOIN trials USING (trial) WHERE item = 2 ORDER BY respondent, scale, stimulus",
    )
    assert found == [
        ("ann", None, None, "HABITS", 2, 2),
        ("ann", "told", "stories.0", "MOOD", 2, 2),
        ("ann", "told", "stories.1", "MOOD", 2, 5),
        ("bob", None, None, "HABITS", 2, 4),
        ("bob", "told", "stories.0", "MOOD", 2, 5),
    ]
    ages = stored(tmp_path / "results", "SELECT covariates['age'] FROM respondents ORDER BY respondent")
    assert ages == [("30",), ("35",)]


def test_wide_and_long_data_of_the_same_answers_are_the_same(tmp_path: Path) -> None:
    rows = [
        (who, story, f"i{number}", answer)
        for who, _, story, _, *answers, _ in ROWS
        for number, answer in enumerate(answers, start=1)
    ]
    (tmp_path / "long.csv").write_bytes(csv(*reversed(rows), head=("who", "story", "item", "answer")))
    (tmp_path / "wide.csv").write_bytes(csv(*ROWS))
    block = msgspec.structs.replace(wide_block(), covariates=(), profile=())
    (wide,) = import_plan(plan("wide.csv", block), tmp_path, tmp_path / "results")
    (long,) = import_plan(plan("long.csv", long_block()), tmp_path, tmp_path / "results")
    assert (wide.new, long.new, long.run) == (True, False, wide.run)


def test_a_second_import_adds_nothing_and_a_corrected_file_replaces(tmp_path: Path) -> None:
    data, results = tmp_path / "data.csv", tmp_path / "results"
    data.write_bytes(csv(*ROWS))
    (first,) = import_plan(plan("data.csv"), tmp_path, results)
    before = dict(files(results))
    (again,) = import_plan(plan("data.csv"), tmp_path, results)
    assert (again.new, again.run, dict(files(results))) == (False, first.run, before)
    assert import_headline(again).endswith("13 values (already there: nothing added)")

    data.write_bytes(csv(ROWS[0], (*ROWS[1][:4], 4, 4, None, ROWS[1][-1]), ("cem", *ROWS[1][1:])))
    (corrected,) = import_plan(plan("data.csv"), tmp_path, results)
    assert corrected.changes is not None
    told = (corrected.changes.changed, corrected.changes.added, corrected.changes.gone)
    assert told == (2, 5, 3)
    assert "in place of an earlier import: 2 answers changed, 5 added, 3 gone" in import_headline(corrected)
    assert stored(results, "SELECT DISTINCT run FROM runs") == [(corrected.run,)]
    assert stored(results, "SELECT count(*) FROM answers") == [(15,)]


def test_a_broken_correction_leaves_the_results_as_they_were(tmp_path: Path) -> None:
    data, results = tmp_path / "data.csv", tmp_path / "results"
    data.write_bytes(csv(*ROWS))
    import_plan(plan("data.csv"), tmp_path, results)
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    data.write_bytes(csv(*ROWS).replace(b",5,5,5,", b",5,5,55,"))
    with pytest.raises(UserError):
        import_plan(plan("data.csv"), tmp_path, results)
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before


def test_what_the_disk_refuses_half_way_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, results = tmp_path / "data.csv", tmp_path / "results"
    data.write_bytes(csv(*ROWS))
    import_plan(plan("data.csv"), tmp_path, results)
    before = dict(files(results))

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ParquetSink, "write_columns", refuse)
    data.write_bytes(csv(*ROWS[:2]))
    with pytest.raises(Failure, match="No space left"):
        import_plan(plan("data.csv"), tmp_path, results)
    assert dict(files(results)) == before


def test_a_summary_says_what_was_read_taken_in_left_out_and_not_used(tmp_path: Path) -> None:
    rows = [*((*row, "?") for row in ROWS), ("cem", 1970, "orchard", "no", 1, 1, 1, None, "?")]
    (tmp_path / "data.csv").write_bytes(csv(*rows, head=(*HEAD, "note")))
    (one,) = import_plan(plan("data.csv"), tmp_path, tmp_path / "results")
    assert list(import_lines(one)) == [
        "moods, people: 2 respondents",
        "  read data.csv: 4 rows of 9 columns",
        "  told, MOOD: 3 responses, 9 values",
        "  outside of conditions, HABITS: 2 responses, 4 values",
        "  data.csv: 1 row left out (1): they hold the labels",
        '  data.csv: 1 row left out (5): column 4 does not fit "yes" ("no")',
        '  note: nothing reads 1 column: "note"',
    ]
    document = json.loads(json.dumps(import_document(one)))
    assert document["files"] == [
        {"file": "data.csv", "axis": "row", "lines": 4, "length": 9, "unused": ["note"]}
    ]
    assert (document["respondents"], document["responses"], document["values"]) == (2, 5, 13)


def test_a_split_depends_on_seed_and_ids_alone(tmp_path: Path) -> None:
    found = []
    for rows in (PEOPLE, PEOPLE[::-1]):
        (tmp_path / "data.csv").write_bytes(csv(*rows))
        of = plan("data.csv", split=[Part("train", 5), Part("test", 2)])
        import_plan(of, tmp_path, tmp_path / "results")
        sql = "SELECT respondent FROM respondents WHERE covariates['split'] = 'train' ORDER BY respondent"
        found.append({who for (who,) in stored(tmp_path / "results", sql)})
    ranked = sorted(
        (f"p{n}" for n in range(7)),
        key=lambda who: blake2b(f"1:people:{who}".encode(), digest_size=16).digest(),
    )
    assert found == [set(ranked[:5])] * 2


def test_a_split_that_does_not_add_up_names_both_numbers(tmp_path: Path) -> None:
    parts = [Part("train", 2), Part("test", 1)]
    message = refusal(tmp_path, split=parts)
    assert "`split people into train 2, test 1` takes 3 respondents; the data of people have 2" in message


def arms() -> list[Block]:
    """Two arms, told by the column `consent`."""
    block = msgspec.structs.replace(wide_block(), profile=())
    return [
        msgspec.structs.replace(
            block, levels={"arm": level}, matches=(Match(column("consent"), (Text(level),)),)
        )
        for level in ("yes", "no")
    ]


def test_two_levels_of_what_is_between_respondents_name_both_rows(tmp_path: Path) -> None:
    rows = csv(*ROWS[:2], ("ann", 1990, "orchard", "no", 5, 5, 5, "[1, 2]"))
    message = refusal(tmp_path, *arms(), rows=rows, between=["arm"])
    assert 'data.csv, row 4: "ann" has arm no, but yes in data.csv, row 2' in message


def test_a_pattern_that_no_observation_fits_is_told(tmp_path: Path) -> None:
    message = refusal(tmp_path, *arms())
    assert 'No observation fits "no" in column 4 of data.csv (3 were tried)' in message
