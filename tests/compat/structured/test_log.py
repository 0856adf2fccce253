"""The batch log, and the directory that it is written to."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.durable.log import BatchLog
from compat._structured.durable.needed import Needed, Span
from compat.directory import Directory, HadoopDirectory, LocalDirectory, directory


@pytest.fixture(params=["local", "hadoop"])
def place(request: pytest.FixtureRequest, tmp_path: Path, spark_context: SparkContext) -> Directory:
    found = directory(str(tmp_path / "a b"))
    assert isinstance(found, LocalDirectory)
    if request.param == "local":
        return found
    jvm: Any = SparkContext._jvm
    path = jvm.org.apache.hadoop.fs.Path(found.path(""))
    return HadoopDirectory(jvm, path.getFileSystem(spark_context._jsc.hadoopConfiguration()), path.toString())


def test_a_directory_keeps_whole_files(place: Directory) -> None:
    assert place.names() == []
    assert not place.has("x/1")
    place.write("x/1", b"old")
    place.write("x/1", bytes(range(256)))
    place.write("x/2", b"")
    assert place.read("x/1") == bytes(range(256))
    assert sorted(place.names("x")) == ["1", "2"]
    place.delete("x/1")
    place.delete("x/1")
    assert place.names("x") == ["2"]
    place.delete("x")
    assert not place.has("x/2")


def test_a_batch_that_is_run_again_has_the_slices_it_had(place: Directory) -> None:
    log = BatchLog(place)
    log.begin(1000, {0: {1000: ["a"]}, 3: {1000: []}})
    log.end(1000)
    log.begin(2000, {0: {2000: ["b"]}})
    again = BatchLog(place)
    assert again.restore() == {0: {1000: ["a"], 2000: ["b"]}, 3: {1000: []}}
    assert (again.done, again.last_time) == (1000, 2000)
    again.begin(2000, {})
    again.begin(2000, {3: {2000: ["more"]}})
    once_more = BatchLog(place)
    assert once_more.restore() == {0: {1000: ["a"], 2000: ["b"]}, 3: {1000: [], 2000: ["more"]}}


def test_only_the_last_end_is_kept(place: Directory) -> None:
    log = BatchLog(place)
    for time in (1000, 2000, 3000):
        log.end(time)
    assert place.names() == ["3000.done"]
    place.write("2000.done", b"")  # as after a crash between writing the one and deleting the other
    again = BatchLog(place)
    again.restore()
    assert again.done == again.last_time == 3000
    assert place.names() == ["3000.done"]


def test_a_slice_that_was_taken_back_is_not_restored(place: Directory) -> None:
    log = BatchLog(place)
    log.begin(1000, {0: {1000: ["a"]}, 1: {1000: ["b"]}})
    log.release(1000, [(0, 1000), (2, 1000)])
    log.begin(2000, {0: {2000: ["a"]}})
    assert BatchLog(place).restore() == {0: {2000: ["a"]}, 1: {1000: ["b"]}}


def test_a_window_that_asks_late_has_its_slices_with_its_own_batch(place: Directory) -> None:
    log = BatchLog(place)
    log.begin(2000, {0: {1000: ["a"], 2000: ["b"]}})
    log.remove(Needed(1000))
    assert BatchLog(place).restore() == {0: {1000: ["a"], 2000: ["b"]}}


def test_old_entries_go_when_nothing_needs_their_slices(place: Directory) -> None:
    log = BatchLog(place)
    for time in (1000, 2000, 3000):
        log.begin(time, {0: {time: []}})
    log.remove(Needed(1999))
    assert sorted(place.names()) == ["2000", "3000"]
    log.remove(Needed(9000))
    assert place.names() == []


def test_without_a_directory_nothing_is_kept() -> None:
    log = BatchLog(None)
    log.begin(1000, {0: {1000: []}})
    log.end(1000)
    log.release(1000, [(0, 1000)])
    log.remove(Needed(1000))
    assert (log.done, log.last_time, log.restore()) == (1000, 1000, {})


def test_batches_that_failed_are_known_to_the_next_run(place: Directory) -> None:
    log = BatchLog(place)
    for time in (1000, 2000, 3000):
        log.begin(time, {0: {time: []}})
        if time < 3000:
            log.fail(time, "why")
        log.end(time)
    again = BatchLog(place)
    again.restore()
    assert (again.failed, again.done) == ({1000, 2000}, 3000)
    assert place.read("2000.failed") == b"why"
    again.mend(1000)
    once_more = BatchLog(place)
    once_more.restore()
    assert once_more.failed == {2000}


def test_a_batch_that_failed_and_has_not_ended_is_just_run_again(place: Directory) -> None:
    log = BatchLog(place)
    log.end(1000)
    log.fail(2000, "a crash came before the end")
    again = BatchLog(place)
    again.restore()
    assert (again.failed, again.done) == (set(), 1000)
    assert place.names() == ["1000.done"]


def test_an_end_that_is_not_settled_is_written_with_the_next_batch(place: Directory) -> None:
    log = BatchLog(place)
    log.end(1000)
    log.begin(2000, {0: {2000: []}})
    log.end(2000, settled=False)
    assert ends(place) == [1000]
    log.begin(3000, {})
    assert ends(place) == [2000]


def ends(place: Directory) -> list[int | None]:
    log = BatchLog(place)
    log.restore()
    return [log.done]


def test_entries_stay_that_a_failed_batch_needs(place: Directory) -> None:
    log = BatchLog(place)
    for time in range(1000, 7000, 1000):
        log.begin(time, {0: {time: []}})
    log.remove(Needed(5000, [Span(1000, 3000)]))
    assert sorted(place.names()) == ["2000", "3000", "6000"]


@pytest.mark.parametrize(
    ("name", "content"), [("1000", b'{"0": {"10'), ("2000", b"[]"), ("3000", b""), ("notes.txt", b"by hand")]
)
def test_a_torn_or_foreign_file_is_named(place: Directory, name: str, content: bytes) -> None:
    place.write(name, content)
    with pytest.raises(
        RuntimeError, match=rf"/{re.escape(name)} is not what .* another checkpoint directory"
    ):
        BatchLog(place).restore()


def test_a_file_system_may_be_away_for_a_moment(
    place: Directory, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[int] = []
    write = type(place)._write  # type: ignore[attr-defined]

    def away(there: Directory, name: str, content: bytes) -> None:
        if failures:
            failures.pop()
            raise OSError("away for a moment")
        write(there, name, content)

    monkeypatch.setattr(type(place), "_write", away)
    log = BatchLog(place)
    failures.extend(range(2))
    log.begin(1000, {0: {1000: []}})
    log.end(1000)
    assert sorted(place.names()) == ["1000", "1000.done"]
    assert caplog.text.count("trying again: away for a moment") == 2
    failures.extend(range(3))
    with pytest.raises(OSError, match="away"):
        log.begin(2000, {0: {2000: []}})


def test_a_write_that_fails_leaves_the_file_before(place: Directory) -> None:
    place.write("x/1", b"whole")
    with pytest.raises(TypeError):
        place.write("x/1", None)  # type: ignore[arg-type]
    assert place.read("x/1") == b"whole"
    assert place.names("x") == ["1"]


def test_a_write_has_reached_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content before its name, and the names of new directories, too."""
    place = LocalDirectory("file:x", tmp_path / "a")
    synced: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def watched(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink().relative_to(tmp_path)))
        fsync(descriptor)

    def renamed(path: Path, target: Path) -> Path:
        synced.append("renamed")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(Path, "replace", renamed)
    place.write("x/1", b"content")
    assert synced == [".", "a", "a/x/.part", "renamed", "a/x"]


@pytest.mark.parametrize("room", [0, 3])
def test_a_full_disk_keeps_the_file_before_and_no_part_of_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    place = LocalDirectory("file:x", tmp_path)
    place.write("x/1", b"whole")

    def full(descriptor: int) -> None:
        os.truncate(descriptor, room)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        place.write("x/1", b"longer than before")
    assert place.read("x/1") == b"whole"
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["1"]


def test_only_the_owner_of_a_file_may_read_it(place: Directory, tmp_path: Path) -> None:
    place.write("x/1", b"secret")
    assert stat.S_IMODE((tmp_path / "a b/x/1").stat().st_mode) == 0o600
