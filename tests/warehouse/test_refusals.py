"""Refusals in a report: how many there are in each group, and that nothing missing is a number."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from schemas.plan import Cells, Outcome
from schemas.report import ReportRow
from tests.warehouse.builder import Seen, contrast, plan, store
from tests.warehouse.test_associations import association
from tests.warehouse.test_contrasts import FIRST, rows
from warehouse.register import register_plan
from warehouse.report import Format, build_report, render

JOY, ANGER = ("joy", 0, 0), ("anger", 0, 0)
SEEN = [
    *[Seen("default", [2.0, 5.0])] * 3,
    Seen("default", [None, None], status="refused"),
    *[Seen("evoked", [4.0, 1.0], JOY)] * 4,
    *[Seen("evoked", [None, None], JOY, status="refused")] * 2,
    Seen("evoked", [None, 1.0], JOY, status="partial"),
    Seen("evoked", None, JOY, status="error"),
    Seen("evoked", None, JOY, status=None),
    *[Seen("evoked", [3.0, 1.0], ANGER)] * 2,
]
BY = contrast(outcomes=FIRST, by=((), ("emotion",)))


def told(row: ReportRow) -> tuple[dict[str, int], dict[str, int]]:
    return row.refused, row.replies


def test_each_group_says_how_many_replies_refuse(tmp_path: Path) -> None:
    overall, joy, anger = rows(tmp_path, plan(BY), SEEN)
    assert told(overall) == ({"evoked": 2, "default": 1}, {"evoked": 9, "default": 4})
    assert told(joy) == ({"evoked": 2}, {"evoked": 7})
    assert told(anger) == ({"evoked": 0}, {"evoked": 2})


def test_what_is_missing_is_in_no_mean_and_is_told_with_its_reason(tmp_path: Path) -> None:
    overall, joy, anger = rows(tmp_path, plan(BY), SEEN)
    assert (overall.a_n, overall.a_mean, overall.b_n, overall.b_mean) == (6, 22 / 6, 3, 2.0)
    assert (joy.a_n, joy.a_mean, anger.a_mean) == (4, 4.0, 3.0)
    assert overall.left_out == {"refused": 3, "missing answers": 1, "error": 1, "not answered": 1}
    assert overall.expected - overall.found == sum(overall.left_out.values()) == 6


def test_a_unit_of_several_answers_is_there_and_its_refusals_are_told(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, plan(contrast(outcomes=FIRST, unit="stimulus")), SEEN)
    assert (row.a_n, row.a_mean) == (2, 3.5)
    assert told(row) == ({"evoked": 2, "default": 1}, {"evoked": 9, "default": 4})


def test_pairs_and_associations_tell_them_too(tmp_path: Path) -> None:
    seen = [
        seen
        for k in range(4)
        for seen in (
            Seen("default", [k + 1.0, 5.0], subject=f"p{k}"),
            Seen("evoked", [k + 2.0, 1.0], JOY, f"p{k}")
            if k < 3
            else Seen("evoked", [None, None], JOY, f"p{k}", status="refused"),
        )
    ]
    paired = contrast(outcomes=FIRST, test="paired_t", paired_by="subject")
    alpha = association(
        "reliability", (Cells(),), coefficients=("cronbach_alpha",), outcomes=(Outcome("PAIR", "total"),)
    )
    of_pairs, of_items = rows(tmp_path, msgspec.structs.replace(plan(paired), associations=(alpha,)), seen)
    assert (of_pairs.a_n, *told(of_pairs)) == (3, {"evoked": 1, "default": 0}, {"evoked": 4, "default": 4})
    assert told(of_items) == ({"all answers": 1}, {"all answers": 8})


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_tables_have_a_column_where_anybody_refuses(tmp_path: Path, form: Format) -> None:
    the_plan = plan(BY, panels=("m", "willing"))
    register_plan(tmp_path, the_plan)
    store(tmp_path, the_plan.study, "m", SEEN)
    willing = [one._replace(subject="w") for one in SEEN if one.status == "complete"]
    store(tmp_path, the_plan.study, "willing", willing)
    shown = render(build_report(tmp_path, the_plan), form)
    first, second = shown.split("m (model, recorded): PAIR")[1].split("willing (model, recorded): PAIR")
    lines = [line.strip("| ").split() for line in first.splitlines() if "/" in line]
    cells = {line[0]: line[-1] for line in lines}
    assert cells == {"default": "1/4", "evoked": "2/9", "Overall": "3/13", "Joy": "2/7", "Anger": "0/2"}
    said = " ".join(first.split())
    assert "refused: replies that decline to answer, of all replies." in said
    assert "9 of 15 answers (error 1; missing answers 1; not answered 1; refused 3)." in said
    assert "refused" not in second.split("What this rests on")[0]


def test_programs_get_them_as_maps(tmp_path: Path) -> None:
    the_plan = plan(BY)
    register_plan(tmp_path, the_plan)
    store(tmp_path, the_plan.study, "m", SEEN)
    built = build_report(tmp_path, the_plan)
    found = json.loads(render(built, "json"))["rows"][0]
    assert (found["refused"], found["replies"]) == ({"evoked": 2, "default": 1}, {"evoked": 9, "default": 4})
    line = next(iter(csv.DictReader(io.StringIO(render(built, "csv")))))
    assert json.loads(line["refused"]) == found["refused"]
