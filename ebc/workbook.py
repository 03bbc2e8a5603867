"""One sheet of an Excel workbook as a grid. A formula counts as the value that Excel last gave it."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.table import Cell, Merged, TableError

if TYPE_CHECKING:
    from openpyxl import Workbook

Row = Sequence[Any]

ERRORS = frozenset({"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!"})
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell[\s/>]")


class Sheet(NamedTuple):
    """A sheet's rows, all of one length. Of merged cells the first has the value, the others are blank."""

    name: str
    rows: list[list[Cell]]
    merged: tuple[Merged, ...]


def read_sheet(path: str, content: bytes, sheet: str | None, max_bytes: int) -> Sheet:
    """A sheet; without `sheet`, the first one. A date is ISO text. Raises TableError for a sheet that is not
    there, an error in a cell, a formula without a value, and over `max_bytes` of unpacked content."""
    has_formulas, has_merged = _inspect(path, content, max_bytes)
    with _open(path, content, True) as workbook:
        name = _sheet(path, workbook, sheet)
        values = _rows(workbook, name)
        blank = _blank_texts(workbook, name) if has_formulas else set()
    if has_formulas:
        with _open(path, content, False) as workbook:
            _require_values(f"{path}, sheet {name}", values, _rows(workbook, name), blank)
    width = max((_width(row) for row in values), default=0)
    if width * len(values) > max_bytes // 16:
        raise TableError(
            f"{path}, sheet {name}: {len(values)} rows of {width} columns are too much. Clear stray cells."
        )
    merged = _merged(path, content, name) if has_merged else ()
    rows = [_padded(f"{path}, sheet {name}", number, row, width) for number, row in enumerate(values, start=1)]
    return Sheet(name, rows, merged)


def _merged(path: str, content: bytes, name: str) -> tuple[Merged, ...]:
    """The merged cells of a sheet, which openpyxl tells of workbooks alone that it reads whole."""
    with _open(path, content, True, whole=True) as workbook:
        return tuple(
            Merged(area.coord, area.min_row - 1, area.max_row - 1, area.min_col - 1, area.max_col - 1)
            for area in sorted(workbook[name].merged_cells.ranges, key=lambda area: area.bounds)
        )


def _inspect(path: str, content: bytes, max_bytes: int) -> tuple[bool, bool]:
    """Whether any sheet has formulas, and whether any has merged cells; the parts' sizes are looked at before
    anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            if unpacked > max_bytes:
                raise TableError(
                    f"{path} would unpack to {unpacked >> 20} MB; at most {max_bytes >> 20} are read."
                )
            sheets = [part for part in archive.namelist() if part.startswith("xl/worksheets/")]
            texts = [archive.read(part) for part in sheets if part.endswith(".xml")]
            return any(map(_FORMULA.search, texts)), any(map(_MERGED.search, texts))
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        OSError,
        ValueError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise TableError(
            f"{path} is no .xlsx workbook (damaged, of an older kind, or locked by a password): {error}. "
            "Save it anew as .xlsx, without a password."
        ) from error


@contextmanager
def _open(path: str, content: bytes, values: bool, whole: bool = False) -> Iterator[Workbook]:
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=not whole, data_only=values)
            try:
                yield workbook
            finally:
                workbook.close()
        except TableError:
            raise
        except Exception as error:  # openpyxl meets damaged parts with whatever its parser stumbles over
            raise TableError(f"{path} is a damaged workbook: {error}. Save it anew as .xlsx.") from error


def _sheet(path: str, workbook: Workbook, wanted: str | None) -> str:
    names = [worksheet.title for worksheet in workbook.worksheets]
    if not names:
        raise TableError(f"{path} has no sheet with cells.")
    if wanted is None:
        return names[0]
    if wanted not in names:
        told = ", ".join(f'"{name}"' for name in names)
        raise TableError(f'{path} has no sheet "{wanted}". Its sheets: {told}.')
    return wanted


def _rows(workbook: Workbook, name: str) -> list[Row]:
    """The cells' content. The extent that the file itself states is often wrong and not used."""
    worksheet: Any = workbook[name]
    worksheet.reset_dimensions()
    rows: list[Row] = list(worksheet.iter_rows(values_only=True))
    while rows and not _width(rows[-1]):
        rows.pop()
    return rows


def _width(row: Row) -> int:
    """The number of the last cell that has content."""
    return next((n for n in range(len(row), 0, -1) if row[n - 1] is not None), 0)


def _blank_texts(workbook: Workbook, name: str) -> set[tuple[int, int]]:
    """Row and column of the cells whose formula gave an empty text."""
    worksheet: Any = workbook[name]
    cells = (cell for row in worksheet.iter_rows() for cell in row)
    return {(cell.row, cell.column) for cell in cells if cell.data_type == "str" and cell.value is None}


def _require_values(where: str, values: list[Row], formulas: list[Row], blank: set[tuple[int, int]]) -> None:
    for number, row in enumerate(formulas, start=1):
        shown = values[number - 1] if number <= len(values) else ()
        for column, cell in enumerate(row, start=1):
            has_value = column <= len(shown) and shown[column - 1] is not None
            if cell is not None and not has_value and (number, column) not in blank:
                raise TableError(
                    f"{where}, cell {_address(number, column)}: a formula without a value. "
                    "Open the file in a spreadsheet program and save it, or put values in place of formulas."
                )


def _padded(where: str, number: int, row: Row, width: int) -> list[Cell]:
    cells = [_cell(where, number, column, value) for column, value in enumerate(row[:width], start=1)]
    return cells + [None] * (width - len(cells))


def _cell(where: str, row: int, column: int, value: Any) -> Cell:
    match value:
        case str():
            if value in ERRORS:
                raise TableError(
                    f"{where}, cell {_address(row, column)} holds the error {value}. Correct or clear it."
                )
            return value or None
        case None | bool() | int() | float():
            return value
        case datetime():
            midnight = value.time() == time(0)
            return value.date().isoformat() if midnight else value.isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case _:
            kind = type(value).__name__
            raise TableError(f"{where}, cell {_address(row, column)}: a {kind} is neither text nor number.")


def _address(row: int, column: int) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(column)}{row}"
