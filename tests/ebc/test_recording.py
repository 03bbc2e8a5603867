"""The import as a whole: what a study asks of its respondents, what comes again, what is replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main
from ebc.importsummary import import_document, import_headline, import_lines
from tests.ebc.recorded_study import (
    ARMS,
    HEAD,
    LONG,
    ROWS,
    csv,
    imported,
    refusal,
    workbook,
    write_data,
    write_spec,
)
from warehouse.layout import parts
from warehouse.parquet import ParquetSink
from warehouse.query import query

WITHOUT_PROFILE = """
  respondent = column "who"  stimulus = column "story"
  MOOD = columns "q1".."q3"
"""
PEOPLE = tuple((f"p{n}", 1990, "harbour", "yes", 1, 2, 3, "1;2") for n in range(7))


def stored(results: Path, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in query(results, sql).table().to_pylist()]


def files(results: Path) -> Iterator[tuple[str, bytes]]:
    for table in ("runs", "respondents", "trials", "responses", "answers"):
        for path in parts(results, table):
            yield path.name, path.read_bytes()


def test_what_is_imported_is_in_the_warehouse(tmp_path: Path) -> None:
    write_data(tmp_path, csv(*ROWS))
    one = imported(tmp_path, write_spec(tmp_path))
    assert (one.new, one.changes, one.details.responses, one.details.values) == (True, None, 5, 13)
    found = stored(
        tmp_path / "results",
        "SELECT respondent, condition, stimulus, scale, item, value FROM answers JOIN responses "
        "USING (response) JOIN trials USING (trial) WHERE item = 2 ORDER BY respondent, scale, stimulus",
    )
    assert found == [
        ("ann", None, None, "HABITS", 2, 2),
        ("ann", "told", "stories.harbour", "MOOD", 2, 2),
        ("ann", "told", "stories.orchard", "MOOD", 2, 5),
        ("bob", None, None, "HABITS", 2, 4),
        ("bob", "told", "stories.harbour", "MOOD", 2, 5),
    ]
    ages = stored(tmp_path / "results", "SELECT covariates['age'] FROM respondents ORDER BY respondent")
    assert ages == [("30",), ("35",)]


def test_wide_and_long_data_of_the_same_answers_are_the_same(tmp_path: Path) -> None:
    rows = [
        (who, story, number, answer)
        for who, _, story, _, *answers, _ in ROWS
        for number, answer in enumerate(answers, start=1)
    ]
    write_data(tmp_path, csv(*ROWS))
    wide = imported(tmp_path, write_spec(tmp_path, mapping=WITHOUT_PROFILE))
    write_data(tmp_path, csv(*reversed(rows), head=("who", "story", "item", "answer")), "long.csv")
    long = imported(tmp_path, write_spec(tmp_path, "long.csv", LONG))
    assert (wide.new, long.new, long.run) == (True, False, wide.run)


def test_the_same_answers_in_any_kind_of_file_are_the_same_import(tmp_path: Path) -> None:
    records = [dict(zip(HEAD, row, strict=True)) for row in ROWS]
    lists = [{**record, "habits": json.loads(str(record["habits"]))} for record in records]
    kinds = {
        "data.csv": csv(*ROWS),
        "semicolons.csv": b"\xef\xbb\xbf" + csv(*ROWS, separator=";").replace(b"\n", b"\r\n"),
        "tabs.tsv": csv(*ROWS, separator="\t"),
        "array.json": json.dumps(lists).encode(),
        "lines.jsonl": "\n".join(map(json.dumps, records)).encode(),
        "book.xlsx": workbook(*ROWS),
    }
    runs = set()
    for name, content in kinds.items():
        write_data(tmp_path, content, name)
        runs.add(imported(tmp_path, write_spec(tmp_path, name)).run)
    assert len(runs) == 1


def test_a_second_import_adds_nothing_and_a_corrected_file_replaces(tmp_path: Path) -> None:
    spec, results = write_spec(tmp_path), tmp_path / "results"
    write_data(tmp_path, csv(*ROWS))
    first = imported(tmp_path, spec)
    before = dict(files(results))
    again = imported(tmp_path, spec)
    assert (again.new, again.run, dict(files(results))) == (False, first.run, before)
    assert import_headline(again).endswith("13 values (already there: nothing added)")

    write_data(tmp_path, csv(ROWS[0], (*ROWS[1][:4], 4, 4, None, ROWS[1][-1]), ("cem", *ROWS[1][1:])))
    corrected = imported(tmp_path, spec)
    assert corrected.changes is not None
    told = (corrected.changes.changed, corrected.changes.added, corrected.changes.gone)
    assert told == (2, 5, 3)
    assert "in place of an earlier import: 2 answers changed, 5 added, 3 gone" in import_headline(corrected)
    assert stored(results, "SELECT DISTINCT run FROM runs") == [(corrected.run,)]
    assert stored(results, "SELECT count(*) FROM answers") == [(15,)]


def test_a_broken_correction_leaves_the_results_as_they_were(tmp_path: Path) -> None:
    spec, results = write_spec(tmp_path), tmp_path / "results"
    write_data(tmp_path, csv(*ROWS))
    imported(tmp_path, spec)
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    write_data(tmp_path, csv(*ROWS).replace(b",5,5,5,", b",5,5,55,"))
    assert main(["import", "responses", spec, "--data", str(tmp_path / "data"), "--results", str(results)]) == 2
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before


def test_what_the_disk_refuses_half_way_is_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, results = write_spec(tmp_path), tmp_path / "results"
    write_data(tmp_path, csv(*ROWS))
    imported(tmp_path, spec)
    before = dict(files(results))

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ParquetSink, "write_columns", refuse)
    write_data(tmp_path, csv(*ROWS[:2]))
    assert main(["import", "responses", spec, "--data", str(tmp_path / "data"), "--results", str(results)]) == 1
    assert "No space left" in capsys.readouterr().err
    assert dict(files(results)) == before


def test_a_summary_says_what_was_read_taken_in_left_out_and_not_used(tmp_path: Path) -> None:
    rows = [*((*row, "?") for row in ROWS), ("cem", 1970, "orchard", "no", 1, 1, 1, None, "?")]
    write_data(tmp_path, csv(*rows, head=(*HEAD, "note")))
    one = imported(tmp_path, write_spec(tmp_path))
    assert list(import_lines(one)) == [
        "moods, people: 2 respondents",
        "  read data.csv: 4 rows of 9 columns",
        "  told, MOOD: 3 responses, 9 values",
        "  outside of conditions, HABITS: 2 responses, 4 values",
        "  data.csv: 1 row left out (1): labels",
        '  data.csv: 1 row left out (5): column 4 ("consent") does not fit "yes" ("no")',
        '  note: this mapping reads nothing of 1 column: "note"',
    ]
    document = json.loads(json.dumps(import_document(one)))
    (file,) = document["files"]
    assert file == {
        "file": "data.csv",
        "axis": "row",
        "lines": 4,
        "length": 9,
        "unused": ["note"],
        "decimal_comma": "",
    }
    assert (document["respondents"], document["responses"], document["values"]) == (2, 5, 13)


def test_a_split_depends_on_seed_and_ids_alone(tmp_path: Path) -> None:
    found = []
    for rows in (PEOPLE, PEOPLE[::-1]):
        write_data(tmp_path, csv(*rows))
        imported(tmp_path, write_spec(tmp_path, study="split people into train 5, test 2"))
        sql = "SELECT respondent FROM respondents WHERE covariates['split'] = 'train' ORDER BY respondent"
        found.append({who for (who,) in stored(tmp_path / "results", sql)})
    ranked = sorted(
        (f"p{n}" for n in range(7)),
        key=lambda who: blake2b(f"1:people:{who}".encode(), digest_size=16).digest(),
    )
    assert found == [set(ranked[:5])] * 2


def test_a_split_that_does_not_add_up_names_both_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_data(tmp_path, csv(*ROWS))
    message = refusal(tmp_path, write_spec(tmp_path, study="split people into train 2, test 1"), capsys)
    assert "`split people into train 2, test 1` takes 3 respondents; the data of people have 2" in message


def test_two_levels_of_what_is_between_respondents_name_both_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_data(tmp_path, csv(*ROWS[:2], ("ann", 1990, "orchard", "no", 5, 5, 5, None)))
    message = refusal(tmp_path, write_spec(tmp_path, mapping=ARMS, study="between arm"), capsys)
    assert 'data.csv, row 4: "ann" has arm no, but yes in data.csv, row 2' in message


def test_a_pattern_that_no_observation_fits_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_data(tmp_path, csv(*ROWS))
    message = refusal(tmp_path, write_spec(tmp_path, mapping=ARMS), capsys)
    assert 'No observation fits "no" in column 4 of data.csv (3 were tried)' in message
