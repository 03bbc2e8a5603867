"""The journal: every paid answer is on disk before it counts.

A run's answers are appended to segments `<run>.<part>.jsonl`, a line each: `["checksum",answered]`. The
checksum is of the segment's name and the answer, so that nothing that a crash left in the file is taken for
one. A record is written at once, so that a killed process loses none that it had taken in; it counts as
durable after the group's fsync, at most `GROUP` records or `GROUP_SECONDS` later. A finished segment is folded
into the sink as the part of its number and removed. Part numbers come from the wall clock, and are above all
that the run had before: none is used twice, even if the journal's folder is lost or the clock set back.

A reply that had left the provider but had not reached this process when it died is nowhere: its trial is
asked again. There are at most as many as requests were in flight.
"""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from runtime.sink import Sink
from schemas.rows import Answered

GROUP = 100
GROUP_SECONDS = 0.02
LEAST = len(b'["01234567",')


class JournalFault(Exception):
    """The journal cannot be written: the run must stop, because it could not keep what it pays for."""


class Segment(msgspec.Struct, frozen=True):
    """A file of the journal, and the number of the part that it becomes."""

    path: Path
    part: int


class Journal:
    """The open end of one run's journal. `after`: the highest part number that the run had so far. `durable`
    is called with each group that reached the disk, `fault` when one did not; both from the journal's own
    thread or the caller's."""

    def __init__(
        self,
        folder: Path,
        run: str,
        after: int,
        durable: Callable[[list[Answered]], None],
        fault: Callable[[JournalFault], None],
    ) -> None:
        self._folder = folder
        self._run = run
        self._last_part = after
        self._durable = durable
        self._fault = fault
        self._encoder = msgspec.json.Encoder()
        self._wake = threading.Condition()
        self._io = threading.Lock()
        self._syncing = threading.Lock()
        self._waiting: list[Answered] = []
        self._oldest = 0.0
        self._closing = False
        self._segment, self._file = self._create()
        self._length = 0
        self._thread = threading.Thread(target=self._sync_groups, name=f"journal {run[:8]}", daemon=True)
        self._thread.start()

    def append(self, *records: Answered) -> None:
        """Writes records, all or none. Raises JournalFault; the file then ends with its last whole record."""
        texts = [self._encoder.encode(record) for record in records]
        with self._io:
            lines = b"".join(_line(self._segment, text) for text in texts)
            try:
                _write_all(self._file, lines)
            except OSError as error:
                self._cut_back()
                raise self._broken(error) from error
            self._length += len(lines)
        with self._wake:
            first = not self._waiting
            self._waiting += records
            if first:
                self._oldest = time.monotonic()
                self._wake.notify()
            elif len(self._waiting) >= GROUP:
                self._wake.notify()

    def flush(self) -> None:
        """Makes everything durable that was appended. Raises JournalFault."""
        with self._syncing:
            self._sync()

    def roll(self) -> Segment:
        """Finishes the segment and opens the next. Raises JournalFault."""
        with self._syncing:
            self._sync()
            with self._io:
                finished, old = self._segment, self._file
                self._segment, self._file = self._create()
                self._length = 0
                os.close(old)
        return finished

    def close(self) -> Segment:
        """Finishes the last segment. What could not be synced has gone to `fault`."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        with self._io:
            os.close(self._file)
        return self._segment

    def _create(self) -> tuple[Segment, int]:
        part = max(time.time_ns() // 1_000_000, self._last_part + 1)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
        while True:
            path = self._folder / f"{self._run}.{part}.jsonl"
            try:
                file = os.open(path, flags, 0o644)
            except FileExistsError:
                part += 1
                continue
            except OSError as error:
                raise self._broken(error) from error
            _sync_folder(self._folder)
            self._last_part = part
            return Segment(path, part), file

    def _sync_groups(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                while not self._closing and len(self._waiting) < GROUP:
                    left = self._oldest + GROUP_SECONDS - time.monotonic()
                    if left <= 0:
                        break
                    self._wake.wait(left)
                if not self._waiting and self._closing:
                    return
            try:
                with self._syncing:
                    self._sync()
            except JournalFault as fault:
                self._fault(fault)

    def _sync(self) -> None:
        """Makes what was appended durable; `_syncing` is held, so that the file stays the same."""
        with self._wake:
            group, self._waiting = self._waiting, []
        if not group:
            return
        try:
            os.fsync(self._file)
            if os.fstat(self._file).st_nlink == 0:
                raise FileNotFoundError("the file was removed while the run was writing it")
        except OSError as error:
            raise self._broken(error) from error
        self._durable(group)

    def _cut_back(self) -> None:
        try:
            os.ftruncate(self._file, self._length)
        except OSError:
            return  # the torn tail is left out when the segment is read

    def _broken(self, error: OSError) -> JournalFault:
        reason = error.strerror or str(error)
        return JournalFault(
            f"The journal in {self._folder} cannot be written: {reason}. Nothing more was asked. "
            "What was answered before is kept; make room or give access, then run the same command again."
        )


def segments(folder: Path, run: str) -> list[Segment]:
    """A run's segments, oldest first."""
    found = []
    for path in folder.glob(f"{run}.*.jsonl"):
        number = path.name.split(".")[-2]
        if number.isdecimal():
            found.append(Segment(path, int(number)))
    return sorted(found, key=lambda segment: segment.part)


def fold(segment: Segment, sink: Sink, note: Callable[[str], None]) -> None:
    """Moves a finished segment into the sink; one that is there already is only removed.

    Lines that cannot be read are reported to `note`, and the segment is then kept beside, as `*.damaged`.
    Raises OSError, and what the sink raises; the segment stays.
    """
    damage: list[str] = []
    if segment.path.stat().st_size > 0 and segment.part not in sink.parts():
        sink.write(segment.part, records(segment, damage))
        sink.flush()
    if not damage:
        segment.path.unlink()
        return
    kept = segment.path.with_suffix(".damaged")
    segment.path.replace(kept)
    note(f"{len(damage)} lines of the journal cannot be read ({damage[0]}); they are kept in {kept}")


def _line(segment: Segment, text: bytes) -> bytes:
    return b'["%08x",%b]\n' % (_checksum(segment, text), text)


def _checksum(segment: Segment, text: bytes) -> int:
    return zlib.crc32(text, zlib.crc32(segment.path.name.encode()))


def records(segment: Segment, damage: list[str]) -> Iterator[Answered]:
    """The records of a segment; `damage` takes what is said of lines that are none. A tail without a newline
    was torn by a crash: it was never durable."""
    decoder = msgspec.json.Decoder(Answered)
    with segment.path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = decoder.decode(_text(segment, line))
            except (msgspec.MsgspecError, ValueError) as error:
                damage.append(f"line {number}: {error}")
                continue
            yield record


def _text(segment: Segment, line: bytes) -> bytes:
    """The record in a line; one that is a record alone has no checksum. Raises ValueError."""
    if line.startswith(b"{"):
        return line
    text = line[LEAST : -len(b"]\n")]
    if line != _line(segment, text):
        raise ValueError("it is not as it was written")
    return text


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _sync_folder(folder: Path) -> None:
    """Makes the folder's entries durable, where the system can (POSIX)."""
    if os.name != "posix":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
