"""Workbooks as grids, and what is said of sheets that are none."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from ebc.tables import DiskFiles
from schemas.table import Merged, Table
from tests.ebc.test_tables import read, refusal


def workbook(sheets: dict[str, Sequence[Sequence[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def patched(content: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """The workbook with one part edited, as other programs may write it."""
    source, stream = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == part:
                assert old in data
                data = data.replace(old, new)
            target.writestr(name, data)
    return stream.getvalue()


def table(folder: Path, name: str, content: bytes) -> Table:
    (folder / name).write_bytes(content)
    return DiskFiles(folder).read_table(name)


def test_a_sheet_is_read_by_its_name_or_is_the_first(tmp_path: Path) -> None:
    book = workbook({"One": [["a"], [1]], "Two": [["b", None, "c"], [], [1.5, True]]})
    assert read(tmp_path, "a.xlsx", book) == [["a"], [1]]
    assert read(tmp_path, "a.xlsx", book, "Two") == [["b", None, "c"], [None] * 3, [1.5, True, None]]
    message = refusal(tmp_path, "a.xlsx", book, "Three")
    assert message == 'a.xlsx has no sheet "Three". Its sheets: "One", "Two".'


def test_dates_are_iso_text(tmp_path: Path) -> None:
    book = workbook({"S": [[date(2024, 2, 1), datetime(2024, 2, 1, 13, 5)]]})
    assert read(tmp_path, "a.xlsx", book) == [["2024-02-01", "2024-02-01T13:05:00"]]


def test_merged_cells_have_their_value_once(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["both", None])
    sheet.append([1, 2])
    sheet.merge_cells("A1:B1")
    stream = io.BytesIO()
    book.save(stream)
    assert read(tmp_path, "a.xlsx", stream.getvalue()) == [["both", None], [1, 2]]


def test_a_formula_counts_as_its_value(tmp_path: Path) -> None:
    book = workbook({"S": [["x"], ["=1+1"]]})
    part = "xl/worksheets/sheet1.xml"
    without = b"<v></v>" if b"<v></v>" in zipfile.ZipFile(io.BytesIO(book)).read(part) else b"<v />"
    assert read(tmp_path, "a.xlsx", patched(book, part, without, b"<v>2</v>")) == [["x"], [2]]
    message = refusal(tmp_path, "a.xlsx", book)
    assert message.startswith("a.xlsx, sheet S, cell A2: a formula without a value.")
    blank = patched(book, part, b'<c r="A2"', b'<c r="A2" t="str"')
    assert read(tmp_path, "a.xlsx", blank) == [["x"]]


def test_an_error_in_a_cell_is_told(tmp_path: Path) -> None:
    message = refusal(tmp_path, "a.xlsx", workbook({"S": [["x", "y"], [1, "#N/A"]]}))
    assert message == "a.xlsx, sheet S, cell B2 holds the error #N/A. Correct or clear it."


def test_a_wrong_extent_is_not_believed(tmp_path: Path) -> None:
    book = workbook({"S": [["x", "y"], [1, 2]]})
    lying = patched(book, "xl/worksheets/sheet1.xml", b'ref="A1:B2"', b'ref="A1:A1"')
    assert read(tmp_path, "a.xlsx", lying) == [["x", "y"], [1, 2]]


def test_what_is_no_workbook_is_told(tmp_path: Path) -> None:
    assert "is no .xlsx workbook" in refusal(tmp_path, "a.xlsx", b"\xd0\xcf\x11\xe0 old")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "text/plain")
    assert "a.xlsx is a damaged workbook" in refusal(tmp_path, "a.xlsx", stream.getvalue())
    cut = workbook({"S": [["x"]]})
    assert "is no .xlsx workbook" in refusal(tmp_path, "a.xlsx", cut[: len(cut) // 2])


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ebc.tables.MAX_BYTES", 100_000)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 1_000_000)
    assert "a.xlsx would unpack to" in refusal(tmp_path, "a.xlsx", stream.getvalue())


def test_merged_cells_are_noted(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook({"Raw": [["a", "b"], [1, 2], [None, 3]]})))
    book["Raw"].merge_cells("A2:A3")
    stream = io.BytesIO()
    book.save(stream)
    found = table(tmp_path, "a.xlsx", stream.getvalue())
    assert found.name == "a.xlsx, sheet Raw"
    assert found.rows == (("a", "b"), (1, 2), (None, 3))
    assert found.merged == (Merged("A2:A3", 1, 2, 0, 0),)
