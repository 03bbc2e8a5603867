from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from schemas.derive import arrow_schema
from schemas.rows import TABLES, Answered, AnswerRow
from tests.warehouse.builder import Seen, plan, response, store
from warehouse import catalog
from warehouse.errors import StorageError, WarehouseError
from warehouse.layout import part, parts
from warehouse.parquet import ParquetSink
from warehouse.register import register_plan

STUDY = plan().study


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_part_has_its_table_s_schema(tmp_path: Path) -> None:
    register_plan(tmp_path, plan())
    store(tmp_path, STUDY, "m", [Seen("default", [None, None]), Seen("evoked", [1.0, 2.0], ("joy", 0, 0))])
    for table, record in TABLES.items():
        files = sorted((tmp_path / table).glob("*.parquet"))
        assert len(files) == 2, table
        for file in files:
            assert pq.read_schema(file).equals(arrow_schema(record)), file


def test_what_is_no_number_is_null(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [])])
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    row = AnswerRow("r", run.run, 1, 1, 0, float("nan"), None, "unreadable", (0.5, 0.5), float("inf"))
    sink.write(1, [Answered(response("t", run.run), (row,))])
    (found,) = pq.read_table(part(tmp_path, "answers", f"{run.run}.1")).to_pylist()
    assert (found["value"], found["expected"], found["probabilities"]) == (None, None, [0.5, 0.5])


def test_many_rows_go_in_batches(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [])
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    sink.write(3, (Answered(response(f"t{n}", run.run), ()) for n in range(25_000)))
    file = pq.ParquetFile(part(tmp_path, "responses", f"{run.run}.3"))
    with file:
        assert (file.metadata.num_rows, file.metadata.num_row_groups) == (25_000, 50)
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert len(catalog.answered(tmp_path, run.run)) == 25_000


def test_the_same_part_again_replaces_itself(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    before = tree(tmp_path)
    store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    assert tree(tmp_path) == before
    assert len(parts(tmp_path, "responses", [run.run])) == 1


def test_answers_stand_before_their_responses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    replace = Path.replace

    def noted(self: Path, target: Path) -> Path:
        order.append(Path(target).parent.name)
        return replace(self, target)

    run = store(tmp_path, STUDY, "m", [])
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    monkeypatch.setattr(Path, "replace", noted)
    sink.write(0, [Answered(response("t", run.run), ())])
    assert order == ["answers", "responses"]


def test_scratch_files_are_ignored_and_swept(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    own = tmp_path / "responses" / f".{run.run}.7.0badcafe.tmp"
    other = tmp_path / "responses" / ".another.7.0badcafe.tmp"
    old = tmp_path / "answers" / ".ancient.7.0badcafe.tmp"
    for scratch in (own, other, old):
        scratch.write_bytes(b"PAR1 half of it")
    os.utime(old, (0, 0))
    assert len(catalog.answered(tmp_path, run.run)) == 1
    store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    assert not own.exists()
    assert not old.exists()
    assert other.exists()


def test_a_source_that_fails_leaves_nothing(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    before = tree(tmp_path)
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])

    def broken() -> object:
        yield Answered(response("t", run.run), ())
        raise RuntimeError("the journal ends here")

    with pytest.raises(RuntimeError, match="the journal ends here"):
        sink.write(1, broken())  # type: ignore[arg-type]
    assert tree(tmp_path) == before


@dataclass
class FullDisk:
    """Refuses every sync, as a full disk may."""

    number: int = errno.ENOSPC

    def __call__(self, _handle: int) -> None:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_disk_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    sink = ParquetSink(tmp_path)
    sink.open(run, [], [])
    before = tree(tmp_path)
    monkeypatch.setattr(os, "fsync", FullDisk(number))
    with pytest.raises(StorageError, match=f"cannot write .*{os.strerror(number)}") as caught:
        sink.write(1, [Answered(response("t", run.run), ())])
    assert isinstance(caught.value, OSError)
    assert "\n" not in str(caught.value)
    assert tree(tmp_path) == before


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "studies").write_text("not a folder", encoding="utf-8")
    with pytest.raises(StorageError, match=r"cannot write .*studies"):
        register_plan(tmp_path, plan())


def test_a_part_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    bad = part(tmp_path, "responses", f"{run.run}.5")
    bad.write_bytes(b"this is no Parquet file")
    for ask in (lambda: catalog.runs(tmp_path), lambda: catalog.answered(tmp_path, run.run)):
        with pytest.raises(StorageError, match=r"responses.*5\.parquet cannot be read"):
            ask()


def test_a_part_of_another_table_is_named(tmp_path: Path) -> None:
    run = store(tmp_path, STUDY, "m", [Seen("default", [1.0, 2.0])])
    table = pq.read_table(part(tmp_path, "answers", f"{run.run}.0"))
    swapped = table.set_column(2, "item", table.column("response"))
    pq.write_table(swapped, part(tmp_path, "answers", f"{run.run}.9"))
    with (
        catalog.connect(tmp_path) as connection,
        pytest.raises(StorageError, match=r"9\.parquet is no part of answers: its column item is string"),
    ):
        catalog.fetch(connection, tmp_path, "SELECT sum(item) FROM answers")


def test_there_is_no_warehouse(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="there is no warehouse at"):
        catalog.runs(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a\\b", ".hidden", "_empty", "a:b"])
def test_names_that_no_file_may_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(WarehouseError, match="cannot name a file"):
        part(tmp_path, "runs", name)
