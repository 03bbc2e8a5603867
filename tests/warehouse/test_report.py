from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.derive import committed_schema
from schemas.plan import Expectation, Expected, ExpectedCell
from schemas.report import ReportRow
from tests.warehouse.builder import Seen, contrast, plan, store
from tests.warehouse.test_contrasts import ANGER, BASE, JOY_0
from warehouse.layout import part
from warehouse.query import query
from warehouse.register import register_plan
from warehouse.render import FORMATS, write_result
from warehouse.report import Format, StudyReport, build_report, keep_contrasts, render

CELLS = (
    ExpectedCell({"panel": "m", "subscale": "first"}, (Expected("estimate", 9.0, 0.1, 1),), "down", "misprint"),
)


@pytest.fixture
def study(tmp_path: Path) -> StudyReport:
    the_plan = plan(
        contrast(by=((), ("emotion",), ("factor",)), effect="hedges_g", adjust="holm"),
        panels=("m", "absent"),
        expectations=(Expectation("shift", "Table 1", CELLS),),
    )
    register_plan(tmp_path, the_plan)
    seen = [*BASE, *JOY_0, *ANGER, Seen("evoked", [None, 1.0], ("joy", 1, 0), status="partial")]
    seen += [Seen("default", None, status=None)]
    store(tmp_path, the_plan.study, "m", seen, kind="simulated", state="interrupted")
    return build_report(tmp_path, the_plan)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_a_reader_must_know_is_said(study: StudyReport, form: Format) -> None:
    text = render(study, form)
    for said in (
        "A small study",
        "SIMULATED: m.",
        "m (SIMULATED respondent): PAIR",
        "INCOMPLETE: m.",
        "No answers yet: absent.",
        "Welch's t test, two-sided",
        "p corrected by Holm",
        "below 0.05",
        "in points of the subscale",
        "Hedges' g",
        "1.67 ± 0.58",
        "Joy factor 0",
        "↑ +2.00",
        "m (simulated, interrupted): 10 of 11 trials answered; complete 9, partial 1.",
        "2 of 20 scores could not be computed",
        "0 of 1 published cells agree",
        "Table 1, outside: misprint",
        "+9.0",
        "No test: no score on evoked: Joy factor 1 (Total score)",
    ):
        assert said in " ".join(text.split()), said
    assert all("[sim]" in line for line in text.splitlines() if "Joy factor" in line and "No test" not in line)


def test_text_is_narrow(study: StudyReport) -> None:
    assert max(map(len, render(study, "text").splitlines())) <= 110


def test_markdown_indents_factors(study: StudyReport) -> None:
    assert "| &emsp;[sim] Joy factor 0 |" in render(study, "markdown")


def test_json_is_the_contract_s_report(study: StudyReport) -> None:
    document = json.loads(render(study, "json"))
    jsonschema.validate(document, committed_schema("report"))
    assert list(document) == ["study", "rows", "expectations"]
    assert list(document["rows"][0]) == list(ReportRow.__struct_fields__)
    assert document["expectations"]["outside"] == 1


def test_csv_has_the_same_rows(study: StudyReport) -> None:
    found = list(csv.DictReader(io.StringIO(render(study, "csv"))))
    assert list(found[0]) == list(ReportRow.__struct_fields__)
    assert len(found) == len(study.report.rows)
    for line, row in zip(found, study.report.rows, strict=True):
        assert line["p"] == ("" if row.p is None else repr(row.p))
        assert (line["factor"], line["paired"]) == (row.factor or "", "false")


def test_kept_contrasts_are_a_table(study: StudyReport, tmp_path: Path) -> None:
    keep_contrasts(tmp_path, study.report)
    table = pq.read_table(part(tmp_path, "contrasts", "small"))
    assert table.column_names == ["study", *ReportRow.__struct_fields__]
    assert table.num_rows == len(study.report.rows)
    assert table.column("estimate").to_pylist() == [row.estimate for row in study.report.rows]


ANSWER = "SELECT 1 AS n, 'a|b' AS \"t\", NULL AS nothing, 0.5::DOUBLE AS x, map {'k': 'v'} AS m"
EXPECTED = {
    "table": 'n  t    nothing  x    m\n-  ---  -------  ---  ----------\n1  a|b           0.5  {"k": "v"}\n',
    "markdown": "| n | t | nothing | x | m |\n| --- | --- | --- | --- | --- |\n"
    '| 1 | a\\|b |  | 0.5 | {"k": "v"} |\n',
    "csv": 'n,t,nothing,x,m\n1,a|b,,0.5,"{""k"": ""v""}"\n',
    "json": '[\n {"n": 1, "t": "a|b", "nothing": null, "x": 0.5, "m": {"k": "v"}}\n]\n',
}


@pytest.mark.parametrize("form", FORMATS)
def test_an_answer_in_every_format(study: StudyReport, tmp_path: Path, form: str) -> None:
    assert study.panels
    text, binary = io.StringIO(), io.BytesIO()
    note = write_result(query(tmp_path, ANSWER), form, text, binary)  # type: ignore[arg-type]
    assert note is None
    if form == "parquet":
        assert pq.read_table(pa.BufferReader(binary.getvalue())).column("n").to_pylist() == [1]
    else:
        assert text.getvalue() == EXPECTED[form]


def test_numbers_that_json_lacks_are_null(study: StudyReport, tmp_path: Path) -> None:
    assert study.panels
    text = io.StringIO()
    sql = "SELECT 'nan'::DOUBLE AS a, TIMESTAMP '2026-01-01' AS b, [1.5::DOUBLE, 'inf'::DOUBLE] AS c"
    write_result(query(tmp_path, sql), "json", text)
    assert json.loads(text.getvalue()) == [{"a": None, "b": "2026-01-01T00:00:00", "c": [1.5, None]}]


def test_long_answers_are_shown_in_part_and_say_so(study: StudyReport, tmp_path: Path) -> None:
    assert study.panels
    text = io.StringIO()
    note = write_result(query(tmp_path, "SELECT range AS i FROM range(1001)"), "table", text)
    assert note == "the first 1000 rows; --format csv, json or parquet gives all"
    assert len(text.getvalue().splitlines()) == 1002
    assert write_result(query(tmp_path, "FROM range(1001)"), "csv", text) is None


def test_times_are_utc(study: StudyReport) -> None:
    assert study.panels[0].run.started.astimezone(UTC) == datetime(2026, 1, 1, tzinfo=UTC)
