"""Data files as grids, and what is said of files that are none."""

import io
import json
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebc.tables import READERS, DiskFiles
from schemas.table import Cell, TableError


def read(folder: Path, name: str, content: bytes | str, sheet: str | None = None) -> list[list[Cell]]:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return [list(row) for row in DiskFiles(folder).read_table(name, sheet).rows]


def refusal(folder: Path, name: str, content: bytes | str, sheet: str | None = None) -> str:
    with pytest.raises(TableError) as raised:
        read(folder, name, content, sheet)
    return str(raised.value)


def test_a_text_may_be_long(tmp_path: Path) -> None:
    long = "word " * 100_000
    assert read(tmp_path, "a.csv", f'x,y\n"{long}",2\n') == [["x", "y"], [long, "2"]]
    whole = r'[{"x": "\ud83d\ude00", "y": "\\ud800"}]'
    assert read(tmp_path, "a.json", whole) == [["x", "y"], ["\U0001f600", r"\ud800"]]


# --- separated text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("a.csv", "x,y\r\n1,\r\n", [["x", "y"], ["1", None]]),
        ("a.csv", "﻿x;y\n1,5;2\n", [["x", "y"], ["1,5", "2"]]),
        ("a.csv", "x\ty\n1\t2\n", [["x", "y"], ["1", "2"]]),
        ("a.csv", '"a;b",c\n1,2\n', [["a;b", "c"], ["1", "2"]]),
        ("a.csv", "a;b,c\n1,2\n", [["a;b", "c"], ["1", "2"]]),
        ("a.tsv", "x,y\tz\n1\t2\n", [["x,y", "z"], ["1", "2"]]),
        ("a.csv", 'x\n"two\nlines, ""quoted"""\n', [["x"], ['two\nlines, "quoted"']]),
        ("a.csv", "x,y\n1\n\n1,2,3\n\n,\n", [["x", "y"], ["1"], [], ["1", "2", "3"]]),
        ("a.CSV", "größe\n1\n", [["größe"], ["1"]]),
    ],
)
def test_separated_text(tmp_path: Path, name: str, content: str, rows: list[list[Cell]]) -> None:
    assert read(tmp_path, name, content) == rows


def test_another_encoding_is_told_with_its_byte(tmp_path: Path) -> None:
    message = refusal(tmp_path, "a.csv", "x,y\n1,größe\n".encode("cp1252"))
    assert message == "a.csv is not UTF-8: byte 9, in line 2, is 0xf6. Save the file as UTF-8."
    assert "UTF-16" in refusal(tmp_path, "a.csv", "x,y\n".encode("utf-16"))


def test_an_open_quote_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path, "a.csv", 'x,y\n1,"two\n').startswith("a.csv, line 2: unexpected end of data.")


# --- JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "document", "rows"),
    [
        ("a.json", '[{"x": 1, "y": "a"}, {"z": true}]', [["x", "y", "z"], [1, "a", None], [None, None, True]]),
        ("a.json", '{"x": [1, 2.5], "y": ["", "b"]}', [["x", "y"], [1, None], [2.5, "b"]]),
        ("a.json", '[["x", "y"], [1, null]]', [["x", "y"], [1, None]]),
        ("a.jsonl", '{"x": 1}\r\n\n{"x": 2}\n', [["x"], [1], [2]]),
    ],
)  # fmt: skip
def test_json(tmp_path: Path, name: str, document: str, rows: list[list[Cell]]) -> None:
    assert read(tmp_path, name, document) == rows


@pytest.mark.parametrize(
    ("name", "document", "said"),
    [
        ("a.json", "[{", "a.json is not JSON: "),
        ("a.json", '[{"x": NaN}]', "NaN is no number; a missing value is null"),
        ("a.json", '[{"x": 1, "x": 2}]', "the key 'x' stands twice"),
        ("a.json", '[{"x": 1}, {"x": [[2]]}]', "row 3, column x: a cell must be a text, a number, or a list"),
        ("a.json", '[{"x": 1}, {"x": {"y": 2}}]', "or a list of them, not an object"),
        ("a.json", '{"x": [1, 2], "y": [1]}', "not of one length (x has 2, y has 1)"),
        ("a.json", "3", "a.json is no table"),
        ("a.json", "[" * 100_000, "a.json is nested too deep"),
        ("a.json", "[1" + "0" * 5_000 + "]", "a.json is not JSON: a number of 5,001 digits is too long"),
        ("a.json", r'[{"x": "a\ud800"}]', r"a.json holds half a character, \ud800, which is no text"),
        ("a.jsonl", '{"x": 1}\n{"\\uDC00": 2}', r"a.jsonl, line 2 holds half a character, \udc00"),
        ("a.csv", "x,y\n1,a\0b\n", "a.csv, line 2: a byte 0 is no text"),
        ("a.json", '[{"x": 1e999}]', "a.json, row 2, column x: inf is no number"),
        ("a.jsonl", '{"x": 1}\n{"x": }\n', "a.jsonl, line 2 is not JSON"),
        ("a.jsonl", '{"x": 1}\n[2]\n', "a.jsonl, line 2 is no object"),
        ("a.json", "[]", "a.json is empty"),
    ],
)  # fmt: skip
def test_json_that_is_no_table(tmp_path: Path, name: str, document: str, said: str) -> None:
    assert said in refusal(tmp_path, name, document)


