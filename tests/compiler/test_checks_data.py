"""Texts from data files: none is cut, skipped, or taken from a column that was not meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.model.stimuli import situations_of
from tests.compiler.checking import checked, codes, errors, only_error

FACTOR = 'emotion anger {{ factor traffic from "data.csv" {column} }}'
BY_NAME = FACTOR.format(column='column "situation"')


def situations(folder: Path, spec: str, data: str) -> list[str]:
    program = checked(folder, spec, data=data).program
    return [one.stimulus.fields["situation"] for one in situations_of(program, program.emotions["anger"])]


def test_a_quoted_comma_belongs_to_the_text(tmp_path: Path) -> None:
    data = 'situation,place\n"Your boss laughs, although you cry.",office\nA van cuts in.,road\n'
    assert codes(tmp_path, BY_NAME, data=data) == []
    assert situations(tmp_path, BY_NAME, data) == ["Your boss laughs, although you cry.", "A van cuts in."]


@pytest.mark.parametrize("head", ["situation", "situation,", "situation,,"])
def test_a_comma_without_quotes_is_an_error(tmp_path: Path, head: str) -> None:
    found = only_error(tmp_path, BY_NAME, data=f"{head}\nA van cuts in.\nYour boss laughs, although you cry.\n")
    assert found.code.number == "E056"
    assert found.message == "data.csv, row 3: 2 cells stand under 1 columns"
    assert found.suggestion is not None
    assert "quotes" in found.suggestion


def test_every_row_that_is_too_long_is_told(tmp_path: Path) -> None:
    found = errors(tmp_path, BY_NAME, data="place,situation\na,b,c\na,b\na,b,c,d\n")
    assert [message for _, message in found] == [
        "data.csv, row 2: 3 cells stand under 2 columns",
        "data.csv, row 4: 4 cells stand under 2 columns",
    ]


def test_blanks_behind_the_last_column_are_no_cells(tmp_path: Path) -> None:
    assert codes(tmp_path, BY_NAME, data="situation,,\nA van cuts in.,, \n") == []


def test_the_column_is_always_named(tmp_path: Path) -> None:
    found = only_error(tmp_path, FACTOR.format(column=""), data="A van cuts in.\nThe sink is full.\n")
    assert found.code.number == "E009"
    assert "column" in found.message
    assert "A van cuts in." in (found.suggestion or "")
    items = 'scale S { options 1..2 { 1 "a" }  items from "data.csv"  subscale s = sum(1) }'
    assert "E009" in codes(tmp_path, items, data="item\ncalm\n")


def test_a_first_situation_is_no_header(tmp_path: Path) -> None:
    assert codes(tmp_path, BY_NAME, data="A van cuts in.\nThe sink is full.\n") == ["E054"]


def test_a_header_that_stands_twice_must_be_told_apart(tmp_path: Path) -> None:
    data = "situation,situation\nOld words.,New words.\n"
    found = only_error(tmp_path, BY_NAME, data=data)
    assert found.code.number == "E012"
    assert found.message == "`situation` could mean column 1 of data.csv or column 2 of data.csv"
    by_number = FACTOR.format(column="column 2")
    assert codes(tmp_path, by_number, data=data) == []
    assert situations(tmp_path, by_number, data) == ["New words."]


@pytest.mark.parametrize("blank", ["", " ", "\t ", "\u00a0"])
def test_a_blank_cell_is_an_error(tmp_path: Path, blank: str) -> None:
    data = f"situation,place\nA van cuts in.,road\n{blank},road\nThe sink is full.,home\n"
    assert errors(tmp_path, BY_NAME, data=data) == [("E055", "data.csv, row 3, column 1: nothing stands there")]


def test_a_cell_of_blanks_is_an_error_in_a_single_column_too(tmp_path: Path) -> None:
    assert codes(tmp_path, BY_NAME, data="situation\nA van cuts in.\n  \nThe sink is full.\n") == ["E055"]


def test_an_empty_row_is_no_situation(tmp_path: Path) -> None:
    data = "situation,place\nA van cuts in.,road\n,\nThe sink is full.,home\n"
    assert codes(tmp_path, BY_NAME, data=data) == []
    assert situations(tmp_path, BY_NAME, data) == ["A van cuts in.", "The sink is full."]


def test_a_short_row_lacks_its_cell(tmp_path: Path) -> None:
    assert codes(tmp_path, BY_NAME, data="place,situation\nroad,A van cuts in.\nroad\n") == ["E055"]


@pytest.mark.parametrize("number", ["1.7", "1.5"])
def test_a_column_has_a_whole_number(tmp_path: Path, number: str) -> None:
    found = errors(tmp_path, FACTOR.format(column=f"column {number}"), data="a,b\nA van.,c\n")
    assert found == [("E015", f"`column` is {number}; it must be a whole number of at least 1")]


@pytest.mark.parametrize("number", ["0", "3"])
def test_a_column_is_one_of_the_file(tmp_path: Path, number: str) -> None:
    assert codes(tmp_path, FACTOR.format(column=f"column {number}"), data="a,b\nA van.,c\n") == ["E054"]


@pytest.mark.parametrize("name", ["situation", "emotion", "factor", "presented", "scale"])
def test_a_text_of_a_situation_has_a_name_of_its_own(tmp_path: Path, name: str) -> None:
    spec = f'emotion anger {{ factor traffic {{ "A van cuts in." {{ {name} "Another text." }} }} }}'
    found = only_error(tmp_path, spec)
    assert found.code.number == "E012"
    assert f"`{name}`" in found.message
