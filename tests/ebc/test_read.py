"""ebc read: replies in a file of JSON lines, read and held against what a person coded."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebc.cli import main

MOODS: dict[str, Any] = {
    "n_items": 3,
    "min": 1,
    "max": 4,
    "items": ["Sleepy", "Merry", "Bored"],
    "labels": {"1": "not at all", "4": "wholly"},
}
GOOD = {"id": "a", "scale": MOODS, "reply": "Sleepy: 2\nMerry: 4\nBored: 1"}
PARTS = {"id": 7, "scale": MOODS, "reply": "Merry: 3\nSleepy: 2 or 3"}
NO = {"id": "née", "scale": MOODS, "reply": "I'm sorry, but I can't say how I feel."}


def written(path: Path, *lines: object) -> str:
    """A file of JSON lines; texts and bytes go in as they are."""
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(raw) + b"\n")
    return str(path)


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_lines_come_out_in_order_with_values_spans_and_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", written(tmp_path / "replies.jsonl", GOOD, PARTS, NO)]) == 0
    whole, some, none = printed(capsys)
    assert whole == {
        "id": "a",
        "status": "complete",
        "values": {"1": 2, "2": 4, "3": 1},
        "spans": {"1": [8, 9], "2": [17, 18], "3": [26, 27]},
        "reasons": {},
    }
    assert (some["id"], some["status"], some["values"]) == (7, "partial", {"2": 3})
    assert (none["id"], none["status"], list(none["reasons"])) == ("née", "refused", ["1", "2", "3"])
    for line, read in ((GOOD, whole), (PARTS, some)):
        for item, (begin, end) in read["spans"].items():
            assert str(line["reply"])[begin:end] == str(read["values"][item])
    assert all(some["reasons"].values())


def test_letters_keys_and_the_reason_why_a_reply_ended_are_heeded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letters = {**MOODS, "option_letters": {"A": 1, "B": 2, "C": 3, "D": 4}}
    keys = {**MOODS, "item_keys": ["x", "y", "z"]}
    cut = {**GOOD, "finish_reason": "length"}
    file = written(
        tmp_path / "replies.jsonl",
        {"id": 1, "scale": letters, "reply": "1. B\n2. D\n3. A"},
        {"id": 2, "scale": keys, "reply": "x) 2\ny) 4\nz) 1"},
        cut,
        {**GOOD, "finish_reason": "content_filter"},
        {**GOOD, "reply": None},
    )
    assert main(["read", file]) == 0
    lettered, keyed, short, withheld, nothing = printed(capsys)
    assert lettered["values"] == keyed["values"] == {"1": 2, "2": 4, "3": 1}
    assert (short["status"], short["values"]) == ("truncated", {"1": 2, "2": 4})
    assert (withheld["status"], withheld["values"]) == ("refused", {})
    assert (nothing["status"], nothing["values"]) == ("unparseable", {})


def test_standard_input_blank_lines_a_mark_of_byte_order_and_half_a_character(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    half = json.dumps({**GOOD, "reply": "\U0001f600\nSleepy: 2\n\\ud83d \ud83d"}).encode()
    raw = b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\r\n  \n" + half
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert main(["read", "-"]) == 0
    assert [line["values"] for line in printed(capsys)] == [{"1": 2, "2": 4, "3": 1}, {"1": 2}]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"id": "b", "scale"', "truncated"),
        (b"3", "Expected `object`, got `int`"),
        ({"id": "b", "scale": MOODS}, "missing required field `reply`"),
        ({**GOOD, "reply": 3}, "Expected `str | null`, got `int` - at `$.reply`"),
        ({**GOOD, "scale": {}}, "missing required field `items`"),
        ({**GOOD, "scale": {**MOODS, "items": []}}, "`scale.items` is empty"),
        ({**GOOD, "scale": {**MOODS, "n_items": 4}}, "`scale.n_items` is 4, but there are 3 items"),
        ({**GOOD, "scale": {**MOODS, "max": 1}}, "goes from 1 to 1"),
        ({**GOOD, "scale": {**MOODS, "max": 10**9}}, "it may have 2 to 10,000 options"),
        ({**GOOD, "scale": {**MOODS, "labels": {"5": "more"}}}, "`scale.labels` names 5, which is not from"),
        ({**GOOD, "scale": {**MOODS, "option_letters": {"E": 5}}}, "`scale.option_letters` names 5"),
        ({**GOOD, "scale": {**MOODS, "item_keys": ["x"]}}, "`scale.item_keys` has 1 keys for 3 items"),
    ],
)
def test_a_line_that_holds_no_reply_is_named_and_the_good_ones_before_it_are_printed(
    line: object, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "replies.jsonl", GOOD, b"", line, GOOD)
    assert main(["read", file]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(one)["id"] for one in out.splitlines()] == ["a"]
    assert err.startswith(f"ebc: {file}, line 3: ")
    assert why in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_and_a_folder_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl: No such file or directory" in capsys.readouterr().err
    assert main(["read", str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err


def coded(status: str, values: dict[str, int], **more: object) -> dict[str, object]:
    return {"expected": {"status": status, "values": values, **more}}


JUDGED = [
    {**GOOD, **coded("complete", {"1": 2, "2": 4, "3": 1}), "shape": ["label", "label"]},
    {**PARTS, **coded("partial", {"1": 2, "2": 3}), "shape": ["label", "doubt"]},
    {**PARTS, "id": 8, **coded("complete", {"1": 2, "2": 3, "3": 1}, leeway="missing_ok"), "shape": ["doubt"]},
    {**NO, **coded("unparseable", {}, also_ok=["refused"])},
    {**NO, "id": "no\x1b[31m", **coded("unparseable", {}), "shape": ["refusal"]},
    {**GOOD, "id": "c", **coded("partial", {"1": 3, "2": 4}), "shape": ["label"]},
]


def test_expected_counts_what_is_right_left_out_and_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    file = written(tmp_path / "replies.jsonl", *JUDGED)
    assert main(["read", file, "--expected"]) == 0
    golden("read_expected.txt", capsys.readouterr().out)
    assert main(["read", file, "--expected", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {key: said[key] for key in ("replies", "right", "left_out", "wrong", "values")} == {
        "replies": 6,
        "right": 3,
        "left_out": 1,
        "wrong": 2,
        "values": {"right": 6, "left_out": 3, "wrong": 2},
    }
    assert {shape: one["replies"] for shape, one in said["by_shape"].items()} == {
        "doubt": 2,
        "label": 3,
        "refusal": 1,
    }
    assert said["by_status"]["unparseable"]["wrong"] == 1
    assert [(one["id"], one["verdict"]) for one in said["differences"]] == [
        (7, "left_out"),
        ("no\x1b[31m", "wrong"),
        ("c", "wrong"),
    ]
    assert said["differences"][2]["status"] == {"read": "complete", "expected": ["partial"]}
    assert said["differences"][2]["values"]["1"] == {"read": 2, "expected": 3, "reason": None}


def test_expected_needs_it_in_every_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "replies.jsonl", JUDGED[0], GOOD)
    assert main(["read", file, "--expected"]) == 2
    assert f"{file}, line 2 has no `expected`." in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system counts no memory")
def test_many_lines_are_read_in_flat_memory(tmp_path: Path) -> None:
    """60,000 lines (14 MB) take no more than 600, in a process of its own."""
    script = (
        "import re, sys\nfrom pathlib import Path\nfrom ebc.cli import main\n"
        "assert main(['read', sys.argv[1]]) == 0\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1], file=sys.stderr)\n"
    )
    peaks = []
    for count in (600, 60_000):
        file = written(tmp_path / f"{count}.jsonl", *[GOOD] * count)
        done = subprocess.run([sys.executable, "-c", script, file], capture_output=True, text=True, check=True)
        assert done.stdout.count("\n") == count
        peaks.append(int(done.stderr))
    assert peaks[1] - peaks[0] < 4_000, f"{peaks} KiB"