# --- Parquet ----------------------------------------------------------------------------------


def parquet(columns: dict[str, pa.Array]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def test_parquet(tmp_path: Path) -> None:
    content = parquet(
        {
            "x": pa.array([1, None]),
            "y": pa.array([float("nan"), 0.5]),
            "z": pa.array([date(2024, 2, 1), None]),
            "w": pa.array(["a", ""]),
        }
    )
    rows = [["x", "y", "z", "w"], [1, None, "2024-02-01", "a"], [None, 0.5, None, None]]
    assert read(tmp_path, "a.parquet", content) == rows


def test_parquet_that_is_no_table(tmp_path: Path) -> None:
    nested = parquet({"x": pa.array([1, 2]), "y": pa.array([[[1]], [[2]]])})
    assert "a.parquet, row 2, column y: a cell must be" in refusal(tmp_path, "a.parquet", nested)
    assert "a.parquet is no Parquet file" in refusal(tmp_path, "a.parquet", b"PAR1 and no more")


# --- files ------------------------------------------------------------------------------------


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    files = DiskFiles(tmp_path)
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(FileNotFoundError):
        files.read_table("none.csv")
    with pytest.raises(TableError, match=r"d\.csv is a folder"):
        files.read_table("d.csv")
    with pytest.raises(TableError, match="cannot be opened"):
        files.read_table("a\0.csv")
    assert "a.csv is empty" in refusal(tmp_path, "a.csv", b"")
    assert "a.csv is empty" in refusal(tmp_path, "a.csv", b"\n,,\n")
    assert "of no known kind" in refusal(tmp_path, "a.dat", b"x")
    assert "SPSS saves it as CSV or as Excel" in refusal(tmp_path, "a.sav", b"x")
    assert 'take `sheet "S"` away' in refusal(tmp_path, "a.csv", b"x\n1\n", "S")


def test_a_file_that_is_too_big_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ebc.tables.MAX_BYTES", 10)
    assert "a.csv has 0 MB" in refusal(tmp_path, "a.csv", b"x" * 11)
    monkeypatch.undo()
    monkeypatch.setattr("ebc.tables.MAX_CELLS", 3)
    assert "a.csv has over 3 cells" in refusal(tmp_path, "a.csv", b"x,y\n1,2\n")


def test_text_is_utf8_without_its_mark(tmp_path: Path) -> None:
    (tmp_path / "a.eb").write_bytes("﻿größe\r\n".encode())
    assert DiskFiles(tmp_path).read_text("a.eb") == "größe\r\n"
    (tmp_path / "b.eb").write_bytes(b"gr\xf6\xdfe")
    with pytest.raises(UnicodeDecodeError):
        DiskFiles(tmp_path).read_text("b.eb")


def test_paths_go_up_and_are_absolute_and_fall_back(tmp_path: Path) -> None:
    spec, library = tmp_path / "spec", tmp_path / "library"
    spec.mkdir()
    library.mkdir()
    (tmp_path / "up.csv").write_text("x\n", encoding="utf-8")
    (library / "only.csv").write_text("y\n", encoding="utf-8")
    (library / "t.eb").write_text("t", encoding="utf-8")
    files = DiskFiles(spec, DiskFiles(library))
    assert files.read_table("../up.csv").rows == (("x",),)
    assert files.read_table((tmp_path / "up.csv").as_posix()).rows == (("x",),)
    assert files.read_table("only.csv").rows == (("y",),)
    assert files.read_text("t.eb") == "t"
    assert files.glob("o*.csv") == ["only.csv"]
    assert files.glob("../*.csv") == ["../up.csv"]


def test_glob_gives_files_sorted(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    for name in ("a b/2.csv", "a b/1.csv", "a b/[x].csv", "3.csv"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    files = DiskFiles(tmp_path)
    assert files.glob("a b/*.csv") == ["a b/1.csv", "a b/2.csv", "a b/[x].csv"]
    assert files.glob("a b/[[]x].csv") == ["a b/[x].csv"]
    assert files.glob("**/*.csv") == ["3.csv", "a b/1.csv", "a b/2.csv", "a b/[x].csv"]
    assert files.glob("*") == ["3.csv"]


@given(content=st.binary(max_size=200), ending=st.sampled_from([*READERS, ".xlsx"]))
def test_no_content_ends_in_anything_but_a_table_or_a_message(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / f"any{ending}").write_bytes(content)
    try:
        table = DiskFiles(folder).read_table(f"any{ending}")
    except TableError:
        return
    assert table.rows


def test_a_json_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    rows = [{"x": 1, "y": None, "z": "é"}, {"x": 2.5, "y": "a", "z": None}]
    assert read(tmp_path, "a.json", json.dumps(rows)) == [["x", "y", "z"], [1, None, "é"], [2.5, "a", None]]


def test_a_list_is_kept_as_its_json_text(tmp_path: Path) -> None:
    rows = [["x"], ['[1, "two", null]']]
    assert read(tmp_path, "a.json", '[{"x": [1, "two", null]}]') == rows
    assert read(tmp_path, "a.jsonl", '{"x": [1, "two", null]}') == rows
    assert read(tmp_path, "a.parquet", parquet({"x": pa.array([[1, None]])})) == [["x"], ["[1, null]"]]
