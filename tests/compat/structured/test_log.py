"""The batch log, and the directory that it is written to."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext

from compat._structured.directory import Directory, HadoopDirectory, LocalDirectory, directory
from compat._structured.log import BatchLog


@pytest.fixture(params=["local", "hadoop"])
def place(request: pytest.FixtureRequest, tmp_path: Path, spark_context: SparkContext) -> Directory:
    found = directory(str(tmp_path / "a b"))
    assert isinstance(found, LocalDirectory)
    if request.param == "local":
        return found
    jvm = SparkContext._jvm
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


def test_a_micro_batch_that_is_replayed_has_the_times_and_slices_it_had(place: Directory) -> None:
    log = BatchLog(place)
    assert log.times(5) is None
    log.begin(5, [1000, 2000], 1000, {0: {1000: ["a"]}, 3: {1000: []}})
    log.begin(5, [1000, 2000], 2000, {0: {2000: ["b"]}})
    again = BatchLog(place)
    assert again.restore() == {0: {1000: ["a"], 2000: ["b"]}, 3: {1000: []}}
    assert again.times(5) == [1000, 2000]
    assert again.last_time == 2000
    assert again.times(6) is None


def test_a_crash_before_the_last_time_leaves_the_list_of_times(place: Directory) -> None:
    BatchLog(place).begin(0, [1000, 2000, 3000], 1000, {0: {1000: ["a"]}})
    again = BatchLog(place)
    assert again.restore() == {0: {1000: ["a"]}}
    assert again.times(0) == [1000, 2000, 3000]


def test_old_entries_go_when_nothing_needs_their_slices(place: Directory) -> None:
    log = BatchLog(place)
    for batch_id, times in enumerate(([1000, 2000], [3000], [4000])):
        for time in times:
            log.begin(batch_id, times, time, {0: {time: []}})
    log.remove(2, 2000)
    assert sorted(place.names()) == ["1", "2"]
    log.remove(2, 9000)
    assert place.names() == ["2"]
    assert log.last_time == 4000


def test_without_a_directory_it_is_in_memory() -> None:
    log = BatchLog(None)
    log.begin(0, [1000], 1000, {})
    assert (log.times(0), log.last_time, log.restore()) == ([1000], 1000, {})
