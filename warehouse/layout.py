"""Where things stand in a results folder, and how a file gets there whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from warehouse.errors import StorageError, WarehouseError

RUN_TABLES = ("runs", "respondents", "trials", "responses", "answers")
APPENDED = ("responses", "answers")
EMPTY = "_empty.parquet"
TURN = ".importing"
STALE_SECONDS = 3600


def part(results: Path, table: str, name: str) -> Path:
    """The file of `name`, a study or run (or `run.number`), in a table's folder."""
    if not name or name.startswith((".", "_")) or any(mark in name for mark in '/\\:*?"<>|\0'):
        raise WarehouseError(f"{name!r} cannot name a file of the table {table}. Use letters and digits.")
    return results / table / f"{name}.parquet"


def parts(results: Path, table: str, owners: Collection[str] | None = None) -> list[Path]:
    """A table's files, sorted by name: all of them, or those of some runs or studies."""
    found = [path for path in sorted((results / table).glob("*.parquet")) if path.name[0] not in "._"]
    if owners is None:
        return found
    return [path for path in found if _owner(table, path) in owners]


def _owner(table: str, path: Path) -> str:
    return path.name.rsplit(".", 2)[0] if table in APPENDED else path.stem


def part_numbers(results: Path, table: str, run: str) -> set[int]:
    """The numbers of a run's parts in a table that only grows."""
    names = (path.name.rsplit(".", 2)[1] for path in parts(results, table, {run}))
    return {int(number) for number in names if number.isdecimal()}


def require_pairs(results: Path, run: str, unfinished: Collection[int] = ()) -> None:
    """Every part of a run's responses has its part of answers, and the reverse; but for `unfinished` ones,
    which will be written again. Raises StorageError."""
    numbers = {table: part_numbers(results, table, run) for table in APPENDED}
    for table, other in (APPENDED, APPENDED[::-1]):
        for number in sorted(numbers[other] - numbers[table] - set(unfinished)):
            missing, there = (part(results, one, f"{run}.{number}") for one in (table, other))
            raise StorageError(
                f"{missing} is missing, although {there} stands: responses without their answers would count "
                "as answered. Restore it from a copy; or remove the other too, to ask their trials again."
            )


def new_part(results: Path, table: str, run: str, number: int) -> Path:
    """Where a part stands that will take the place of another: no reader looks there."""
    return part(results, table, f"{run}.{number}").with_name(f".{run}.{number}.new")


def replace_parts(results: Path, run: str) -> None:
    """Has every new part of a run take its place: all of them, also where this process ends in between, since
    `settle` then goes on. Raises StorageError."""
    with replacing(_replacing(results, run)) as scratch:
        scratch.touch()
    settle(results, run)


def is_replacing(results: Path, run: str) -> bool:
    """Whether a process ended while new parts took their places: some stand there already."""
    return _replacing(results, run).exists()


def settle(results: Path, run: str) -> None:
    """Ends what a killed process began: new parts that were all written take their places, others are removed.
    Only for who holds the run's lock. Raises StorageError."""
    whole = is_replacing(results, run)
    new = {table: list((results / table).glob(f".{run}.*.new")) for table in APPENDED[::-1]}
    if not whole and not any(new.values()):
        return
    try:
        for table, paths in new.items():
            for path in paths:
                if whole:
                    path.replace(part(results, table, path.name[1:].removesuffix(".new")))
                else:
                    path.unlink()
            _sync_folder(results / table)
        _replacing(results, run).unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(results / "responses", error) from error


def _replacing(results: Path, run: str) -> Path:
    """A blank file that says: the run's new parts are whole, and count."""
    return results / "responses" / f".{run}.replacing"


def plan_folder(results: Path, plan_id: str) -> Path:
    """Where the plan of a run is kept."""
    return results / "plans" / f"{plan_id}.plan"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a scratch path in the same folder; on leaving, its content is durable under `path`.

    Raises StorageError; then `path` is as it was.
    """
    scratch = path.with_name(f".{path.stem}.{os.urandom(4).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield scratch
        _sync(scratch)
        scratch.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        with suppress(OSError):
            scratch.unlink()


def storage_error(path: Path, error: OSError) -> StorageError:
    """The message for a file that cannot be written."""
    why = error.strerror or str(error).splitlines()[0]
    return StorageError(
        f"cannot write {path}: {why}. What was stored before is untouched. Free space there or make the "
        "folder writable, or name another with --results, then run the same command again."
    )


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone(results: Path) -> Iterator[None]:
    """Waits until no other process is in here for this folder; one that was killed is not waited for. Where a
    disk knows no locks, nobody waits. Raises StorageError."""
    from filelock import FileLock

    path = results / TURN
    try:
        results.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path)
        with suppress(NotImplementedError):
            lock.acquire()
    except OSError as error:
        raise storage_error(path, error) from error
    try:
        yield
    finally:
        lock.release()


def remove_run(results: Path, run: str) -> None:
    """Removes a run's rows, its own first, so that no other is seen without it. Raises StorageError."""
    for table in ("runs", "responses", "answers", "trials", "respondents"):
        for path in parts(results, table, {run}):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise storage_error(path, error) from error


def sweep(results: Path, run: str) -> None:
    """Removes the scratch files that a killed process left: those of `run`, and any that are old."""
    too_old = time.time() - STALE_SECONDS
    for scratch in (*results.glob("*/.*.tmp"), *results.glob("plans/*/.*.tmp")):
        try:
            if scratch.name.lstrip(".").startswith(f"{run}.") or scratch.stat().st_mtime < too_old:
                scratch.unlink(missing_ok=True)
        except OSError:
            continue
